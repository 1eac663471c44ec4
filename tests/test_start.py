"""Starting the program costs no more imports than the command needs."""

from __future__ import annotations

import json
import re
import sys

from memorypane import __version__
from memorypane.home.paths import Home
from tests.support import Program, wait_until

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


def test_the_bridge_to_a_running_server_imports_nothing_heavy(program: Program) -> None:
    server = program.start("serve", "--idle-exit", "60")
    endpoint = Home(program.home).endpoint("stable")
    assert wait_until(lambda: endpoint.is_file() or server.poll() is not None)
    program.command = [sys.executable, "-X", "importtime", "-m", "memorypane"]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n"
    ended = program.run("mcp", "--agent", "somebody", stdin=request)
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["result"]["serverInfo"]["name"]
    assert imported(ended.stderr) & (HEAVY - {"argparse"}) == set()
