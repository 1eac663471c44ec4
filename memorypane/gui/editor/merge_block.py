"""One conflict in the result of a merge: open with four choices, being written by hand, or decided."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.diffview.cells import Row
from memorypane.gui.diffview.panes import PaneStyle
from memorypane.gui.diffview.selectable import SelectableGrid
from memorypane.gui.editor.merging import Pick
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.widgets import Button, IconLabel, Label
from memorypane.model.lines import split_lines

__all__ = ["DecidedBlock", "OpenBlock", "OwnBlock"]

_HEAD = 39
_DECIDED = 31
_BAR = 3
_TALLEST = 320
_OWN_ROOM = 136


class _Block(QWidget):
    """A row of the result with a coloured bar at its left and hairlines above and below."""

    def __init__(self, theme: Theme, bar: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._bar = theme, bar
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(_BAR, 1, 0, 1)
        self.column.setSpacing(0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.fillRect(0, 0, _BAR, self.height(), self._theme.color(self._bar))
        painter.end()


def _head(theme: Theme, icon: str, color: str, title: str = "") -> tuple[QWidget, QHBoxLayout]:
    head = QWidget()
    row = QHBoxLayout(head)
    row.setContentsMargins(40, 0, 24, 0)
    row.setSpacing(6)
    row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
    row.addWidget(IconLabel(theme, icon, color))
    row.addSpacing(2)
    if title:
        row.addWidget(Label(theme, title, weight=600, elide=Qt.TextElideMode.ElideRight), 1)
    return head, row


class OpenBlock(_Block):
    """Both answers and the four ways to decide; `picked` carries theirs, mine, both or own."""

    picked = Signal(str)

    def __init__(self, theme: Theme, title: str, rows: Sequence[Row], highest: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, "warning", parent)
        head, row = _head(theme, "triangle-alert", "warning", title)
        head.setFixedHeight(theme.px(_HEAD))
        words: tuple[tuple[Pick, str], ...] = (
            ("theirs", self.tr("Use theirs")), ("mine", self.tr("Use mine")), ("both", self.tr("Use both")), ("own", self.tr("Write own")),
        )
        self.buttons: list[Button] = []
        for number, (pick, text) in enumerate(words, 1):
            button = Button(theme, text, keys=(str(number),), small=True)
            button.clicked.connect(lambda _checked=False, pick=pick: self.picked.emit(pick))
            button.setAccessibleName(self.tr("{title}: {choice}").format(title=title, choice=text))
            row.addWidget(button)
            self.buttons.append(button)
        self.body = SelectableGrid(theme, (PaneStyle(lead=64, flat=True, gutter=40 - _BAR),))
        self.body.setAccessibleName(title)
        self.body.set_rows(rows, highest=highest, note_lead=True)
        self.column.addWidget(head)
        self.column.addWidget(self.body, 1)
        self.setAccessibleName(title)
        self.setFocusProxy(self.buttons[0])

    def height_for(self, width: int) -> int:
        """How high the block is at a width, in px."""
        return self._theme.px(_HEAD) + 2 + self.body.height_at(width - _BAR, _TALLEST)


class OwnBlock(_Block):
    """An answer being written; `written` carries its lines, `given_up` goes back to the choices."""

    written = Signal(object)
    given_up = Signal()

    def __init__(self, theme: Theme, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, "accent", parent)
        head, row = _head(theme, "pencil", "accent", title)
        head.setFixedHeight(theme.px(_HEAD))
        use = Button(theme, self.tr("Use this"), keys=("Ctrl Enter",), small=True)
        use.clicked.connect(self._on_use_clicked)
        back = Button(theme, self.tr("Back to the choices"), kind="quiet", small=True)
        back.clicked.connect(self.given_up)
        row.addWidget(back)
        row.addWidget(use)
        self.edit = _OwnEdit()
        self.edit.setFont(theme.font("mono"))
        self.edit.setPlainText(text)
        self.edit.setAccessibleName(title)
        self.edit.setTabChangesFocus(True)
        self.edit.document().setDocumentMargin(6)
        self.edit.setViewportMargins(48, 0, 0, 0)
        self.edit.finished.connect(self._on_use_clicked)
        self.edit.left.connect(self.given_up)
        self.column.addWidget(head)
        self.column.addWidget(self.edit, 1)
        self.setFocusProxy(self.edit)

    def height_for(self, width: int) -> int:  # noqa: ARG002  # the height of other blocks depends on it
        """How high the block is at a width, in px."""
        return self._theme.px(_HEAD) + 2 + self._theme.px(_OWN_ROOM)

    def _on_use_clicked(self) -> None:
        text = self.edit.document().toRawText().replace("\u2029", "\n")
        self.written.emit(tuple(split_lines(text)))


class _OwnEdit(QPlainTextEdit):
    """Ctrl+Enter is done, Esc goes back."""

    finished = Signal()
    left = Signal()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class DecidedBlock(_Block):
    """A slim line above the lines of a decided conflict; `reopened` asks for the choices again."""

    reopened = Signal()

    def __init__(self, theme: Theme, title: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, "success", parent)
        head, row = _head(theme, "check", "success")
        row.insertWidget(2, Label(theme, title, "meta", "secondary", elide=Qt.TextElideMode.ElideRight), 1)
        change = Button(theme, self.tr("Change"), kind="quiet", small=True)
        change.clicked.connect(self.reopened)
        row.addWidget(change)
        self.column.addWidget(head, 1)
        self.setAccessibleName(title)
        self.setFocusProxy(change)

    def height_for(self, width: int) -> int:  # noqa: ARG002  # the height of other blocks depends on it
        """How high the block is at a width, in px."""
        return self._theme.px(_DECIDED)
