"""The list column: header, search, filters, the rows, what is new, and what stands there when there are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.chips import Chip
from memorypane.gui.entries.delegate import EntryDelegate, RowFacts
from memorypane.gui.entries.filters import FilterMenu
from memorypane.gui.entries.header import ColumnHeader
from memorypane.gui.entries.model import EntryListModel
from memorypane.gui.entries.notice import Notice
from memorypane.gui.entries.view import EntryView
from memorypane.gui.places import Kind, Place, shelf_badge
from memorypane.gui.theme.bars import BusyLine
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.fields import SearchField
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paint import Badge
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState, ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.notes import measure
from memorypane.model.shelves import Shelf, Tier
from memorypane.model.values import Agent, EntryInfo, ListQuery, agent_of
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["ListPage", "ListWords"]


@dataclass(frozen=True, slots=True)
class ListWords:
    """What one list is called and what it says when it is empty; `footer` names its order."""

    title: str
    search: str
    empty: str
    footer: str = ""
    icon: str = ""
    color: str = "text_secondary"
    new: str = ""


@dataclass(frozen=True, slots=True)
class _Tallies:
    """How many entries each chip would leave; for a list with one limit for all its entries, how full it is (`limit` 0 = none)."""

    unreviewed: int
    pinned: int
    used: int = 0
    limit: int = 0


def _tally(person: PersonFace, query: ListQuery, shelf: Shelf | None) -> _Tallies:
    plain = replace(query, unreviewed=False, pinned=False)
    found = _Tallies(
        person.page(replace(plain, unreviewed=True), limit=1).total, person.page(replace(plain, pinned=True), limit=1).total,
    )
    if shelf is None or shelf.scope != "list":
        return found
    texts = [person.entry(info.id).content for info in person.infos(person.seqs(plain)).values()]
    return replace(found, used=measure(texts), limit=int(person.settings()[f"limit.{shelf.key}"]))


class ListPage(QWidget):
    """One list of entries.

    Signals: `entry_chosen(EntryInfo)`, `opened(EntryInfo)`, `new_asked()` from the header's + and the empty page's button,
    `menu_asked(EntryInfo, QPoint)`, `left()` when the person leaves the search box, `reorder_asked(id, before id)`,
    `notice_agreed()` from the button of a notice.
    """

    entry_chosen = Signal(object)
    opened = Signal(object)
    new_asked = Signal()
    menu_asked = Signal(object, QPoint)
    reorder_asked = Signal(str, str)
    notice_agreed = Signal()

    def __init__(self, theme: Theme, work: Work, person: PersonFace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._work, self._person = theme, work, person
        self._place = Place(Kind.LIST)
        self._words = ListWords("", "", "")
        self._owners: Mapping[str, str] = {}
        self._total = 0
        self.model = EntryListModel(person, work)
        self.model.setParent(self)
        self.header = ColumnHeader(theme)
        self._add = self.header.add_button("plus", self.tr("New entry"))
        self.search = SearchField(theme, "")
        self._unreviewed = Chip(theme, self.tr("Unreviewed"), "dot")
        self._pinned = Chip(theme, self.tr("Pinned"), "pin")
        self._filter = Chip(theme, self.tr("Filter"), "list-filter", framed=False)
        self._menu = FilterMenu(theme, self)
        self._busy = BusyLine(theme)
        self._news = Button(theme, "", kind="quiet", icon="arrow-up", small=True)
        self.view = EntryView(theme, self.model)
        self.view.setItemDelegate(EntryDelegate(theme, self.view, self._facts))
        self._empty = EmptyState(theme)
        self._error = ErrorState(theme)
        self._notice = Notice(theme)
        self._shown: QWidget = self.view
        self._stack = QStackedWidget()
        for widget in (self.view, self._empty, self._error):
            self._stack.addWidget(widget)
        self._sum = Label(theme, "", "meta", "muted")
        self._order = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight, hug=True)
        self._build()
        self._connect()

    def _build(self) -> None:
        theme = self._theme
        boxes = QVBoxLayout()
        boxes.setContentsMargins(WIDTH.box_margin, 10, WIDTH.box_margin, 9)
        boxes.setSpacing(8)
        chips = QHBoxLayout()
        chips.setSpacing(6)
        chips.addWidget(self._unreviewed)
        chips.addWidget(self._pinned)
        chips.addStretch(1)
        chips.addWidget(self._filter)
        boxes.addWidget(self.search)
        boxes.addLayout(chips)
        tools = Panel(theme, ground="surface", bottom=True)
        tools.setLayout(boxes)
        self._news_bar = Panel(theme, ground="accent_soft", bottom=True)
        bar = QHBoxLayout(self._news_bar)
        bar.setContentsMargins(12, 3, 12, 4)
        bar.addWidget(self._news)
        bar.addStretch(1)
        self._news_bar.hide()
        self._notice.hide()
        footer = Panel(theme, ground="surface", top=True, height=HEIGHT.hint_bar)
        row = QHBoxLayout(footer)
        row.setContentsMargins(16, 1, 16, 0)
        row.addWidget(self._sum)
        row.addStretch(1)
        row.addWidget(self._order)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.header, self._notice, tools, self._busy, self._news_bar):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        column.addWidget(footer)
        self._busy.setFixedHeight(0)

    def _connect(self) -> None:
        self._add.clicked.connect(self.new_asked)
        self._notice.agreed.connect(self.notice_agreed)
        self.search.searched.connect(self._on_narrowed)
        self.search.left.connect(self.focus_rows)
        self._unreviewed.toggled.connect(self._on_narrowed)
        self._pinned.toggled.connect(self._on_narrowed)
        self._filter.clicked.connect(self._on_filter_clicked)
        self._menu.chosen.connect(self._on_narrowed)
        self._news.clicked.connect(self.model.take_news)
        self._error.retry_asked.connect(self.model.reload)
        self.view.entry_chosen.connect(self._on_entry_chosen)
        self.view.opened.connect(self._on_opened)
        self.view.menu_asked.connect(self._on_menu_asked)
        self.model.listed.connect(self._on_listed)
        self.model.failed.connect(self._on_failed)
        self.model.news_changed.connect(self._on_news_changed)
        self.model.infos_arrived.connect(self._on_infos_arrived)
        self.model.row_moved.connect(self._on_row_moved)

    # what the window asks

    @property
    def place(self) -> Place:
        """The place whose entries are shown."""
        return self._place

    @property
    def chosen(self) -> EntryInfo | None:
        """The chosen entry, if it is loaded."""
        return self.model.info_at(self.model.row_of(self.view.chosen))

    def open(self, place: Place, named: ListWords) -> None:
        """Show another place, without any narrowing."""
        self._place, self._words = place, named
        self.search.set_placeholder(named.search)
        for widget in (self.search.edit, self._unreviewed, self._pinned):
            blocked = widget.blockSignals(True)  # noqa: FBT003  # Qt's own signature
            if isinstance(widget, Chip):
                widget.setChecked(False)
            else:
                widget.clear()
            widget.blockSignals(blocked)
        self._menu.reset()
        self._add.setVisible(bool(named.new))
        self._add.setToolTip(named.new)
        self._order.show_text(named.footer)
        self.view.choose(0)
        self._busy.begin()
        self._show_title("")
        self._ask()

    def refresh(self) -> None:
        """Query again, for instance after an error."""
        self._ask()

    def focus_rows(self) -> None:
        """Take the keyboard into the rows, or into what stands there instead of them."""
        self._shown.setFocus()

    @property
    def rows_focused(self) -> bool:
        """Whether the keyboard is there."""
        return self._shown.hasFocus()

    def apply(self, changed: Changed) -> None:
        """Take over what a commit changed."""
        self.model.apply(changed)
        if changed.entries:
            self._ask_tallies()

    def show_notice(self, words: str, action: str = "", key: str = "") -> None:
        """Say something about the whole list over it, with one button; "" takes it away."""
        self._notice.show_notice(words, action, key)
        self._notice.setVisible(bool(words))

    def show_owners(self, owners: Mapping[str, str]) -> None:
        """Take over what workspaces are called."""
        if owners != self._owners:
            self._owners = owners
            self.view.viewport().update()

    def choose_entry(self, info: EntryInfo) -> None:
        """Choose an entry, also one that is not loaded yet."""
        self.model.patch(info)
        self.view.choose(info.seq)

    def expect(self, info: EntryInfo) -> None:
        """The person just wrote this entry: if the list does not show it yet, query again at once."""
        if self.model.row_of(info.seq) < 0:
            self.model.take_news()

    def rename(self, named: ListWords) -> None:
        """Take over another name of the list."""
        self._words = named
        self._show_title(words.count(self._total))

    def clear_search(self) -> None:
        """Show everything of the place again."""
        self.open(self._place, self._words)

    def move_chosen(self, by: int) -> None:
        """Move the chosen entry up (-1) or down (1) in an ordered list."""
        if not self._movable:
            return
        row = self.model.row_of(self.view.chosen)
        info = self.model.info_at(row)
        target = row + by + (1 if by > 0 else 0)
        if info is None or not 0 <= target <= self.model.rowCount():
            return
        before = self.model.info_at(target)
        self.reorder_asked.emit(info.id, before.id if before else "")

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_chips()

    # inside

    def _fit_chips(self) -> None:
        """Leave the word of the filter away where it does not fit beside the chips."""
        chips = sum(chip.sizeHint().width() + 6 for chip in (self._unreviewed, self._pinned) if not chip.isHidden())
        room = self.width() - 2 * WIDTH.box_margin - chips
        self._filter.show_words(shown=room >= self._theme.metrics("meta").horizontalAdvance(self.tr("Filter")) + 40)

    @property
    def _narrowed(self) -> bool:
        return bool(self.search.text.strip()) or self._unreviewed.isChecked() or self._pinned.isChecked() or self._menu.active

    @property
    def _movable(self) -> bool:
        return self._place.ordered and not self._narrowed

    def _query(self) -> ListQuery:
        base = self._place.query
        query = replace(
            base, text=self.search.text.strip(), unreviewed=self._unreviewed.isChecked(), pinned=self._pinned.isChecked(),
        )
        return self._menu.narrow(query)

    def _ask(self) -> None:
        self._busy.begin()
        self.model.show_query(self._query(), movable=self._movable)
        self._ask_tallies()

    def _ask_tallies(self) -> None:
        self._work.run(_tally, self._person, self._place.query, self._place.home_shelf, done=self._on_tallied, key="tally")

    def _on_tallied(self, found: _Tallies) -> None:
        removed = self._place.kind is Kind.REMOVED
        self._unreviewed.show_count(found.unreviewed)
        self._pinned.show_count(0 if removed else found.pinned)
        self._fit_chips()
        if found.limit:
            used, limit = words.count(found.used), words.count(found.limit)
            self._order.show_text(self.tr("{used} of {limit} characters").format(used=used, limit=limit))
            self._order.set_tone("danger" if found.used > found.limit else "muted")
        else:
            self._order.show_text(self._words.footer)
            self._order.set_tone("muted")

    def _facts(self, info: EntryInfo) -> RowFacts:
        agent: Agent | None = self.model.agent(agent_of(info.actor))
        return RowFacts(agent, self._badge(info), words.now_ms())

    def _badge(self, info: EntryInfo) -> Badge | None:
        if self._place.kind is Kind.REMOVED:
            owner = self._owners.get(info.owner, info.owner) if info.tier in (Tier.WORKSPACE, Tier.PERSONAL) else ""
            return shelf_badge(info.tier, info.shelf, owner)
        if self._place.tier == Tier.PERSONAL:
            return shelf_badge(info.tier, info.shelf)
        return None

    def _show_in_stack(self, widget: QWidget) -> None:
        """Show rows, the empty page or the error; the keyboard stays with what is shown."""
        had = self._shown.hasFocus()
        self._shown = widget
        self._stack.setCurrentWidget(widget)
        if had:
            widget.setFocus()

    def _show_title(self, count: str) -> None:
        self.header.show_title(self._words.title, count, icon=self._words.icon, color=self._words.color)

    def _on_narrowed(self) -> None:
        self._ask()

    def _on_filter_clicked(self) -> None:
        self._menu.ask(self._filter.mapToGlobal(QPoint(0, self._filter.height() + 2)), sorted(self.model.agent_names()))

    def _on_entry_chosen(self, seq: int) -> None:
        info = self.model.info_at(self.model.row_of(seq))
        if info is not None:
            self.entry_chosen.emit(info)
        else:
            self._work.run(self._person.infos, [seq], done=self._on_chosen_read, key="chosen")

    def _on_chosen_read(self, infos: Mapping[int, EntryInfo]) -> None:
        for info in infos.values():
            if info.seq == self.view.chosen:
                self.entry_chosen.emit(info)

    def _on_opened(self, seq: int) -> None:
        info = self.model.info_at(self.model.row_of(seq))
        if info is not None:
            self.opened.emit(info)

    def _on_menu_asked(self, seq: int, point: QPoint) -> None:
        info = self.model.info_at(self.model.row_of(seq))
        if info is not None:
            self.menu_asked.emit(info, point)

    def _on_row_moved(self, seq: int, before: int) -> None:
        info, other = self.model.info_at(self.model.row_of(seq)), self.model.info_at(self.model.row_of(before))
        if info is not None:
            self.reorder_asked.emit(info.id, other.id if other else "")

    def _on_listed(self) -> None:
        self._busy.end()
        self._total = self.model.rowCount()
        self._show_title(words.count(self._total))
        self._sum.show_text(words.entries_words(self._total))
        if self._total:
            self._show_in_stack(self.view)
            return
        if self.search.text.strip():
            found = self.tr("No entry matches “{text}”.").format(text=self.search.text.strip()[:80])
            self._empty.show_words(found, self.tr("Clear search"), self.clear_search)
        elif self._narrowed:
            self._empty.show_words(self.tr("No entry fits the filters."), self.tr("Show all"), self.clear_search)
        elif self._words.new:
            self._empty.show_words(self._words.empty, self._words.new, self.new_asked.emit)
        else:
            self._empty.show_words(self._words.empty)
        self._show_in_stack(self._empty)

    def _on_infos_arrived(self) -> None:
        loaded = self.model.loaded()
        if loaded is not None and loaded:
            total = words.size(sum(info.size for info in loaded))
            self._sum.show_text(self.tr("{entries}, {size}").format(entries=words.entries_words(len(loaded)), size=total))

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._busy.end()
        self._show_title("–")
        self._sum.show_text("–")
        self._error.show_error(self.tr("This list cannot be read."), problem.message)
        self._show_in_stack(self._error)

    def _on_news_changed(self, number: int) -> None:
        self._news_bar.setVisible(number > 0)
        if number:
            many = self.tr("{number} new – show").format(number=words.count(number))
            self._news.show_text(self.tr("1 new – show") if number == 1 else many)
