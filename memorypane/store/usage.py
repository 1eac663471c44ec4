"""Counts for the quotas, each bounded by the quota it is compared with."""

from __future__ import annotations

from sqlalchemy import ColumnElement, bindparam, func, literal_column, select

from memorypane.store import tables
from memorypane.store.prepared import Prepared
from memorypane.store.transaction import Transaction

__all__ = ["pending", "unreviewed", "writes_since"]

_version, _entry, _proposal = tables.version.c, tables.entry.c, tables.proposal.c
# Where a bound value says the condition of a partial index, SQLite plans the statement anew at every call.
_STATE: ColumnElement[str] = literal_column("'pending'")
_RECENT = (
    select(_version.created_at.label("at"))
    .where(_version.agent == bindparam("agent"), _version.agent != literal_column("''"), _version.created_at > bindparam("since"))
    .order_by(_version.created_at.desc())
    .limit(bindparam("most"))
    .subquery()
)
_WRITES = Prepared(select(func.count(), func.min(_RECENT.c.at)).select_from(_RECENT))
# An approved one counts by its versions; one that a newer one replaced was a write all the same.
_HELD = Prepared(
    select(func.count(), func.min(_proposal.created_at)).where(
        _proposal.agent == bindparam("agent"), _proposal.created_at > bindparam("since"), _proposal.state != literal_column("'approved'")
    )
)
_LOOKED_PAST = (
    select(_entry.seq)
    .where(_entry.unreviewed == literal_column("1"), _entry.deciding_actor == bindparam("actor"))
    .limit(bindparam("most"))
    .subquery()
)
_UNREVIEWED = Prepared(select(func.count()).select_from(_LOOKED_PAST))
_PENDING = Prepared(select(func.count()).where(_proposal.state == _STATE, _proposal.agent == bindparam("agent")))


def writes_since(transaction: Transaction, agent: str, since: int, most: int) -> tuple[int, int]:
    """Return how often an agent wrote after `since` (live, up to `most`, and held) and when the earliest of those was."""
    live, first_live = _WRITES.rows(transaction, {"agent": agent, "since": since, "most": most})[0]
    held, first_held = _HELD.rows(transaction, {"agent": agent, "since": since})[0]
    return live + held, min((at for at in (first_live, first_held) if at is not None), default=0)


def unreviewed(transaction: Transaction, actor: str, most: int) -> int:
    """Return how many unreviewed entries an actor was the last to decide on, counted up to `most`."""
    return int(_UNREVIEWED.value(transaction, {"actor": actor, "most": most}))


def pending(transaction: Transaction, agent: str) -> int:
    """Return how many proposals of an agent wait."""
    return int(_PENDING.value(transaction, {"agent": agent}))
