"""What the window does: goes to places, keeps the left column true, hands keys to the page, notes and failures to the toast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog

from memorypane.gui import words
from memorypane.gui.feed import Feed
from memorypane.gui.keys import KeyAction, matching
from memorypane.gui.link import Link
from memorypane.gui.places import Kind, Place, shelf_place, workspace_place
from memorypane.gui.settings import Settings
from memorypane.gui.shell.key_map import KeyMapDialog
from memorypane.gui.shell.navigation import NavFacts, nav_rows
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.shell.window import MainWindow
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import WIDTH
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Channel, Workspace
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace, Totals

__all__ = ["WindowController"]


@dataclass(frozen=True, slots=True)
class _Read:
    """What the left column needs from the store, read together."""

    facts: NavFacts
    totals: Totals
    channels: tuple[Channel, ...]


def _read(person: PersonFace) -> _Read:
    totals = person.totals()
    facts = NavFacts(person.counts(), person.workspaces(), person.agents(), totals.unreviewed + totals.held, totals.removed)
    return _Read(facts, totals, person.channels())


class WindowController(QObject):
    """Joins the window, its screens and the store.

    `channel_asked(str)` asks for a window of another channel, `entry_asked(EntryInfo)` for an entry in its list, `edit_asked(EntryInfo)`
    for its editor; `ready` once the left
    column was first filled.
    """

    channel_asked = Signal(str)
    entry_asked = Signal(object)
    edit_asked = Signal(object)
    ready = Signal()

    def __init__(
        self,
        window: MainWindow,
        screens: Mapping[Kind, Screen],
        *,
        theme: Theme,
        work: Work,
        person: PersonFace,
        feed: Feed,
        link: Link | None,
        settings: Settings,
    ) -> None:
        super().__init__(window)
        self._window, self._screens, self._theme = window, screens, theme
        self._work, self._person, self._link = work, person, link
        self._settings = settings
        self._facts = NavFacts()
        self._place: Place | None = None
        self._first = True
        for screen in {id(each): each for each in screens.values()}.values():
            window.add_screen(screen)
            screen.place_asked.connect(self.go)
            screen.noted.connect(self._on_noted)
            screen.failed.connect(self._on_failed)
            screen.keys_moved.connect(self._show_hints)
            screen.fold_asked.connect(self._on_fold_asked)
            screen.entry_asked.connect(self.entry_asked)
            screen.edit_asked.connect(self.edit_asked)
            screen.new_asked.connect(self._on_write_asked)
        window.nav.place_chosen.connect(self.go)
        window.nav.entered_place.connect(self._on_place_entered)
        window.nav.add_asked.connect(self._on_add_asked)
        window.removed.clicked.connect(lambda: self.go(Place(Kind.REMOVED)))
        window.status.settings_asked.connect(lambda: self.go(Place(Kind.SETTINGS)))
        window.channel.channel_asked.connect(self.channel_asked)
        window.hint_bar.all_keys_asked.connect(self._on_all_keys_asked)
        window.key_pressed.connect(self._on_key_pressed)
        window.resized.connect(self._on_resized)
        feed.changed.connect(self._on_changed)
        if link is not None:
            link.moved.connect(self._show_link)
        self._show_link()
        self.refresh()

    @property
    def screen(self) -> Screen | None:
        """The page that is shown."""
        return self._screens[self._place.kind] if self._place else None

    @property
    def place(self) -> Place | None:
        """Where the window is."""
        return self._place

    @property
    def settings(self) -> Settings:
        """The settings with the layout as it now stands."""
        window = self._window
        size = window.normalGeometry().size() if window.isMaximized() else window.size()
        return replace(
            self._settings, sidebar=window.sidebar_width, list=window.list_width, width=size.width(), height=size.height(),
            maximized=window.isMaximized(), theme=self._theme.mode, place=self._place.key if self._place else "",
        )

    def keep_text_size(self, text_size: int) -> None:
        """Remember a text size with the rest of the layout."""
        self._settings = replace(self._settings, text_size=text_size)

    def refresh(self) -> None:
        """Read the left column anew."""
        self._work.run(_read, self._person, done=self._on_read, failed=self._on_read_failed, key="left")

    def go(self, place: Place) -> None:
        """Show a place."""
        screen = self._screens[place.kind]
        self._place = place
        self._window.show_screen(screen, folded=False)
        screen.open(place)
        self._window.nav.choose(place)
        self._window.removed.setChecked(place.kind is Kind.REMOVED)
        self._show_hints()

    # the store

    def _on_changed(self, changed: Changed) -> None:
        self.refresh()
        screen = self.screen
        if screen is not None:
            screen.apply(changed)
        for other in {id(each): each for each in self._screens.values() if each is not screen}.values():
            other.apply_later(changed)

    def _on_read(self, read: _Read) -> None:
        self._facts = read.facts
        window = self._window
        if window.nav_model.show_rows(nav_rows(read.facts)) and self._place is not None:
            window.nav.choose(self._place)
        window.removed.show_count(words.count(read.totals.removed))
        window.channel.show_channels(read.channels)
        known = Known(
            {each.name: each for each in read.facts.agents}, {each.id: each for each in read.facts.workspaces}, read.totals.active,
        )
        for screen in {id(each): each for each in self._screens.values()}.values():
            screen.know(known)
        self._show_link()
        if self._first:
            self._first = False
            if self._place is None:
                self.go(self._start(read))
                self._on_place_entered()
            self.ready.emit()

    def _on_read_failed(self, problem: MemoryPaneError) -> None:
        self._facts = NavFacts()
        self._window.nav_model.show_rows(nav_rows(self._facts))
        self._window.removed.show_count("–")
        self._on_failed(problem.message)
        if self._first:
            self._first = False
            if self._place is None:
                self.go(shelf_place(INSTRUCTIONS))
            self.ready.emit()

    def _start(self, read: _Read) -> Place:
        """The page a window begins with: how to begin, what waits, else where it was left."""
        totals = read.totals
        if not totals.active + totals.removed + totals.held:
            return Place(Kind.WELCOME)
        left = next((row.place for row in nav_rows(read.facts) if row.place and row.place.key == self._settings.place), None)
        return left or (Place(Kind.REVIEW) if totals.unreviewed + totals.held else shelf_place(INSTRUCTIONS))

    # the window

    def _on_place_entered(self) -> None:
        screen = self.screen
        if screen is not None:
            screen.focus()

    def _on_resized(self) -> None:
        screen = self.screen
        if screen is not None:
            screen.resized()

    def _on_fold_asked(self, fold: bool) -> None:  # noqa: FBT001  # the signal's own signature
        screen = self.screen
        if screen is None or screen is not self.sender():
            return
        folded = fold and self._window.width() < WIDTH.keep_list_from
        if folded != self._window.folded:
            self._window.show_screen(screen, folded=folded)
        screen.folded(folded=folded)

    def _show_link(self) -> None:
        link = self._link
        problem = link.problem if link is not None else self.tr("This window does not look for a server.")
        connected = len(link.connections) if link is not None else 0
        self._window.status.show_state(problem=problem, connected=connected, any_agent=bool(self._facts.agents))

    def _show_hints(self) -> None:
        screen = self.screen
        self._window.hint_bar.show_hints(screen.hints() if screen is not None else ())

    def _on_noted(self, sentence: str, undo: Callable[[], None] | None) -> None:
        self._window.toast.show_note(sentence, undo=undo)

    def _on_failed(self, sentence: str) -> None:
        self._window.toast.show_note(sentence)

    # keys

    def _keys(self) -> tuple[KeyAction, ...]:
        """The keys that act on every page."""
        return (
            KeyAction("?", self.tr("all keys"), self._on_all_keys_asked),
            KeyAction("F6", self.tr("next column"), self._window.focus_next_column),
            KeyAction("Escape", self.tr("one step back"), self._on_back),
            KeyAction("U", self.tr("undo what was just done"), self._window.toast.undo),
            KeyAction("Ctrl+N", self.tr("write an entry yourself"), self._on_write_asked),
            KeyAction("Ctrl+I", self.tr("import"), lambda: self.go(Place(Kind.IMPORT))),
            KeyAction("Ctrl+,", self.tr("settings"), lambda: self.go(Place(Kind.SETTINGS))),
        )

    def _on_key_pressed(self, event: QKeyEvent) -> None:
        screen = self.screen
        action = matching(screen.keys(), event) if screen is not None else None
        action = action or matching(self._keys(), event)
        if action is not None:
            event.accept()
            action.run()

    def _on_back(self) -> None:
        screen = self.screen
        if screen is not None and not screen.back():
            self._window.nav.setFocus()

    def _on_write_asked(self) -> None:
        place = shelf_place(INSTRUCTIONS)
        if self._place is None or self._place.home_shelf is None:
            self.go(place)
        screen = self.screen
        if screen is not None:
            screen.write_new()

    def _on_all_keys_asked(self) -> None:
        screen = self.screen
        KeyMapDialog(self._theme, screen.hints() if screen else (), screen.keys() if screen else (), self._keys(), self._window).open()

    # adding

    def _on_add_asked(self, what: str) -> None:
        if what == "agent":
            self.go(Place(Kind.AGENTS))
            screen = self.screen
            if screen is not None:
                screen.write_new()
            return
        dialog = QFileDialog(self._window, self.tr("Choose the folder of a project"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(self._on_folder_chosen)
        dialog.open()

    def _on_folder_chosen(self, folder: str) -> None:
        self._work.write(self._person.add_workspace, folder, done=self._on_workspace_added, failed=self._on_add_failed)

    def _on_workspace_added(self, workspace: Workspace) -> None:
        self.refresh()
        self.go(workspace_place(workspace.id))

    def _on_add_failed(self, problem: MemoryPaneError) -> None:
        self._on_failed(problem.message)
