"""How much one agent may write: a runaway loop must not bury the person's review."""

from __future__ import annotations

from memorypane.model.errors import OverLimit
from memorypane.model.values import agent_actor
from memorypane.service.limits import PENDING_PROPOSALS, UNREVIEWED_ENTRIES, WRITES_PER_MINUTE, Settings
from memorypane.store import usage
from memorypane.store.transaction import Transaction

__all__ = ["check_pending", "check_writes"]

MINUTE_MS = 60_000


def check_writes(transaction: Transaction, agent: str, settings: Settings) -> None:
    """Raise `OverLimit` when the agent wrote too often in the last minute, or has too much that nobody has looked at."""
    most = settings[WRITES_PER_MINUTE]
    if most:
        times, first = usage.writes_since(transaction, agent, transaction.now - MINUTE_MS, most)
        if times >= most:
            wait = max(1, -(-(first + MINUTE_MS - transaction.now) // 1000))
            raise OverLimit(
                f"{agent} has written {most:,} times in the last minute, which is the most allowed. Wait {wait} s, and write less often.",
                retry_after_s=wait,
                quota=WRITES_PER_MINUTE,
                limit=most,
            )
    most = settings[UNREVIEWED_ENTRIES]
    if most and usage.unreviewed(transaction, agent_actor(agent), most) >= most:
        raise OverLimit(
            f"{agent} has {most:,} entries that no person has looked at yet, which is the most allowed. Nothing more is taken until some "
            "are reviewed.",
            retry_after_s=3600,
            quota=UNREVIEWED_ENTRIES,
            limit=most,
        )


def check_pending(transaction: Transaction, agent: str, settings: Settings) -> None:
    """Raise `OverLimit` when too many proposals of the agent wait already."""
    most = settings[PENDING_PROPOSALS]
    if most and usage.pending(transaction, agent) >= most:
        raise OverLimit(
            f"{agent} has {most:,} writes that wait for a person, which is the most allowed. Nothing more is taken until some are decided.",
            retry_after_s=3600,
            quota=PENDING_PROPOSALS,
            limit=most,
        )
