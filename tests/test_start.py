"""Starting the program costs no more imports than the command needs."""

from __future__ import annotations

import re
import sys

from memorypane import __version__
from tests.support import Program

HEAVY = {
    "PySide6", "anyio", "argparse", "asyncio", "jsonschema_rs", "markdown_it", "mcp", "pydantic", "sqlalchemy", "sqlite3", "sqlmodel",
    "watchdog", "yaml",
}


def imported(importtime: str) -> set[str]:
    return set(re.findall(r"^import time:.*\| +(\S+)$", importtime, re.MULTILINE))


def test_the_version_is_one_line(program: Program) -> None:
    ended = program.run("--version")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"memorypane {__version__}\n", "")


def test_the_version_needs_nothing_but_the_first_modules(program: Program) -> None:
    program.command = [sys.executable, "-X", "importtime", "-m", "memorypane"]
    modules = imported(program.run("--version").stderr)
    assert {name for name in modules if name.startswith("memorypane")} == {"memorypane", "memorypane.cli", "memorypane.cli.main"}
    assert modules & HEAVY == set()


def test_the_version_does_not_touch_the_home(program: Program) -> None:
    program.run("--version")
    assert not program.home.exists()
