"""The person's decisions: what happened to proposals and entries, with what it takes to undo it, and the texts that were turned down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, select

from memorypane.model.values import Change
from memorypane.store import tables
from memorypane.store.rows import as_json, from_json, row_key, state_to_json
from memorypane.store.transaction import Transaction

__all__ = [
    "Decision",
    "decide_proposal",
    "lift",
    "lift_from",
    "newest",
    "record",
    "remember_rejected",
    "reopen_proposal",
    "set_reviewed",
    "undone",
]

_decision = tables.decision.c
_proposal = tables.proposal.c
_change = tables.proposal_change.c
_rejected = tables.rejected_text.c
_REBASE = (
    tables.proposal_change.update()
    .where(_change.proposal_seq == bindparam("at_seq"), _change.ordinal == bindparam("at_ordinal"))
    .values(base=bindparam("new_base"), state=bindparam("new_state"))
)


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision as it was kept; `detail` holds the heads before and after."""

    seq: int
    at: int
    kind: str
    proposal_id: str
    entry_id: str
    call_id: str
    detail: Mapping[str, Any]


def record(
    transaction: Transaction,
    kind: str,
    *,
    via: str,
    detail: Mapping[str, Any],
    proposal_id: str = "",
    entry_id: str = "",
    call_id: str = "",
) -> int:
    """Keep a decision (`approve`, `reject`, `keep`, `revert`) and return its number."""
    values = {
        "at": transaction.now,
        "kind": kind,
        "proposal_id": proposal_id,
        "entry_id": entry_id,
        "call_id": call_id,
        "detail": as_json(dict(detail)),
        "via": via,
        "undone": 0,
    }
    return row_key(transaction.connection.execute(tables.decision.insert(), values))


def newest(transaction: Transaction) -> Decision | None:
    """Return the newest decision that was not undone."""
    columns = (_decision.seq, _decision.at, _decision.kind, _decision.proposal_id, _decision.entry_id, _decision.call_id, _decision.detail)
    row = transaction.connection.execute(select(*columns).where(_decision.undone == 0).order_by(_decision.seq.desc()).limit(1)).first()
    if row is None:
        return None
    seq, at, kind, proposal_id, entry_id, call_id, detail = row
    return Decision(seq, at, kind, proposal_id, entry_id, call_id, from_json(detail))


def undone(transaction: Transaction, seq: int) -> None:
    """Note that a decision was undone."""
    transaction.connection.execute(tables.decision.update().where(_decision.seq == seq).values(undone=1))


def decide_proposal(transaction: Transaction, proposal_id: str, state: str, *, reason: str, via: str) -> None:
    """Give a proposal its end: `approved` or `rejected`."""
    values = {"state": state, "decided_at": transaction.now, "decided_reason": reason, "decided_via": via}
    transaction.connection.execute(tables.proposal.update().where(_proposal.id == proposal_id).values(values))
    transaction.touched.review = True


def reopen_proposal(transaction: Transaction, proposal_id: str, changes: Sequence[Change]) -> None:
    """Let a decided proposal wait again, its changes resting on the heads that stand now; it replaces the same call made again."""
    run = transaction.connection.execute
    seq, agent, digest = run(select(_proposal.seq, _proposal.agent, _proposal.digest).where(_proposal.id == proposal_id)).one()
    again = (_proposal.agent == agent, _proposal.digest == digest, _proposal.state == "pending")
    run(tables.proposal.update().where(*again).values(state="replaced", decided_at=transaction.now))
    values = {"state": "pending", "decided_at": 0, "decided_reason": "", "decided_via": "", "told": 0}
    run(tables.proposal.update().where(_proposal.seq == seq).values(values))
    rows = [
        {"at_seq": seq, "at_ordinal": at, "new_base": change.base, "new_state": state_to_json(change.state)}
        for at, change in enumerate(changes)
    ]
    run(_REBASE, rows)
    transaction.touched.review = True


def remember_rejected(transaction: Transaction, digest: str, *, agent: str, shelf: str, origin: str) -> None:
    """Remember that the person turned a text of an agent down; `origin` is the proposal or entry it came from."""
    transaction.connection.execute(tables.rejected_text.delete().where(_rejected.digest == digest, _rejected.agent == agent))
    values = {"digest": digest, "agent": agent, "shelf": shelf, "origin": origin, "created_at": transaction.now}
    transaction.connection.execute(tables.rejected_text.insert(), values)


def lift_from(transaction: Transaction, origin: str) -> int:
    """Forget what was remembered of a proposal or entry; returns how many marks there were."""
    return transaction.connection.execute(tables.rejected_text.delete().where(_rejected.origin == origin)).rowcount


def lift(transaction: Transaction, digests: Sequence[str]) -> int:
    """Forget texts by their digests; returns how many marks there were."""
    if not digests:
        return 0
    return transaction.connection.execute(tables.rejected_text.delete().where(_rejected.digest.in_(list(digests)))).rowcount


def set_reviewed(transaction: Transaction, entry_id: str, reviewed: int) -> None:
    """Put `reviewed` of an entry to a number it had before."""
    entry = tables.entry.c
    row = transaction.connection.execute(select(entry.seq, entry.deciding, entry.deciding_actor).where(entry.id == entry_id)).one()
    seq, deciding, actor = row
    values = {"reviewed": reviewed, "unreviewed": int(actor.startswith("agent:") and deciding > reviewed)}
    transaction.connection.execute(tables.entry.update().where(entry.seq == seq).values(values))
    transaction.touched.entries.add(entry_id)
    transaction.touched.review = True
