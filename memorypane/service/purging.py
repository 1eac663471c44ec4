"""Erasing an entry for good: the only thing that cannot be undone, so it names every copy it knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memorypane.home.channels import list_channels
from memorypane.home.paths import Home
from memorypane.model.errors import MemoryPaneError
from memorypane.service.author import Author
from memorypane.service.decisions import check_may_decide
from memorypane.service.erasure import erase
from memorypane.store import erasing
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["Copy", "Purged", "finish_pending", "purge"]


@dataclass(frozen=True, slots=True)
class Copy:
    """One other place that holds the entry's words, and whether they were taken out there."""

    where: str
    cleaned: bool


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did; while `erasing` the words are out of every table but may still stand in the file."""

    id: str
    erasing: bool
    copies: tuple[Copy, ...]


def purge(store: Store, home: Home, author: Author, entry_id: str, *, copies: bool, clock: Callable[[], int]) -> Purged:
    """Erase an entry's words from store and index, leave a tombstone, and list (with `copies`: clean) the other places that hold it."""
    found = copies_of(home, store.path, entry_id)
    store.write(lambda transaction: _erase(transaction, author, entry_id))
    done = finish_pending(store)
    cleaned = tuple(Copy(str(path), _clean(path, entry_id, author, clock) if copies else False) for path in found)
    return Purged(entry_id, not done, cleaned)


def _erase(transaction: Transaction, author: Author, entry_id: str) -> None:
    check_may_decide(transaction, author)
    erase(transaction, author, entry_id)


def finish_pending(store: Store) -> bool:
    """Finish erasures whose words may still stand in the file (also those that an earlier run left); returns whether all are done."""
    waiting = store.read(erasing.erasing)
    if not waiting:
        return True
    if not erasing.finish(store.path):
        return False
    store.write(lambda transaction: erasing.erased(transaction, waiting))
    return True


def copies_of(home: Home, own: Path, entry_id: str) -> Sequence[Path]:
    """Return the backups and other channels' stores of this home that hold words of the entry."""
    places = sorted(home.backups.glob("*.db")) if home.backups.is_dir() else []
    places += [Path(channel.store) for channel in list_channels(home) if Path(channel.store) != own and Path(channel.store).exists()]
    found = []
    for path in dict.fromkeys(places):
        try:
            if erasing.holds(path, entry_id):
                found.append(path)
        except MemoryPaneError:
            # What cannot be read as one of our stores cannot be cleaned by us either; doctor speaks of damaged backups.
            continue
    return found


def _clean(path: Path, entry_id: str, author: Author, clock: Callable[[], int]) -> bool:
    other = Store(path, backups=path.parent, clock=clock)
    try:
        other.write(lambda transaction: _erase(transaction, author, entry_id))
        return finish_pending(other)
    finally:
        other.close()
