"""The list of what waits, grouped by agent or by place; its rows and how they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication, QPointF, QRect, Qt

from memorypane.gui import words
from memorypane.gui.entries.delegate import agent_mark, draw_row_ground
from memorypane.gui.pages.review.phrases import item_words, second_line
from memorypane.gui.places import shelf_badge
from memorypane.gui.shell.screen import Known
from memorypane.gui.table.rows import Brush, ListRow
from memorypane.gui.theme.paint import draw_badge, draw_dot, draw_icon, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, WIDTH
from memorypane.model.review import ReviewItem
from memorypane.model.shelves import Tier
from memorypane.model.values import Agent, agent_of

__all__ = ["Group", "Grouping", "Lane", "draw_group", "draw_item", "fits", "owner_name", "review_rows"]

Grouping = Literal["agent", "place"]
Lane = Literal["", "held", "unreviewed"]


@dataclass(frozen=True, slots=True)
class Group:
    """A head of the list: its key, words, how many items, whether they are folded away, the agent it stands for."""

    key: str
    title: str
    number: int
    folded: bool
    agent: Agent | None
    actor: str


def fits(item: ReviewItem, lane: Lane) -> bool:
    """Whether an item belongs to the chosen lane ("" = both)."""
    return not lane or item.lane == lane


def owner_name(item: ReviewItem, owners: Mapping[str, str]) -> str:
    """What the owner of the item's shelf is called, "" where a shelf has none."""
    return owners.get(item.owner, item.owner) if item.tier in (Tier.WORKSPACE, Tier.PERSONAL) else ""


def review_rows(
    items: tuple[ReviewItem, ...], lane: Lane, grouping: Grouping, folded: frozenset[str], known: Known, now: int,
) -> list[ListRow]:
    """Return heads and items, groups in the order of their oldest item."""
    groups: dict[str, list[ReviewItem]] = {}
    for item in items:
        if fits(item, lane):
            badge = shelf_badge(item.tier, item.shelf, owner_name(item, known.owners))
            groups.setdefault(item.actor if grouping == "agent" else badge.text, []).append(item)
    rows = []
    for key, members in groups.items():
        title = words.actor_words(key) if grouping == "agent" else key
        actor = key if grouping == "agent" else ""
        group = Group(key, title, len(members), key in folded, known.agents.get(agent_of(actor)), actor)
        rows.append(ListRow(f"group {key}", f"{title}, {len(members)}", HEIGHT.group_header, group, head=True))
        if key not in folded:
            rows += [ListRow(item.id, item_words(item, now), HEIGHT.list_row, item) for item in members]
    return rows


def draw_group(brush: Brush, theme: Theme, group: Group) -> None:
    """Draw the head of a group."""
    painter, area = brush.painter, brush.area
    painter.fillRect(area, theme.color("hover" if brush.hovered else "surface_alt"))
    painter.fillRect(area.left(), area.bottom(), area.width(), 1, theme.color("line"))
    middle = area.center().y() + 1
    draw_icon(painter, theme, area.left() + 15, middle, "chevron-right" if group.folded else "chevron-down", theme.color("text_secondary"))
    text = theme.color("text")
    number = words.count(group.number)
    right = QRect(area.left(), area.top(), area.width() - 12, area.height())
    draw_text(painter, theme, right, number, "meta", text, align=Qt.AlignmentFlag.AlignRight)
    left = area.left() + 36
    known = bool(group.agent and group.agent.verified and not group.agent.revoked)
    room = area.width() - 36 - 60 - (0 if known or not group.actor else 100)
    style_width = min(room, theme.metrics("body", weight=600).horizontalAdvance(group.title) + 1)
    draw_text(painter, theme, QRect(left, area.top(), style_width, area.height()), group.title, "body", text, weight=600)
    if not agent_of(group.actor):
        return
    left += style_width + 6
    icon, color = agent_mark(group.agent)
    left += draw_icon(painter, theme, left, middle, icon, theme.color(color), 14) + 4
    if color != "success":
        said = QRect(left, area.top(), area.right() - 40 - left, area.height())
        draw_text(painter, theme, said, words.agent_words(group.agent), "meta", theme.color(color))


def draw_item(brush: Brush, theme: Theme, item: ReviewItem, known: Known, now: int) -> None:
    """Draw one item of 56."""
    painter, area = brush.painter, brush.area
    draw_row_ground(painter, theme, area, selected=brush.selected, active=brush.active, hovered=brush.hovered)
    left, width = area.left() + WIDTH.mark_column, area.width() - WIDTH.mark_column - WIDTH.text_margin
    first = QRect(left, area.top() + theme.px(9), width, theme.px(20))
    second = first.translated(0, theme.px(20))
    middle = first.center().y() + 1
    if item.lane == "held":
        draw_icon(painter, theme, area.left() + 10, middle, "hand", theme.color("warning"), ICON.small)
    else:
        draw_dot(painter, QPointF(area.left() + 17.5, middle), theme.color("accent"))
    age = words.age(item.created_at, now)
    draw_text(painter, theme, first, age, "meta", theme.color("muted"), align=Qt.AlignmentFlag.AlignRight)
    title = item.name or item.excerpt or QCoreApplication.translate("Review", "without a name")
    room = width - theme.metrics("meta").horizontalAdvance(age) - 12
    weight = 600 if item.lane == "unreviewed" else 500
    draw_text(painter, theme, QRect(left, first.top(), room, first.height()), title, "row_name", theme.color("text"), weight=weight)
    badge = shelf_badge(item.tier, item.shelf, owner_name(item, known.owners))
    x = left + draw_badge(painter, theme, left, second.center().y() + 1, badge) + 7
    for number, (said, color) in enumerate(second_line(item)):
        text = said if number == 0 else f"·  {said}"
        used = theme.metrics("meta").horizontalAdvance(text) + 6
        if x + used > second.right() + 8:
            break
        draw_text(painter, theme, QRect(x, second.top(), used, second.height()), text, "meta", theme.color(color))
        x += used
