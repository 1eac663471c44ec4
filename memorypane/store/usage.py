"""Counts for the quotas, each bounded by the quota it is compared with."""

from __future__ import annotations

from sqlalchemy import func, select

from memorypane.store import tables
from memorypane.store.transaction import Transaction

__all__ = ["pending", "unreviewed", "writes_since"]

_version, _entry, _proposal = tables.version.c, tables.entry.c, tables.proposal.c


def writes_since(transaction: Transaction, agent: str, since: int, most: int) -> list[int]:
    """Return the newest times at which an agent wrote after `since` (live or held), `most` at the most."""
    live = (
        select(_version.created_at)
        .where(_version.agent == agent, _version.agent != "", _version.created_at > since)
        .order_by(_version.created_at.desc())
    )
    times = list(transaction.connection.execute(live.limit(most)).scalars())
    if len(times) < most:
        held = select(_proposal.created_at).where(_proposal.state == "pending", _proposal.agent == agent, _proposal.created_at > since)
        times += transaction.connection.execute(held.limit(most - len(times))).scalars()
    return times


def unreviewed(transaction: Transaction, actor: str, most: int) -> int:
    """Return how many unreviewed entries an actor was the last to decide on, counted up to `most`."""
    rows = select(_entry.seq).where(_entry.unreviewed == 1, _entry.deciding_actor == actor).limit(most).subquery()
    return transaction.connection.execute(select(func.count()).select_from(rows)).scalar() or 0


def pending(transaction: Transaction, agent: str, most: int) -> int:
    """Return how many proposals of an agent wait, counted up to `most`."""
    rows = select(_proposal.seq).where(_proposal.state == "pending", _proposal.agent == agent).limit(most).subquery()
    return transaction.connection.execute(select(func.count()).select_from(rows)).scalar() or 0
