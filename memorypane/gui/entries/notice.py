"""A notice over a whole list: a sentence and one thing to do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.paragraph import Paragraph
from memorypane.gui.theme.theme import Theme

__all__ = ["Notice"]


class Notice(Panel):
    """`agreed` from its button."""

    agreed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, ground="warning_soft", bottom=True, parent=parent)
        self._inner = theme
        self._words = Paragraph(theme, "", "body", "text")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 10, 12, 11)
        self._column.setSpacing(8)
        self._column.addWidget(self._words)
        self._button: Button | None = None

    def show_notice(self, words: str, action: str, key: str) -> None:
        """Say something; `action` names the button ("" = none) and `key` the key that does the same."""
        self._words.show_text(words)
        if self._button is not None:
            self._button.hide()
            self._button.deleteLater()
            self._button = None
        if action:
            self._button = Button(self._inner, action, keys=(key,) if key else (), small=True)
            self._button.clicked.connect(self.agreed)
            self._column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
