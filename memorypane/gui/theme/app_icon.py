"""The program's icon, drawn: a pane with three lines of memory, one of them marked."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

__all__ = ["app_icon"]


def app_icon(size: int = 128) -> QPixmap:
    """Return the icon at `size` px."""
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / 128, size / 128)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#2858cc"))
    painter.drawRoundedRect(QRectF(8, 8, 112, 112), 26, 26)
    painter.setBrush(QColor("#ffffff"))
    painter.drawRoundedRect(QRectF(26, 30, 76, 68), 8, 8)
    painter.setBrush(QColor("#dfe8fb"))
    painter.drawRoundedRect(QRectF(26, 30, 24, 68), 8, 8)
    painter.drawRect(QRectF(40, 30, 10, 68))
    for line, (color, width) in enumerate((("#1d1e20", 40), ("#a65f00", 30), ("#1d1e20", 36))):
        painter.setPen(QPen(QColor(color), 6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        y = 46 + line * 18
        painter.drawLine(58, y, 58 + round(width * 0.9), y)
    painter.end()
    return pixmap
