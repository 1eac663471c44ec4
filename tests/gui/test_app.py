"""The window's process: opening, what stands there when it cannot, ending by signals, bugs of ours."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from memorypane.gui.app import Program
from memorypane.gui.crash import CrashDialog, report
from memorypane.gui.pane import Pane
from memorypane.gui.settings import Settings, load_settings, save_settings
from memorypane.home.paths import Home
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.service.desk import Desk
from tests import support


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("MEMORYPANE_NO_SPAWN", "1")
    program = Program(qapp, home, "stable")
    yield program
    program.close()
    program._theme.deleteLater()
    program.deleteLater()


def running(program: Program) -> Pane:
    """The window that is open now."""
    assert program.pane is not None
    return program.pane


def test_the_window_opens_on_a_home_that_does_not_exist_yet(start: Program, qtbot: QtBot, home: Home) -> None:
    start.start()
    pane = running(start)
    assert start.trouble is None
    qtbot.waitUntil(lambda: not pane.work.busy, timeout=20_000)
    assert home.shared_store.is_file()


@pytest.mark.parametrize(("kind", "headline"), [
    ("damaged", "damaged"), ("foreign", "not a memory store"), ("newer", "newer"), ("blocked", "cannot be opened"),
])
def test_a_store_that_cannot_be_opened_is_said_with_a_way_on(
    start: Program, qtbot: QtBot, home: Home, kind: str, headline: str,
) -> None:
    with Desk.open(home) as desk:
        desk.person(via="window").add(INSTRUCTIONS, name="Precious", content="x\n")
    good = home.shared_store.read_bytes()
    spoil(home.shared_store, kind)
    before = home.shared_store.read_bytes() if home.shared_store.is_file() else b""
    start.start()
    trouble = start.trouble
    assert start.pane is None
    assert trouble is not None
    assert trouble.isVisible()
    assert headline in trouble._state._title.full_text
    assert trouble._state._advice.full_text
    if home.shared_store.is_file():
        assert home.shared_store.read_bytes() == before
        home.shared_store.unlink()
    else:
        home.shared_store.rmdir()
    home.shared_store.write_bytes(good)
    QTest.mouseClick(trouble._state._retry, Qt.MouseButton.LeftButton)
    opened = running(start)
    qtbot.waitUntil(lambda: not opened.work.busy, timeout=20_000)
    assert start.trouble is None


def spoil(store: Path, kind: str) -> None:
    if kind == "damaged":
        store.write_bytes(b"not a database at all" * 400)
    elif kind == "foreign":
        store.unlink()
        with sqlite3.connect(store) as other:
            other.execute("CREATE TABLE recipes (name)")
        other.close()
    elif kind == "newer":
        with sqlite3.connect(store) as own:
            own.execute("PRAGMA user_version = 999")
        own.close()
    else:
        store.unlink()
        store.mkdir()


def test_a_channel_that_was_never_added_is_said(qapp: QApplication, qtbot: QtBot, home: Home) -> None:
    program = Program(qapp, home, "dev-nowhere")
    program.start()
    assert program.pane is None
    assert program.trouble is not None
    assert "dev-nowhere" in program.trouble._state._advice.full_text
    program.close()
    program._theme.deleteLater()
    program.deleteLater()


def test_closing_the_window_remembers_its_layout(start: Program, qtbot: QtBot, home: Home) -> None:
    start.start()
    pane = running(start)
    qtbot.waitUntil(lambda: not pane.work.busy, timeout=20_000)
    pane.window.resize(1100, 700)
    pane.window.close()
    settings, _ = load_settings(home)
    assert (settings.width, settings.height) == (1100, 700)


def test_a_settings_file_that_is_damaged_is_said_and_does_no_harm(home: Home, qapp: QApplication, qtbot: QtBot) -> None:
    home.root.mkdir()
    home.settings.write_text("theme =")
    program = Program(qapp, home, "stable")
    program.start()
    assert program.pane is not None
    assert "settings" in program.pane.window.toast._words.full_text
    program.close()
    program._theme.deleteLater()
    program.deleteLater()


def test_a_bug_of_ours_is_shown_once_with_a_report(start: Program, qtbot: QtBot, capsys: pytest.CaptureFixture[str]) -> None:
    start.start()
    problem = failed()
    for _ in range(2):
        start.crashed(ValueError, problem, problem.__traceback__)
    dialogs = [each for each in QApplication.topLevelWidgets() if isinstance(each, CrashDialog)]
    assert len(dialogs) == 1
    assert "ValueError" in dialogs[0]._text.toPlainText()
    assert "ValueError" in capsys.readouterr().err


def failed() -> ValueError:
    try:
        int("secret words " * 100)
    except ValueError as problem:
        return problem
    raise AssertionError


def test_after_a_bug_the_process_ends_with_one(program: support.Program, home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUG, str(home.root)], capture_output=True, text=True, timeout=60, check=False,
        env=program.environment({"MEMORYPANE_NO_SPAWN": "1"}),
    )
    assert done.returncode == 1, done.stderr
    assert "ZeroDivisionError" in done.stderr


BUG = """
import pathlib, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from memorypane.gui import app
from memorypane.home.paths import Home
start = app.Program.start
def broken(self):
    start(self)
    QTimer.singleShot(0, lambda: 1 / 0)
    QTimer.singleShot(500, lambda: QApplication.activeModalWidget().accept())
app.Program.start = broken
sys.exit(app.run(Home(pathlib.Path(sys.argv[1])), "stable"))
"""


def test_a_report_names_no_home_and_quotes_no_long_text() -> None:
    problem = failed()
    text = report(ValueError, problem, problem.__traceback__)
    assert str(Path.home()) not in text
    assert sys.prefix not in text
    assert len(text) < 4_000
    assert text.count("secret words") < 20


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_close_the_window_orderly(program: support.Program, number: int, home: Home) -> None:
    home.root.mkdir(parents=True)
    save_settings(home, Settings(width=1000))
    window = program.start("--home", home.root, env={"MEMORYPANE_NO_SPAWN": "1"}, stderr=-1)
    assert support.wait_until(home.shared_store.is_file, seconds=30)
    # The handler stands before the store is opened, so the signal cannot come too early.
    os.kill(window.pid, number)
    _, err = window.communicate(timeout=30)
    assert (window.returncode, err.decode()) == (0, "")
