#!/usr/bin/env bash
# Removes the Tablesight service. Games, photos and options stay unless told otherwise.
#
#   sudo deploy/uninstall.sh [--purge]      (also as /opt/tablesight/uninstall.sh)
#
#   --purge  also removes /var/lib/tablesight (every game!), /etc/default/tablesight and the user
set -euo pipefail

data_dir=/var/lib/tablesight
purge=no

say() { printf 'tablesight: %s\n' "$*"; }
die() { printf 'tablesight: %s\n' "$*" >&2; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
        --purge) purge=yes ;;
        -h | --help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) die "unknown option $1: try --help" ;;
    esac
    shift
done
[ "$(id -u)" = 0 ] || die "this needs to be root: sudo $0"

if command -v systemctl >/dev/null && [ -e /etc/systemd/system/tablesight.service ]; then
    if [ -d /run/systemd/system ]; then systemctl stop tablesight.service; fi
    systemctl disable tablesight.service
fi
rm -f /etc/systemd/system/tablesight.service /etc/avahi/services/tablesight.service \
    /etc/udev/rules.d/99-tablesight-camera.rules
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$(readlink /usr/local/bin/tablesight 2>/dev/null)" = /opt/tablesight/venv/bin/tablesight ]; then
    rm -f /usr/local/bin/tablesight
fi
rm -rf /opt/tablesight

if [ "$purge" = yes ]; then
    rm -rf "$data_dir" /etc/default/tablesight
    if id tablesight >/dev/null 2>&1; then userdel tablesight; fi
    say "removed, with every game"
elif [ -d "$data_dir" ]; then
    say "removed; the games are still in $data_dir (uninstall.sh --purge removes them too)"
else
    say "removed"
fi
