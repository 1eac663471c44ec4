"""A list of entries beside the entry that is chosen in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from typing_extensions import override

from memorypane.gui.entries.actions import EntryActions
from memorypane.gui.entries.page import ListPage
from memorypane.gui.entry.column import EntryColumn, Tab
from memorypane.gui.entry.pages import EntryPages
from memorypane.gui.entry.promote import PromoteDialog
from memorypane.gui.keys import KeyAction, hints_of
from memorypane.gui.places import Kind, Place, place_of
from memorypane.gui.shell.list_words import list_words
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.theme.bars import Hint
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import Tier
from memorypane.model.values import Entry, EntryInfo, Status, Workspace
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["EntriesScreen"]


class EntriesScreen(Screen):
    """The pages *System*, *Instructions*, *About you*, *Topics*, a workspace, an agent, *Removed*."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace, pages: EntryPages) -> None:
        self.list = ListPage(theme, work, person)
        self.column = EntryColumn(theme, work, person, pages)
        super().__init__(self.list, self.column)
        self._theme, self._work, self._person = theme, work, person
        self._known = Known()
        self._place: Place | None = None
        self._choose_first = False
        self.actions = EntryActions(work, person, self)
        self._connect()

    def _connect(self) -> None:
        self.list.entry_chosen.connect(self._on_entry_chosen)
        self.list.opened.connect(self._on_entry_opened)
        self.list.new_asked.connect(self._on_new_asked)
        self.list.menu_asked.connect(self._on_menu_asked)
        self.list.reorder_asked.connect(self.actions.reorder)
        self.list.model.listed.connect(self._on_listed)
        self.list.notice_agreed.connect(self._confirm_workspace)
        self.column.saved.connect(self._on_saved)
        self.column.failed.connect(self.failed)
        self.column.wide_moved.connect(self._on_wide_moved)
        self.column.tab_moved.connect(self.keys_moved)
        self.column.back_asked.connect(self._on_back_asked)
        self.column.action_asked.connect(self._on_action_asked)
        self.column.pin_asked.connect(self.actions.toggle_pin)
        self.column.menu_asked.connect(self._on_menu_asked)
        self.column.cancelled.connect(self._on_cancelled)
        self.actions.changed.connect(self._on_changed)
        self.actions.noted.connect(self.noted)
        self.actions.failed.connect(self.failed)

    # the shell's side

    @override
    def open(self, place: Place) -> None:
        """Show another list; the entry beside it is chosen anew."""
        if place == self._place and not self.column.writing_new:
            return
        self._keep_draft_in_mind()
        self._place = place
        self.column.show_nothing(self.tr("Choose an entry to read it."))
        self.list.open(place, list_words(place, self._known.owners))
        self._show_notice()
        self._choose_first = True

    def open_entry(self, info: EntryInfo, tab: Tab = Tab.READ) -> None:
        """Show one entry in its list."""
        place = Place(Kind.REMOVED) if info.status is not Status.ACTIVE else place_of(info)
        if place != self._place:
            self.open(place)
        self._choose_first = False
        self.list.choose_entry(info)
        self.column.show_info(info, tab)

    @override
    def apply(self, changed: Changed) -> None:
        """Take over what a commit changed, in list and entry."""
        self.list.apply(changed)
        self.column.apply(changed)

    @override
    def know(self, known: Known) -> None:
        """Take over names of agents and workspaces."""
        renamed = known.owners != self._known.owners
        self._known = known
        self.list.model.show_agents(known.agents)
        self.list.show_owners(known.owners)
        self.column.know(known.agents, known.owners)
        self._show_notice()
        if renamed and self._place is not None and self._place.tier == Tier.WORKSPACE:
            self.list.rename(list_words(self._place, known.owners))

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        """Keys of list and entry."""
        found = [
            KeyAction("J", self.tr("next, previous"), lambda: self.list.view.step(1)),
            KeyAction("K", self.tr("next, previous"), lambda: self.list.view.step(-1)),
        ]
        removed = self._place is not None and self._place.kind is Kind.REMOVED
        if not removed:
            found.append(KeyAction("E", self.tr("edit"), self._with_info(lambda info: self._show_tab(info, Tab.EDIT))))
        found.append(KeyAction("H", self.tr("history"), self._with_info(lambda info: self._show_tab(info, Tab.HISTORY))))
        if removed:
            found.append(KeyAction("R", self.tr("restore"), self._with_info(self._restore)))
        else:
            found += [
                KeyAction("P", self.tr("pin"), self._with_info(self.actions.toggle_pin)),
                KeyAction("Shift+P", self.tr("promote to system"), self._with_info(self._promote)),
                KeyAction("N", self.tr("new"), self._on_new_asked),
                KeyAction("Delete", self.tr("remove"), self._with_info(self._remove), hint=False),
            ]
        found += [
            KeyAction("/", self.tr("search"), self.list.search.setFocus, hint=False),
            KeyAction("I", self.tr("provenance"), self._with_info(lambda info: self._show_tab(info, Tab.PROVENANCE)), hint=False),
        ]
        if self._new_workspace is not None:
            found.insert(0, KeyAction("C", self.tr("confirm this folder"), self._confirm_workspace))
        if self._place is not None and self._place.ordered:
            found += [
                KeyAction("Alt+Up", self.tr("move up, down"), lambda: self.list.move_chosen(-1), shown=("Alt", "↑", "↓")),
                KeyAction("Alt+Down", self.tr("move up, down"), lambda: self.list.move_chosen(1), hint=False),
            ]
        return tuple(action for action in found if not (self._place and self._place.tier == Tier.SYSTEM and action.key == "Shift+P"))

    @override
    def hints(self) -> tuple[Hint, ...]:
        """The hints of the page under the tab while the list is folded away, else those of the list."""
        own = self.column.hints()
        if self.column.wants_wide or self.column.writing_new or (self.column.info is not None and self.column.tab is Tab.EDIT):
            return own
        keys = self.keys()
        if self.column.info is None:
            # Without an entry only what needs none is worth a hint.
            keys = tuple(action for action in keys if action.key in ("N", "C", "/"))
        return hints_of(keys)

    @override
    def back(self) -> bool:
        """From a page to reading, from reading to the list."""
        if self.column.info is not None and self.column.tab is not Tab.READ:
            self._on_back_asked()
            return True
        if not self.list.rows_focused:
            self.list.focus_rows()
            return True
        return False

    @override
    def apply_later(self, changed: Changed) -> None:
        """Keep list and entry true while another page is shown."""
        self.apply(changed)

    @override
    def folded(self, *, folded: bool) -> None:
        """Lead back to the list from the head of the entry."""
        self.column.fold(list_words(self._place, self._known.owners).title if folded and self._place else "")

    @override
    def resized(self) -> None:
        """A wider window may keep the list."""
        if self.column.wants_wide:
            self._on_wide_moved()

    @override
    def write_new(self) -> None:
        """Begin a new entry in the list that is shown."""
        self._on_new_asked()

    @override
    def focus(self) -> None:
        """Take the keyboard into the list."""
        self.list.focus_rows()

    def choose_first(self) -> None:
        """Choose the first entry of the list if none is chosen."""
        if self.column.info is None and not self.column.writing_new and self.list.model.rowCount():
            self.list.view.choose(self.list.model.seq_at(0))

    # a workspace that an agent brought

    @property
    def _new_workspace(self) -> Workspace | None:
        found = self._known.workspaces.get(self._place.owner) if self._place and self._place.tier == Tier.WORKSPACE else None
        return found if found is not None and found.state == "new" else None

    def _show_notice(self) -> None:
        found = self._new_workspace
        if found is None:
            self.list.show_notice("")
            return
        words = self.tr("An agent works in {path}. What agents write here waits until you confirm the folder.").format(path=found.path)
        self.list.show_notice(words, self.tr("Confirm this folder"), "C")

    def _confirm_workspace(self) -> None:
        found = self._new_workspace
        if found is not None:
            self._work.write(self._person.confirm_workspace, found.id, done=self._on_workspace_confirmed, failed=self._on_confirm_failed)

    def _on_workspace_confirmed(self, workspace: Workspace) -> None:
        said = self.tr("Confirmed {name}. What waited for it stays in Review.").format(name=workspace.name)
        self.noted.emit(said, None)

    def _on_confirm_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)

    # what was done

    def _on_listed(self) -> None:
        if self._choose_first:
            self._choose_first = False
            self.choose_first()
        if not self.list.model.rowCount() and self.column.info is None and not self.column.writing_new:
            self.column.show_nothing("")

    def _on_entry_chosen(self, info: EntryInfo) -> None:
        if self.column.info is None or self.column.info.id != info.id:
            self._keep_draft_in_mind()
            keep = self.column.tab in (Tab.HISTORY, Tab.PROVENANCE)
            self.column.show_info(info, self.column.tab if keep else Tab.READ)

    def _on_entry_opened(self, info: EntryInfo) -> None:
        self.column.show_info(info)
        self.column.choose_tab(self.column.tab)

    def _on_new_asked(self) -> None:
        shelf = self._place.home_shelf if self._place else None
        if shelf is not None and self._place is not None:
            self._keep_draft_in_mind()
            self.list.view.choose(0)
            self.column.show_new(shelf, self._place.owner)
            self.keys_moved.emit()

    def _on_cancelled(self) -> None:
        self.choose_first()
        self.list.focus_rows()
        self.keys_moved.emit()

    def _on_saved(self, entry: Entry) -> None:
        self.list.choose_entry(entry.info)
        self.list.expect(entry.info)
        self.keys_moved.emit()

    def _on_changed(self, entry: Entry) -> None:
        self.list.model.patch(entry.info)
        if self.column.info is not None and self.column.info.id == entry.id:
            self.column.apply(Changed(frozenset({entry.id}), review=False, agents=False, workspaces=False, policy=False, foreign=False))

    def _on_wide_moved(self) -> None:
        self.fold_asked.emit(self.column.wants_wide)
        self.keys_moved.emit()

    def _on_back_asked(self) -> None:
        self.column.choose_tab(Tab.READ)
        self.list.focus_rows()

    def _on_action_asked(self, info: EntryInfo) -> None:
        if info.status is not Status.ACTIVE:
            self._restore(info)
        elif info.tier is Tier.SYSTEM:
            self.actions.demote(info)
        else:
            self._promote(info)

    def _on_menu_asked(self, info: EntryInfo, point: QPoint) -> None:
        menu = QMenu(self.list)
        menu.aboutToHide.connect(menu.deleteLater)
        live = info.status is Status.ACTIVE

        def add(words: str, icon: str, act: Callable[[], object]) -> None:
            action = QAction(self._theme.icons.icon(icon, self._theme.color("text_secondary")), words, menu)
            action.triggered.connect(lambda: act())
            menu.addAction(action)

        if live:
            add(self.tr("Edit"), "pencil", lambda: self._show_tab(info, Tab.EDIT))
        add(self.tr("History"), "history", lambda: self._show_tab(info, Tab.HISTORY))
        if live:
            pin = self.tr("Take the pin off") if info.pinned else self.tr("Pin")
            add(pin, "pin-off" if info.pinned else "pin", lambda: self.actions.toggle_pin(info))
            if info.tier is Tier.SYSTEM:
                add(self.tr("Move out of System"), "arrow-down-to-line", lambda: self.actions.demote(info))
            else:
                add(self.tr("Promote to System…"), "arrow-up-to-line", lambda: self._promote(info))
        menu.addSeparator()
        add(self.tr("Copy name"), "copy", lambda: QApplication.clipboard().setText(info.title))
        add(self.tr("Copy id"), "hash", lambda: QApplication.clipboard().setText(info.id))
        menu.addSeparator()
        if live:
            add(self.tr("Remove"), "trash", lambda: self._remove(info))
        elif info.status is not Status.PURGED:
            add(self.tr("Restore"), "rotate-ccw", lambda: self._restore(info))
        menu.popup(point)

    def _show_tab(self, info: EntryInfo, tab: Tab) -> None:
        if tab is Tab.EDIT and info.status is not Status.ACTIVE:
            return
        if self.column.info is None or self.column.info.id != info.id:
            self.list.view.choose(info.seq)
            self.column.show_info(info)
        self.column.choose_tab(tab)

    def _remove(self, info: EntryInfo) -> None:
        if info.status is Status.ACTIVE:
            self.actions.remove(info)

    def _restore(self, info: EntryInfo) -> None:
        if info.status not in (Status.ACTIVE, Status.PURGED):
            self.actions.restore(info)

    def _promote(self, info: EntryInfo) -> None:
        if info.status is Status.ACTIVE and info.tier is not Tier.SYSTEM:
            dialog = PromoteDialog(self._theme, info, self.column)
            dialog.promoted.connect(lambda name: self.actions.promote(info, name))
            dialog.open()

    def _keep_draft_in_mind(self) -> None:
        if not self.column.can_leave():
            self.noted.emit(self.tr("Your draft is kept. Edit the entry again to go on with it."), None)

    def _with_info(self, act: Callable[[EntryInfo], object]) -> Callable[[], None]:
        def run() -> None:
            info = self.column.info
            if info is not None:
                act(info)

        return run
