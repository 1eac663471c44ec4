"""Keys: what a page offers, and finding the one that was pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from memorypane.gui.theme.bars import Hint

__all__ = ["KeyAction", "hints_of", "matching"]


@dataclass(frozen=True, slots=True)
class KeyAction:
    """One key of a page.

    `key` is written as Qt writes it ("J", "Shift+P", "Ctrl+N", "Alt+Up") or is one sign ("/", "?"). `words` says what it does; actions
    with the same words stand in one hint. `run` returns nothing; `hint` puts it into the hint bar, with the
    caps `shown` if given.
    """

    key: str
    words: str
    run: Callable[[], None]
    hint: bool = True
    shown: tuple[str, ...] = ()

    @property
    def caps(self) -> tuple[str, ...]:
        """The key as it stands on caps."""
        if self.shown:
            return self.shown
        names = {"Shift": "⇧", "Up": "↑", "Down": "↓", "Escape": "Esc", "Return": "Enter", "Delete": "Del"}
        if self.key.startswith("Shift+") and len(self.key) == 7:
            return (f"⇧{self.key[-1]}",)
        if len(self.key) == 1:
            return (self.key,)
        return tuple(names.get(part, part) for part in self.key.split("+"))


def matching(actions: Iterable[KeyAction], event: QKeyEvent) -> KeyAction | None:
    """Return the action whose key was pressed."""
    pressed = QKeySequence(QKeyCombination(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier, Qt.Key(event.key())))
    for action in actions:
        sign = len(action.key) == 1 and not action.key.isalnum()
        if (sign and event.text() == action.key) or (not sign and pressed == QKeySequence(action.key)):
            return action
    return None


def hints_of(actions: Iterable[KeyAction]) -> tuple[Hint, ...]:
    """Return the hints for the bar, keys with the same words together."""
    joined: dict[str, tuple[str, ...]] = {}
    for action in actions:
        if action.hint:
            joined[action.words] = joined.get(action.words, ()) + action.caps
    return tuple(Hint(caps, words) for words, caps in joined.items())
