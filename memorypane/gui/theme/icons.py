"""Lucide icons, recoloured, drawn for the screen's pixel ratio and kept."""

from __future__ import annotations

from lucide import lucide_icon
from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from memorypane.gui.theme.tokens import ICON

__all__ = ["Icons"]


class Icons:
    """Draws icons by their Lucide name.

    `render` and `paint` keep what they drew by (name, colour, size, ratio); `forget` drops it all when the palette changes.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._pixmaps: dict[tuple[str, int, int, float], QPixmap] = {}

    def forget(self) -> None:
        """Drop every drawn icon; the next one is drawn anew."""
        self._pixmaps.clear()

    def render(self, name: str, color: QColor, size: int = ICON.normal, ratio: float = 1.0) -> QPixmap:
        """Return the icon as a pixmap of `size` logical px; `LookupError` if Lucide has no icon of that name."""
        key = (name, color.rgba(), size, ratio)
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._draw(name, color, size, ratio)
            self._pixmaps[key] = pixmap
        return pixmap

    def paint(self, painter: QPainter, x: float, y: float, name: str, color: QColor, size: int = ICON.normal) -> None:
        """Draw the icon with its top left corner at x, y, sharp on the painter's device."""
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(round(x), round(y), self.render(name, color, size, ratio))

    def icon(self, name: str, color: QColor, disabled: QColor | None = None) -> QIcon:
        """Return a `QIcon` for menus and other Qt widgets, sharp at 100 %, 200 % and 300 %."""
        icon = QIcon()
        for ratio in (1.0, 2.0, 3.0):
            icon.addPixmap(self.render(name, color, ICON.normal, ratio))
            icon.addPixmap(self.render(name, disabled or color, ICON.normal, ratio), QIcon.Mode.Disabled)
        return icon

    def _draw(self, name: str, color: QColor, size: int, ratio: float) -> QPixmap:
        text = self._texts.get(name)
        if text is None:
            text = lucide_icon(name)
            if "data-missing-icon" in text:
                raise LookupError(f"Lucide has no icon {name!r}.")
            self._texts[name] = text
        stroke = ICON.stroke_small if size <= ICON.small else ICON.stroke
        svg = text.replace("currentColor", color.name()).replace('stroke-width="2"', f'stroke-width="{stroke}"')
        pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(color.alphaF())
        QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size, size))
        painter.end()
        return pixmap
