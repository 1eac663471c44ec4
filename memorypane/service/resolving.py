"""What a proposal would do to the heads that stand now: as it was made, or merged with what changed meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorypane.model import merge as merging
from memorypane.model.errors import Conflict, MemoryPaneError, NotFound
from memorypane.model.values import Action, Change, Entry, Proposal, State, Status
from memorypane.service.editing import check_owner
from memorypane.store import entries
from memorypane.store.transaction import Transaction

__all__ = ["Resolved", "is_stale", "problems", "resolve"]

HIDES = frozenset({Action.REMOVE, Action.SUPPRESS, Action.SUPERSEDE})


@dataclass(frozen=True, slots=True)
class Resolved:
    """One change against what stands now; `before` is None for a new entry, `problem` says why it cannot be applied as it is."""

    change: Change
    before: State | None
    merged: bool = False
    problem: MemoryPaneError | None = None


def is_stale(transaction: Transaction, proposal: Proposal) -> bool:
    """Whether any entry moved since the proposal was made."""
    for change in proposal.changes:
        now = entries.info(transaction, change.entry_id)
        if (now.version if now else 0) != change.base:
            return True
    return False


def resolve(transaction: Transaction, proposal: Proposal) -> tuple[Resolved, ...]:
    """Return every change of a proposal against the current heads, in order."""
    alone = len(proposal.changes) == 1
    return tuple(_one(transaction, change, alone=alone) for change in proposal.changes)


def _one(transaction: Transaction, change: Change, *, alone: bool) -> Resolved:
    found = entries.entry(transaction, change.entry_id)
    before = entries.state(found) if found is not None else None
    try:
        check_owner(transaction, change.state.place, change.state.owner)
    except MemoryPaneError as homeless:
        return Resolved(change, before, problem=homeless)
    if (found.info.version if found else 0) == change.base:
        # Pins and the order are the person's own business; a proposal carries them only where it asked for them.
        return Resolved(change, before)
    if found is None or found.info.status is not Status.ACTIVE:
        return Resolved(change, before, problem=NotFound("The entry it would change is gone. Reject it, or restore the entry first."))
    if change.action in HIDES or not alone:
        what = "remove" if change.action in HIDES else "change"
        problem = Conflict(
            f"The entry it would {what} was changed since. Look at the new text and decide again.", current_version=found.info.version
        )
        return Resolved(replace(change, base=found.info.version), before, problem=problem)
    return _merged(transaction, change, found)


def _merged(transaction: Transaction, change: Change, found: Entry) -> Resolved:
    now, wanted = entries.state(found), change.state
    base = entries.version(transaction, change.entry_id, change.base)
    if base is None:
        return Resolved(
            change, now, problem=Conflict("The version it started from is not there any more.", current_version=found.info.version)
        )
    merge = merging.merge(base.state.content, wanted.content, now.content)
    after = replace(
        now,
        name=_kept(base.state.name, wanted.name, now.name),
        description=_kept(base.state.description, wanted.description, now.description),
        kind=_kept(base.state.kind, wanted.kind, now.kind),
        evidence=now.evidence if wanted.evidence == base.state.evidence else wanted.evidence,
        content=merge.text if merge.clean else wanted.content,
    )
    rebased = replace(change, base=found.info.version, state=after)
    if merge.clean:
        return Resolved(rebased, now, merged=True)
    problem = Conflict(
        "The entry was changed since, in the same lines. Merge the two texts and approve with the result.",
        current_version=found.info.version,
        current=found.content,
    )
    return Resolved(rebased, now, problem=problem)


def _kept(base: str, wanted: str, now: str) -> str:
    """What stands of a short field: the person's value where they changed it meanwhile, else the proposed one."""
    return wanted if now == base else now


def problems(resolved: Sequence[Resolved]) -> MemoryPaneError | None:
    """Return the first reason why a proposal cannot be applied as it is."""
    return next((one.problem for one in resolved if one.problem is not None), None)
