"""What the person does to an entry outside the editor: pin, remove, restore, promote, demote, put into another order."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import Tier
from memorypane.model.values import Entry, EntryInfo, Status
from memorypane.service.person import PersonFace

__all__ = ["EntryActions"]


class EntryActions(QObject):
    """Runs one change off the window's thread.

    `changed` carries the entry as it now stands, `noted` a sentence and the function that takes it back (or None), `failed` why
    nothing was changed.
    """

    changed = Signal(object)
    noted = Signal(str, object)
    failed = Signal(str)

    def __init__(self, work: Work, person: PersonFace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work, self._person = work, person

    def toggle_pin(self, info: EntryInfo) -> None:
        """Pin the entry, or take the pin off."""
        if info.status is not Status.ACTIVE:
            return
        if info.pinned:
            self._run(self._person.unpin, info.id, said=self.tr("Unpinned."), back=lambda: self._run(self._person.pin, info.id))
        else:
            said = self.tr("Pinned. Changes by agents now wait for you.")
            self._run(self._person.pin, info.id, said=said, back=lambda: self._run(self._person.unpin, info.id))

    def remove(self, info: EntryInfo) -> None:
        """Take the entry out of memory; it stays in *Removed*."""
        said = self.tr("Removed “{name}”.").format(name=_short(info.title))
        self._run(
            self._person.remove, info.id, said=said, back=lambda: self._run(self._person.restore, info.id), expected_version=info.version,
        )

    def restore(self, info: EntryInfo) -> None:
        """Bring a removed entry back."""
        self._run(
            self._person.restore, info.id, said=self.tr("Restored “{name}”.").format(name=_short(info.title)),
            back=lambda: self._run(self._person.remove, info.id),
        )

    def promote(self, info: EntryInfo, name: str = "") -> None:
        """Move the entry to the system tier, where no agent can reach it."""
        self._run(
            self._person.promote, info.id, said=self.tr("Promoted “{name}” to System.").format(name=_short(name or info.title)),
            back=lambda: self._run(self._person.demote, info.id), **({"name": name} if name else {}),
        )

    def demote(self, info: EntryInfo) -> None:
        """Move a system entry back to where it stood before."""
        if info.tier is Tier.SYSTEM:
            self._run(
                self._person.demote, info.id, said=self.tr("Moved “{name}” out of System.").format(name=_short(info.title)),
                back=lambda: self._run(self._person.promote, info.id),
            )

    def reorder(self, entry_id: str, before: str) -> None:
        """Put the entry right before another one, or at the end ("")."""
        self._run(self._person.reorder, entry_id, before=before)

    def _run(
        self, function: Callable[..., Entry], entry_id: str, *, said: str = "", back: Callable[[], None] | None = None, **named: object,
    ) -> None:
        def done(entry: Entry) -> None:
            self.changed.emit(entry)
            if said:
                self.noted.emit(said, back)

        self._work.write(function, entry_id, done=done, failed=self._on_failed, asker=self, **named)

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)


def _short(name: str) -> str:
    return name if len(name) <= 60 else name[:59] + "…"
