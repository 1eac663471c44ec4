"""What is being written and from what it started; decides what a change from elsewhere means for it."""

from __future__ import annotations

from typing import Literal

from memorypane.gui import words
from memorypane.gui.editor.drafts import Draft, Words
from memorypane.model.shelves import Shelf
from memorypane.model.values import Entry, Status

__all__ = ["Arrival", "Session", "words_of"]

Arrival = Literal["nothing", "rebased", "reload", "same", "conflict"]
"""What an entry that changed elsewhere means: nothing new; only facts besides the words moved; nothing was typed, so its words are shown;
the same words were written there; or both wrote."""


def words_of(entry: Entry) -> Words:
    """The words of an entry that can be written."""
    return Words(entry.info.name, entry.info.description, entry.content)


class Session:
    """One entry (or a new one) being written.

    `base` is the entry the writing started from, None for a new one; `before` its words; `theirs` what someone else made of it meanwhile,
    None while there is nothing to decide.
    """

    def __init__(self, shelf: Shelf, owner: str, base: Entry | None) -> None:
        self.shelf, self.owner, self.base = shelf, owner, base
        self.before = words_of(base) if base is not None else Words()
        self.theirs: Entry | None = None

    @property
    def entry_id(self) -> str:
        """The entry's id, "" for a new one."""
        return self.base.id if self.base is not None else ""

    @property
    def subject(self) -> str:
        """What a draft of this is filed under."""
        return self.draft(self.before, 0).subject

    @property
    def version(self) -> int:
        """The version the writing started from, 0 for a new entry."""
        return self.base.info.version if self.base is not None else 0

    def base_by(self, now: int) -> str:
        """Who wrote the version that the writing started from, and when; "" if a draft of an earlier session started elsewhere."""
        if self.base is None or words_of(self.base) != self.before:
            return ""
        return f"{words.actor_words(self.base.info.actor)}, {words.when(self.base.info.updated_at, now)}"

    @property
    def next_version(self) -> int:
        """The number that saving writes."""
        return (self.theirs.info.version if self.theirs is not None else self.version) + 1

    @property
    def theirs_removed(self) -> bool:
        """Whether what happened meanwhile took the entry away."""
        return self.theirs is not None and self.theirs.info.status is not Status.ACTIVE

    def draft(self, typed: Words, now: int) -> Draft:
        """What is to be kept on disk."""
        return Draft(self.entry_id, self.shelf.tier, self.shelf.name, self.owner, self.version, self.before, typed, now)

    def arrive(self, entry: Entry, typed: Words) -> Arrival:
        """Take in the entry as it now stands, with the words `typed` so far."""
        if self.base is None or entry.id != self.base.id:
            return "nothing"
        known = self.theirs or self.base
        if entry.info.version < known.info.version or entry == known:
            return "nothing"
        current = words_of(entry)
        active = entry.info.status is Status.ACTIVE
        if typed == self.before or (active and current in (self.before, typed)):
            outcome: Arrival = "rebased" if current == self.before else "same" if current == typed else "reload"
            self.take(entry)
            return outcome
        self.theirs = entry
        return "conflict"

    def take(self, entry: Entry) -> None:
        """Go on from the entry as it stands; what is typed is now compared with its words."""
        self.base, self.before, self.theirs = entry, words_of(entry), None

    def go_back(self, draft: Draft) -> None:
        """Take up a draft that started from an earlier version: the entry as it stands becomes theirs, unless its words are the same."""
        entry = self.base
        if entry is None or words_of(entry) == draft.before:
            return
        self.before = draft.before
        self.theirs = entry
