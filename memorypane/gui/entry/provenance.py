"""Where an entry's words come from: who wrote the version in force, by which way, what the writer claims, what stands behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget

from memorypane.gui import words
from memorypane.gui.theme.bars import Hint
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.panels import Box, Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import TypeName
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.values import Agent, Connection, Entry, Evidence, Version, agent_of
from memorypane.service.person import PersonFace

__all__ = ["ProvenancePage"]


@dataclass(frozen=True, slots=True)
class _Origin:
    """What the page needs from the store."""

    version: Version
    connection: Connection | None
    agent: Agent | None


@dataclass(frozen=True, slots=True)
class _Row:
    """One fact: what it is, what it says; `known` facts come from the server, the others are claims."""

    name: str
    value: str
    style: TypeName = "body"


def _origin(person: PersonFace, entry_id: str, number: int) -> _Origin:
    version = person.version(entry_id, number)
    connection = person.connection(version.connection) if version.connection else None
    name = agent_of(version.actor)
    return _Origin(version, connection, next((agent for agent in person.agents() if agent.name == name), None))


class ProvenancePage(QScrollArea):
    """Two boxes, what the server knows and what the writer claims, then the evidence of a record."""

    saved = Signal(object)
    failed = Signal(str)

    def __init__(self, theme: Theme, work: Work, person: PersonFace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._work, self._person = theme, work, person
        self._entry: Entry | None = None
        self.setWidgetResizable(True)
        self.setAccessibleName(self.tr("Provenance"))
        self.setWidget(QWidget())

    def show_entry(self, entry: Entry) -> None:
        """Show another entry."""
        self._entry = entry
        self._work.run(
            _origin, self._person, entry.id, entry.info.version, done=self._on_origin_read, failed=self._on_failed, key="origin",
        )

    def entry_changed(self, entry: Entry) -> None:
        """The entry was changed by someone else."""
        self.show_entry(entry)

    def can_leave(self) -> bool:
        """Nothing is written here."""
        return True

    def hints(self) -> tuple[Hint, ...]:
        """This page has no keys of its own."""
        return ()

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)

    def _on_origin_read(self, origin: _Origin) -> None:
        entry = self._entry
        if entry is None or entry.id != origin.version.entry_id:
            return
        page = Panel(self._theme)
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 20, 24, 24)
        column.setSpacing(8)
        self._box(column, self.tr("What the server knows"), self._known(entry, origin))
        claims = self._claims(origin.version) or (_Row(self.tr("Source"), self.tr("Nothing was claimed.")),)
        self._box(column, self.tr("What the writer claims"), claims, claimed=True)
        for number, evidence in enumerate(entry.evidence, 1):
            self._box(column, self.tr("Evidence {number}").format(number=number), _evidence_rows(evidence), claimed=True)
        column.addStretch(1)
        self.setWidget(page)

    def _known(self, entry: Entry, origin: _Origin) -> tuple[_Row, ...]:
        version, connection = origin.version, origin.connection
        writer = words.actor_words(version.actor)
        if agent_of(version.actor):
            known = self.tr("verified") if version.verified else self.tr("not verified when it wrote")
            writer = self.tr("{agent}, {known}").format(agent=writer, known=known)
        rows = [
            _Row(self.tr("Written by"), writer),
            _Row(self.tr("When"), words.moment(version.created_at)),
            _Row(self.tr("Action"), self.tr("{action}, version {number}").format(action=version.action.value, number=version.number)),
            _Row(self.tr("With"), version.tool if version.tool not in ("", "window", "command") else self._way(version.via)),
            _Row(self.tr("Channel"), version.channel),
        ]
        if version.proposal_id:
            rows.append(_Row(self.tr("Proposal"), version.proposal_id, "mono"))
        if connection is not None:
            rows += self._process(connection)
        rows += [
            _Row(self.tr("First written"), words.moment(entry.info.created_at)),
            _Row(self.tr("Reviewed"), self._reviewed(entry)),
            _Row(self.tr("Entry"), entry.id, "mono"),
            _Row(self.tr("Version"), version.id, "mono"),
            _Row(self.tr("Content hash"), version.content_hash, "mono"),
        ]
        return tuple(row for row in rows if row.value)

    def _way(self, via: str) -> str:
        return {"window": self.tr("the window"), "command": self.tr("a command"), "mcp": self.tr("the agents' socket")}.get(via, via)

    def _reviewed(self, entry: Entry) -> str:
        info = entry.info
        if info.unreviewed:
            return self.tr("not yet: an agent wrote version {number}").format(number=info.deciding)
        if info.reviewed:
            return self.tr("version {number} was kept by you").format(number=info.reviewed)
        return self.tr("written by you") if info.human_head else self.tr("nothing to review")

    def _process(self, connection: Connection) -> list[_Row]:
        def process(program: str, pid: int) -> str:
            return self.tr("{program}, process {pid}").format(program=program or self.tr("unknown program"), pid=pid) if pid else ""

        return [
            _Row(self.tr("Process"), process(connection.program, connection.pid)),
            _Row(self.tr("Started by"), process(connection.parent_program, connection.parent_pid)),
            _Row(self.tr("Connected"), words.moment(connection.started_at)),
        ]

    def _claims(self, version: Version) -> tuple[_Row, ...]:
        rows = [_Row(self.tr("Source"), version.source)] if version.source not in ("", "unstated") else []
        rows += [_Row(str(name), _plain(value), "mono") for name, value in version.detail.items()]
        return tuple(rows)

    def _box(self, column: QVBoxLayout, title: str, rows: Sequence[_Row], *, claimed: bool = False) -> None:
        column.addWidget(Label(self._theme, title, "caption", "muted"))
        box = Box(self._theme, ground="" if claimed else "sunken", dashed=claimed)
        grid = QGridLayout(box)
        grid.setContentsMargins(14, 10, 14, 10)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, 110)
        for number, row in enumerate(rows):
            name = Label(self._theme, row.name, "meta", "muted")
            value = Label(self._theme, row.value, row.style, wrap=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
            grid.addWidget(name, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, number, 1)
        column.addWidget(box)
        column.addSpacing(8)


def _plain(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 2_000 else text[:1_999] + "…"


def _evidence_rows(evidence: Evidence) -> tuple[_Row, ...]:
    return tuple(_Row(str(name), _plain(value)) for name, value in evidence.fields.items())
