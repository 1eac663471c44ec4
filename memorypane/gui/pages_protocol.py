"""What the reader column expects of the pages it hosts (read, edit, history, provenance)."""

from __future__ import annotations

from typing import Any, Protocol

from memorypane.gui.theme.bars import Hint
from memorypane.model.values import Entry

__all__ = ["EntryPage", "SignalLike"]


class SignalLike(Protocol):
    """The part of a bound Qt signal that hosts use."""

    def connect(self, slot: Any, /) -> Any:
        """Call `slot` whenever the signal fires."""

    def disconnect(self, slot: Any, /) -> Any:
        """Stop calling it."""


class EntryPage(Protocol):
    """A `QWidget` that shows one entry; its constructor takes `theme: Theme, work: Work, person: PersonFace`.

    Signals: `saved(Entry)` after the page wrote, with the entry as it now stands; `failed(str)` a sentence for a toast.
    """

    saved: SignalLike
    failed: SignalLike

    def show_entry(self, entry: Entry) -> None:
        """Show another entry; never called while `can_leave` is False and the person chose to stay."""

    def entry_changed(self, entry: Entry) -> None:
        """The shown entry was changed by someone else; what the person typed stays."""

    def can_leave(self) -> bool:
        """Whether nothing would be lost from sight by showing something else (drafts are kept on disk in any case)."""

    def hints(self) -> tuple[Hint, ...]:
        """Keys of this page for the hint bar, most used first."""
