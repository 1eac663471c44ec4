"""The review page: the list of what waits beside the chosen change; every decision is one key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.header import ColumnHeader
from memorypane.gui.keys import KeyAction
from memorypane.gui.pages.review.detail import DetailView
from memorypane.gui.pages.review.listing import Group, Grouping, Lane, draw_group, draw_item, fits, review_rows
from memorypane.gui.places import Place
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.table.rows import Brush, RowList
from memorypane.gui.theme.buttons import SegmentedControl
from memorypane.gui.theme.fields import Combo
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState, ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.errors import Conflict, MemoryPaneError, NotFound
from memorypane.model.review import ReviewDetail, ReviewItem
from memorypane.model.values import Action, Entry
from memorypane.service.changes import Changed
from memorypane.service.decisions import Decided, Undone
from memorypane.service.person import PersonFace

__all__ = ["ReviewScreen", "approve_group"]

_LANES: tuple[Lane, ...] = ("", "held", "unreviewed")
_GROUPINGS: tuple[Grouping, ...] = ("agent", "place")


@dataclass(frozen=True, slots=True)
class GroupOutcome:
    """How many items of a group were decided, how many stay for a closer look."""

    decided: int
    left: int


def approve_group(person: PersonFace, items: tuple[ReviewItem, ...]) -> GroupOutcome:
    """Approve or keep every item that needs no closer look: no finding, no removal, a verified writer, not in conflict.

    Each is read again and decided by the mark of what was read; what changed meanwhile stays.
    """
    decided = 0
    for item in items:
        if item.findings or not item.verified or item.action in (Action.REMOVE, Action.SUPPRESS):
            continue
        try:
            detail = person.review_item(item.id)
            if detail.conflict or detail.item != item:
                continue
            if item.lane == "held":
                person.approve(item.id, seen=detail.seen)
            else:
                person.keep(item.id, seen=detail.seen)
        except (Conflict, NotFound):
            continue
        decided += 1
    return GroupOutcome(decided, len(items) - decided)


class ReviewScreen(Screen):
    """Held proposals and unreviewed entries in one list."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace) -> None:
        side = Panel(theme)
        self.detail = DetailView(theme, work)
        super().__init__(side, self.detail)
        self._theme, self._work, self._person = theme, work, person
        self._known = Known()
        self._items: tuple[ReviewItem, ...] = ()
        self._folded: frozenset[str] = frozenset()
        self._skipped: frozenset[str] = frozenset()
        self._busy = False
        self._header = ColumnHeader(theme)
        self._grouping = Combo(theme, self.tr("Grouped"), small=True)
        self._grouping.addItem(self.tr("By agent"))
        self._grouping.addItem(self.tr("By place"))
        self._header.add_widget(self._grouping)
        self._lane = SegmentedControl(theme, (self.tr("All"), self.tr("Held"), self.tr("Unreviewed")))
        self.list = RowList(theme, self.tr("What waits"), self._draw_row)
        self._empty = EmptyState(theme)
        self._error = ErrorState(theme)
        self._stack = QStackedWidget()
        for widget in (self.list, self._empty, self._error):
            self._stack.addWidget(widget)
        tools = Panel(theme, bottom=True)
        row = QHBoxLayout(tools)
        row.setContentsMargins(16, 6, 16, 7)
        row.addWidget(self._lane)
        row.addStretch(1)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(tools)
        column.addWidget(self._stack, 1)
        side.setFocusProxy(self.list)
        self._connect()
        self._show()

    def _connect(self) -> None:
        self._grouping.activated.connect(self._show)
        self._lane.chosen.connect(self._show)
        self.list.row_chosen.connect(self._on_row_chosen)
        self.list.head_clicked.connect(self._on_head_clicked)
        self._error.retry_asked.connect(self._read)
        self.detail.retry_asked.connect(self._read_detail)
        self.detail.approved.connect(self.approve)
        self.detail.rejected.connect(self.reject)
        self.detail.skipped.connect(self.skip)
        self.detail.edit_asked.connect(self.edit)
        self.detail.edited.connect(self._on_edited)

    # the shell's side

    @override
    def open(self, place: Place) -> None:
        self._read()

    @override
    def apply(self, changed: Changed) -> None:
        if changed.review or changed.entries or changed.agents:
            self._read()

    @override
    def know(self, known: Known) -> None:
        self._known = known
        self._show()

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        steps = self.tr("next, previous")
        if self.detail.editing:
            return (
                KeyAction("Ctrl+Return", self.tr("approve this text"), self.detail.save_edit),
                KeyAction("Escape", self.tr("back to the comparison"), self._end_edit),
            )
        return (
            KeyAction("J", steps, lambda: self.list.step(1)),
            KeyAction("K", steps, lambda: self.list.step(-1)),
            KeyAction("A", self.tr("approve, keep"), self.approve, hint=False),
            KeyAction("E", self.tr("edit, then approve"), self.edit, hint=False),
            KeyAction("R", self.tr("reject, revert"), self.reject, hint=False),
            KeyAction("S", self.tr("skip"), self.skip, hint=False),
            KeyAction("F", self.tr("show the finding"), lambda: self.detail.diff.show_finding(0), hint=False),
            KeyAction("Shift+A", self.tr("approve the whole group"), self.approve_whole_group),
            KeyAction("U", self.tr("undo"), self.undo),
            KeyAction("O", self.tr("open the entry"), lambda: self._open_entry(self.entry_asked), hint=False),
            *self.detail.diff.key_actions(),
        )

    @override
    def back(self) -> bool:
        if self.detail.editing:
            self._end_edit()
            return True
        if not self.list.hasFocus():
            self.list.setFocus()
            return True
        return False

    # deciding

    def approve(self) -> None:
        """Approve a held change, or keep an unreviewed entry."""
        detail = self._ready()
        if detail is None or detail.conflict:
            return
        if detail.item.lane == "held":
            self._decide(self.tr("Approved."), self._person.approve, detail)
        else:
            self._decide(self.tr("Kept."), self._person.keep, detail)

    def reject(self) -> None:
        """Reject a held change, or revert an unreviewed entry to what was kept last."""
        detail = self._ready()
        if detail is not None:
            self._decide(self.tr("Rejected.") if detail.item.lane == "held" else self.tr("Reverted."), self._person.reject, detail)

    def edit(self) -> None:
        """Change a held text before approving it, or open an unreviewed entry in its list."""
        detail = self._ready()
        if detail is None or detail.changes[0].action is Action.REMOVE:
            return
        if detail.item.lane == "unreviewed":
            self._open_entry(self.edit_asked)
            return
        self.detail.begin_edit()
        self.keys_moved.emit()

    def skip(self) -> None:
        """Leave it for later and go to the next one."""
        self.list.step(1)

    def undo(self) -> None:
        """Take the newest decision back."""
        self._work.write(self._person.undo, done=self._on_undone, failed=self._on_undo_failed)

    def approve_whole_group(self) -> None:
        """Approve what needs no closer look in the group of the chosen item."""
        detail = self._ready()
        if detail is None:
            return
        lane: Lane = _LANES[self._lane.index]
        actor = detail.item.actor
        group = tuple(item for item in self._items if item.actor == actor and fits(item, lane))
        self._busy = True
        self._work.write(approve_group, self._person, group, done=self._on_group_approved, failed=self._on_decide_failed)

    def _ready(self) -> ReviewDetail | None:
        """What is shown, if nothing is being decided at this moment and the person sees the comparison."""
        return None if self._busy or self.detail.editing else self.detail.detail

    def _decide(self, said: str, function: Callable[..., Decided], detail: ReviewDetail, **more: str) -> None:
        self._busy = True
        after = self._after(detail.item.id)

        def done(_decided: Decided) -> None:
            self._busy = False
            self.detail.end_edit()
            self._items = tuple(item for item in self._items if item.id != detail.item.id)
            self._show()
            self.list.choose(after)
            self.noted.emit(said, self.undo)
            self.keys_moved.emit()
            self._read()

        self._work.write(function, detail.item.id, done=done, failed=self._on_decide_failed, asker=self, seen=detail.seen, **more)

    def _after(self, item_id: str) -> str:
        """The item to go to once this one is gone: the next one, else the one before."""
        keys = self.list.keys
        if item_id not in keys:
            return keys[0] if keys else ""
        at = keys.index(item_id)
        rest = keys[at + 1:at + 2] or keys[max(0, at - 1):at]
        return rest[0] if rest else ""

    def _on_edited(self, text: str) -> None:
        detail = self.detail.detail
        if detail is not None and not self._busy:
            self._decide(self.tr("Approved with your text."), self._person.approve, detail, edited=text)

    def _end_edit(self) -> None:
        self.detail.end_edit()
        self.list.setFocus()
        self.keys_moved.emit()

    def _on_decide_failed(self, problem: MemoryPaneError) -> None:
        self._busy = False
        self.failed.emit(problem.message)
        self._read()
        self._read_detail()

    def _on_group_approved(self, outcome: GroupOutcome) -> None:
        self._busy = False
        stay = self.tr(" {number} stay: they need a closer look.").format(number=words.count(outcome.left)) if outcome.left else ""
        said = self.tr("Approved 1.") if outcome.decided == 1 else self.tr("Approved {number}.").format(number=words.count(outcome.decided))
        self.noted.emit(said + stay, None)
        self._read()

    def _on_undone(self, undone: Undone) -> None:
        said = {"approve": self.tr("Taken back: it waits again."), "reject": self.tr("Taken back: it waits again."),
                "keep": self.tr("Taken back: it is unreviewed again."), "revert": self.tr("Taken back: the text stands again.")}
        self.noted.emit(said.get(undone.kind, self.tr("Taken back.")), None)
        self.list.choose(undone.id)
        self._read()

    def _on_undo_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)

    def _open_entry(self, ask: SignalInstance) -> None:
        detail = self.detail.detail
        if detail is None or not detail.item.entry_id:
            return

        def done(entry: Entry) -> None:
            ask.emit(entry.info)

        self._work.run(self._person.entry, detail.item.entry_id, done=done, failed=self._on_undo_failed, asker=self)

    # reading

    def _read(self) -> None:
        self._work.run(self._person.review, done=self._on_read, failed=self._on_read_failed, key="review")

    def _on_read(self, items: tuple[ReviewItem, ...]) -> None:
        changed = {item.id: item for item in self._items}
        self._items = items
        self._show()
        chosen = self.list.chosen
        if not isinstance(chosen, ReviewItem):
            if self.list.keys:
                self.list.choose(self.list.keys[0])
        elif self.detail.detail is None or changed.get(chosen.id) != chosen:
            self._read_detail()

    def _on_read_failed(self, problem: MemoryPaneError) -> None:
        self._error.show_error(self.tr("What waits cannot be read."), problem.message)
        self._stack.setCurrentWidget(self._error)
        self.detail.show_nothing("")

    def _show(self) -> None:
        now = words.now_ms()
        lane, grouping = _LANES[self._lane.index], _GROUPINGS[max(0, self._grouping.currentIndex())]
        rows = review_rows(self._items, lane, grouping, self._folded, self._known, now)
        self.list.show_rows(rows)
        for number, each in enumerate(_LANES):
            self._lane.segment(number).show_count(words.count(sum(fits(item, each) for item in self._items)))
        oldest = self.tr("oldest {age}").format(age=words.age(self._items[0].created_at, now)) if self._items else ""
        self._header.show_title(self.tr("Review"), oldest)
        if rows:
            self._stack.setCurrentWidget(self.list)
            return
        nothing = self.tr("Nothing waits. What agents write and what is held for you appears here.")
        self._empty.show_words(nothing if not self._items else self.tr("Nothing of this kind waits."))
        self._stack.setCurrentWidget(self._empty)
        self.detail.show_nothing("")

    def _on_row_chosen(self, item: ReviewItem) -> None:
        if self.detail.editing:
            self.detail.end_edit()
        self._read_detail(item.id)

    def _on_head_clicked(self, group: Group) -> None:
        self._folded ^= {group.key}
        self._show()

    def _read_detail(self, item_id: str = "") -> None:
        chosen = item_id or self.list.chosen_key
        if chosen:
            self._work.run(self._person.review_item, chosen, done=self._on_detail_read, failed=self._on_detail_failed, key="detail")

    def _on_detail_read(self, detail: ReviewDetail) -> None:
        if detail.item.id == self.list.chosen_key:
            self.detail.show_detail(detail, self._known)
            self.keys_moved.emit()

    def _on_detail_failed(self, problem: MemoryPaneError) -> None:
        if isinstance(problem, NotFound):
            self._read()
        else:
            self.detail.show_error(problem.message)

    def _draw_row(self, brush: Brush, subject: object) -> None:
        if isinstance(subject, Group):
            draw_group(brush, self._theme, subject)
        elif isinstance(subject, ReviewItem):
            draw_item(brush, self._theme, subject, self._known, words.now_ms())
