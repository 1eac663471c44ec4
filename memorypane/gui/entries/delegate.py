"""How one entry looks in a list: mark, name, age; size or kind, writer, claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.model import DIM_ROLE, FLASH_ROLE, INFO_ROLE
from memorypane.gui.theme.paint import Badge, badge_width, draw_badge, draw_dot, draw_hairline, draw_icon, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, WIDTH
from memorypane.model.values import Agent, EntryInfo, agent_of

__all__ = ["EntryDelegate", "RowFacts", "agent_mark", "draw_row_ground", "draw_writer", "writer_width"]

Index = QModelIndex | QPersistentModelIndex

_TEXT_GAP = 16
_BADGE_GAP = 6


def agent_mark(agent: Agent | None) -> tuple[str, str]:
    """Return the icon and colour that say how well an agent is known."""
    if agent is not None and agent.revoked:
        return "circle-slash", "danger"
    if agent is not None and agent.verified:
        return "badge-check", "success"
    return "circle-question-mark", "warning"


def writer_width(theme: Theme, actor: str, *, style_weight: int = 0) -> int:
    """Return how wide `draw_writer` draws, in px."""
    text = theme.metrics("meta", weight=style_weight).horizontalAdvance(words.actor_words(actor))
    if actor not in ("human",) and not agent_of(actor):
        return badge_width(theme, Badge(words.actor_words(actor)))
    return ICON.small + 6 + text + (5 + ICON.small if agent_of(actor) else 0)


def draw_writer(
    painter: QPainter, theme: Theme, x: int, area: QRect, actor: str, agent: Agent | None, limit: int, color: QColor | None = None,
) -> int:
    """Draw who wrote it (icon, name, how well known) from x on, at most `limit` wide; return the width."""
    ink = color or theme.color("muted")
    middle = area.center().y() + 1
    name = words.actor_words(actor)
    by_agent = bool(agent_of(actor))
    if actor != "human" and not by_agent:
        return draw_badge(painter, theme, x, middle, Badge(name))
    left = x + draw_icon(painter, theme, x, middle, "bot" if by_agent else "user-round", theme.color("text_secondary"), ICON.small) + 4
    room = max(0, x + limit - left - (ICON.small + 5 if by_agent else 0))
    width = min(room, theme.metrics("meta").horizontalAdvance(name) + 1)
    draw_text(painter, theme, QRect(left, area.top(), width, area.height()), name, "meta", ink)
    left += width
    if by_agent:
        icon, tone = agent_mark(agent)
        left += 4 + draw_icon(painter, theme, left + 4, middle, icon, theme.color(tone), ICON.small)
    return left - x


def draw_row_ground(
    painter: QPainter,
    theme: Theme,
    area: QRect,
    *,
    selected: bool,
    active: bool,
    hovered: bool,
    flashing: bool = False,
    inset: int = WIDTH.mark_column,
) -> None:
    """Fill the ground of a list row and close it with its hairline."""
    if selected:
        painter.fillRect(area, theme.color("selection" if active else "selection_inactive"))
        if active:
            painter.fillRect(area.left(), area.top(), 3, area.height(), theme.color("accent"))
        return
    if flashing:
        painter.fillRect(area, theme.color("accent_soft"))
    elif hovered:
        painter.fillRect(area, theme.color("hover"))
    draw_hairline(painter, theme, area.left() + inset, area.right() + 1, area.bottom())


@dataclass(frozen=True, slots=True)
class RowFacts:
    """What a row needs beside the entry: what is known of its writer, the badge of where it lives (None = not shown), the time."""

    agent: Agent | None
    badge: Badge | None
    now: int


class EntryDelegate(QStyledItemDelegate):
    """Draws entries in rows of 56; what a row needs beside its entry comes from `facts`."""

    def __init__(self, theme: Theme, view: QAbstractItemView, facts: Callable[[EntryInfo], RowFacts]) -> None:
        super().__init__(view)
        self._theme, self._view, self._facts = theme, view, facts

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.px(HEIGHT.list_row))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, area = self._theme, option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        draw_row_ground(
            painter, theme, area, selected=selected, active=self._view.hasFocus(),
            hovered=bool(option.state & QStyle.StateFlag.State_MouseOver), flashing=bool(index.data(FLASH_ROLE)),
        )
        info: EntryInfo | None = index.data(INFO_ROLE)
        if info is None:
            return
        painter.save()
        if index.data(DIM_ROLE):
            painter.setOpacity(0.45)
        facts = self._facts(info)
        self._draw_marks(painter, area, info)
        self._draw_first_line(painter, area, info, facts)
        self._draw_second_line(painter, area, info, facts)
        painter.restore()

    def _lines(self, area: QRect) -> tuple[QRect, QRect]:
        theme = self._theme
        top, height = area.top() + theme.px(9), theme.px(20)
        bar = self._view.verticalScrollBar()
        margin = max(6, WIDTH.text_margin - bar.width()) if bar.isVisible() else WIDTH.text_margin
        left, right = area.left() + WIDTH.mark_column, area.right() + 1 - margin
        return QRect(left, top, right - left, height), QRect(left, top + height, right - left, height)

    def _draw_marks(self, painter: QPainter, area: QRect, info: EntryInfo) -> None:
        theme = self._theme
        first, _ = self._lines(area)
        middle = first.center().y() + 1
        if info.held:
            draw_icon(painter, theme, area.left() + 10, middle, "hand", theme.color("warning"), ICON.small)
        elif info.unreviewed:
            draw_dot(painter, QPointF(area.left() + 17.5, middle), theme.color("accent"))
        elif info.pinned:
            draw_icon(painter, theme, area.left() + 10, middle, "pin", theme.color("text_secondary"), ICON.small)

    def _draw_first_line(self, painter: QPainter, area: QRect, info: EntryInfo, facts: RowFacts) -> None:
        theme = self._theme
        line, _ = self._lines(area)
        age = words.age(info.updated_at, facts.now)
        width = theme.metrics("meta").horizontalAdvance(age) + 1
        draw_text(painter, theme, QRect(line.right() + 1 - width, line.top(), width, line.height()), age, "meta", theme.color("muted"))
        marked = info.pinned and (info.unreviewed or bool(info.held))
        room = line.width() - width - 12 - (ICON.small + 6 if marked else 0)
        weight = 600 if info.unreviewed else 500
        title = info.title or self.tr("without a name")
        color = theme.color("text" if info.title else "muted")
        draw_text(painter, theme, QRect(line.left(), line.top(), room, line.height()), title, "row_name", color, weight=weight)
        if marked:
            used = min(room, theme.metrics("row_name", weight=weight).horizontalAdvance(title[:1000]))
            color = theme.color("text_secondary")
            draw_icon(painter, theme, line.left() + used + 6, line.center().y() + 1, "pin", color, ICON.small)

    def _draw_second_line(self, painter: QPainter, area: QRect, info: EntryInfo, facts: RowFacts) -> None:
        """Size or kind, writer, claim; when it is narrow the claim's words go first, then the size, the writer never."""
        theme = self._theme
        _, line = self._lines(area)
        badge = facts.badge
        lead = info.kind or words.size(info.size)
        lead_width = theme.metrics("meta").horizontalAdvance(lead)
        writer = writer_width(theme, info.actor)
        warns = words.contradicts(info.actor, info.source)
        claimed = words.claim(info.actor, info.source)
        claim = Badge(claimed, "warning" if warns else "plain", claimed=True) if claimed else None
        room = line.width() - (badge_width(theme, badge) + 8 if badge else 0)
        claim_width = badge_width(theme, claim) + _BADGE_GAP if claim else 0
        if claim and lead_width + _TEXT_GAP + writer + claim_width > room:
            claim = Badge(info.source, claim.tone, claimed=True)
            claim_width = badge_width(theme, claim) + _BADGE_GAP
            if lead_width + _TEXT_GAP + writer + claim_width > room:
                claim = Badge("", claim.tone, "message-square-warning", claimed=True)
                claim_width = badge_width(theme, claim) + _BADGE_GAP
        show_lead = lead_width + _TEXT_GAP + writer + claim_width <= room
        x, middle = line.left(), line.center().y() + 1
        if badge:
            x += draw_badge(painter, theme, x, middle, badge) + 8
        if show_lead:
            draw_text(painter, theme, QRect(x, line.top(), lead_width + 1, line.height()), lead, "meta", theme.color("muted"))
            x += lead_width + _TEXT_GAP
        limit = line.right() + 1 - x - claim_width
        x += draw_writer(painter, theme, x, line, info.actor, facts.agent, limit) + _BADGE_GAP
        if claim:
            draw_badge(painter, theme, x, middle, claim)
