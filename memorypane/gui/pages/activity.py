"""The audit trail: what happened in this store, newest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.header import ColumnHeader
from memorypane.gui.keys import KeyAction
from memorypane.gui.places import Place
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.table.model import Cell, Column, Row
from memorypane.gui.table.view import Table
from memorypane.gui.theme.paint import Badge, Tone
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState, ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError, NotFound
from memorypane.model.values import EntryInfo, Event
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["ActivityScreen", "EventRows", "event_words", "outcome_badge", "read_events"]

_SHOWN = 500


def _tr(text: str) -> str:
    return QCoreApplication.translate("Activity", text)


@dataclass(frozen=True, slots=True)
class EventRows:
    """Events with the entries they speak of."""

    events: tuple[Event, ...]
    entries: Mapping[str, EntryInfo]


def read_events(person: PersonFace, fits: Callable[[Event], bool], limit: int = _SHOWN) -> EventRows:
    """Read the newest events that fit, and the entries behind them."""
    found = tuple(event for event in person.events(limit=limit) if fits(event))
    entries: dict[str, EntryInfo] = {}
    for entry_id in {event.entry_id for event in found if event.entry_id}:
        try:
            entries[entry_id] = person.entry(entry_id).info
        except NotFound:
            continue
    return EventRows(found, entries)


def outcome_badge(outcome: str) -> Badge:
    """The badge of an event's outcome."""
    tones: dict[str, Tone] = {"done": "success", "held": "warning"}
    return Badge({"done": _tr("done"), "held": _tr("held")}.get(outcome, outcome), tones.get(outcome, "danger"))


def event_words(event: Event) -> str:
    """What happened, in a few words."""
    said = event.action.replace("_", " ")
    return f"{said} ×{event.count}" if event.count > 1 else said


class ActivityScreen(Screen):
    """A table over the whole body; Enter opens the entry of a row."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace) -> None:
        ground = Panel(theme, ground="surface")
        super().__init__(None, ground)
        self._work, self._person = work, person
        self._known = Known()
        self._found: EventRows | None = None
        self._header = ColumnHeader(theme)
        self._header.show_title(self.tr("Activity"))
        self.table = Table(theme, (
            Column(self.tr("When"), 128, "meta"), Column(self.tr("Who"), 170, "writer"), Column(self.tr("What"), 120),
            Column(self.tr("Entry"), 0), Column(self.tr("With"), 200, "mono", drop=1), Column(self.tr("Outcome"), 100, "badge"),
        ), self.tr("Activity"))
        self._empty = EmptyState(theme)
        self._empty.show_words(self.tr("Nothing happened yet. Every change, hold and refusal is listed here."))
        self._error = ErrorState(theme)
        self._stack = QStackedWidget()
        for widget in (self.table, self._empty, self._error):
            self._stack.addWidget(widget)
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._stack, 1)
        ground.setFocusProxy(self.table)
        self.table.opened.connect(self._on_row_opened)
        self._error.retry_asked.connect(self._read)

    @override
    def open(self, place: Place) -> None:
        """Read the trail."""
        self._read()

    @override
    def apply(self, changed: Changed) -> None:
        """Something happened: read again; the chosen row stays."""
        self._read()

    @override
    def know(self, known: Known) -> None:
        """Take over who is verified."""
        if known.agents != self._known.agents:
            self._known = known
            self._show()

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        """Move and open."""
        return (
            KeyAction("J", self.tr("next, previous"), lambda: self.table.step(1)),
            KeyAction("K", self.tr("next, previous"), lambda: self.table.step(-1)),
            KeyAction("Return", self.tr("open the entry"), self.table.open_chosen),
        )

    def _read(self) -> None:
        self._work.run(read_events, self._person, lambda _event: True, done=self._on_read, failed=self._on_failed, key="events")

    def _on_read(self, found: EventRows) -> None:
        self._found = found
        self._show()

    def _show(self) -> None:
        if self._found is None:
            return
        now = words.now_ms()
        self.table.show_rows([self._row(event, self._found.entries, now) for event in self._found.events])
        self._stack.setCurrentWidget(self.table if self._found.events else self._empty)

    def _row(self, event: Event, entries: Mapping[str, EntryInfo], now: int) -> Row:
        entry = entries.get(event.entry_id)
        agent = self._known.agents.get(words.actor_words(event.actor))
        cells: Sequence[Cell] = (
            Cell(words.when(event.at, now)), Cell(event.actor, agent=agent), Cell(event_words(event)), Cell(entry.title if entry else ""),
            Cell(event.tool), Cell(event.outcome, badge=outcome_badge(event.outcome)),
        )
        return Row(str(event.seq), tuple(cells), entry)

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._error.show_error(self.tr("The activity cannot be read."), problem.message)
        self._stack.setCurrentWidget(self._error)

    def _on_row_opened(self, row: Row) -> None:
        if isinstance(row.subject, EntryInfo):
            self.entry_asked.emit(row.subject)
