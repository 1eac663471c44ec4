# Shared by the scripts in this folder; to be sourced from the project's top folder.

OLDEST_PYTHON=3.11
VENV=$PWD/.venv

say() { printf '%s\n' "$*" >&2; }
die() {
    say "$@"
    exit 1
}

# find_python: prints the newest suitable interpreter among the usual names, or MEMORYPANE_PYTHON when that is set.
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

# prepare_venv runtime|dev: makes .venv from the lock, or leaves it alone when it was made from the same one. A half-made one has no mark and
# is made anew. The lock on this folder keeps two runs from making it at once.
prepare_venv() (
    flock 9
    key=$(cat packaging/requirements.lock packaging/requirements-dev.lock packaging/common.sh - <<<"$VENV" | sha256sum)
    made_for() { [ "$(cat "$VENV/.made-for-$1" 2>/dev/null)" = "$key" ] && "$VENV/bin/python" -c '' 2>/dev/null; }
    if made_for "$1" || made_for dev; then
        return
    fi
    if ! made_for runtime; then
        python=$(find_python)
        say "Making .venv with $("$python" --version); this downloads about 130 MB once."
        rm -rf "$VENV"
        "$python" -m venv "$VENV" || die "The virtual environment could not be made; on Debian and Ubuntu: sudo apt-get install python3-venv"
    fi
    file=packaging/requirements.lock
    [ "$1" = runtime ] || file=packaging/requirements-dev.lock
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --no-deps --requirement "$file"
    link_program
    printf '%s\n' "$key" >"$VENV/.made-for-$1"
) 9<packaging

# link_program: lets .venv run the program from this folder. Two files instead of an editable install: nothing to build, nothing to import
# at each start. The shell line on top stands for a #! line, which could not hold a long path or one with spaces.
link_program() {
    local packages
    packages=$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    printf '%s\n' "$PWD" >"$packages/memorypane.pth"
    cat >"$VENV/bin/memorypane" <<EOF
#!/bin/sh
'''exec' "$VENV/bin/python" "\$0" "\$@"
' '''
import sys

from memorypane.cli.main import main

sys.exit(main())
EOF
    chmod +x "$VENV/bin/memorypane"
}
