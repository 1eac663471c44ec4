"""Fields: search with its key, and the combo box with an arrow of ours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget
from typing_extensions import override

from memorypane.gui.theme.buttons import IconButton
from memorypane.gui.theme.labels import IconLabel
from memorypane.gui.theme.paint import draw_icon, draw_keycap
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, RADIUS

__all__ = ["Combo", "SearchField"]

_SETTLE_MS = 120


class SearchField(QWidget):
    """A search box; `searched` carries the text once typing pauses, `left` says that the person is done with the box (Esc, Down, Enter)."""

    searched = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, placeholder: str, *, key: str = "/", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._key = theme, key
        self._sent = ""
        self.edit = _Edit(self)
        self.edit.focus_moved.connect(self.update)
        self.edit.setProperty("bare", "true")
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAccessibleName(placeholder)
        self._clear = IconButton(theme, "x", self.tr("Clear search"))
        self._clear.setFixedSize(22, 22)
        self._clear.hide()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._on_typing_paused)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 1, 6, 1)
        row.setSpacing(7)
        row.addWidget(IconLabel(theme, "search", "muted", ICON.small))
        row.addWidget(self.edit, 1)
        row.addWidget(self._clear)
        self.setFixedHeight(theme.px(HEIGHT.control))
        self.setFocusProxy(self.edit)
        self.edit.textChanged.connect(self._on_text_changed)
        self.edit.escaped.connect(self._on_escaped)
        self.edit.finished.connect(self._on_finished)
        self._clear.clicked.connect(self.clear)
        theme.changed.connect(self._on_theme_changed)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.edit.text()

    def clear(self) -> None:
        """Empty the box and search for nothing at once."""
        self.edit.clear()
        self._on_typing_paused()

    def set_placeholder(self, words: str) -> None:
        """Say what is searched here."""
        self.edit.setPlaceholderText(words)
        self.edit.setAccessibleName(words)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.edit.hasFocus()
        painter.setPen(self._theme.pen("focus", 2) if focused else self._theme.pen("line"))
        painter.setBrush(self._theme.color("surface" if focused else "sunken"))
        inset = 1.0 if focused else 0.5
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS.control, RADIUS.control)
        if self._key and not focused and not self.edit.text():
            draw_keycap(painter, self._theme, self.width() - 6 - self._theme.px(HEIGHT.keycap), self.height() // 2, self._key)
        painter.end()

    def _on_text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._timer.start()
        self.update()

    def _on_typing_paused(self) -> None:
        self._timer.stop()
        if self.edit.text() != self._sent:
            self._sent = self.edit.text()
            self.searched.emit(self._sent)

    def _on_escaped(self) -> None:
        if self.edit.text():
            self.clear()
        else:
            self.left.emit()

    def _on_finished(self) -> None:
        self._on_typing_paused()
        self.left.emit()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.control))
        self.update()


class _Edit(QLineEdit):
    """The line inside the search box; tells keys apart that leave it."""

    escaped = Signal()
    finished = Signal()
    focus_moved = Signal()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit()
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_moved.emit()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_moved.emit()


class Combo(QComboBox):
    """A combo box whose arrow is our chevron; texts are plain; `small` ones are 24 high."""

    def __init__(self, theme: Theme, name: str, *, small: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._small = theme, small
        self.setProperty("small", "true" if small else "false")
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font("meta" if self._small else "body", weight=500 if self._small else 0))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        color = self._theme.color("text_secondary" if self.isEnabled() else "disabled")
        draw_icon(painter, self._theme, self.width() - ICON.small - 9, self.height() // 2, "chevron-down", color, ICON.small)
        painter.end()
