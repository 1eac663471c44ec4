"""The column that shows one entry: head, tabs, and the page under the chosen tab."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from memorypane.gui import words
from memorypane.gui.entry.facts import Facts
from memorypane.gui.entry.head import Head, HeadWords
from memorypane.gui.entry.pages import EditorLike, EntryPages
from memorypane.gui.places import shelf_badge, shelf_title
from memorypane.gui.theme.bars import BusyLine, Hint
from memorypane.gui.theme.buttons import TabBar
from memorypane.gui.theme.paint import Badge
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState, ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model import text
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import Shelf, Tier
from memorypane.model.values import Agent, Entry, EntryInfo, Status, agent_of
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["EntryColumn", "Tab"]


class Tab(IntEnum):
    """The tabs in their order."""

    READ = 0
    EDIT = 1
    HISTORY = 2
    PROVENANCE = 3


@dataclass(frozen=True, slots=True)
class _Known:
    agents: Mapping[str, Agent]
    owners: Mapping[str, str]


class EntryColumn(QWidget):
    """Shows one entry.

    Signals: `saved(Entry)` after the person wrote in one of the pages, `failed(str)`, `wide_moved` when `wants_wide` changed, `tab_moved`
    when another tab was chosen, `back_asked` from the head's way back, `action_asked(EntryInfo)` from its main button,
    `pin_asked(EntryInfo)`, `menu_asked(EntryInfo, QPoint)`, `cancelled` when the person gives up writing a new entry.
    """

    saved = Signal(object)
    failed = Signal(str)
    wide_moved = Signal()
    tab_moved = Signal()
    back_asked = Signal()
    action_asked = Signal(object)
    pin_asked = Signal(object)
    menu_asked = Signal(object, QPoint)
    cancelled = Signal()

    def __init__(self, theme: Theme, work: Work, person: PersonFace, pages: EntryPages, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._work, self._person, self._pages = theme, work, person, pages
        self._info: EntryInfo | None = None
        self._entry: Entry | None = None
        self._new: tuple[Shelf, str] | None = None
        self._shown_in: dict[int, str] = {}
        self._known = _Known({}, {})
        self._back = ""
        self._draft = False
        self.head = Head(theme)
        self.tabs = TabBar(theme, (self.tr("Read"), self.tr("Edit"), self.tr("History"), self.tr("Provenance")))
        self._busy = BusyLine(theme)
        self._stack = QStackedWidget()
        self._empty = EmptyState(theme)
        self._error = ErrorState(theme)
        for page in pages.widgets:
            self._stack.addWidget(page)
        self._stack.addWidget(self._error)
        self._body = Panel(theme, ground="surface")
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.head, self.tabs, self._busy):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        nothing = Panel(theme, ground="surface")
        inner = QVBoxLayout(nothing)
        inner.addWidget(self._empty)
        self._outer = QStackedWidget()
        self._outer.addWidget(self._body)
        self._outer.addWidget(nothing)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._outer)
        self._connect()
        self.show_nothing(self.tr("Choose an entry to read it."))

    def _connect(self) -> None:
        self.tabs.chosen.connect(self._on_tab_chosen)
        self.head.back_asked.connect(self.back_asked)
        self.head.action_asked.connect(lambda: self._with_info(self.action_asked))
        self.head.pin_asked.connect(lambda: self._with_info(self.pin_asked))
        self.head.menu_asked.connect(self._on_menu_asked)
        self._error.retry_asked.connect(self._read)
        self._pages.connect(
            saved=self._on_saved, failed=self.failed.emit, wide=self.wide_moved.emit, back=self.back_asked.emit,
            cancelled=self._on_cancelled, edit=lambda: self.choose_tab(Tab.EDIT), draft=self._on_draft_changed,
        )

    @property
    def info(self) -> EntryInfo | None:
        """The entry that is shown."""
        return self._info

    @property
    def tab(self) -> Tab:
        """Which tab is chosen."""
        return Tab(self.tabs.index)

    @property
    def editor(self) -> EditorLike:
        """The editor."""
        return self._pages.editor

    @property
    def writing_new(self) -> bool:
        """Whether an entry that does not exist yet is being written."""
        return self._new is not None

    @property
    def wants_wide(self) -> bool:
        """Whether the page under the tab needs the room of the list column too."""
        if self._info is None:
            return False
        return self.tab is Tab.HISTORY or self._pages.wants_wide(self.tab)

    def show_nothing(self, sentence: str) -> None:
        """Show no entry, and why."""
        self._info, self._entry, self._new = None, None, None
        self._shown_in.clear()
        self._empty.show_words(sentence)
        self._outer.setCurrentIndex(1)
        self.wide_moved.emit()

    def show_info(self, info: EntryInfo, tab: Tab | None = None) -> None:
        """Show another entry; its text follows once it is read."""
        same = self._info is not None and self._info.id == info.id
        self._info, self._new = info, None
        if not same:
            self._entry = None
            self._shown_in.clear()
            for other in (Tab.HISTORY, Tab.READ, Tab.PROVENANCE):
                self.tabs.segment(other).setEnabled(True)
        self._outer.setCurrentIndex(0)
        self._show_head()
        if tab is not None and tab is not self.tab:
            self.tabs.choose(tab)
        elif not same and self.tab is Tab.EDIT:
            self.tabs.choose(Tab.READ)
        self._read()
        self.wide_moved.emit()

    def show_new(self, shelf: Shelf, owner: str = "") -> None:
        """Write an entry that does not exist yet."""
        self._info, self._entry, self._new = None, None, (shelf, owner)
        self._shown_in.clear()
        for other in (Tab.HISTORY, Tab.READ, Tab.PROVENANCE):
            self.tabs.segment(other).setEnabled(False)
        self._outer.setCurrentIndex(0)
        self._show_head()
        self.tabs.choose(Tab.EDIT)
        self._stack.setCurrentWidget(self._pages.widgets[Tab.EDIT])
        self._pages.widgets[Tab.EDIT].setFocus()
        self._pages.editor.show_new(shelf, owner)
        self.tab_moved.emit()

    def choose_tab(self, tab: Tab) -> None:
        """Show another page of the entry and give it the keyboard."""
        if self._info is None:
            return
        self.tabs.choose(tab)
        self._pages.widgets[tab].setFocus()

    def apply(self, changed: Changed) -> None:
        """Read the entry again if a commit touched it."""
        if self._info is not None and self._info.id in changed.entries:
            self._read()

    def know(self, agents: Mapping[str, Agent], owners: Mapping[str, str]) -> None:
        """Take over who is verified and what workspaces are called."""
        known = _Known(agents, owners)
        if known != self._known:
            self._known = known
            if self._info is not None:
                self._show_head()

    def fold(self, back: str) -> None:
        """Say that the list is folded away, and what it is called ("" = it is there)."""
        self._back = back
        self.head.fold(back)
        if self._info is not None or self._new is not None:
            self._show_head()

    def can_leave(self) -> bool:
        """Whether the page under the tab has nothing unsaved."""
        return self._pages.page(self.tab).can_leave()

    def hints(self) -> tuple[Hint, ...]:
        """The keys of the page under the tab."""
        if self._info is None and self._new is None:
            return ()
        return self._pages.page(self.tab).hints()

    # inside

    def _read(self) -> None:
        info = self._info
        if info is None:
            return
        self._busy.begin()
        self._work.run(self._person.entry, info.id, done=self._on_entry_read, failed=self._on_failed, key="entry")

    def _on_entry_read(self, entry: Entry) -> None:
        self._busy.end()
        if self._info is None or self._info.id != entry.id:
            return
        moved = self._entry is not None and self._entry.info != entry.info
        self._info, self._entry = entry.info, entry
        self._show_head()
        if self._stack.currentWidget() is self._error:
            self._stack.setCurrentWidget(self._pages.widgets[self.tab])
        if moved:
            for number in list(self._shown_in):
                self._pages.page(Tab(number)).entry_changed(entry)
        self._show_page()

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._busy.end()
        self._error.show_error(self.tr("This entry cannot be read."), problem.message)
        self._stack.setCurrentWidget(self._error)

    def _show_page(self) -> None:
        """Hand the entry to the page under the tab, once per entry; pages never seen cost nothing."""
        tab, entry = self.tab, self._entry
        if entry is None:
            return
        self._stack.setCurrentWidget(self._pages.widgets[tab])
        if self._shown_in.get(tab) != entry.id:
            self._shown_in[tab] = entry.id
            self._pages.page(tab).show_entry(entry)

    def _on_tab_chosen(self, _index: int) -> None:
        if self._new is None:
            self._stack.setCurrentWidget(self._pages.widgets[self.tab])
            self._show_page()
            self._show_head()
        self.tab_moved.emit()
        self.wide_moved.emit()

    def _on_saved(self, entry: Entry) -> None:
        was_new = self._new is not None
        self._new = None
        self._info, self._entry = entry.info, entry
        if was_new:
            for tab in Tab:
                self.tabs.segment(tab).setEnabled(True)
        self._shown_in = {self.tab: entry.id} if not was_new else {}
        self._show_head()
        if self.tab is Tab.EDIT:
            self.tabs.choose(Tab.READ)
        else:
            self._show_page()
        self.saved.emit(entry)

    def _on_cancelled(self) -> None:
        if self._new is not None:
            for tab in Tab:
                self.tabs.segment(tab).setEnabled(True)
            self.tabs.choose(Tab.READ)
            self.show_nothing(self.tr("Choose an entry to read it."))
            self.cancelled.emit()
        elif self._info is not None:
            self.choose_tab(Tab.READ)

    def _on_draft_changed(self, dirty: bool) -> None:  # noqa: FBT001  # the signal's own signature
        if dirty != self._draft:
            self._draft = dirty
            self._show_head()

    def _on_menu_asked(self, point: QPoint) -> None:
        if self._info is not None:
            self.menu_asked.emit(self._info, point)

    def _with_info(self, signal: object) -> None:
        if self._info is not None:
            signal.emit(self._info)  # type: ignore[attr-defined]  # a bound signal

    def _show_head(self) -> None:
        if self._new is not None:
            self.head.show_words(self._words_for_new(*self._new))
        elif self._info is not None:
            self.head.show_words(self._words_for(self._info, self._entry))
            self.tabs.segment(Tab.HISTORY).show_count(words.count(self._info.version))
            self.tabs.segment(Tab.EDIT).setEnabled(self._info.status is Status.ACTIVE)

    def _words_for_new(self, shelf: Shelf, owner: str) -> HeadWords:
        title = self.tr("New entry")
        return HeadWords(self._place(shelf.tier, shelf.name, owner), self._inherits(shelf.tier, shelf.name), title, (), None)

    def _words_for(self, info: EntryInfo, entry: Entry | None) -> HeadWords:
        action = icon = ""
        live = info.status is Status.ACTIVE
        if info.status in (Status.REMOVED, Status.SUPPRESSED, Status.SUPERSEDED):
            action, icon = self.tr("Restore"), "rotate-ccw"
        elif live and info.tier is Tier.SYSTEM:
            action, icon = self.tr("Move out of System"), "arrow-down-to-line"
        elif live:
            action, icon = self.tr("Promote…"), "arrow-up-to-line"
        parts = [words.when(info.updated_at, words.now_ms()), self.tr("version {number}").format(number=info.version)]
        if entry is not None:
            size = words.size(info.size)
            tokens = words.tokens(text.estimate_tokens(entry.content))
            parts.append(self.tr("{size}, {tokens}").format(size=size, tokens=tokens))
        facts = Facts(info.actor, self._known.agents.get(agent_of(info.actor)), tuple(parts), info.source)
        return HeadWords(
            self._place(info.tier, info.shelf, info.owner), self._inherits(info.tier, info.shelf),
            info.title or self.tr("without a name"), self._states(info), facts, action, icon, info.pinned if live else None,
        )

    def _place(self, tier: str, shelf: str, owner: str) -> Badge:
        if tier in (Tier.WORKSPACE, Tier.PERSONAL):
            return shelf_badge(tier, shelf, self._known.owners.get(owner, owner))
        tiers = {"system": self.tr("System"), "global": self.tr("Global")}
        return Badge(tiers[tier], "system" if tier == Tier.SYSTEM else "global", "shield" if tier == Tier.SYSTEM else "globe")

    def _inherits(self, tier: str, shelf: str) -> str:
        who = {
            "system": self.tr("every agent inherits this, and none can change it"), "global": self.tr("every agent inherits this"),
            "workspace": self.tr("agents in this folder inherit this"), "personal": self.tr("this agent alone reads it"),
        }[tier]
        return self.tr("{shelf}  ·  {who}").format(shelf=shelf_title(tier, shelf), who=who)

    def _states(self, info: EntryInfo) -> tuple[Badge, ...]:
        states = [Badge(self.tr("Unsaved draft"), "accent")] if self._draft and self.tab is Tab.EDIT else []
        names = {
            Status.REMOVED: self.tr("Removed"), Status.SUPERSEDED: self.tr("Superseded"), Status.SUPPRESSED: self.tr("Forgotten"),
            Status.PURGED: self.tr("Purged"),
        }
        if info.status in names:
            states.append(Badge(names[info.status], "plain", "trash"))
        if info.held:
            states.append(Badge(self.tr("A change waits"), "warning", "hand"))
        if info.unreviewed:
            states.append(Badge(self.tr("Not reviewed yet"), "accent"))
        if info.pinned:
            states.append(Badge(self.tr("Pinned"), "plain", "pin"))
        return tuple(states)
