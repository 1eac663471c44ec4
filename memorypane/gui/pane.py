"""One window put together: the threads behind it, its pages, what joins them; and taken apart again."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from memorypane.gui.editor.drafts import DraftBox
from memorypane.gui.entry.column import Tab
from memorypane.gui.entry.making import make_pages
from memorypane.gui.feed import Feed
from memorypane.gui.link import Link
from memorypane.gui.pages.activity import ActivityScreen
from memorypane.gui.pages.agents import AgentsScreen
from memorypane.gui.pages.importing import ImportScreen
from memorypane.gui.pages.review.screen import ReviewScreen
from memorypane.gui.pages.settings import SettingsScreen
from memorypane.gui.pages.startup import StartupScreen
from memorypane.gui.pages.welcome import WelcomeScreen
from memorypane.gui.places import Kind, Place, place_of
from memorypane.gui.settings import Settings
from memorypane.gui.shell.controller import WindowController
from memorypane.gui.shell.entries_screen import EntriesScreen
from memorypane.gui.shell.screen import Screen
from memorypane.gui.shell.window import MainWindow
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.values import EntryInfo, Status
from memorypane.service.desk import Desk

__all__ = ["Pane"]


class Pane:
    """A window over an open desk.

    Attributes: `window`, `controller`, `work`, `entries` (the screen of lists). `close` ends its threads and lets the window go; the desk
    stays open.
    """

    def __init__(self, app: QApplication, desk: Desk, theme: Theme, settings: Settings, *, start_server: bool = True) -> None:
        del app
        person = desk.person(via="window")
        drafts = DraftBox(desk.home.drafts, desk.store_id)
        self.work = Work()
        self.feed = Feed(desk.subscribe)
        self.link = Link(desk.home, desk.channel.name, start=start_server)
        self.window = MainWindow(theme, desk.channel, settings)
        self.entries = EntriesScreen(theme, self.work, person, make_pages(theme, self.work, person, drafts))
        self.settings_screen = SettingsScreen(theme, desk.home, desk.channel)
        screens: dict[Kind, Screen] = {
            Kind.LIST: self.entries,
            Kind.REMOVED: self.entries,
            Kind.REVIEW: ReviewScreen(theme, self.work, person),
            Kind.ACTIVITY: ActivityScreen(theme, self.work, person),
            Kind.STARTUP: StartupScreen(theme, self.work, person),
            Kind.AGENTS: AgentsScreen(theme, self.work, person, self.link, desk.home, desk.channel),
            Kind.WELCOME: WelcomeScreen(theme, self.work, person, self.link, desk.home, desk.channel),
            Kind.IMPORT: ImportScreen(theme, self.work, person),
            Kind.SETTINGS: self.settings_screen,
        }
        self.screens = screens
        self.controller = WindowController(
            self.window, screens, theme=theme, work=self.work, person=person, feed=self.feed, link=self.link, settings=settings,
        )
        for screen in {id(each): each for each in screens.values()}.values():
            screen.setParent(self.controller)
        self.controller.entry_asked.connect(self._on_entry_asked)
        self.controller.edit_asked.connect(self._on_edit_asked)
        self.link.open()

    def _on_entry_asked(self, info: EntryInfo) -> None:
        self.controller.go(Place(Kind.REMOVED) if info.status is not Status.ACTIVE else place_of(info))
        self.entries.open_entry(info)
        self.entries.focus()

    def _on_edit_asked(self, info: EntryInfo) -> None:
        self._on_entry_asked(info)
        self.entries.open_entry(info, Tab.EDIT)

    def close(self) -> None:
        """Close the window, which may still have a draft to keep, then end threads and timers."""
        self.window.close()
        self.link.close()
        self.feed.close()
        self.work.close()
        self.window.deleteLater()
        self.link.deleteLater()
        self.feed.deleteLater()
        self.work.deleteLater()
