"""The row *Removed*, which stands apart at the bottom of the left column."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget
from typing_extensions import override

from memorypane.gui.places import Kind, Place
from memorypane.gui.shell.nav_view import paint_nav_row
from memorypane.gui.shell.navigation import NavRow
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT

__all__ = ["RemovedRow"]


class RemovedRow(QPushButton):
    """Looks like a row of the tree above it; `clicked` goes there."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._count = "–"
        self.setCheckable(True)
        self.setAutoExclusive(False)
        self.setFixedHeight(theme.px(HEIGHT.sidebar_row))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._on_theme_changed)
        self.show_count("–")

    def show_count(self, count: str) -> None:
        """Show how many entries are removed."""
        self._count = count
        self.setAccessibleName(self.tr("Removed, {count}").format(count=count))
        self.update()

    @override
    def nextCheckState(self) -> None:
        """A click goes there; what is marked is told by the window."""

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, self.height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        row = NavRow("item", self.tr("Removed"), Place(Kind.REMOVED), "trash", count=self._count)
        paint_nav_row(
            painter, self._theme, self.rect(), row, chosen=self.isChecked(), hovered=self.underMouse(), focused=False,
        )
        painter.end()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.sidebar_row))
        self.update()
