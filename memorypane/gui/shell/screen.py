"""What the window's body shows for one kind of place: a list column (or none), a main column, keys."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from memorypane.gui.keys import KeyAction, hints_of
from memorypane.gui.places import Place
from memorypane.gui.theme.bars import Hint
from memorypane.model.values import Agent, Workspace
from memorypane.service.changes import Changed

__all__ = ["Known", "Screen"]


@dataclass(frozen=True, slots=True)
class Known:
    """Who and what has a name in this store; `failed` says that the store could not be read."""

    agents: dict[str, Agent] = field(default_factory=dict)
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    entries: int | None = None

    @property
    def owners(self) -> dict[str, str]:
        """What workspaces are called, by id."""
        return {each.id: each.name for each in self.workspaces.values()}


class Screen(QObject):
    """One page of the window.

    `side` stands in the list column (None = the page takes both), `main` in the reader's. Signals: `place_asked(Place)` to go elsewhere,
    `noted(str, callable or None)` for a toast with its way back, `failed(str)`, `keys_moved` when keys or hints changed, `fold_asked(bool)`
    to fold the list column away or bring it back, `entry_asked(EntryInfo)` to show an entry in its list, `edit_asked(EntryInfo)` to edit
    it there, `new_asked` to write an instruction.
    """

    place_asked = Signal(object)
    noted = Signal(str, object)
    failed = Signal(str)
    keys_moved = Signal()
    fold_asked = Signal(bool)
    entry_asked = Signal(object)
    edit_asked = Signal(object)
    new_asked = Signal()

    def __init__(self, side: QWidget | None, main: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.side = side
        self.main = main

    def open(self, place: Place) -> None:
        """Show a place of this kind."""

    def apply(self, changed: Changed) -> None:
        """Take over what a commit changed."""

    def apply_later(self, changed: Changed) -> None:
        """A commit happened while another page was shown; most pages read anew when they are opened again."""

    def know(self, known: Known) -> None:
        """Take over who and what has a name."""

    def keys(self) -> tuple[KeyAction, ...]:
        """Return the keys of the page, most used first."""
        return ()

    def hints(self) -> tuple[Hint, ...]:
        """Return the hints for the bar."""
        return hints_of(self.keys())

    def back(self) -> bool:
        """Go one step back (Esc); return whether there was one."""
        return False

    def folded(self, *, folded: bool) -> None:
        """The list column was folded away, or came back."""

    def resized(self) -> None:
        """The window has another size."""

    def write_new(self) -> None:
        """Begin to write something new, where the page has that."""

    def focus(self) -> None:
        """Take the keyboard."""
        (self.side or self.main).setFocus()
