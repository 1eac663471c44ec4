"""Named texts of one shelf as an agent may handle them: list, read, write, remove, history, diff, revert."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memorypane.model import diff as differ
from memorypane.model import text
from memorypane.model.errors import Conflict, InvalidInput, NotAllowed, NotFound
from memorypane.model.shelves import INSTRUCTIONS, SYSTEM, Shelf
from memorypane.model.values import Action, Change, Entry, EntryInfo, Provenance, State, Status, Version
from memorypane.service.author import JEKT, Author, Call, Plan, is_jekt
from memorypane.service.pipeline import Outcome, Pipeline
from memorypane.service.validate import clean_state
from memorypane.store import entries
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["Documents", "Finder", "check_expected", "find_version", "plan_revert", "unified_versions"]

Finder = Callable[[Transaction], Entry]
"""How a call finds its entry inside the transaction; raises what is to be answered if it is not there."""


def check_expected(found: Entry | None, expected: int | None) -> None:
    """Raise `Conflict` with the current version and text when the caller started from another head (0 or None on a create)."""
    if found is None:
        if expected:
            raise Conflict(
                f"You expected version {expected}, but there is no such entry yet. Leave expected_version out to create it.",
                current_version=0,
            )
        return
    if expected is not None and expected != found.info.version:
        raise Conflict(
            f"The entry is at version {found.info.version}, not {expected}: somebody changed it meanwhile. Nothing was written. "
            "Read the current text, put your change into it and send it with the current version.",
            current_version=found.info.version,
            current=found.content,
        )


def find_version(transaction: Transaction, entry_id: str, version_id: str) -> Version:
    """Return the version of an entry; `InvalidInput` if the id belongs to none or to another entry, `NotFound` if it was erased."""
    version = entries.version_by_id(transaction, version_id)
    if version is None or version.entry_id != entry_id:
        raise InvalidInput(f"{text.short(version_id)!r} is not a version of this entry. Its history lists the ids there are.")
    if version.state.status is Status.PURGED:
        raise NotFound("The text of this version was erased by the person.")
    return version


def plan_revert(found: Entry, version: Version) -> Plan:
    """Plan the version that brings back name, description, text and evidence of an earlier one; none if that stands already.

    An entry that stood on a shelf with other rules for names then keeps the name it has now. Raises `NotAllowed` if it was erased.
    """
    if found.info.status is Status.PURGED:
        raise NotAllowed(f"The entry {text.short(found.id)!r} was erased; nothing of it can be brought back.")
    now, then = entries.state(found), version.state
    alike = now.place is then.place or {now.place, then.place} <= {SYSTEM, INSTRUCTIONS}
    after = replace(
        now,
        name=then.name if alike else now.name,
        description=then.description,
        content=then.content,
        kind=then.kind if alike else now.kind,
        confidence=then.confidence if alike else now.confidence,
        evidence=then.evidence,
        status=Status.ACTIVE,
        superseded_by="",
    )
    return Plan(() if now == after else (Change(found.id, found.info.version, Action.REVERT, after),), found)


@dataclass(frozen=True, slots=True)
class Documents:
    """One shelf of named texts for one author; `owner` is fixed by the connection and never an argument."""

    store: Store
    pipeline: Pipeline
    author: Author
    shelf: Shelf
    owner: str

    def __post_init__(self) -> None:
        if self.shelf is SYSTEM:
            raise ValueError("the system tier is no shelf of an agent's documents")

    def listed(self) -> list[EntryInfo]:
        """Return the live entries in their order."""
        return self.store.read(lambda transaction: entries.listed(transaction, self.shelf, self.owner))

    def with_texts(self) -> list[Entry]:
        """Return the live entries with their texts, in their order."""
        return self.store.read(lambda transaction: entries.live_contents(transaction, self.shelf, self.owner))

    def system_listed(self) -> list[EntryInfo]:
        """Return what an agent may know of the system tier: that its entries exist."""
        return self.store.read(lambda transaction: entries.listed(transaction, SYSTEM))

    def by_id(self, entry_id: str, *, removed: bool = False) -> Finder:
        """How an entry is found by id: `NotAllowed` for the system tier, `NotFound` for everything else that is not on this shelf."""

        def find(transaction: Transaction) -> Entry:
            found = entries.entry(transaction, entry_id)
            if found is not None and found.info.place is SYSTEM:
                raise NotAllowed(
                    f"{text.short(entry_id)!r} is a system entry: only the person manages it. Agents see that it exists and follow it."
                )
            if found is None or found.info.place is not self.shelf or found.info.owner != self.owner:
                raise NotFound(f"There is no entry {text.short(entry_id)!r} here. List the entries to see the ids there are.")
            if found.info.status is not Status.ACTIVE and not removed:
                raise NotFound(
                    f"The entry {text.short(entry_id)!r} was removed. Its history and older versions can still be read; a revert brings "
                    "it back."
                )
            return found

        return find

    def by_name(self, name: str, *, removed: bool = False) -> Finder:
        """How an entry is found by its exact name; with `removed`, else the one of that name that was removed last."""

        def find(transaction: Transaction) -> Entry:
            found = entries.by_name(transaction, self.shelf, self.owner, name, removed=removed)
            if found is None:
                raise NotFound(f"There is no {text.short(name)!r} among your files. List them to see the names there are.")
            return found

        return find

    def by_name_or_new(self, name: str) -> Callable[[Transaction], Entry | None]:
        """How a write finds its entry by name; None = it creates one."""
        return lambda transaction: entries.by_name(transaction, self.shelf, self.owner, name)

    def by_version(self, version_id: str) -> Finder:
        """How an entry of this shelf and owner, in whatever status, is found by one of its versions; `InvalidInput` otherwise."""

        def find(transaction: Transaction) -> Entry:
            found = entries.by_version(transaction, version_id)
            if found is None or (found.info.place, found.info.owner) != (self.shelf, self.owner):
                raise InvalidInput(f"{text.short(version_id)!r} is no version of yours. A history lists the ids there are.")
            return found

        return find

    def find(self, find: Finder) -> Entry:
        """Find an entry in a read transaction of its own."""
        return self.store.read(find)

    def read_version(self, find: Finder, version_id: str) -> Version:
        """Return one version of an entry, which may be removed."""

        def job(transaction: Transaction) -> Version:
            return self._version(transaction, find(transaction).id, version_id)

        return self.store.read(job)

    def history(self, find: Finder) -> tuple[Version, ...]:
        """Return the versions of an entry, newest first, without texts."""
        versions = self.store.read(lambda transaction: entries.history(transaction, find(transaction).id))
        return tuple(version for version in versions if self._stood_here(version))

    def _stood_here(self, version: Version) -> bool:
        """Whether a version is of this shelf and owner: what an entry was in the system tier or with another agent is not the caller's."""
        return (version.state.place, version.state.owner) == (self.shelf, self.owner)

    def _version(self, transaction: Transaction, entry_id: str, version_id: str) -> Version:
        version = find_version(transaction, entry_id, version_id)
        if not self._stood_here(version):
            raise NotFound("This version is from when the entry stood elsewhere, and cannot be read here. The history lists the others.")
        return version

    def diff(self, find: Finder, first_id: str, second_id: str) -> str:
        """Return the unified diff of two versions of an entry, in the order asked; a changed name is its first hunk."""

        def job(transaction: Transaction) -> tuple[Version, Version]:
            entry_id = find(transaction).id
            return self._version(transaction, entry_id, first_id), self._version(transaction, entry_id, second_id)

        first, second = self.store.read(job)
        return unified_versions(first, second)

    def write(
        self,
        find: Callable[[Transaction], Entry | None] | None,
        name: str,
        content: str,
        *,
        tool: str,
        provenance: Provenance,
        arguments: Mapping[str, Any],
        expected: int | None,
    ) -> Outcome:
        """Give the entry that `find` finds this name and text; without `find`, or where it finds none, create one."""
        draft = clean_state(State(self.shelf.tier, self.shelf.name, self.owner, name, content=content))

        def plan(transaction: Transaction) -> Plan:
            found = find(transaction) if find is not None else None
            check_expected(found, expected)
            if found is None:
                return Plan((Change("", 0, Action.CREATE, draft),))
            now = entries.state(found)
            after = replace(now, name=draft.name, content=draft.content)
            return Plan(() if now == after else (Change(found.id, found.info.version, Action.EDIT, after),), found)

        return self.pipeline.submit(Call(self.author, tool, provenance, arguments), plan)

    def remove(self, find: Finder, *, tool: str, provenance: Provenance, arguments: Mapping[str, Any], expected: int | None) -> Outcome:
        """Make an entry a tombstone; its versions stay."""

        def plan(transaction: Transaction) -> Plan:
            found = find(transaction)
            check_expected(found, expected)
            gone = replace(entries.state(found), status=Status.REMOVED)
            return Plan((Change(found.id, found.info.version, Action.REMOVE, gone),), found)

        return self.pipeline.submit(Call(self.author, tool, provenance, arguments, whole_text=False), plan)

    def revert(
        self, find: Finder, version_id: str, *, tool: str, claimed: Provenance, arguments: Mapping[str, Any], expected: int | None
    ) -> Outcome:
        """Write a new version with the name and text of an earlier one; a removed entry comes back.

        Its source is `revert`, whatever is `claimed`; a claim by which writes wait holds it all the same.
        """

        def plan(transaction: Transaction) -> Plan:
            found = find(transaction)
            version = self._version(transaction, found.id, version_id)
            check_expected(found, expected)
            return plan_revert(found, version)

        asks = (JEKT,) if is_jekt(claimed) else ()
        return self.pipeline.submit(Call(self.author, tool, Provenance("revert", {"reverted_to": version_id}), arguments, asks=asks), plan)


def unified_versions(first: Version, second: Version) -> str:
    """The unified diff of two versions, labelled by their numbers."""
    return differ.unified(
        first.state.content,
        second.state.content,
        f"version {first.number}",
        f"version {second.number}",
        old_name=first.state.name,
        new_name=second.state.name,
    )
