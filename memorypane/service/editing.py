"""What the person may do to an entry, each as a plan: the pipeline does the rest."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memorypane.model import text
from memorypane.model.errors import Conflict, InvalidInput, NotAllowed, NotFound
from memorypane.model.shelves import INSTRUCTIONS, RECORDS, SYSTEM, Shelf
from memorypane.model.values import Action, Change, Entry, State, Status, Version
from memorypane.service.author import Plan
from memorypane.service.documents import check_expected
from memorypane.service.validate import clean_state
from memorypane.store import agents, entries, workspaces
from memorypane.store.transaction import Transaction

__all__ = [
    "add",
    "check_owner",
    "demote",
    "edit",
    "live",
    "move",
    "origin_of_promotion",
    "pin",
    "promote",
    "remove",
    "reorder",
    "restore",
    "stored",
]

SMALLEST_GAP = 1e-9
"""Positions closer than this cannot be parted again by a double for long; the shelf is spread anew."""


def stored(transaction: Transaction, entry_id: str) -> Entry:
    """Return the entry of an id in whatever status; `NotFound` if there is none."""
    found = entries.entry(transaction, entry_id)
    if found is None:
        raise NotFound(f"There is no entry {text.short(entry_id)!r}. `memorypane list` shows the ids there are.")
    return found


def live(transaction: Transaction, entry_id: str) -> Entry:
    """Return the live entry of an id; `NotAllowed` with what to do for one that is not live."""
    found = stored(transaction, entry_id)
    if found.info.status is Status.PURGED:
        raise NotAllowed(f"The entry {text.short(entry_id)!r} was erased; nothing of it can be brought back.")
    if found.info.status is not Status.ACTIVE:
        raise NotAllowed(f"The entry {text.short(entry_id)!r} is {found.info.status}. Restore it first.")
    return found


def check_owner(transaction: Transaction, shelf: Shelf, owner: str) -> None:
    """Raise `InvalidInput` or `NotFound` unless `owner` fits the shelf: a workspace's id, an agent's name, or "" where there is none."""
    if shelf.owner == "none" and owner:
        raise InvalidInput(f"{shelf.key} belongs to all agents and takes no owner.")
    if shelf.owner == "workspace" and workspaces.workspace(transaction, owner) is None:
        raise NotFound(
            f"There is no workspace {text.short(owner)!r}. {shelf.key} needs a workspace's id as owner; `workspace list` shows them."
        )
    if shelf.owner == "agent" and agents.agent(transaction, owner) is None:
        raise NotFound(f"There is no agent {text.short(owner)!r}. {shelf.key} needs an agent's name as owner; `agent list` shows them.")


def add(transaction: Transaction, draft: State) -> Plan:
    """Plan a new entry at the end of its shelf."""
    check_owner(transaction, draft.place, draft.owner)
    return Plan((Change("", 0, Action.CREATE, draft),))


def _change(found: Entry, action: Action, after: State) -> Plan:
    same = entries.state(found) == after
    return Plan(() if same else (Change(found.id, found.info.version, action, after),), found)


def edit(transaction: Transaction, entry_id: str, fields: Mapping[str, Any], expected: int | None) -> Plan:
    """Plan new values for the given fields of a live entry."""
    found = live(transaction, entry_id)
    check_expected(found, expected)
    return _change(found, Action.EDIT, clean_state(replace(entries.state(found), **fields)))


def remove(transaction: Transaction, entry_id: str, expected: int | None) -> Plan:
    """Plan the tombstone of a live entry."""
    found = live(transaction, entry_id)
    check_expected(found, expected)
    return _change(found, Action.REMOVE, replace(entries.state(found), status=Status.REMOVED))


def restore(transaction: Transaction, entry_id: str) -> Plan:
    """Plan the return of an entry that is not live (removed, superseded or suppressed)."""
    found = stored(transaction, entry_id)
    if found.info.status is Status.PURGED:
        raise NotAllowed(f"The entry {text.short(entry_id)!r} was erased; nothing of it can be brought back.")
    if found.info.status is Status.ACTIVE:
        raise Conflict(f"The entry {text.short(entry_id)!r} is live already.", current_version=found.info.version)
    return _change(found, Action.RESTORE, replace(entries.state(found), status=Status.ACTIVE, superseded_by=""))


def pin(transaction: Transaction, entry_id: str, *, pinned: bool) -> Plan:
    """Plan the pin, or its end."""
    found = live(transaction, entry_id)
    return _change(found, Action.PIN if pinned else Action.UNPIN, replace(entries.state(found), pinned=pinned))


def promote(transaction: Transaction, entry_id: str, name: str) -> Plan:
    """Plan the move to the system tier, at its end; an unnamed entry needs a name."""
    found = live(transaction, entry_id)
    if found.info.place is SYSTEM:
        raise Conflict(f"The entry {text.short(entry_id)!r} stands in the system tier already.", current_version=found.info.version)
    if not (name or found.info.name):
        raise InvalidInput("This entry has no name, and system entries need one. Give it one with the promotion.")
    now = entries.state(found)
    after = replace(
        now, tier=SYSTEM.tier, shelf=SYSTEM.name, owner="", name=name or now.name, kind="", client="", confidence=None, position=0.0
    )
    return _change(found, Action.PROMOTE, after)


def origin_of_promotion(transaction: Transaction, entry_id: str) -> Version | None:
    """Return the version that stood before the last promotion, if there is one that is still told of."""
    versions = entries.history(transaction, entry_id)
    for newer, older in itertools.pairwise(versions):
        if newer.action is Action.PROMOTE:
            return older
    return None


def demote(transaction: Transaction, entry_id: str) -> Plan:
    """Plan the way back to the shelf before the promotion with its typed fields, else to the instructions."""
    found = live(transaction, entry_id)
    if found.info.place is not SYSTEM:
        raise NotAllowed(f"The entry {text.short(entry_id)!r} does not stand in the system tier, so it cannot be demoted.")
    now, origin = entries.state(found), origin_of_promotion(transaction, entry_id)
    if origin is None:
        return _change(found, Action.DEMOTE, replace(now, tier=INSTRUCTIONS.tier, shelf=INSTRUCTIONS.name, position=0.0))
    then = origin.state
    check_owner(transaction, then.place, then.owner)
    name = now.name if then.place.named and then.name != now.name and then.place is INSTRUCTIONS else then.name
    after = replace(
        now,
        tier=then.tier,
        shelf=then.shelf,
        owner=then.owner,
        name=name,
        kind=then.kind,
        client=then.client,
        confidence=then.confidence,
        position=0.0,
    )
    return _change(found, Action.DEMOTE, after)


def move(transaction: Transaction, entry_id: str, shelf: Shelf, owner: str) -> Plan:
    """Plan the move to another shelf or owner outside the system tier, at its end."""
    found = live(transaction, entry_id)
    if SYSTEM in {shelf, found.info.place}:
        raise NotAllowed("Entries come into the system tier by promote and leave it by demote, not by move.")
    check_owner(transaction, shelf, owner)
    now = entries.state(found)
    if (now.place, now.owner) == (shelf, owner):
        return Plan((), found)
    if shelf.named and not now.name:
        raise InvalidInput(f"This entry has no name, and entries of {shelf.key} need one. Add it there under a name and remove this one.")
    after = replace(now, tier=shelf.tier, shelf=shelf.name, owner=owner, name=now.name if shelf.named else "", position=0.0)
    if shelf is not RECORDS:
        # Only records are kept for one agent; elsewhere the shelf says who reads.
        after = replace(after, client="")
    return _change(found, Action.MOVE, after)


def reorder(transaction: Transaction, entry_id: str, before: str) -> Plan:
    """Plan the place right before another entry of the same shelf and owner ("" = the end); one version, unless the gaps are used up."""
    found = live(transaction, entry_id)
    now = entries.state(found)
    if before == entry_id:
        return Plan((), found)
    if not before:
        last = entries.last_position(transaction, now.place, now.owner)
        after = now if entries.after(transaction, found.info) is None else replace(now, position=last + 1.0)
        return replace(_change(found, Action.REORDER, after), fragile=True)
    target = live(transaction, before)
    if (target.info.place, target.info.owner) != (found.info.place, found.info.owner):
        raise InvalidInput("Both entries must stand on the same shelf to be put in order.")
    upper = target.info.position
    neighbour = entries.before(transaction, target.info)
    if neighbour is not None and neighbour[0] == entry_id:
        return Plan((), found, fragile=True)
    low = neighbour[1] if neighbour is not None else upper - 2.0
    if upper - low > SMALLEST_GAP:
        # 0 is how a plan asks for the end of the shelf, so no entry is put there.
        middle = (low + upper) / 2 or low / 2
        return replace(_change(found, Action.REORDER, replace(now, position=middle)), fragile=True)
    return _spread(transaction, found, before)


def _spread(transaction: Transaction, found: Entry, before: str) -> Plan:
    """Give the whole shelf whole-numbered positions again, with the entry right before `before`."""
    place, owner = found.info.place, found.info.owner
    others = [one for one in entries.live_contents(transaction, place, owner) if one.id != found.id]
    order: list[Entry] = []
    for one in others:
        if one.id == before:
            order.append(found)
        order.append(one)
    changes = []
    for number, one in enumerate(order, 1):
        whole = entries.entry(transaction, one.id) or one
        if whole.info.position != float(number):
            changes.append(Change(one.id, one.info.version, Action.REORDER, replace(entries.state(whole), position=float(number))))
    # The entry that was moved comes first: it is the one the caller asked about.
    changes.sort(key=lambda change: change.entry_id != found.id)
    return Plan(tuple(changes), found, fragile=True)
