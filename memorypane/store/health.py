"""Checks of a store that only SQL can make; each returns what is wrong in words, "" if nothing is."""

from __future__ import annotations

from sqlalchemy import text

from memorypane.store import events
from memorypane.store.search import rebuild
from memorypane.store.transaction import Transaction

__all__ = ["CHECKS", "repair_index"]

_GAPS = text(
    "SELECT e.id FROM entry e LEFT JOIN (SELECT entry_id, count(*) AS n, max(number) AS top, min(number) AS low FROM version"
    " WHERE number IS NOT NULL GROUP BY entry_id) v ON v.entry_id = e.id WHERE v.n IS NULL OR v.n <> e.head OR v.top <> e.head OR v.low "
    "<> 1 LIMIT 3"
)
_HEADS = text(
    "SELECT e.id FROM entry e LEFT JOIN version v ON v.id = e.head_id WHERE v.id IS NULL OR v.number <> e.head OR v.content <> e.content "
    "LIMIT 3"
)
_ORPHANS = text("SELECT v.entry_id FROM version v LEFT JOIN entry e ON e.id = v.entry_id WHERE e.id IS NULL LIMIT 3")
_UNINDEXED = text(
    "SELECT e.id FROM entry e WHERE e.status <> 'purged' AND NOT EXISTS (SELECT 1 FROM search s WHERE s.rowid = e.seq)"
    " UNION ALL SELECT 'row ' || s.rowid FROM search s WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.seq = s.rowid) LIMIT 3"
)


def _integrity(transaction: Transaction) -> str:
    problems = list(transaction.connection.execute(text("PRAGMA integrity_check(5)")).scalars())
    return "" if problems == ["ok"] else "; ".join(problems)


def _references(transaction: Transaction) -> str:
    rows = transaction.connection.execute(text("PRAGMA foreign_key_check")).all()
    return f"{len(rows)} rows point to rows that are not there" if rows else ""


def _versions(transaction: Transaction) -> str:
    run = transaction.connection.execute
    gaps, heads, orphans = (list(run(query).scalars()) for query in (_GAPS, _HEADS, _ORPHANS))
    said = [
        f"versions of {', '.join(gaps)} are not numbered 1 to the head" if gaps else "",
        f"the heads of {', '.join(heads)} differ from their last version" if heads else "",
        f"versions of {', '.join(orphans)} have no entry" if orphans else "",
    ]
    return "; ".join(part for part in said if part)


def _index(transaction: Transaction) -> str:
    missing = list(transaction.connection.execute(_UNINDEXED).scalars())
    return f"the search index does not fit the entries ({', '.join(missing)}); repair rebuilds it" if missing else ""


def _chain(transaction: Transaction) -> str:
    broken = events.verify(transaction)
    return f"the audit trail was changed at row {broken}" if broken else ""


CHECKS = (
    ("integrity", _integrity),
    ("references", _references),
    ("versions", _versions),
    ("search index", _index),
    ("audit trail", _chain),
)
"""Name and check, in the order in which they are worth reading."""


def repair_index(transaction: Transaction) -> None:
    """Make the search index anew; it holds nothing that the entries do not."""
    rebuild(transaction)
