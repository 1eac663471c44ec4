"""One agent: how it is known, its connections now, its newest changes; or the form that connects another."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from memorypane.control.client import LiveConnection
from memorypane.gui import words
from memorypane.gui.entries.delegate import agent_mark
from memorypane.gui.link import Link
from memorypane.gui.pages.activity import EventRows, event_words, outcome_badge, read_events
from memorypane.gui.pages.connect import ConnectPanel
from memorypane.gui.pages.revoke import RevokeDialog
from memorypane.gui.shell.screen import Known
from memorypane.gui.table.model import Cell, Column, Row
from memorypane.gui.table.view import Table
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.labels import BadgeLabel, IconLabel, Label
from memorypane.gui.theme.paint import Badge
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.home.paths import Home
from memorypane.model.errors import MemoryPaneError
from memorypane.model.values import Agent, Channel, EntryInfo, Event, agent_actor
from memorypane.service.person import PersonFace

__all__ = ["AgentColumn"]

_LOOKED_AT = 2_000


class _Fact(QWidget):
    """A caption over a line in bold and a quiet one."""

    def __init__(self, theme: Theme, caption: str) -> None:
        super().__init__()
        self._strong = Label(theme, "", "body", weight=500, elide=Qt.TextElideMode.ElideRight)
        self._quiet = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideMiddle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for label in (Label(theme, caption, "caption", "muted"), self._strong, self._quiet):
            column.addWidget(label)

    def show_fact(self, strong: str, quiet: str = "") -> None:
        """Show the two lines."""
        self._strong.show_text(strong)
        self._quiet.show_text(quiet)


class AgentColumn(QWidget):
    """Signals as a screen's: `noted`, `failed`, `entry_asked`."""

    noted = Signal(str, object)
    failed = Signal(str)
    entry_asked = Signal(object)

    def __init__(self, theme: Theme, work: Work, person: PersonFace, link: Link, home: Home, channel: Channel) -> None:
        super().__init__()
        self._theme, self._work, self._person, self._link = theme, work, person, link
        self._agent: Agent | None = None
        self._known = Known()
        self._first = Label(theme, "", "meta", "muted")
        self._name = Label(theme, "", "title", elide=Qt.TextElideMode.ElideMiddle, hug=True)
        self._badge = BadgeLabel(theme, Badge(""))
        self._settings = Button(theme, self.tr("Connection…"), small=True)
        self._revoke = Button(theme, self.tr("Revoke…"), kind="danger", small=True)
        self._connected, self._token, self._working = (
            _Fact(theme, self.tr("Connected")), _Fact(theme, self.tr("Token")), _Fact(theme, self.tr("Working in")),
        )
        self._families = Label(theme, "", "body")
        self.table = Table(theme, (
            Column(self.tr("When"), 112, "meta"), Column(self.tr("What"), 90), Column(self.tr("Entry"), 0),
            Column(self.tr("Tool"), 170, "mono", drop=1), Column(self.tr("Outcome"), 100, "badge"),
        ), self.tr("What the agent did"))
        self._quiet = EmptyState(theme)
        self._quiet.show_words(self.tr("This agent changed nothing yet. What it writes, and what is held or refused, is listed here."))
        self.connect_panel = ConnectPanel(theme, work, person, home, channel.name)
        self._form_title = Label(theme, "", "title")
        self._stack = QStackedWidget()
        self._body = QStackedWidget()
        self._build()
        self._settings.clicked.connect(self.show_settings)
        self._revoke.clicked.connect(self._on_revoke_clicked)
        self.table.opened.connect(self._on_row_opened)
        self.connect_panel.made.connect(self._on_agent_made)
        self.connect_panel.failed.connect(self.failed)

    def _build(self) -> None:
        theme = self._theme
        first = QHBoxLayout()
        first.setSpacing(6)
        first.addWidget(IconLabel(theme, "bot", "text_secondary", 14))
        first.addWidget(self._first, 1)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(self._name)
        second.addWidget(self._badge)
        second.addStretch(1)
        for button in (self._settings, self._revoke):
            second.addWidget(button)
        first.addStrut(18)
        second.addStrut(28)
        facts = QHBoxLayout()
        facts.setSpacing(24)
        for fact in (self._connected, self._token, self._working):
            facts.addWidget(fact, 1)
        head = Panel(theme, bottom=True)
        top = QVBoxLayout(head)
        top.setContentsMargins(24, 14, 24, 18)
        top.setSpacing(0)
        top.addLayout(first)
        top.addSpacing(5)
        top.addLayout(second)
        top.addSpacing(13)
        top.addLayout(facts)
        families = Panel(theme)
        row = QHBoxLayout(families)
        row.setContentsMargins(24, 14, 24, 14)
        row.setSpacing(24)
        row.addWidget(Label(theme, self.tr("Tool families"), "body", "muted"))
        row.addWidget(self._families, 1)
        self._body.addWidget(self.table)
        self._body.addWidget(self._quiet)
        page = Panel(theme)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(families)
        column.addWidget(self._body, 1)
        form = Panel(theme)
        inner = QVBoxLayout(form)
        inner.setContentsMargins(24, 24, 24, 24)
        inner.setSpacing(14)
        inner.addWidget(self._form_title)
        inner.addWidget(self.connect_panel)
        inner.addStretch(1)
        self.connect_panel.setMaximumWidth(700)
        self._stack.addWidget(page)
        self._stack.addWidget(form)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    # what the screen asks

    def know(self, known: Known) -> None:
        """Take over who and what has a name."""
        self._known = known
        self.connect_panel.show_agents(known.agents)

    def show_agent(self, agent: Agent, live: tuple[LiveConnection, ...], *, leave_form: bool = False) -> None:
        """Show an agent; the form stays open unless it is to be left."""
        other = self._agent is None or self._agent.name != agent.name
        self._agent = agent
        self._show_head(agent, live)
        if leave_form:
            self._stack.setCurrentIndex(0)
        if other:
            self.table.show_rows([])
            self.refresh()

    def show_connect(self) -> None:
        """Show the form for an agent that has no token yet."""
        self._form_title.show_text(self.tr("Connect an agent"))
        self.connect_panel.show_name("my-agent" if "claude-code" in self._known.agents else "claude-code")
        self._stack.setCurrentIndex(1)
        self.connect_panel.name.setFocus()
        self.connect_panel.name.selectAll()

    def show_settings(self) -> None:
        """Show how the chosen agent is connected."""
        if self._agent is not None:
            self._form_title.show_text(self.tr("Connect {agent}").format(agent=self._agent.name))
            self.connect_panel.show_name(self._agent.name, fixed=True)
            self._stack.setCurrentIndex(1)
            self.connect_panel.copy.setFocus()

    def back(self) -> bool:
        """Leave the form."""
        if self._stack.currentIndex() == 1 and self._agent is not None:
            self._stack.setCurrentIndex(0)
            return True
        return False

    def refresh(self) -> None:
        """Read what the agent did."""
        agent = self._agent
        if agent is None:
            return
        actor = agent_actor(agent.name)

        def fits(event: Event) -> bool:
            return event.actor == actor

        self._work.run(read_events, self._person, fits, _LOOKED_AT, done=self._on_events_read, failed=self._on_failed, key="events")

    # inside

    def _show_head(self, agent: Agent, live: tuple[LiveConnection, ...]) -> None:
        now = words.now_ms()
        self._first.show_text(self.tr("Agent  ·  first seen {when}").format(when=words.when(agent.first_seen, now)))
        self._name.show_text(agent.name)
        icon, color = agent_mark(agent)
        said = {"success": self.tr("Verified"), "danger": self.tr("Revoked")}.get(color, self.tr("Not verified"))
        self._badge.show_badge(Badge(said, color, icon))  # type: ignore[arg-type]  # the three colours are tones
        self._revoke.setVisible(not agent.revoked)
        self._families.show_text(", ".join(agent.families) or self.tr("all"))
        if live:
            since = min(each.since for each in live)
            sessions = self.tr("one session") if len(live) == 1 else self.tr("{number} sessions").format(number=len(live))
            one = live[0]
            pid, program = (one.parent_pid, one.parent_program) if one.parent_program else (one.pid, one.program)
            process = self.tr("process {pid}, {program}").format(pid=pid, program=program)
            span = words.span(max(0, now - since))
            self._connected.show_fact(self.tr("{span}, {sessions}").format(span=span, sessions=sessions), process)
            folders = [self._known.workspaces[each.workspace] for each in live if each.workspace in self._known.workspaces]
            self._working.show_fact(folders[0].name if folders else self.tr("no folder"), folders[0].path if folders else "")
        else:
            seen = self.tr("last seen {when}").format(when=words.when(agent.last_seen, now))
            self._connected.show_fact(self.tr("not now"), seen if agent.last_seen else self.tr("never connected"))
            self._working.show_fact(self.tr("nowhere now"))
        if agent.revoked:
            self._token.show_fact(self.tr("none"), self.tr("connections of this name are refused"))
        elif agent.verified:
            self._token.show_fact(self.tr("one"), self.tr("the store keeps its hash only"))
        else:
            self._token.show_fact(self.tr("none"), self.tr("anybody could use this name"))

    def _on_events_read(self, found: EventRows) -> None:
        now = words.now_ms()
        rows = []
        for event in found.events:
            entry = found.entries.get(event.entry_id)
            cells = (
                Cell(words.when(event.at, now)), Cell(event_words(event)), Cell(entry.title if entry else ""), Cell(event.tool),
                Cell(event.outcome, badge=outcome_badge(event.outcome)),
            )
            rows.append(Row(str(event.seq), cells, entry))
        self.table.show_rows(rows)
        self._body.setCurrentWidget(self.table if rows else self._quiet)

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)

    def _on_row_opened(self, row: Row) -> None:
        if isinstance(row.subject, EntryInfo):
            self.entry_asked.emit(row.subject)

    def _on_agent_made(self, agent: str) -> None:
        self.noted.emit(self.tr("Copied. {agent} has its token; paste the text and start the host.").format(agent=agent), None)

    def _on_revoke_clicked(self) -> None:
        if self._agent is not None:
            dialog = RevokeDialog(self._theme, self._agent.name, self)
            dialog.agreed.connect(self._on_revoke_agreed)
            dialog.open()

    def _on_revoke_agreed(self, name: str) -> None:
        person, link = self._person, self._link

        def revoke() -> Agent:
            agent = person.revoke_agent(name)
            link.revoke(name)
            return agent

        self._work.write(revoke, done=self._on_revoked, failed=self._on_failed)

    def _on_revoked(self, agent: Agent) -> None:
        self.noted.emit(self.tr("Revoked {agent}. What it wrote stays.").format(agent=agent.name), None)
