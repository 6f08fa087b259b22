#!/usr/bin/env bash
# Installs Tablesight as a service, or upgrades it: Raspberry Pi OS (64-bit, bookworm or trixie), Debian 12 or 13.
#
#   sudo deploy/install.sh [--dry-run] [--no-start]
#
#   --dry-run   only says what it would do
#   --no-start  does everything but start the service
#
# Games stay in /var/lib/tablesight, options in /etc/default/tablesight: an upgrade touches neither.
# A failure is one sentence that says what to do; running it again goes on from there.
set -euo pipefail
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(dirname "$here")
os_release_file=${OS_RELEASE_FILE:-/etc/os-release}
program_dir=/opt/tablesight
data_dir=/var/lib/tablesight
user=tablesight
dry_run=no
start=yes

say() { printf 'tablesight: %s\n' "$*"; }
die() { printf 'tablesight: %s\n' "$*" >&2; exit 1; }
# Carries a command out, or says it in a dry run.
act() { if [ "$dry_run" = yes ]; then printf '  would run: %s\n' "$*"; else "$@"; fi; }

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry_run=yes ;;
        --no-start) start=no ;;
        -h | --help) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) die "unknown option $1: try --help" ;;
    esac
    shift
done

os_release() { sed -n "s/^$1=//p" "$os_release_file" | tr -d '"'; }

check_system() {
    local id version like architecture
    [ -r "$os_release_file" ] || die "this is no Debian: Tablesight installs on Raspberry Pi OS (64-bit) or Debian 12 or newer"
    id=$(os_release ID)
    like=$(os_release ID_LIKE)
    version=$(os_release VERSION_ID)
    case "$id $like" in
        raspbian*) die "this is the 32-bit Raspberry Pi OS: write the 64-bit one to the card with Raspberry Pi Imager" ;;
        debian*) ;;
        *) die "this is ${id:-an unknown system}: Tablesight installs on Raspberry Pi OS (64-bit) or Debian 12 or newer" ;;
    esac
    architecture=$(dpkg --print-architecture)
    case $architecture in
        arm64 | amd64) ;;
        armhf | armel | i386) die "this system is 32-bit ($architecture): install the 64-bit Raspberry Pi OS or Debian" ;;
        *) die "there are no packages for $architecture: use a 64-bit ARM (Raspberry Pi 3 or newer) or x86 machine" ;;
    esac
    # testing and unstable have no number: they are newer
    if [ -n "$version" ] && [ "${version%%.*}" -lt 12 ]; then
        die "this is Debian $version: upgrade to Debian 12 (bookworm) or newer"
    fi
    [ -f "$source_dir/pyproject.toml" ] || die "$source_dir is no checkout of Tablesight: pyproject.toml is missing"
    [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || die "this needs to be root: sudo $0"
}

# What a package manager knows of a package: installed, available or unknown.
package_state() {
    if dpkg-query -W -f='${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null | grep -E '^installed ' |
        grep -E "[ ,]${1//./\\.}([ ,]|$)" >/dev/null; then
        echo installed
    elif apt-cache policy "$1" 2>/dev/null | grep -E 'Candidate: [^(]' >/dev/null ||
        apt-cache showpkg "$1" 2>/dev/null | sed '1,/^Reverse Provides/d' | grep -E . >/dev/null; then
        echo available
    else
        echo unknown
    fi
}

install_packages() {
    local package missing=()
    for package in python3-venv libgl1 libglib2.0-0 libxcb1 avahi-daemon; do
        [ "$(package_state "$package")" = installed ] || missing+=("$package")
    done
    if [ "${#missing[@]}" -gt 0 ] || [ "$(package_state python3-picamera2)" != installed ]; then
        act env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
            die "the package lists could not be fetched: connect this machine to the internet and try again"
    fi
    case $(package_state python3-picamera2) in
        available) missing+=(python3-picamera2) ;;
        unknown) say "python3-picamera2 is not offered by this system, so USB, network and phone cameras only" ;;
    esac
    [ "${#missing[@]}" -eq 0 ] && return
    say "installing ${missing[*]}"
    act env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" ||
        die "apt could not install ${missing[*]}: see its message above, then try again"
}

make_user() {
    local group
    id "$user" >/dev/null 2>&1 ||
        act useradd --system --user-group --home-dir "$data_dir" --no-create-home --shell /usr/sbin/nologin "$user"
    for group in video render; do
        if getent group "$group" >/dev/null; then act usermod -a -G "$group" "$user"; fi
    done
    act install -d -m 0750 -o "$user" -g "$user" "$data_dir"
}

install_program() {
    act install -d -m 0755 "$program_dir"
    act env PYTHON=/usr/bin/python3 "$here/make-venv.sh" --copy --venv "$program_dir/venv"
    act install -m 0755 "$here/uninstall.sh" "$program_dir/uninstall.sh"
    act ln -sfn "$program_dir/venv/bin/tablesight" /usr/local/bin/tablesight
}

# The port of the page: 8000, or what the owner wrote into the options.
port() {
    local chosen
    chosen=$(sed -nE 's/^[^#]*--port[ =]+([0-9]+).*/\1/p' /etc/default/tablesight 2>/dev/null | tail -n 1)
    echo "${chosen:-8000}"
}

install_service_files() {
    act install -D -m 0644 "$here/tablesight.service" /etc/systemd/system/tablesight.service
    act install -D -m 0644 "$here/tablesight.avahi.service" /etc/avahi/services/tablesight.service
    [ "$(port)" = 8000 ] ||
        act sed -i "s|<port>8000</port>|<port>$(port)</port>|" /etc/avahi/services/tablesight.service
    act install -D -m 0644 "$here/99-tablesight-camera.rules" /etc/udev/rules.d/99-tablesight-camera.rules
    [ -e /etc/default/tablesight ] || act install -D -m 0644 "$here/tablesight.default" /etc/default/tablesight
}

start_service() {
    if ! command -v systemctl >/dev/null; then
        say "there is no systemd here, so nothing starts by itself: $program_dir/venv/bin/tablesight serve --data-dir $data_dir"
        return
    fi
    act systemctl enable tablesight.service
    if [ ! -d /run/systemd/system ]; then
        say "systemd is not running here (a chroot or a container): the service starts at the next real boot"
        return
    fi
    act systemctl daemon-reload
    if command -v udevadm >/dev/null; then
        act udevadm control --reload 2>/dev/null || say "the new camera rule counts after a restart"
        act udevadm trigger --subsystem-match=dma_heap || true
    fi
    [ "$start" = yes ] || return 0
    act systemctl restart tablesight.service
    act wait_until_up
}

# Asks the service for its health until it answers, 60 s at most; then says where the page is.
wait_until_up() {
    local second ask name by_name
    ask="import urllib.request as r; r.urlopen('http://127.0.0.1:$(port)/healthz', timeout=2)"
    for ((second = 0; second < 60; second++)); do
        if "$program_dir/venv/bin/python" -c "$ask" 2>/dev/null; then
            # the name only where somebody answers for it: a phone must not be sent into the void
            name="from sys import argv, exit; from tablesight.webui.mdns import is_answered; exit(not is_answered(argv[1]))"
            by_name=""
            "$program_dir/venv/bin/python" -c "$name" "$(hostname).local" 2>/dev/null && by_name=" or http://$(hostname).local:$(port)/"
            say "running: http://$(hostname -I | cut -d' ' -f1):$(port)/$by_name"
            return
        fi
        sleep 1
    done
    say "installed, but port $(port) does not answer yet: sudo journalctl -u tablesight -n 30 says why, tablesight doctor looks around"
}

check_system
install_packages
make_user
install_program
install_service_files
start_service
[ "$dry_run" = yes ] || say "done; tablesight doctor checks the camera and the rest"
