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
from memorypane.model.errors import MemoryPaneError
from memorypane.service.desk import Desk
for line in sys.stdin:
    asked = json.loads(line)
    with Desk.open(Home(pathlib.Path(asked["root"]))) as desk:
        try:
            entry = getattr(desk.person(via="window"), asked["method"])(*asked["words"], **asked["named"])
            print(json.dumps({"id": entry.id, "version": entry.info.version}), flush=True)
        except MemoryPaneError as problem:
            print(json.dumps({"problem": problem.message}), flush=True)
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


@pytest.fixture(scope="session")
def second_writer() -> Iterator[subprocess.Popen[str]]:
    """A process that opens the store it is told, writes and answers; one for all tests, since starting it takes longest."""
    environment = {**os.environ, "PYTHONPATH": str(TOP)}
    command = [sys.executable, "-c", _WRITER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        yield writer
        writer.kill()


@pytest.fixture
def elsewhere(home: Home, second_writer: subprocess.Popen[str]) -> Elsewhere:
    """Write as the person from another process: `elsewhere("edit", entry_id, content="…")` gives the entry's id and version."""

    def write(method: str, *words: object, **named: object) -> dict[str, Any]:
        assert second_writer.stdin is not None
        assert second_writer.stdout is not None
        asked = {"root": str(home.root), "method": method, "words": words, "named": named}
        second_writer.stdin.write(json.dumps(asked) + "\n")
        second_writer.stdin.flush()
        found: dict[str, Any] = json.loads(second_writer.stdout.readline())
        assert "problem" not in found, found
        return found

    return write
