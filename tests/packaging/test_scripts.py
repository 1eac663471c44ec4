"""The scripts that set up and check a machine: their shared parts, each tried in a real shell."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import TOP

Shell = Callable[..., subprocess.CompletedProcess[str]]
SCRIPTS = [path for folder in (TOP / "packaging", TOP / ".ci") for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK)]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder of programs that goes before the system's own."""
    folder = tmp_path / "tools"
    folder.mkdir()
    return folder


@pytest.fixture
def shell(tmp_path: Path, tools: Path) -> Shell:
    """Run bash code after the shared file was sourced; .venv lies in a folder with spaces in its name."""
    venv = tmp_path / "a folder with spaces" / ".venv"

    def run(code: str, **names: str) -> subprocess.CompletedProcess[str]:
        start = f'set -euo pipefail; . "{TOP}/packaging/common.sh"; VENV="{venv}"; '
        env = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tmp_path), "MEMORYPANE_PYTHON": sys.executable, **names}
        return subprocess.run(["bash", "-c", start + code], capture_output=True, text=True, env=env, timeout=60, check=False)

    return run


def make_tool(folder: Path, name: str, code: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_well_formed_and_stops_at_the_first_failure(path: Path) -> None:
    assert subprocess.run(["bash", "-n", str(path)], check=False).returncode == 0
    assert path.read_text().startswith("#!/usr/bin/env bash\n# ")
    assert "\nset -euo pipefail\n" in path.read_text()


def test_an_old_python_is_refused_with_what_to_do(shell: Shell, tools: Path) -> None:
    old = make_tool(tools, "python2", "exit 1")
    ended = shell("find_python", MEMORYPANE_PYTHON=str(old))
    assert ended.returncode == 1
    assert "needs Python 3.11 or newer" in ended.stderr
    assert shell("find_python").stdout.strip() == sys.executable


def test_nobody_but_root_gets_packages_installed_and_is_told_the_line_to_run(shell: Shell, tools: Path) -> None:
    make_tool(tools, "id", "echo 1000")
    make_tool(tools, "ldconfig", "exit 0")
    make_tool(tools, "fc-list", "exit 0")
    ended = shell("prepare_system offscreen; echo reached")
    assert ended.returncode == 1
    assert "reached" not in ended.stdout
    assert "sudo apt-get install libegl1 libgl1 " in ended.stderr
    assert " fonts-inter " in ended.stderr


def test_missing_fonts_alone_stop_nothing(shell: Shell, tools: Path) -> None:
    make_tool(tools, "id", "echo 1000")
    make_tool(tools, "fc-list", "exit 0")
    ended = shell("prepare_system; echo reached")
    assert ended.stdout == "reached\n"
    assert "sudo apt-get install fonts-dejavu-core fonts-inter" in ended.stderr


def test_root_gets_what_is_missing_from_the_systems_packages(shell: Shell, tools: Path, tmp_path: Path) -> None:
    make_tool(tools, "id", "echo 0")
    make_tool(tools, "fc-list", f'if [ -f "{tmp_path}/done" ]; then printf "DejaVu\\nInter\\nJetBrains\\nNoto Sans CJK\\n"; fi')
    make_tool(tools, "apt-get", f'echo "$@" >>"{tmp_path}/asked"; if [ "$1" = install ]; then touch "{tmp_path}/done"; fi')
    ended = shell("prepare_system; echo reached")
    assert ended.stdout == "reached\n"
    update, install = (tmp_path / "asked").read_text().splitlines()
    assert update.startswith("update")
    assert install.endswith("--no-install-recommends fonts-dejavu-core fonts-inter fonts-jetbrains-mono fonts-noto-cjk")


def test_the_environment_is_made_once_and_again_when_half_made_or_from_another_lock(shell: Shell, tools: Path, tmp_path: Path) -> None:
    top = tmp_path / "checkout"
    (top / "packaging").mkdir(parents=True)
    for name in ("requirements.lock", "requirements-dev.lock"):
        (top / "packaging" / name).write_text("one==1\n")
    # Only pip and its downloads are left out; everything else is what really happens.
    python = make_tool(tools, "python-quick", f'[ "$1 $2" != "-m venv" ] || set -- "$@" --without-pip; exec "{sys.executable}" "$@"')
    prepare = f'TOP="{top}"; MEMORYPANE_PYTHON="{python}"; install_locked() {{ echo "install ${{2##*/}}"; }}; prepare_venv '
    ready = tmp_path / "a folder with spaces" / ".venv" / ".made-for-dev"

    first = shell(prepare + "runtime")
    assert (first.returncode, first.stdout) == (0, "install requirements.lock\n"), first.stderr
    assert shell(prepare + "runtime").stdout == ""
    assert shell(prepare + "dev").stdout == "install requirements-dev.lock\n"
    assert shell(prepare + "runtime; prepare_venv dev").stdout == ""
    ready.unlink()
    (ready.parent / ".made-for-runtime").unlink()
    (ready.parent / "rest of an interrupted run").touch()
    assert shell(prepare + "dev").stdout == "install requirements-dev.lock\n"
    assert not (ready.parent / "rest of an interrupted run").exists()
    (top / "packaging" / "requirements.lock").write_text("one==2\n")
    assert shell(prepare + "runtime").stdout == "install requirements.lock\n"
    assert not ready.exists()


def test_the_program_of_the_environment_runs_from_any_folder(shell: Shell, tmp_path: Path) -> None:
    assert shell('"$MEMORYPANE_PYTHON" -m venv --without-pip "$VENV"; link_program').returncode == 0
    program = tmp_path / "a folder with spaces" / ".venv" / "bin" / "memorypane"
    ended = subprocess.run([str(program), "--version"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("memorypane ")


@pytest.mark.parametrize(("charmap", "expected"), [("ANSI_X3.4-1968", "C.UTF-8\n"), ("UTF-8", "unset\n")])
def test_a_bare_machine_gets_a_utf8_locale(shell: Shell, tools: Path, charmap: str, expected: str) -> None:
    make_tool(tools, "locale", f"echo {charmap}")
    assert shell('use_utf8; echo "${LC_ALL:-unset}"').stdout == expected
