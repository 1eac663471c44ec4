"""Painting the rows of the versions' table."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from memorypane.gui.history.model import Column, Index, VersionModel
from memorypane.gui.theme.paint import Badge, Tone, draw_badge, draw_hairline, draw_icon, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON
from memorypane.gui.words import contradicts
from memorypane.model.values import HUMAN, Version, agent_of

__all__ = ["MARGIN", "VersionDelegate"]

MARGIN = 24
_RADIO = 7.0
_RIGHT = frozenset({Column.SIZE, Column.LINES})
_QUIET = frozenset({Column.WITH, Column.WHEN, Column.SIZE, Column.LINES})


class VersionDelegate(QStyledItemDelegate):
    """Paints one cell; what it shows comes from the model, what it looks like from the theme."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.hovered = -1
        self.claims_hidden = False

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, self._theme.px(HEIGHT.table_row))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, VersionModel) or not isinstance(option.widget, QWidget):
            return
        version = model.data(index, Qt.ItemDataRole.UserRole)
        if not isinstance(version, Version):
            return
        area: QRect = option.rect
        column = Column(index.column())
        self._ground(painter, option, area, first=column is Column.FROM, row=index.row())
        middle = area.top() + (area.height() - 1) // 2
        if column in (Column.FROM, Column.TO):
            picked = model.pair.first if column is Column.FROM else model.pair.second
            left = area.left() + (37 if column is Column.FROM else 7)
            self._radio(painter, QPointF(left + 0.5, middle + 0.5), on=picked == version.number)
        elif column is Column.VERSION:
            self._number(painter, area, middle, version, model)
        elif column is Column.ACTOR:
            self._actor(painter, area, middle, version)
        elif column is Column.CLAIM:
            if words := model.data(index):
                tone: Tone = "warning" if contradicts(version.actor, version.source) else "plain"
                badge = _fit(self._theme, Badge(str(words), tone, claimed=True), area.width() - 8)
                draw_badge(painter, self._theme, area.left(), middle, badge)
        else:
            self._words(painter, area, column, str(model.data(index)))

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, *, first: bool, row: int) -> None:
        theme = self._theme
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            active = option.widget.hasFocus()
            painter.fillRect(area, theme.color("selection" if active else "selection_inactive"))
            if first and active:
                painter.fillRect(area.left(), area.top(), 3, area.height() - 1, theme.color("accent"))
        elif row == self.hovered:
            painter.fillRect(area, theme.color("hover"))
        draw_hairline(painter, theme, area.left(), area.right() + 1, area.bottom())

    def _radio(self, painter: QPainter, center: QPointF, *, on: bool) -> None:
        theme = self._theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(center, _RADIO, _RADIO)
            painter.setBrush(theme.color("surface"))
            painter.drawEllipse(center, 2.6, 2.6)
        else:
            painter.setPen(theme.pen("control_line", 1.0))
            painter.setBrush(theme.color("surface"))
            painter.drawEllipse(center, _RADIO - 0.5, _RADIO - 0.5)
        painter.restore()

    def _number(self, painter: QPainter, area: QRect, middle: int, version: Version, model: VersionModel) -> None:
        theme = self._theme
        text = str(version.number)
        draw_text(painter, theme, area, text, "body", theme.color("text"), weight=600)
        x = area.left() + max(16, theme.metrics("body", weight=600).horizontalAdvance(text) + 8)
        info = model.info
        if info is None:
            return
        head, kept = version.number == info.version, version.number == info.reviewed
        if head:
            draw_badge(painter, theme, x, middle, Badge(self.tr("head, kept") if kept else self.tr("head"), "accent"))
        elif kept:
            draw_badge(painter, theme, x, middle, Badge(self.tr("kept")))

    def _actor(self, painter: QPainter, area: QRect, middle: int, version: Version) -> None:
        theme = self._theme
        agent = agent_of(version.actor)
        x = area.left()
        if not agent and version.actor != HUMAN:
            draw_badge(painter, theme, x, middle, Badge(version.actor))
            return
        x += draw_icon(painter, theme, x, middle, "bot" if agent else "user-round", theme.color("muted"), ICON.small) + 4
        name = agent or self.tr("you")
        room = area.right() - x - (ICON.small + 6 if agent else 0) - 6
        draw_text(painter, theme, QRect(x, area.top(), room, area.height() - 1), name, "body", theme.color("text"))
        x += min(room, theme.metrics("body").horizontalAdvance(name)) + 5
        if agent:
            sign, color = ("badge-check", "success") if version.verified else ("circle-question-mark", "warning")
            x += draw_icon(painter, theme, x, middle, sign, theme.color(color), ICON.small) + 5
        if self.claims_hidden and contradicts(version.actor, version.source) and x + 20 < area.right():
            draw_badge(painter, theme, x, middle, Badge("!", "warning", claimed=True))

    def _words(self, painter: QPainter, area: QRect, column: Column, words: str) -> None:
        theme = self._theme
        quiet = column in _QUIET
        align = Qt.AlignmentFlag.AlignRight if column in _RIGHT else Qt.AlignmentFlag.AlignLeft
        box = area.adjusted(0, 0, 0 if column in _RIGHT else -8, -1)
        if column is Column.LINES:
            box.adjust(0, 0, -MARGIN, 0)
        style, tone = ("meta", "muted") if quiet else ("body", "text")
        draw_text(painter, theme, box, words, style, theme.color(tone), align=align)  # type: ignore[arg-type]  # both are names of styles


def _fit(theme: Theme, badge: Badge, width: int) -> Badge:
    """Cut the words of a badge to a width; the whole stands in the tooltip."""
    cut = theme.metrics("caption").elidedText(badge.text[:200], Qt.TextElideMode.ElideRight, max(0, width - 12))
    return Badge(cut, badge.tone, badge.icon, claimed=badge.claimed)
