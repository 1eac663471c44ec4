"""The real window on a real store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from memorypane.gui.entries.page import ListPage
from memorypane.gui.entry.column import EntryColumn
from memorypane.gui.pane import Pane
from memorypane.gui.places import Place
from memorypane.gui.settings import Settings
from memorypane.gui.shell.window import MainWindow
from memorypane.gui.theme.theme import Theme
from memorypane.home.paths import Home
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller, Hello
from memorypane.service.person import PersonFace


@dataclass
class Window:
    """A running window and the hands that drive it."""

    pane: Pane
    bot: QtBot

    @property
    def window(self) -> MainWindow:
        return self.pane.window

    @property
    def entries(self) -> ListPage:
        return self.pane.entries.list

    @property
    def column(self) -> EntryColumn:
        return self.pane.entries.column

    def go(self, place: Place) -> None:
        self.pane.controller.go(place)
        self.pane.controller._on_place_entered()
        self.settle()

    def settle(self) -> None:
        """Wait until the threads have nothing to do and nothing is about to begin."""
        calm = 0

        def quiet() -> bool:
            nonlocal calm
            calm = 0 if self.pane.work.busy else calm + 1
            return calm > 6

        self.bot.waitUntil(quiet, timeout=20_000)

    def press(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the keyboard is, as a person does."""
        target = QApplication.focusWidget() or self.window
        if isinstance(key, str):
            QTest.keyClicks(target, key, modifier)
        else:
            QTest.keyClick(target, key, modifier)
        self.settle()

    def titles(self) -> list[str]:
        """What the list shows, from top to bottom."""
        model = self.entries.model
        infos = [model.info_at(row) for row in range(model.rowCount())]
        return [info.title if info else "?" for info in infos]

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        self.settle()

    def until(self, condition: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(condition()), timeout=20_000)
        self.settle()


@pytest.fixture
def watched(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk that also hears of other processes, as the window's does."""
    monkeypatch.setenv("MEMORYPANE_NO_SPAWN", "1")
    with Desk.open(home, watch=True) as made:
        yield made


@pytest.fixture
def owner(watched: Desk) -> PersonFace:
    return watched.person(via="window")


@pytest.fixture
def helper(watched: Desk) -> Iterator[Caller]:
    """A verified agent that is connected."""
    made = watched.person(via="window").add_agent("build-helper")
    caller = watched.admit(Hello("build-helper", token=made.token))
    yield caller
    watched.leave(caller)


@pytest.fixture
def open_window(watched: Desk, theme: Theme, qtbot: QtBot, qapp: QApplication) -> Iterator[Callable[..., Window]]:
    opened: list[Pane] = []

    def open_(settings: Settings | None = None) -> Window:
        pane = Pane(qapp, watched, theme, settings or Settings(), start_server=False)
        opened.append(pane)
        found = Window(pane, qtbot)
        with qtbot.waitSignal(pane.controller.ready, timeout=10_000):
            pane.window.show()
        qtbot.waitActive(pane.window)
        found.settle()
        return found

    yield open_
    for pane in opened:
        pane.close()
