"""The watch over what tests leave behind sees each kind of leak."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from memorypane.home.paths import Home, default_home, private_folder
from memorypane.model.errors import Unavailable
from tests.leaks import Snapshot, left_behind


def test_a_quiet_test_leaves_nothing() -> None:
    assert left_behind(Snapshot.take(), seconds=0) == []


def test_a_running_thread_is_seen_and_an_ending_one_is_waited_for() -> None:
    before = Snapshot.take()
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="straggler")
    thread.start()
    try:
        assert left_behind(before, seconds=0) == ["thread straggler"]
    finally:
        end.set()
    assert left_behind(before) == []


def test_a_child_process_is_seen() -> None:
    before = Snapshot.take()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    found = left_behind(before, seconds=0)
    child.communicate(b"\n")
    assert any(line.startswith(f"child process {child.pid}: ") for line in found)
    assert left_behind(before) == []


def test_an_open_file_is_seen(tmp_path: Path) -> None:
    before = Snapshot.take()
    with (tmp_path / "held").open("wb") as file:
        assert left_behind(before, seconds=0) == [f"open file {file.fileno()}: {tmp_path / 'held'}"]
    assert left_behind(before) == []


def test_a_window_and_its_running_timer_are_seen(qtbot: QtBot) -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QWidget

    before = Snapshot.take()
    window = QWidget()
    window.setWindowTitle("Forgotten")
    timer = QTimer(window)
    timer.start(60_000)
    assert sorted(left_behind(before, seconds=0)) == ["running timer of QWidget (60000 ms)", "window QWidget 'Forgotten'"]
    window.deleteLater()
    assert left_behind(before) == []


def test_no_test_reaches_the_desktop_or_the_home_of_the_person_who_runs_it() -> None:
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
    assert os.environ["DBUS_SESSION_BUS_ADDRESS"] == "disabled:"
    with pytest.raises(Unavailable):
        private_folder(default_home())


def test_a_home_is_the_tests_own_and_its_sockets_have_short_paths(home: Home) -> None:
    assert default_home() == home.root
    assert not home.root.exists()
    assert len(os.fsencode(home.socket("stable", "agents"))) < 100
    assert home.socket("stable", "agents").parent.parent == Path(os.environ["XDG_RUNTIME_DIR"])
