"""The audit trail: content-free rows, each bound to the one before by a hash over its own columns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select

from memorypane.model.values import Event
from memorypane.store import tables
from memorypane.store.prepared import Prepared
from memorypane.store.rows import as_json, from_json
from memorypane.store.transaction import Transaction

__all__ = ["Told", "Trace", "latest", "newest_seq", "record", "since", "verify"]

_event = tables.event.c
_NEW = Prepared(tables.event.insert(), [column.name for column in tables.event.columns if column.name != "seq"])
_LAST = Prepared(select(_event.hash).order_by(_event.seq.desc()).limit(1))
COLUMNS = ("at", "actor", "action", "entry_id", "version", "tool", "outcome", "detail", "count", "via", "channel", "connection")


@dataclass(frozen=True, slots=True)
class Trace:
    """Who did something and by which way, as the server knows it."""

    actor: str
    tool: str = ""
    via: str = ""
    channel: str = ""
    connection: str = ""


class Told(NamedTuple):
    """What the change feed reads of a row."""

    seq: int
    hash: str
    action: str
    entry_id: str


def _chain(previous: str, row: Mapping[str, Any]) -> str:
    return hashlib.sha256(as_json([previous, *(row[name] for name in COLUMNS)]).encode()).hexdigest()


def record(
    transaction: Transaction,
    trace: Trace,
    action: str,
    *,
    entry_id: str = "",
    version: int = 0,
    outcome: str = "done",
    detail: Mapping[str, Any] | None = None,
    count: int = 1,
) -> None:
    """Append one row; `outcome` is `done`, `held`, or the code of a refusal."""
    previous = _LAST.value(transaction, {}) or ""
    row = {
        "at": transaction.now,
        "actor": trace.actor,
        "action": action,
        "entry_id": entry_id,
        "version": version,
        "tool": trace.tool,
        "outcome": outcome,
        "detail": as_json(detail or {}),
        "count": count,
        "via": trace.via,
        "channel": trace.channel,
        "connection": trace.connection,
    }
    digest = _chain(previous, row)
    _NEW.run(transaction, {**row, "hash": digest})
    transaction.touched.events.add(digest)


def latest(transaction: Transaction, limit: int) -> tuple[Event, ...]:
    """Return the newest rows, newest first."""
    query = (
        select(
            _event.seq,
            _event.at,
            _event.actor,
            _event.action,
            _event.entry_id,
            _event.tool,
            _event.outcome,
            _event.detail,
            _event.count,
            _event.hash,
        )
        .order_by(_event.seq.desc())
        .limit(limit)
    )
    return tuple(
        Event(seq, at, actor, action, entry_id, tool, outcome, from_json(detail), count, digest)
        for seq, at, actor, action, entry_id, tool, outcome, detail, count, digest in transaction.connection.execute(query)
    )


def newest_seq(transaction: Transaction) -> int:
    """Return the number of the newest row, 0 if there is none."""
    return transaction.connection.execute(select(_event.seq).order_by(_event.seq.desc()).limit(1)).scalar() or 0


def since(transaction: Transaction, seq: int) -> list[Told]:
    """Return every row after `seq`, in order."""
    query = select(_event.seq, _event.hash, _event.action, _event.entry_id).where(_event.seq > seq).order_by(_event.seq)
    return [Told(*row) for row in transaction.connection.execute(query)]


def verify(transaction: Transaction) -> int:
    """Return the number of the first row that does not fit the chain, 0 if all do."""
    previous = ""
    query = select(_event.seq, _event.hash, *(_event[name] for name in COLUMNS)).order_by(_event.seq)
    for seq, digest, *values in transaction.connection.execute(query):
        if digest != _chain(previous, dict(zip(COLUMNS, values, strict=True))):
            return int(seq)
        previous = digest
    return 0
