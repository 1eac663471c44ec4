"""Keys found by what was pressed, hints for them; bursts of changes told together."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot

from memorypane.gui.feed import Feed, merge
from memorypane.gui.keys import KeyAction, hints_of, matching
from memorypane.gui.theme.widgets import Hint
from memorypane.service.changes import Changed

NO, SHIFT, CONTROL, ALT, PAD = (
    Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.KeypadModifier,
)


def nothing() -> None:
    """Stands where a key's work would."""


ACTIONS = tuple(KeyAction(key, key, nothing) for key in ("J", "Shift+P", "Ctrl+N", "/", "?", "Alt+Up", "Return", "Delete", "]"))


@pytest.mark.parametrize(("key", "modifiers", "text", "found"), [
    (Qt.Key.Key_J, NO, "j", "J"), (Qt.Key.Key_J, SHIFT, "J", None), (Qt.Key.Key_P, SHIFT, "P", "Shift+P"), (Qt.Key.Key_P, NO, "p", None),
    (Qt.Key.Key_N, CONTROL, "\x0e", "Ctrl+N"), (Qt.Key.Key_Slash, NO, "/", "/"), (Qt.Key.Key_Slash, PAD, "/", "/"),
    (Qt.Key.Key_Question, SHIFT, "?", "?"), (Qt.Key.Key_7, SHIFT, "/", "/"), (Qt.Key.Key_Up, ALT, "", "Alt+Up"),
    (Qt.Key.Key_Return, NO, "\r", "Return"),
    (Qt.Key.Key_Delete, NO, "\x7f", "Delete"), (Qt.Key.Key_BracketRight, NO, "]", "]"), (Qt.Key.Key_9, ALT, "]", "]"),
])
def test_a_key_is_found_by_what_it_means(key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str, found: str | None) -> None:
    action = matching(ACTIONS, QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text))
    assert (action.key if action else None) == found


def test_keys_that_do_the_same_share_a_hint() -> None:
    actions = (
        KeyAction("J", "next, previous", nothing), KeyAction("K", "next, previous", nothing), KeyAction("Shift+P", "promote", nothing),
        KeyAction("Delete", "remove", nothing, hint=False),
    )
    assert hints_of(actions) == (Hint(("J", "K"), "next, previous"), Hint(("⇧P",), "promote"))


def note(*entries: str, **more: bool) -> Changed:
    flags = {"review": False, "agents": False, "workspaces": False, "policy": False, "foreign": False} | more
    return Changed(frozenset(entries), **flags)


def test_two_notes_become_one_that_says_both() -> None:
    assert merge(note("a", review=True), note("b", foreign=True)) == note("a", "b", review=True, foreign=True)


def test_a_burst_is_told_in_two_strokes_and_nothing_is_lost(qtbot: QtBot) -> None:
    listeners: list[Callable[[Changed], None]] = []

    def subscribe(listener: Callable[[Changed], None]) -> Callable[[], None]:
        listeners.append(listener)
        return lambda: listeners.remove(listener)

    feed = Feed(subscribe)
    told: list[Changed] = []
    feed.changed.connect(told.append)
    for number in range(200):
        listeners[0](note(str(number)))
    qtbot.waitUntil(lambda: len(frozenset().union(*(each.entries for each in told))) == 200)
    assert len(told) <= 3
    assert told[0].entries == {"0"}
    feed.close()
    assert listeners == []
    feed.deleteLater()
