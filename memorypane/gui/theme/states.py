"""What stands where a list or a text would: nothing yet, nothing found, or an error that says what to do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.paragraph import Paragraph
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import ICON

__all__ = ["EmptyState", "ErrorState"]


class EmptyState(Panel):
    """One sentence of what belongs here and at most one action."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._words = Paragraph(theme, "", "body", "muted", centered=True)
        self._button = Button(theme, "")
        self._button.hide()
        self._action: Callable[[], None] | None = None
        self._button.clicked.connect(self._on_button_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 48, 32, 48)
        column.setSpacing(16)
        column.addWidget(self._words)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def show_words(self, words: str, action: str = "", act: Callable[[], None] | None = None) -> None:
        """Show the sentence, with a button named `action` that calls `act`."""
        self._words.show_text(words)
        self.setAccessibleName(words)
        self._button.show_text(action)
        self._button.setVisible(bool(action))
        self._action = act

    def _on_button_clicked(self) -> None:
        if self._action is not None:
            self._action()


class ErrorState(Panel):
    """What failed, what to do, *Try again*, *Details*; `retry_asked` and `details_asked` are the two buttons."""

    retry_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        icon = IconLabel(theme, "circle-alert", "danger", ICON.empty)
        self._title = Label(theme, "", "title", wrap=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._advice = Paragraph(theme, "", "body", "text_secondary", centered=True)
        self._retry = Button(theme, self.tr("Try again"), kind="primary")
        self._retry.clicked.connect(self.retry_asked)
        self._more = Button(theme, self.tr("Details"))
        self._more.setCheckable(True)
        self._details = QPlainTextEdit()
        self._details.setReadOnly(True)
        self._details.setFont(theme.font("mono"))
        self._details.setMaximumHeight(220)
        self._details.setAccessibleName(self.tr("Details"))
        self._details.hide()
        self._more.toggled.connect(self._details.setVisible)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self._retry)
        buttons.addWidget(self._more)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 32, 32, 32)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(icon, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._title)
        column.addWidget(self._advice)
        column.addLayout(buttons)
        column.addWidget(self._details)
        column.addStretch(2)

    def show_error(self, what: str, advice: str = "", details: str = "") -> None:
        """Say what failed and what to do; `details` (for a report) stay folded away."""
        self._title.show_text(what)
        self.setAccessibleName(f"{what} {advice}")
        self._advice.show_text(advice)
        self._advice.setVisible(bool(advice))
        self._details.setPlainText(details)
        self._more.setVisible(bool(details))
        self._more.setChecked(False)
