"""The pages under the tabs of an entry, made together and spoken to as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from memorypane.gui.pages_protocol import EntryPage
from memorypane.model.shelves import Shelf
from memorypane.model.values import Entry

__all__ = ["EditorLike", "EntryPages"]


class EditorLike(EntryPage, Protocol):
    """The editor can also write an entry that does not exist yet."""

    def show_new(self, shelf: Shelf, owner: str) -> None:
        """Begin a new entry."""


class EntryPages:
    """Read, edit, history and provenance, in the order of the tabs.

    A page may have more signals: `room_wanted(bool)` when it needs the room of the list column too, `back_asked` when the person goes
    back from it, `cancelled` when they give up what they were writing, `edit_asked` when they want to write, `draft_changed(bool)` with
    whether something typed is not saved, `link_opened(str)` with an address they agreed to open.
    """

    def __init__(self, reader: QWidget, editor: QWidget, history: QWidget, provenance: QWidget) -> None:
        self.widgets = (reader, editor, history, provenance)
        self._wide: set[int] = set()

    @property
    def editor(self) -> EditorLike:
        """The editor."""
        return cast("EditorLike", self.widgets[1])

    def page(self, index: int) -> EntryPage:
        """Return one page by its tab."""
        return cast("EntryPage", self.widgets[index])

    def wants_wide(self, index: int) -> bool:
        """Whether that page asked for more room."""
        return index in self._wide

    def connect(
        self,
        *,
        saved: Callable[[Entry], None],
        failed: Callable[[str], None],
        wide: Callable[[], None],
        back: Callable[[], None],
        cancelled: Callable[[], None],
        edit: Callable[[], None],
        draft: Callable[[bool], None],
    ) -> None:
        """Listen to all pages."""
        for index, widget in enumerate(self.widgets):
            page = cast("EntryPage", widget)
            page.saved.connect(saved)
            page.failed.connect(failed)
            if (asked := getattr(widget, "room_wanted", None)) is not None:
                asked.connect(self._listener(index, wide))
            if (went_back := getattr(widget, "back_asked", None)) is not None:
                went_back.connect(back)
            if (wants_edit := getattr(widget, "edit_asked", None)) is not None:
                wants_edit.connect(edit)
            if (drafted := getattr(widget, "draft_changed", None)) is not None:
                drafted.connect(draft)
            if (link := getattr(widget, "link_opened", None)) is not None:
                link.connect(_open_link)
            if (gave_up := getattr(widget, "cancelled", None)) is not None:
                gave_up.connect(cancelled)

    def _listener(self, index: int, wide: Callable[[], None]) -> Callable[[bool], None]:
        def heard(on: bool) -> None:  # noqa: FBT001  # the signal's own signature
            (self._wide.add if on else self._wide.discard)(index)
            wide()

        return heard


def _open_link(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address, QUrl.ParsingMode.StrictMode))
