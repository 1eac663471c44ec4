"""Helpers of the store's tests: a clock that stands, a store of one test, entries written without any rules."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path

from memorypane.model.shelves import INSTRUCTIONS, Shelf
from memorypane.model.values import HUMAN, Action, EntryInfo, Evidence, State, Status
from memorypane.store import entries, health, search, writing
from memorypane.store.events import Trace
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["NOW", "add", "change", "is_sound", "raw", "stamp", "state", "still", "unsound", "write"]

NOW = 1_800_000_000_000


def still() -> int:
    """A clock that stands."""
    return NOW


def state(
    name: str = "", content: str = "text", *, shelf: Shelf = INSTRUCTIONS, owner: str = "", evidence: Sequence[Evidence] = ()
) -> State:
    """A live state."""
    return State(shelf.tier, shelf.name, owner, name, content=content, evidence=tuple(evidence))


def stamp(actor: str = HUMAN) -> writing.Stamp:
    """Who writes in a test."""
    return writing.Stamp(Trace(actor, "test", "test", "stable"), str(uuid.uuid4()), "human")


def write(transaction: Transaction, entry_id: str, action: Action, after: State, actor: str = HUMAN) -> EntryInfo:
    """Write one version as the pipeline does at its end."""
    folded = search.fold_entry(after.name, after.description, after.content)
    return writing.write(transaction, writing.Writing(entry_id, action, after, folded), stamp(actor))


def add(store: Store, name: str, content: str = "text", *, shelf: Shelf = INSTRUCTIONS, owner: str = "", actor: str = HUMAN) -> EntryInfo:
    """Write a new entry."""
    return store.write(lambda transaction: write(transaction, "", Action.CREATE, state(name, content, shelf=shelf, owner=owner), actor))


def change(
    store: Store, entry_id: str, content: str, *, status: Status = Status.ACTIVE, actor: str = HUMAN, action: Action = Action.EDIT
) -> EntryInfo:
    """Write the next version of an entry."""

    def job(transaction: Transaction) -> EntryInfo:
        found = entries.entry(transaction, entry_id)
        assert found is not None
        now = entries.state(found)
        after = State(now.tier, now.shelf, now.owner, now.name, content=content, position=now.position, status=status)
        return write(transaction, entry_id, action, after, actor)

    return store.write(job)


def unsound(store: Store) -> dict[str, str]:
    """What is wrong with a store, by the names of the checks: pages, references, numbers and heads, index rows, audit trail."""
    found = {name: store.read(look) for name, look in health.CHECKS}
    return {name: problem for name, problem in found.items() if problem}


def is_sound(store: Store) -> bool:
    """Whether nothing is wrong with a store."""
    return not unsound(store)


def raw(path: Path) -> sqlite3.Connection:
    """A bare connection, which waits for nobody."""
    return sqlite3.connect(path, timeout=0, isolation_level=None)
