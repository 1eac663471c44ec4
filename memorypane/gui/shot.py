"""Renders one page of the window to a picture, without a screen: for docs, and for people who look at a change."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import QEventLoop, QObject, QTimer
from PySide6.QtGui import QPixmap, QTextCursor
from PySide6.QtWidgets import QApplication

from memorypane.gui.editor.page import EditorPage
from memorypane.gui.entry.column import Tab
from memorypane.gui.pane import Pane
from memorypane.gui.places import Kind, Place, shelf_place, workspace_place
from memorypane.gui.settings import Settings
from memorypane.gui.theme.theme import Theme
from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput, Unavailable
from memorypane.model.shelves import INSTRUCTIONS, SYSTEM, Tier
from memorypane.model.values import Entry, EntryInfo, ListQuery
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace

__all__ = ["PAGES", "render"]

PAGES = (
    "review", "system", "global", "workspace", "agents", "removed", "activity", "startup", "history", "editor", "import", "settings",
    "welcome", "conflict",
)
_SETTLED_MS = 250
_LONGEST_MS = 20_000


def render(
    page: str,
    home: Home,
    channel: str,
    out: Path,
    theme: Literal["light", "dark"] = "light",
    size: tuple[int, int] = (1280, 820),
    scale: int = 1,
) -> None:
    """Write a picture of `page` at `size` (logical px) times `scale` to `out`.

    Raises `InvalidInput` for an unknown page, `Unavailable` if the store cannot be opened or the picture not be written. The store is
    not changed. It is for a process that has no window.
    """
    if page not in PAGES:
        raise InvalidInput(f"There is no page {page!r}. The pages are: {', '.join(PAGES)}.")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_SCALE_FACTOR"] = str(scale)
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if not isinstance(app, QApplication):
        raise Unavailable("A picture needs a process that can show windows.")
    with Desk.open(home, channel) as desk:
        pane = Pane(app, desk, Theme(app, mode=theme), Settings(width=size[0], height=size[1]), start_server=False)
        try:
            picture = _Photographer(pane, desk.person(via="window")).take(page)
        finally:
            pane.close()
    if not picture.save(str(out), "PNG"):
        raise Unavailable(f"The picture {out} cannot be written. Check that its folder exists and can be written.")


class _Photographer(QObject):
    """Goes to a page, waits until nothing moves any more, and grabs the window."""

    def __init__(self, pane: Pane, person: PersonFace) -> None:
        super().__init__()
        self._pane, self._person = pane, person

    def take(self, page: str) -> QPixmap:
        """Return the picture of a page."""
        self._pane.window.show()
        self._settle()
        self._go(page)
        self._settle()
        screen = self._pane.controller.screen
        if screen is not None and page not in ("editor", "conflict", "history"):
            screen.focus()
            self._settle()
        picture = self._pane.window.grab()
        if page == "conflict":
            # What was typed for the picture is no draft of anybody's.
            cast("EditorPage", self._pane.entries.column.editor).discard()
            self._settle()
        return picture

    def _settle(self) -> None:
        """Wait until no work was queued or running for a quarter of a second."""
        loop, work = QEventLoop(), self._pane.work
        calm, limit = QTimer(), QTimer()
        for timer, length in ((calm, _SETTLED_MS), (limit, _LONGEST_MS)):
            timer.setInterval(length)
            timer.timeout.connect(loop.quit)
            timer.start()
        beat = QTimer()
        beat.setInterval(20)
        beat.timeout.connect(lambda: calm.start() if work.busy else None)
        beat.start()
        loop.exec()
        for timer in (calm, limit, beat):
            timer.stop()

    def _go(self, page: str) -> None:
        controller = self._pane.controller
        newest = self._newest()
        if page in ("history", "editor", "conflict") and newest is not None:
            tab = Tab.HISTORY if page == "history" else Tab.EDIT
            controller.go(shelf_place(INSTRUCTIONS) if newest.tier is Tier.GLOBAL else controller.place or shelf_place(SYSTEM))
            self._pane.entries.open_entry(newest, tab)
            if page == "conflict":
                self._settle()
                self._conflict(self._person.entry(newest.id))
            return
        controller.go(self._place(page))

    def _place(self, page: str) -> Place:
        if page == "system":
            return shelf_place(SYSTEM)
        if page == "workspace":
            counts = sorted((each.active, each.owner) for each in self._person.counts() if each.tier is Tier.WORKSPACE)
            return workspace_place(counts[-1][1]) if counts else Place(Kind.LIST, Tier.WORKSPACE, "records", "")
        if page in ("global", "history", "editor", "conflict"):
            return shelf_place(INSTRUCTIONS)
        return Place(Kind(page))

    def _newest(self) -> EntryInfo | None:
        """The entry with the most to see: among the fifty that changed last the one with the most versions, the newest of those."""
        found = self._person.page(ListQuery(sort="updated", descending=True), limit=50).entries
        return max(found, key=lambda info: (info.version, info.updated_at), default=None)

    def _conflict(self, entry: Entry) -> None:
        """A dirty draft over the version before the last one, then the last one arrives; nothing is written."""
        if entry.info.version < 2:
            return
        earlier = self._person.version(entry.id, entry.info.version - 1)
        info = replace(entry.info, version=earlier.number, version_id=earlier.id, content_hash=earlier.content_hash)
        editor = cast("EditorPage", self._pane.entries.column.editor)
        editor.show_new(entry.info.place, entry.info.owner)
        editor.show_entry(Entry(info, earlier.state.content, earlier.state.evidence))
        self._settle()
        cursor = editor.writing.source.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("\n- Thank those who reported bugs.\n")
        editor.entry_changed(entry)
        editor.conflict_bar.merge_asked.emit()
