"""The header of a list column: icon, title, count, and the column's own buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSpacerItem, QWidget
from typing_extensions import override

from memorypane.gui.theme.buttons import IconButton
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT

__all__ = ["ColumnHeader"]


class ColumnHeader(QWidget):
    """48 high, closed by a hairline."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = IconLabel(theme, "globe", "text_secondary")
        self._title = Label(theme, "", "page_title", elide=Qt.TextElideMode.ElideMiddle, hug=True)
        self._count = Label(theme, "", "page_title", "muted", weight=400, elide=Qt.TextElideMode.ElideRight, hug=True)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 0, 12, 1)
        self._row.setSpacing(0)
        self._row.addWidget(self._icon)
        self._gap = QSpacerItem(8, 0)
        self._row.addSpacerItem(self._gap)
        self._row.addWidget(self._title)
        self._row.addSpacing(9)
        self._row.addWidget(self._count)
        self._row.addStretch(1)
        self._icon.hide()
        self.setFixedHeight(theme.px(HEIGHT.column_header))
        theme.changed.connect(self._on_theme_changed)

    def show_title(self, title: str, count: str = "", *, icon: str = "", color: str = "text_secondary") -> None:
        """Show the name of the list and how many entries it has."""
        self._icon.setVisible(bool(icon))
        self._gap.changeSize(8 if icon else 0, 0)
        self._row.invalidate()
        if icon:
            self._icon.show_icon(icon, color)
        self._title.show_text(title)
        self._count.show_text(count)

    def add_button(self, icon: str, words: str) -> IconButton:
        """Add an icon button at the right."""
        button = IconButton(self._theme, icon, words)
        self._row.addWidget(button)
        return button

    def add_widget(self, widget: QWidget) -> None:
        """Add another widget at the right."""
        self._row.addWidget(widget)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.column_header))
        self.update()
