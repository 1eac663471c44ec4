# shellcheck shell=bash
# Shared by the scripts in this folder and in .ci; to be sourced by bash with `set -euo pipefail`.

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=$TOP/.venv
OLDEST_PYTHON=3.11

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$@"
    exit 1
}

# find_python: prints the path of a suitable interpreter: MEMORYPANE_PYTHON when that is set, else the first fitting one of the usual names.
find_python() {
    local name
    for name in ${MEMORYPANE_PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if "$name" -c "import sys; sys.exit(sys.version_info < (${OLDEST_PYTHON/./, }))" 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    die "Memory Pane needs Python $OLDEST_PYTHON or newer. Install it, or name one: MEMORYPANE_PYTHON=/path/to/python $0"
}

# system_needs GROUP…: prints `kind name package` lines. Qt's own libraries come with PySide6; these are the ones it expects of the system
# (the direct needs of QtWidgets, QtSvg, QtDBus, QtNetwork and of each platform plugin, as ldd lists them).
system_needs() {
    local group
    for group in "$@"; do
        case $group in
        offscreen) cat <<'END' ;;
library libEGL.so.1 libegl1
library libGL.so.1 libgl1
library libxkbcommon.so.0 libxkbcommon0
library libfontconfig.so.1 libfontconfig1
library libglib-2.0.so.0 libglib2.0-0
library libdbus-1.so.3 libdbus-1-3
library libgssapi_krb5.so.2 libgssapi-krb5-2
END
        x11) cat <<'END' ;;
library libX11-xcb.so.1 libx11-xcb1
library libxcb-cursor.so.0 libxcb-cursor0
library libxcb-icccm.so.4 libxcb-icccm4
library libxcb-image.so.0 libxcb-image0
library libxcb-keysyms.so.1 libxcb-keysyms1
library libxcb-randr.so.0 libxcb-randr0
library libxcb-render-util.so.0 libxcb-render-util0
library libxcb-shape.so.0 libxcb-shape0
library libxcb-sync.so.1 libxcb-sync1
library libxcb-xfixes.so.0 libxcb-xfixes0
library libxcb-xkb.so.1 libxcb-xkb1
library libxkbcommon-x11.so.0 libxkbcommon-x11-0
END
        wayland) cat <<'END' ;;
library libwayland-client.so.0 libwayland-client0
library libwayland-cursor.so.0 libwayland-cursor0
library libwayland-egl.so.1 libwayland-egl1
END
        fonts) cat <<'END' ;;
command fc-list fontconfig
font DejaVu fonts-dejavu-core
font Inter fonts-inter
font JetBrains fonts-jetbrains-mono
font Noto.*CJK fonts-noto-cjk
END
        venv) echo "module ensurepip $(basename "$PYTHON")-venv" ;;
        tests) echo "command git git" ;;
        smoke) printf '%s\n' "command Xvfb xvfb" "command xdotool xdotool" ;;
        esac
    done
}

# missing_packages GROUP…: prints the packages whose library, command, font or Python module is not there.
missing_packages() {
    local kind name package libraries fonts
    libraries=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p)
    fonts=$(fc-list : family 2>/dev/null || true)
    while read -r kind name package; do
        case $kind in
        library) grep -qF "$name " <<<"$libraries" ;;
        command) command -v "$name" >/dev/null ;;
        font) grep -q "$name" <<<"$fonts" ;;
        module) "$PYTHON" -c "import $name" 2>/dev/null ;;
        esac || echo "$package"
    done < <(system_needs "$@")
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    say "Installing from the system's packages: $*"
    apt-get update -qq || say "The lists of packages could not be refreshed; trying with the old ones."
    apt-get install -y -qq -o DPkg::Lock::Timeout=120 --no-install-recommends "$@" </dev/null >/dev/null
}

# prepare_system GROUP…: root gets what is missing by apt-get; anybody else is told the line to run. Fonts alone never stop anything.
prepare_system() {
    local needed wanted root=no
    PYTHON=$(find_python)
    set -- venv "$@"
    mapfile -t needed < <(missing_packages "$@")
    mapfile -t wanted < <(missing_packages fonts)
    [ ${#needed[@]} -gt 0 ] || [ ${#wanted[@]} -gt 0 ] || return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        root=yes
        [ ${#needed[@]} = 0 ] || install_packages "${needed[@]}"
        mapfile -t wanted < <(missing_packages fonts)
        [ ${#wanted[@]} = 0 ] || install_packages "${wanted[@]}" || true
        mapfile -t needed < <(missing_packages "$@")
        mapfile -t wanted < <(missing_packages fonts)
    fi
    [ ${#needed[@]} = 0 ] || die "This system lacks what Memory Pane needs here. Please run: sudo apt-get install ${needed[*]} ${wanted[*]}"
    [ ${#wanted[@]} = 0 ] || [ $root = yes ] || say "Other fonts stand in for the ones meant. To get these: sudo apt-get install ${wanted[*]}"
}

# prepare_venv runtime|dev: makes .venv from the lock, or leaves it alone when it was made from the same one. A half-made one has no mark and
# is made anew. The lock on this folder keeps two runs from making it at once.
prepare_venv() (
    flock 9
    PYTHON=$(find_python)
    key=$(cat "$TOP"/packaging/requirements.lock "$TOP"/packaging/requirements-dev.lock - <<<"$VENV" | sha256sum)
    made_for() { [ "$(cat "$VENV/.made-for-$1" 2>/dev/null)" = "$key" ] && "$VENV/bin/python" -c '' 2>/dev/null; }
    if made_for "$1" || made_for dev; then
        return
    fi
    if ! made_for runtime; then
        say "Making .venv with $("$PYTHON" --version); this downloads about 130 MB once."
        rm -rf "$VENV"
        "$PYTHON" -m venv "$VENV"
    fi
    lock=$TOP/packaging/requirements.lock
    [ "$1" = runtime ] || lock=$TOP/packaging/requirements-dev.lock
    install_locked "$VENV/bin/python" "$lock"
    link_program
    printf '%s\n' "$key" >"$VENV/.made-for-$1"
) 9<"$TOP/packaging"

# install_locked PYTHON LOCK: exactly the locked files, and none that would have to be built here.
install_locked() {
    "$1" -m pip install --quiet --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --requirement "$2" >&2
}

# link_program: lets .venv run the program from this folder. Two files instead of an editable install: nothing to build, nothing to import
# at each start. The shell line on top stands for a #! line, which could not hold a long path or one with spaces.
link_program() {
    local packages
    packages=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$TOP" >"$packages/memorypane.pth"
    cat >"$VENV/bin/memorypane" <<END
#!/bin/sh
'''exec' "$VENV/bin/python" "\$0" "\$@"
' '''
import sys

from memorypane.cli.main import main

sys.exit(main())
END
    chmod +x "$VENV/bin/memorypane"
}

# use_utf8: Qt complains about any other locale, and a bare machine has none set.
use_utf8() {
    [ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8
}
