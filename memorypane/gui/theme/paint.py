"""Painting that delegates and our own widgets share: badges, key caps, icons in lines of text, hairlines, elision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, RADIUS, TypeName

__all__ = [
    "Badge",
    "Tone",
    "badge_width",
    "draw_badge",
    "draw_dot",
    "draw_hairline",
    "draw_icon",
    "draw_keycap",
    "draw_keys",
    "draw_pill",
    "draw_text",
    "elide",
    "keycap_width",
    "keys_width",
    "tone_colors",
]

Tone = Literal["plain", "system", "global", "workspace", "personal", "warning", "danger", "success", "accent", "outline"]

_PAD = 6
_ICON_GAP = 4


@dataclass(frozen=True, slots=True)
class Badge:
    """A small label: solid says what the server knows, `claimed` (a dashed outline) what a writer says."""

    text: str
    tone: Tone = "plain"
    icon: str = ""
    claimed: bool = False


def tone_colors(theme: Theme, tone: Tone) -> tuple[QColor, QColor]:
    """Return the ground and the text colour of a tone."""
    if tone == "plain":
        return theme.color("badge_bg"), theme.color("badge_text")
    if tone == "outline":
        return theme.color("surface"), theme.color("text_secondary")
    if tone in ("warning", "danger", "success", "accent"):
        return theme.color(f"{tone}_soft"), theme.color(tone)
    return theme.color(f"tier_{tone}_soft"), theme.color(f"tier_{tone}")


def badge_width(theme: Theme, badge: Badge) -> int:
    """Return how wide the badge is drawn, in px."""
    icon = ICON.small + _ICON_GAP if badge.icon else 0
    return theme.metrics("caption").horizontalAdvance(badge.text) + icon + 2 * _PAD


def draw_badge(painter: QPainter, theme: Theme, x: int, middle: int, badge: Badge) -> int:
    """Draw the badge with its left edge at x around the line `middle`; return its width."""
    width, height = badge_width(theme, badge), theme.px(HEIGHT.badge)
    area = QRectF(x, middle - height / 2, width, height)
    ground, ink = tone_colors(theme, badge.tone)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if badge.claimed:
        line = ink if badge.tone != "plain" else theme.color("claim_line")
        pen = QPen(line, 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS.badge, RADIUS.badge)
    elif badge.tone == "outline":
        painter.setPen(theme.pen("line_strong"))
        painter.setBrush(ground)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS.badge, RADIUS.badge)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(area, RADIUS.badge, RADIUS.badge)
    painter.restore()
    left = x + _PAD
    if badge.icon:
        theme.icons.paint(painter, left, middle - ICON.small / 2, badge.icon, ink, ICON.small)
        left += ICON.small + _ICON_GAP
    draw_text(painter, theme, QRect(left, round(area.top()), width, round(height)), badge.text, "caption", ink)
    return width


def draw_text(
    painter: QPainter,
    theme: Theme,
    area: QRect,
    text: str,
    style: TypeName,
    color: QColor,
    *,
    weight: int = 0,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Draw one line of plain text, middled in the height of `area`, elided if it does not fit its width."""
    painter.setFont(theme.font(style, weight=weight))
    painter.setPen(color)
    shown = elide(theme, text, style, area.width(), weight=weight, mode=mode)
    painter.drawText(area, int(align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)


def elide(
    theme: Theme, text: str, style: TypeName, width: int, *, weight: int = 0, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> str:
    """Return `text` cut to `width` px with an ellipsis; only its beginning is measured, however long it is."""
    return theme.metrics(style, weight=weight).elidedText(text[:1000], mode, max(0, width))


def draw_icon(painter: QPainter, theme: Theme, x: int, middle: int, name: str, color: QColor, size: int = ICON.normal) -> int:
    """Draw an icon around the line `middle`; return its width."""
    theme.icons.paint(painter, x, middle - size / 2, name, color, size)
    return size


def draw_hairline(painter: QPainter, theme: Theme, left: int, right: int, y: int) -> None:
    """Draw a separator of 1 px in the row y, from left up to right."""
    painter.fillRect(QRect(left, y, right - left, 1), theme.color("line"))


def draw_dot(painter: QPainter, center: QPointF, color: QColor, radius: float = 3.5, *, filled: bool = True) -> None:
    """Draw a dot, or a ring where `filled` is off."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if filled:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
    else:
        painter.setPen(QPen(color, 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        radius -= 0.5
    painter.drawEllipse(center, radius, radius)
    painter.restore()


def draw_pill(painter: QPainter, theme: Theme, right: int, middle: int, text: str) -> int:
    """Draw a count on the accent colour with its right edge at `right`; return its width."""
    width = max(theme.px(20), theme.metrics("caption", weight=600).horizontalAdvance(text) + 12)
    height = theme.px(18)
    area = QRect(right - width, round(middle - height / 2), width, height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(area, height / 2, height / 2)
    painter.restore()
    draw_text(painter, theme, area, text, "caption", theme.color("accent_text"), weight=600, align=Qt.AlignmentFlag.AlignHCenter)
    return width


def keycap_width(theme: Theme, key: str) -> int:
    """Return how wide one key cap is drawn, in px."""
    return max(theme.px(HEIGHT.keycap), theme.metrics("caption").horizontalAdvance(key) + 10)


def draw_keycap(painter: QPainter, theme: Theme, x: int, middle: int, key: str, ink: QColor | None = None) -> int:
    """Draw one key; with `ink` only an outline in that colour (for coloured buttons). Return its width."""
    width, height = keycap_width(theme, key), theme.px(HEIGHT.keycap)
    area = QRectF(x, middle - height / 2, width, height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if ink is None:
        painter.setPen(theme.pen("keycap_line"))
        painter.setBrush(theme.color("keycap_bg"))
    else:
        line = QColor(ink)
        line.setAlphaF(0.55 * ink.alphaF())
        painter.setPen(QPen(line, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS.badge, RADIUS.badge)
    painter.restore()
    color = ink if ink is not None else theme.color("text_secondary")
    draw_text(painter, theme, area.toRect(), key, "caption", color, align=Qt.AlignmentFlag.AlignHCenter)
    return width


def keys_width(theme: Theme, keys: tuple[str, ...]) -> int:
    """Return how wide several key caps with their gaps are drawn."""
    return sum(keycap_width(theme, key) for key in keys) + 4 * max(0, len(keys) - 1)


def draw_keys(painter: QPainter, theme: Theme, x: int, middle: int, keys: tuple[str, ...], ink: QColor | None = None) -> int:
    """Draw key caps side by side; return the width of all."""
    left = x
    for key in keys:
        left += draw_keycap(painter, theme, left, middle, key, ink) + 4
    return left - x - 4 if keys else 0
