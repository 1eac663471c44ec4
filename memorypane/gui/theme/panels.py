"""Plain grounds with hairlines, for bars and boxes."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import RADIUS

__all__ = ["Box", "Panel"]


class Panel(QWidget):
    """A ground in a token's colour ("" = what is behind it), with a hairline at the top or bottom.

    With a `height` (in px at 100 %) it is a bar that grows with the text size.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        ground: str = "surface",
        top: bool = False,
        bottom: bool = False,
        height: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._ground, self._top, self._bottom, self._height = theme, ground, top, bottom, height
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._ground:
            painter.fillRect(self.rect(), self._theme.color(self._ground))
        if self._top:
            painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        if self._bottom:
            painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()

    def _on_theme_changed(self) -> None:
        if self._height:
            self.setFixedHeight(self._theme.px(self._height))
        self.update()


class Box(QWidget):
    """A panel with a border (dashed around what is claimed) and rounded corners; `ground` "" leaves what is behind it."""

    def __init__(
        self, theme: Theme, *, ground: str = "sunken", line: str = "line", dashed: bool = False, parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._ground, self._line, self._dashed = theme, ground, line, dashed
        theme.changed.connect(self.update)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = self._theme.pen("claim_line" if self._dashed else self._line)
        if self._dashed:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        if self._ground:
            painter.setBrush(self._theme.color(self._ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS.panel, RADIUS.panel)
        painter.end()
