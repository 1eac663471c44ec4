"""What tests of the window share: the look, the worker threads, an open store, and a second writer in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.home.paths import Home
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.support import TOP

Settle = Callable[[], None]
Elsewhere = Callable[..., dict[str, Any]]

_WRITER = """
import json, pathlib, sys
from memorypane.home.paths import Home
from memorypane.service.desk import Desk
root, method, arguments = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
with Desk.open(Home(pathlib.Path(root))) as desk:
    entry = getattr(desk.person(via="command"), method)(*arguments["words"], **arguments["named"])
    print(json.dumps({"id": entry.id, "version": entry.info.version}))
"""


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, mode="light")


@pytest.fixture
def work(qtbot: QtBot) -> Iterator[Work]:
    made = Work()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def settle(qtbot: QtBot, work: Work) -> Settle:
    """Wait until the worker threads have nothing left to do and their answers have arrived."""

    def wait() -> None:
        qtbot.waitUntil(lambda: not work.busy, timeout=20_000)

    return wait


@pytest.fixture
def desk(home: Home) -> Iterator[Desk]:
    with Desk.open(home) as made:
        yield made


@pytest.fixture
def person(desk: Desk) -> PersonFace:
    return desk.person(via="window")


@pytest.fixture
def elsewhere(home: Home) -> Elsewhere:
    """Write as the person from another process: `elsewhere("edit", entry_id, content="…")` gives the entry's id and version."""

    def write(method: str, *words: object, **named: object) -> dict[str, Any]:
        command = [sys.executable, "-c", _WRITER, str(home.root), method, json.dumps({"words": words, "named": named})]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, "PYTHONPATH": str(TOP)})
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return write
