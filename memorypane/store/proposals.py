"""Writes that wait for a person."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, literal_column, select

from memorypane.model.values import Action, Change, Finding, Proposal, Provenance, Status
from memorypane.store import tables
from memorypane.store.rows import as_json, from_json, row_key, state_from_json, state_to_json
from memorypane.store.transaction import Transaction

__all__ = ["add", "find", "identical", "pending", "tell", "untold"]

_proposal = tables.proposal.c
_change = tables.proposal_change.c
_COLUMNS = (
    _proposal.seq,
    _proposal.id,
    _proposal.agent,
    _proposal.actor,
    _proposal.verified,
    _proposal.tool,
    _proposal.arguments,
    _proposal.source,
    _proposal.detail,
    _proposal.reasons,
    _proposal.findings,
    _proposal.state,
    _proposal.channel,
    _proposal.connection,
    _proposal.created_at,
    _proposal.decided_at,
    _proposal.decided_reason,
)


def _digest(tool: str, arguments: Mapping[str, Any], changes: Sequence[Change]) -> str:
    """What makes two calls of one agent the same: the call as made and what it would do; ids made up for new entries do not count.

    Hiding an entry is another call once the entry has moved: there is nothing to merge, so the older one can only be looked at again.
    """
    made = "\n".join(
        [
            as_json([tool, dict(arguments)]),
            *(
                as_json(
                    [
                        change.entry_id if change.base else "",
                        0 if change.state.status is Status.ACTIVE else change.base,
                        change.action,
                        state_to_json(change.state),
                    ]
                )
                for change in changes
            ),
        ]
    )
    for number, change in enumerate(changes):
        if not change.base and change.entry_id:
            made = made.replace(change.entry_id, f"new {number}")
    return hashlib.sha256(made.encode()).hexdigest()


def _values(transaction: Transaction, rows: Sequence[Sequence[Any]]) -> tuple[Proposal, ...]:
    if not rows:
        return ()
    changes: dict[int, list[Change]] = {row[0]: [] for row in rows}
    query = (
        select(_change.proposal_seq, _change.entry_id, _change.base, _change.action, _change.state)
        .where(_change.proposal_seq.in_(list(changes)))
        .order_by(_change.proposal_seq, _change.ordinal)
    )
    for seq, entry_id, base, action, state in transaction.connection.execute(query):
        changes[seq].append(Change(entry_id, base, Action(action), state_from_json(state)))
    return tuple(
        Proposal(
            id=found_id,
            agent=agent,
            actor=actor,
            verified=bool(verified),
            tool=tool,
            arguments=from_json(arguments),
            provenance=Provenance(source, from_json(detail)),
            changes=tuple(changes[seq]),
            reasons=tuple(from_json(reasons)),
            findings=tuple(Finding(**item) for item in from_json(findings)),
            state=state,
            channel=channel,
            connection=connection,
            created_at=created_at,
            decided_at=decided_at,
            decided_reason=decided_reason,
        )
        for (
            seq,
            found_id,
            agent,
            actor,
            verified,
            tool,
            arguments,
            source,
            detail,
            reasons,
            findings,
            state,
            channel,
            connection,
            created_at,
            decided_at,
            decided_reason,
        ) in rows
    )


def find(transaction: Transaction, proposal_id: str) -> Proposal | None:
    """Return a proposal in whatever state."""
    rows = transaction.connection.execute(select(*_COLUMNS).where(_proposal.id == proposal_id)).all()
    return _values(transaction, rows)[0] if rows else None


def pending(transaction: Transaction) -> tuple[Proposal, ...]:
    """Return what waits, oldest first."""
    return _values(
        transaction, transaction.connection.execute(select(*_COLUMNS).where(_proposal.state == "pending").order_by(_proposal.seq)).all()
    )


def identical(transaction: Transaction, agent: str, tool: str, arguments: Mapping[str, Any], changes: Sequence[Change]) -> Proposal | None:
    """Return the proposal of this agent that waits already and would do the very same."""
    same = (_proposal.state == "pending", _proposal.agent == agent, _proposal.digest == _digest(tool, arguments, changes))
    rows = transaction.connection.execute(select(*_COLUMNS).where(*same)).all()
    return _values(transaction, rows)[0] if rows else None


def add(transaction: Transaction, made: Proposal, *, whole_text: bool) -> Proposal:
    """Keep a proposal of which no identical one waits.

    A `whole_text` change of one existing entry (alone, or with a new one that supersedes it) replaces the same agent's older whole-text
    proposal for it; the newer one has a new id.
    """
    existing = [change.entry_id for change in made.changes if change.base]
    if whole_text and len(existing) == 1:
        _replace_older(transaction, made.agent, existing[0])
    result = transaction.connection.execute(
        tables.proposal.insert(),
        {
            "id": made.id or str(uuid.uuid4()),
            "digest": _digest(made.tool, made.arguments, made.changes),
            "agent": made.agent,
            "actor": made.actor,
            "verified": int(made.verified),
            "tool": made.tool,
            "arguments": as_json(dict(made.arguments)),
            "source": made.provenance.source,
            "detail": as_json(dict(made.provenance.detail)),
            "reasons": as_json(list(made.reasons)),
            "findings": as_json([{**finding.as_dict(), "text": finding.text} for finding in made.findings]),
            "whole_text": int(whole_text),
            "state": "pending",
            "channel": made.channel,
            "connection": made.connection,
            "created_at": transaction.now,
            "decided_at": 0,
            "decided_reason": "",
            "decided_via": "",
            "told": 0,
        },
    )
    seq = row_key(result)
    rows_of_changes = [
        {
            "proposal_seq": seq,
            "ordinal": at,
            "entry_id": change.entry_id,
            "base": change.base,
            "action": change.action,
            "state": state_to_json(change.state),
        }
        for at, change in enumerate(made.changes)
    ]
    transaction.connection.execute(tables.proposal_change.insert(), rows_of_changes)
    transaction.touched.review = True
    transaction.touched.entries |= {change.entry_id for change in made.changes if change.entry_id}
    return _values(transaction, transaction.connection.execute(select(*_COLUMNS).where(_proposal.seq == seq)).all())[0]


def _replace_older(transaction: Transaction, agent: str, entry_id: str) -> None:
    older = (
        select(_proposal.seq)
        .join(tables.proposal_change, _change.proposal_seq == _proposal.seq)
        .where(_proposal.state == "pending", _proposal.agent == agent, _proposal.whole_text == 1, _change.entry_id == entry_id)
    )
    for (seq,) in transaction.connection.execute(older).all():
        transaction.connection.execute(
            tables.proposal.update().where(_proposal.seq == seq).values(state="replaced", decided_at=transaction.now)
        )


def untold(transaction: Transaction, agent: str, most: int) -> tuple[Proposal, ...]:
    """Return the agent's proposals that a person decided and it was not told of, the earliest decision first, `most` at most."""
    # The condition of the index stands in the statement itself, or SQLite would not use it.
    ended: ColumnElement[bool] = literal_column("told = 0 AND state IN ('approved', 'rejected')")
    untold_of = (_proposal.agent == agent, ended)
    query = select(*_COLUMNS).where(*untold_of).order_by(_proposal.decided_at, _proposal.seq).limit(most)
    return _values(transaction, transaction.connection.execute(query).all())


def tell(transaction: Transaction, proposal_ids: Sequence[str]) -> None:
    """Note that the agent was told how these ended; one that waits again meanwhile is told of anew when it is decided."""
    ended = (_proposal.id.in_(list(proposal_ids)), _proposal.state != "pending")
    transaction.connection.execute(tables.proposal.update().where(*ended).values(told=1))
