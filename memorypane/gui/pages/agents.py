"""Who may connect, who is connected, and what each agent did."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout
from typing_extensions import override

from memorypane.control.client import LiveConnection
from memorypane.gui import words
from memorypane.gui.entries.delegate import agent_mark, draw_row_ground
from memorypane.gui.entries.header import ColumnHeader
from memorypane.gui.keys import KeyAction
from memorypane.gui.link import Link
from memorypane.gui.pages.agent_column import AgentColumn
from memorypane.gui.places import Place, agent_place
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.table.rows import Brush, ListRow, RowList
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paint import draw_dot, draw_icon, draw_text
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, WIDTH
from memorypane.gui.work import Work
from memorypane.home.paths import Home
from memorypane.model.values import Agent, Channel
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["AgentsScreen"]


@dataclass(frozen=True, slots=True)
class _Row:
    """An agent and its connections now."""

    agent: Agent
    live: tuple[LiveConnection, ...]
    now: int


class AgentsScreen(Screen):
    """The list of agents beside the chosen one."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace, link: Link, home: Home, channel: Channel) -> None:
        side = Panel(theme)
        self.column = AgentColumn(theme, work, person, link, home, channel)
        super().__init__(side, self.column)
        self._theme, self._link = theme, link
        self._known = Known()
        self._header = ColumnHeader(theme)
        self._add = self._header.add_button("plus", self.tr("Connect an agent"))
        self.list = RowList(theme, self.tr("Agents"), self._draw_row)
        self._sum = Label(theme, "", "meta", "muted")
        footer = Panel(theme, top=True, height=HEIGHT.hint_bar)
        row = QHBoxLayout(footer)
        row.setContentsMargins(16, 1, 16, 0)
        row.addWidget(self._sum)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.list, 1)
        column.addWidget(footer)
        side.setFocusProxy(self.list)
        self._add.clicked.connect(self.write_new)
        self.list.row_chosen.connect(self._on_row_chosen)
        self.list.opened.connect(self._on_row_opened)
        self.column.noted.connect(self.noted)
        self.column.failed.connect(self.failed)
        self.column.entry_asked.connect(self.entry_asked)
        link.moved.connect(self._show)

    @override
    def open(self, place: Place) -> None:
        self._show()
        if self.list.chosen is None and self.list.keys:
            self.list.choose(self.list.keys[0])
        elif not self.list.keys:
            self.column.show_connect()
        self.column.refresh()

    @override
    def apply(self, changed: Changed) -> None:
        self.column.refresh()

    @override
    def know(self, known: Known) -> None:
        self._known = known
        self.column.know(known)
        self._show()

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        return (
            KeyAction("J", self.tr("next, previous"), lambda: self.list.step(1)),
            KeyAction("K", self.tr("next, previous"), lambda: self.list.step(-1)),
            KeyAction("Return", self.tr("what it keeps for itself"), self.list.open_chosen),
            KeyAction("C", self.tr("connection settings"), self.column.show_settings),
            KeyAction("N", self.tr("connect another agent"), self.write_new),
        )

    @override
    def back(self) -> bool:
        return self.column.back()

    @override
    def write_new(self) -> None:
        self.column.show_connect()

    def _show(self) -> None:
        now = words.now_ms()
        live = self._link.connections
        agents = sorted(
            self._known.agents.values(),
            key=lambda agent: (agent.revoked, not any(each.agent == agent.name for each in live), agent.name),
        )
        rows = []
        for agent in agents:
            row = _Row(agent, tuple(each for each in live if each.agent == agent.name), now)
            said = f"{agent.name}, {words.agent_words(agent)}, {self._state(row)[1]}"
            rows.append(ListRow(agent.name, said, HEIGHT.list_row, row))
        self.list.show_rows(rows)
        self._header.show_title(self.tr("Agents"), words.count(len(rows)))
        connected = len({each.agent for each in live})
        self._sum.show_text(self.tr("{number} connected").format(number=connected) if connected else self.tr("none connected"))
        chosen = self.list.chosen
        if isinstance(chosen, _Row):
            self.column.show_agent(chosen.agent, chosen.live)

    def _on_row_chosen(self, row: _Row) -> None:
        self.column.show_agent(row.agent, row.live, leave_form=True)

    def _on_row_opened(self, row: _Row) -> None:
        self.place_asked.emit(agent_place(row.agent.name))

    def _state(self, row: _Row) -> tuple[str, str]:
        """The warning part and the plain part of a row's second line."""
        first = self.tr("revoked") if row.agent.revoked else "" if row.agent.verified else self.tr("not verified")
        if row.live:
            since = min(each.since for each in row.live)
            return first, self.tr("connected {span}").format(span=words.span(max(0, row.now - since)))
        if row.agent.last_seen:
            return first, self.tr("last seen {when}").format(when=words.when(row.agent.last_seen, row.now))
        return first, self.tr("never connected")

    def _draw_row(self, brush: Brush, subject: object) -> None:
        if not isinstance(subject, _Row):
            return
        theme, painter, area, agent = self._theme, brush.painter, brush.area, subject.agent
        draw_row_ground(painter, theme, area, selected=brush.selected, active=brush.active, hovered=brush.hovered)
        left, width = area.left() + WIDTH.mark_column, area.width() - WIDTH.mark_column - WIDTH.text_margin
        first = QRect(left, area.top() + theme.px(9), width, theme.px(20))
        second = first.translated(0, theme.px(20))
        middle = first.center().y() + 1
        dot = QPointF(area.left() + 17, middle)
        draw_dot(painter, dot, theme.color("success" if subject.live else "muted"), 4, filled=bool(subject.live))
        calls = sum(each.calls for each in subject.live)
        said = (self.tr("1 call") if calls == 1 else self.tr("{number} calls").format(number=words.count(calls))) if subject.live else ""
        draw_text(painter, theme, first, said, "meta", theme.color("muted"), align=Qt.AlignmentFlag.AlignRight)
        room = width - theme.metrics("meta").horizontalAdvance(said) - ICON.normal - 18
        draw_text(painter, theme, QRect(left, first.top(), room, first.height()), agent.name, "row_name", theme.color("text"), weight=500)
        used = min(room, theme.metrics("row_name", weight=500).horizontalAdvance(agent.name))
        icon, color = agent_mark(agent)
        draw_icon(painter, theme, left + used + 6, middle, icon, theme.color(color), ICON.normal)
        warning, plain = self._state(subject)
        if warning:
            draw_text(painter, theme, second, warning, "meta", theme.color("danger" if agent.revoked else "warning"))
            second.setLeft(second.left() + theme.metrics("meta").horizontalAdvance(warning) + 2)
            plain = f"  ·  {plain}"
        draw_text(painter, theme, second, plain, "meta", theme.color("muted"))
