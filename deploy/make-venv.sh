#!/usr/bin/env bash
# Makes a virtual environment and installs Tablesight into it. Does nothing when nothing has changed since the last time.
#
#   deploy/make-venv.sh [--venv DIR] [--source DIR] [--extra NAME] [--copy]
#
#   --venv DIR    where the environment goes (default: SOURCE/.venv)
#   --source DIR  the checkout to install (default: the one this script is in)
#   --extra NAME  also install an optional group of pyproject.toml, for example dev
#   --copy        install a copy instead of linking to the checkout (for a service)
#
# Environment: PYTHON = the interpreter to use (default: the newest suitable one found).
# Every failure is one sentence on standard error that says what to do, and exit status 1.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(dirname "$here")
venv=
extra=
copy=no
device_model_file=${DEVICE_MODEL_FILE:-/proc/device-tree/model}
needed_libraries=(libGL.so.1 libgthread-2.0.so.0 libxcb.so.1)  # what the windowed build of OpenCV links to

say() { printf 'tablesight: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
        --venv) venv=$2; shift 2 ;;
        --source) source_dir=$(cd "$2" && pwd); shift 2 ;;
        --extra) extra=$2; shift 2 ;;
        --copy) copy=yes; shift ;;
        *) die "unknown option $1; see the head of deploy/make-venv.sh" ;;
    esac
done
venv=${venv:-$source_dir/.venv}

is_raspberry_pi() { [ -r "$device_model_file" ] && tr -d '\0' <"$device_model_file" | grep -q '^Raspberry Pi'; }

# The first interpreter that is new enough. On a Pi the system's own comes first: libcamera's bindings belong to it.
find_python() {
    local candidate candidates=(python3 python3.13 python3.12 python3.11)
    if [ -n "${PYTHON:-}" ]; then candidates=("$PYTHON"); elif is_raspberry_pi; then candidates=(/usr/bin/python3); fi
    for candidate in "${candidates[@]}"; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    if ! command -v "${candidates[0]}" >/dev/null; then
        die "Python is missing: sudo apt install python3 python3-venv"
    fi
    die "Python 3.11 or newer is needed and this is $("${candidates[0]}" --version 2>&1):" \
        "use Debian 12, Raspberry Pi OS bookworm or anything newer"
}

have_opencv_libraries() {
    local library known
    known=$(/sbin/ldconfig -p 2>/dev/null) || return 1
    for library in "${needed_libraries[@]}"; do
        grep -qF "$library " <<<"$known" || return 1
    done
}

# One sentence for a failed pip, read from its log ($1).
explain_pip_failure() {
    if grep -qiE 'no space left' "$1"; then
        die "the disk is full: free about 1 GB (df -h shows where) and try again"
    elif grep -qiE 'name resolution|name or service not known|NewConnectionError|ConnectTimeout|ProxyError|Network is unreachable' "$1"; then
        die "the Python packages could not be fetched, there is no network or no PyPI behind it:" \
            "connect this machine to the internet once and try again"
    elif grep -qE 'No matching distribution|metadata-generation-failed|Failed (building|to build)' "$1"; then
        die "a package has no build for $("$python" --version) on $(uname -m): $(grep -m1 -E '^ *ERROR' "$1" | sed 's/^ *ERROR: *//') (all of it in $1)"
    fi
    die "installing the Python packages failed, the reason is at the end of $1: $(tail -n 1 "$1")"
}

pip_install() {
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off --retries 2 "$@" 2>&1 |
        tee -a "$log" | { grep --line-buffered -E '^(Collecting|Obtaining dependency information for)' | sed -uE 's/^(Collecting|Obtaining dependency information for) ([^ ]+).*/  fetching \2/' >&2 || true; } ||
        explain_pip_failure "$log"
}

# The requirements of pyproject.toml, one a line. $1 = extra or empty, $2 = the OpenCV build.
requirements() {
    "$venv/bin/python" - "$source_dir/pyproject.toml" "$1" "$2" <<'PYTHON'
import sys, tomllib
path, extra, opencv = sys.argv[1:]
with open(path, "rb") as file:
    project = tomllib.load(file)["project"]
for requirement in project["dependencies"] + (project["optional-dependencies"][extra] if extra else []):
    print(requirement.replace("opencv-python", opencv))
PYTHON
}

[ -f "$source_dir/pyproject.toml" ] || die "$source_dir is no checkout of Tablesight: pyproject.toml is missing"
python=$(find_python)
"$python" -c 'import struct, sys; sys.exit(struct.calcsize("P") != 8)' ||
    die "this system is 32-bit and there are no packages for it: install the 64-bit Raspberry Pi OS or Debian"
"$python" -c 'import venv, ensurepip' 2>/dev/null || die "python3-venv is missing: sudo apt install python3-venv"

opencv="opencv-python"
have_opencv_libraries || opencv="opencv-python-headless"

venv_options=()
if is_raspberry_pi; then venv_options=(--system-site-packages); fi  # picamera2 comes from apt

# what the environment depends on; pyproject.toml is the only part that usually changes
stamp=$venv/tablesight-installed
wanted=$(
    printf '%s\n' "$venv" "$source_dir" "$copy" "$opencv" "${venv_options[*]}" "$("$python" -VV)"
    sha256sum <"$source_dir/pyproject.toml"
    sha256sum <"$here/make-venv.sh"
)
installed_with() { [ -x "$venv/bin/tablesight" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted
extra $1" ]; }
if [ "$copy" = no ] && { installed_with "$extra" || { [ -z "$extra" ] && installed_with dev; }; }; then exit 0; fi

if ! "$venv/bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    { [ -e "$stamp" ] && [ "$(head -n 1 "$stamp")" != "$venv" ]; } ||
    { is_raspberry_pi && ! grep -q '^include-system-site-packages = true' "$venv/pyvenv.cfg"; }; then
    say "making $venv"
    "$python" -m venv --clear "${venv_options[@]}" "$venv" 2>/dev/null ||
        die "$venv could not be made: look at the free space (df -h) and at who owns $(dirname "$venv")"
fi
rm -f "$stamp"
log=$venv/install.log
: >"$log"

[ "$opencv" = opencv-python ] ||
    say "the libraries for OpenCV's windows (libGL and friends) are not here, so its build without windows is used"
say "installing the Python packages: some minutes the first time, about 150 MB from PyPI"
other_opencv="opencv-python"
[ "$opencv" = opencv-python ] && other_opencv="opencv-python-headless"
if [ -n "$(find "$venv"/lib/python3*/site-packages -maxdepth 1 -name "${other_opencv//-/_}-*.dist-info" 2>/dev/null)" ]; then
    # both builds own the folder cv2: the other one must be gone first
    "$venv/bin/python" -m pip uninstall -q -y "$other_opencv" "$opencv" >>"$log" 2>&1
fi
mapfile -t needed < <(requirements "$extra" "$opencv")
if is_raspberry_pi; then
    # apt's simplejpeg is built for numpy 1 on bookworm; beside the numpy 2 that OpenCV 5 needs it takes picamera2 down
    needed+=("simplejpeg>=1.8")
fi
pip_install "${needed[@]}"
if [ "$copy" = yes ]; then
    # built from a copy: a build folder of root's in somebody's checkout would get in the way later
    build_dir=$(mktemp -d)
    trap 'rm -rf "$build_dir"' EXIT
    for part in rules vision models webui pyproject.toml README.md LICENSE; do cp -r "$source_dir/$part" "$build_dir/"; done
    rm -rf "$build_dir/models/training"
    pip_install --no-deps --force-reinstall "$build_dir"
else
    pip_install --no-deps --editable "$source_dir"
fi

error=$("$venv/bin/python" -c 'import cv2, numpy, onnxruntime' 2>&1) || {
    case $error in
        *"cannot open shared object file"*)
            die "a system library is missing (${error##*ImportError: }): sudo apt install libgl1 libglib2.0-0 libxcb1" ;;
    esac
    die "the installed packages do not start on this machine: ${error##*$'\n'}"
}
printf '%s\nextra %s\n' "$wanted" "$extra" >"$stamp"
