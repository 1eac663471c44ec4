"""Keys of a page: they act wherever the focus is inside it, except that letters stay with a field that takes text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from typing_extensions import override

from memorypane.gui.keys import KeyAction, hints_of, matching
from memorypane.gui.theme.widgets import Hint

__all__ = ["KeyedPage", "typing_text"]


def typing_text() -> bool:
    """Whether the focus is in a field that takes letters."""
    widget = QApplication.focusWidget()
    if isinstance(widget, QPlainTextEdit | QTextEdit | QLineEdit):
        return not widget.isReadOnly()
    return False


class KeyedPage(QWidget):
    """A page with keys of its own, claimed before the window's shortcuts of the same keys by accepting the override."""

    def key_actions(self) -> tuple[KeyAction, ...]:
        """The keys that act now, most used first."""
        return ()

    def hints(self) -> tuple[Hint, ...]:
        """Keys of this page for the hint bar."""
        return hints_of(self.key_actions())

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._action(event) is not None:
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._action(event)
        if action is None:
            super().keyPressEvent(event)
            return
        event.accept()
        action.run()

    def _action(self, event: QKeyEvent) -> KeyAction | None:
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if plain and event.text().isprintable() and event.text() and typing_text():
            return None
        return matching(self.key_actions(), event)
