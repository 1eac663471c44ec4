"""Filter chips: small buttons that narrow a list, with the count of what they would leave."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget
from typing_extensions import override

from memorypane.gui.theme.paint import draw_dot, draw_icon, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, RADIUS

__all__ = ["Chip"]

_DOT = "dot"


class Chip(QPushButton):
    """A filter that is on or off; `icon` is a Lucide name, or "dot" for the mark of unreviewed entries."""

    def __init__(self, theme: Theme, text: str, icon: str, *, framed: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme, self._icon, self._framed = theme, icon, framed
        self._words = text
        self.setCheckable(framed)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def show_count(self, number: int) -> None:
        """Show how many entries the filter leaves; 0 hides the chip unless it is on."""
        self.setText(f"{self._words} {number:,}")
        self.setVisible(number > 0 or self.isChecked())
        self.updateGeometry()

    def show_words(self, *, shown: bool) -> None:
        """Show the words beside the icon, or the icon alone where there is no room."""
        self.setText(self._words if shown else "")
        self.setToolTip("" if shown else self._words)
        self.setAccessibleName(self._words)
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        icon = 13 if self._icon == _DOT else ICON.small + (6 if self.text() else 0)
        width = self._theme.metrics("meta").horizontalAdvance(self.text()) + icon + (18 if self._framed else 12)
        return QSize(width, self._theme.px(HEIGHT.control_small))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        if self._framed:
            painter.setPen(theme.pen("accent" if on else "line_strong"))
            painter.setBrush(theme.color("accent_soft" if on else "hover" if self.underMouse() else "raised"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS.control, RADIUS.control)
        elif self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(self.rect(), RADIUS.control, RADIUS.control)
        middle = self.height() // 2
        x = 9 if self._framed else 6
        if self._icon == _DOT:
            draw_dot(painter, QPointF(x + 3.5, middle), theme.color("accent"))
            x += 13 - 1
        else:
            x += draw_icon(painter, theme, x, middle, self._icon, theme.color("text_secondary"), ICON.small) + 6
        draw_text(painter, theme, self.rect().adjusted(x, 0, 0, 0), self.text(), "meta", theme.color("text_secondary"))
        painter.end()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
