"""The person's decisions on what agents wrote, and their undoing; each is one transaction, bound to what was seen."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorypane.model import text
from memorypane.model.errors import Conflict, InvalidInput, NotAllowed, NotFound
from memorypane.model.review import seen_mark
from memorypane.model.values import HUMAN, Action, Change, EntryInfo, Proposal, State, Status, agent_of
from memorypane.service import limits, resolving, reviewing
from memorypane.service.author import COMMAND, Author
from memorypane.service.erasure import erase
from memorypane.service.policy import rejected_digest
from memorypane.service.validate import clean_state
from memorypane.store import decisions, entries, events, policy, proposals, search, writing
from memorypane.store.transaction import Transaction

__all__ = ["Decided", "Undone", "approve", "check_may_decide", "keep", "lift", "pending", "reject", "revert_unreviewed", "undo"]


@dataclass(frozen=True, slots=True)
class Decided:
    """The entries as they stand after a decision, one a change."""

    entries: tuple[EntryInfo, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """Which kind of decision was taken back, on which item (a proposal's or an entry's id), and the entry, where one changed."""

    kind: str
    id: str
    entry: EntryInfo | None


def check_may_decide(transaction: Transaction, author: Author) -> None:
    """Raise `NotAllowed` when the person wants decisions to be made in the window only, and this is a command."""
    if author.via == COMMAND and limits.Settings(policy.settings(transaction))[limits.WINDOW_ONLY]:
        raise NotAllowed("The person decides only in the window; nothing was done. The setting is in the window's settings.")


def noted(author: Author, **detail: Any) -> dict[str, Any]:
    """What the audit trail keeps of a decision: what was decided on, and the programs a command came from."""
    return {**detail, "ancestors": list(author.ancestors)} if author.via == COMMAND else detail


def pending(transaction: Transaction, proposal_id: str) -> Proposal:
    """Return a proposal that waits; `NotFound` for an unknown id, `Conflict` for one that was decided."""
    found = proposals.find(transaction, proposal_id)
    if found is None:
        raise NotFound(f"There is no proposal {text.short(proposal_id)!r}. `memorypane review list` shows what waits.")
    if found.state != "pending":
        raise Conflict(f"This proposal is {found.state} already; nothing was done.", state=found.state)
    return found


def _check_seen(seen: str, states: Sequence[tuple[str, State]]) -> None:
    if seen and seen != seen_mark(states):
        raise Conflict("Something else stands now than what you were shown. Nothing was decided; look at it again.")


def approve(transaction: Transaction, author: Author, proposal_id: str, *, edited: str | None, seen: str) -> Decided:
    """Apply a proposal: all its changes or none; with an `edited` text the first change's version is the person's."""
    check_may_decide(transaction, author)
    proposal = pending(transaction, proposal_id)
    resolved = resolving.resolve(transaction, proposal)
    _check_seen(seen, [(one.change.entry_id, one.change.state) for one in resolved])
    changes = [one.change for one in resolved]
    problem = resolving.problems(resolved)
    if edited is not None:
        if changes[0].action is Action.PURGE:
            raise InvalidInput("An erasure takes no text. Approve it without one, or reject it.")
        changes[0] = replace(changes[0], state=replace(changes[0].state, content=edited))
        # A text that the person made of both resolves a conflict of texts, not an entry that is gone.
        problem = None if isinstance(problem, Conflict) and len(changes) == 1 and changes[0].state.status is Status.ACTIVE else problem
    if problem is not None:
        raise problem
    befores = [entries.info(transaction, change.entry_id) for change in changes]
    written = _write_proposal(transaction, author, proposal, changes, edited=edited is not None)
    decisions.decide_proposal(transaction, proposal_id, "approved", reason="", via=author.via)
    if not any(one.status is Status.PURGED for one in written):
        # What was erased cannot be brought back, so there is nothing for an undo to find.
        detail = {"entries": [_head(before, after) for before, after in zip(befores, written, strict=True)]}
        decisions.record(transaction, "approve", via=author.via, proposal_id=proposal_id, entry_id=written[0].id, detail=detail)
    events.record(
        transaction,
        author.trace(author.via),
        "approve",
        entry_id=written[0].id,
        version=written[0].version,
        detail=noted(author, proposal_id=proposal_id),
    )
    return Decided(tuple(written))


def _write_proposal(
    transaction: Transaction, author: Author, proposal: Proposal, changes: Sequence[Change], *, edited: bool
) -> list[EntryInfo]:
    call_id, written = str(uuid.uuid4()), []
    for number, change in enumerate(changes):
        if change.action is Action.PURGE:
            written.append(erase(transaction, author, change.entry_id, proposal_id=proposal.id))
            continue
        by_person = edited and number == 0
        actor, via = (HUMAN, author.via) if by_person else (proposal.actor, author.via)
        stamp = writing.Stamp(
            trace=events.Trace(actor, proposal.tool, via, proposal.channel, proposal.connection),
            call_id=call_id,
            source=proposal.provenance.source,
            detail=proposal.provenance.detail,
            verified=proposal.verified,
            proposal_id=proposal.id,
            reviewed=True,
        )
        written.append(_write(transaction, change, stamp))
    return written


def _write(transaction: Transaction, change: Change, stamp: writing.Stamp) -> EntryInfo:
    state = clean_state(change.state)
    if state.status is Status.ACTIVE and not state.position:
        state = replace(state, position=entries.last_position(transaction, state.place, state.owner) + 1.0)
    folded = search.fold_entry(state.name, state.description, state.content)
    return writing.write(transaction, writing.Writing(change.entry_id, change.action, state, folded), stamp)


def _head(before: EntryInfo | None, after: EntryInfo) -> dict[str, Any]:
    """What undoing needs of one entry: the heads before and after, and how it stood with the person."""
    standing = writing.Standing.of(before) if before is not None else writing.Standing(HUMAN, kept=True, reviewed=0)
    return {
        "id": after.id,
        "before": before.version if before is not None else 0,
        "after": after.version,
        "actor": standing.actor,
        "kept": standing.kept,
        "reviewed": standing.reviewed,
    }


def reject(transaction: Transaction, author: Author, proposal_id: str, *, reason: str, seen: str) -> None:
    """Turn a proposal down and remember its texts, so that they do not come back unseen."""
    check_may_decide(transaction, author)
    proposal = pending(transaction, proposal_id)
    if seen:
        resolved = resolving.resolve(transaction, proposal)
        _check_seen(seen, [(one.change.entry_id, one.change.state) for one in resolved])
    decisions.decide_proposal(transaction, proposal_id, "rejected", reason=reason, via=author.via)
    for change in proposal.changes:
        standing = entries.entry(transaction, change.entry_id)
        _remember(transaction, change.state, proposal.agent, proposal_id, instead_of=entries.state(standing) if standing else None)
    entry_id = proposal.changes[0].entry_id
    decisions.record(transaction, "reject", via=author.via, proposal_id=proposal_id, entry_id=entry_id, detail={})
    events.record(transaction, author.trace(author.via), "reject", entry_id=entry_id, detail=noted(author, proposal_id=proposal_id))


def _remember(transaction: Transaction, state: State, agent: str, origin: str, *, instead_of: State | None) -> None:
    """Remember a text that was turned down, unless it is the very text that stands instead: then only a name or a place was."""
    if instead_of is not None and instead_of.content == state.content:
        return
    if state.status is Status.ACTIVE and state.content and agent:
        digest = rejected_digest(state.place.key, state.content)
        decisions.remember_rejected(transaction, digest, agent=agent, shelf=state.place.key, origin=origin)


def _unreviewed(transaction: Transaction, entry_id: str, seen: str) -> EntryInfo:
    found = entries.entry(transaction, entry_id)
    if found is None or found.info.status is Status.PURGED:
        raise NotFound(f"There is no entry {text.short(entry_id)!r} to decide on. `memorypane review list` shows what waits.")
    _check_seen(seen, [(entry_id, entries.state(found))])
    return found.info


def _older(transaction: Transaction, info: EntryInfo) -> EntryInfo | None:
    """Return the record that a correction superseded, while it still is so."""
    found = entries.entry(transaction, info.id)
    older = entries.info(transaction, found.supersedes) if found is not None and found.supersedes else None
    return older if older is not None and older.status is Status.SUPERSEDED and older.superseded_by == info.id else None


def keep(transaction: Transaction, author: Author, entry_id: str, *, seen: str) -> Decided:
    """Record that the person keeps an entry as it stands; a correction is kept with the record it superseded."""
    check_may_decide(transaction, author)
    info = _unreviewed(transaction, entry_id, seen)
    older = _older(transaction, info)
    kept = [info, *([older] if older is not None and older.unreviewed else [])]
    detail = {"entries": [{"id": one.id, "after": one.version, "reviewed": one.reviewed} for one in kept]}
    for one in kept:
        writing.keep(transaction, one.id, author.trace(author.via), noted(author))
    decisions.record(transaction, "keep", via=author.via, entry_id=entry_id, detail=detail)
    return Decided((_again(transaction, entry_id),))


def _again(transaction: Transaction, entry_id: str) -> EntryInfo:
    found = entries.info(transaction, entry_id)
    if found is None:
        raise LookupError(entry_id)
    return found


def revert_unreviewed(transaction: Transaction, author: Author, entry_id: str, *, reason: str, seen: str) -> Decided:
    """Bring back the last kept version, or remove what was never kept; a superseded record becomes active again.

    The text that goes is remembered as rejected.
    """
    check_may_decide(transaction, author)
    info = _unreviewed(transaction, entry_id, seen)
    if not info.unreviewed:
        raise Conflict("This entry was reviewed already; nothing was done. Use revert to go back to an older version.")
    older = _older(transaction, info)
    written, heads = [], []
    call_id = str(uuid.uuid4())
    detail = {"reason": reason} if reason else {}
    # The correction goes first: what it superseded can then take its place again.
    for one in [info, *([older] if older is not None else [])]:
        found = entries.entry(transaction, one.id)
        if found is None:
            raise LookupError(one.id)
        now = entries.state(found)
        after, action, reverted_to = _way_back(transaction, one, now)
        stamp = writing.Stamp(author.trace(author.via), call_id, "revert", {**reverted_to, **detail})
        kept = reviewing.last_kept(transaction, one)
        _remember(transaction, now, agent_of(one.deciding_actor), one.id, instead_of=kept)
        done = _write(transaction, Change(one.id, one.version, action, after), stamp)
        written.append(done)
        heads.append(_head(one, done))
    decisions.record(transaction, "revert", via=author.via, entry_id=entry_id, call_id=call_id, detail={"entries": heads})
    return Decided(tuple(written))


def _way_back(transaction: Transaction, info: EntryInfo, now: State) -> tuple[State, Action, dict[str, Any]]:
    kept = reviewing.last_kept(transaction, info)
    if info.status is Status.SUPERSEDED:
        return replace(now, status=Status.ACTIVE, superseded_by=""), Action.RESTORE, {}
    if kept is None:
        return replace(now, status=Status.REMOVED), Action.REMOVE, {}
    version = entries.version(transaction, info.id, info.reviewed)
    after = replace(kept, position=now.position, pinned=now.pinned)
    return after, Action.REVERT, {"reverted_to": version.id if version is not None else ""}


def lift(transaction: Transaction, author: Author, item_id: str) -> int:
    """Forget that the texts of a rejected proposal, or of an entry, were turned down; returns how many marks there were."""
    check_may_decide(transaction, author)
    count = decisions.lift_from(transaction, item_id)
    if not count:
        raise NotFound(f"No rejected text of {text.short(item_id)!r} is remembered.")
    events.record(transaction, author.trace(author.via), "lift", detail=noted(author, origin=item_id))
    return count


def undo(transaction: Transaction, author: Author) -> Undone:
    """Take the newest decision back; `Conflict` when an entry moved since, `NotFound` when nothing is left to undo."""
    check_may_decide(transaction, author)
    decision = decisions.newest(transaction)
    if decision is None:
        raise NotFound("There is no decision to undo.")
    heads: list[dict[str, Any]] = list(decision.detail.get("entries", ()))
    for head in heads:
        if _again(transaction, head["id"]).version != head["after"]:
            raise Conflict(
                "The entry was changed since this decision, so it cannot be taken back blindly. Compare the versions in its history.",
                entry_id=head["id"],
            )
    if decision.kind == "keep":
        for head in heads:
            decisions.set_reviewed(transaction, head["id"], head["reviewed"])
    elif decision.kind == "reject":
        decisions.lift_from(transaction, decision.proposal_id)
        _reopen(transaction, decision.proposal_id, {})
    else:
        for head in reversed(heads):
            _reverse(transaction, author, head)
        if decision.kind == "approve":
            _reopen(transaction, decision.proposal_id, {head["id"]: head["before"] for head in heads})
        else:
            for head in heads:
                decisions.lift_from(transaction, head["id"])
    decisions.undone(transaction, decision.seq)
    entry_id = decision.entry_id
    events.record(
        transaction,
        author.trace(author.via),
        "undo",
        entry_id=entry_id,
        detail=noted(author, kind=decision.kind, proposal_id=decision.proposal_id),
    )
    return Undone(decision.kind, decision.proposal_id or entry_id, entries.info(transaction, entry_id))


def _reverse(transaction: Transaction, author: Author, head: dict[str, Any]) -> None:
    """Write the version that brings an entry back to where it stood before a decision, and stands with the person as it did then."""
    found = entries.entry(transaction, head["id"])
    if found is None:
        raise LookupError(head["id"])
    now, standing = entries.state(found), writing.Standing(head["actor"], head["kept"], head["reviewed"])
    if not head["before"]:
        change = Change(found.id, found.info.version, Action.REMOVE, replace(now, status=Status.REMOVED))
        detail: dict[str, Any] = {}
    else:
        before = entries.version(transaction, found.id, head["before"])
        if before is None:
            raise LookupError(found.id)
        change = Change(found.id, found.info.version, Action.REVERT, replace(before.state, position=now.position))
        detail = {"reverted_to": before.id}
    _write(transaction, change, writing.Stamp(author.trace(author.via), str(uuid.uuid4()), "undo", detail, standing=standing))


def _reopen(transaction: Transaction, proposal_id: str, heads: Mapping[str, int]) -> None:
    """Let a proposal wait again, resting on the heads that its undoing left.

    One that was merged keeps the base it was made from (`heads` says what stood before the approval): it is stale again, as it was.
    """
    proposal = proposals.find(transaction, proposal_id)
    if proposal is None:
        raise LookupError(proposal_id)
    changes = []
    for change in proposal.changes:
        info = entries.info(transaction, change.entry_id)
        rests_on = info.version if info is not None and heads.get(change.entry_id) == change.base else change.base
        changes.append(replace(change, base=rests_on))
    decisions.reopen_proposal(transaction, proposal_id, changes)
