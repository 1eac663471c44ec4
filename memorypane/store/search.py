"""The full-text index: what only SQLite's FTS5 knows stays in here.

Rows hold what `model.fold` makes of name and text; queries are folded the same way, so no syntax of FTS5 ever comes from a person or an
agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, column, func, literal_column, select, table, text

from memorypane.model import fold
from memorypane.model.values import SearchHit, SearchPage
from memorypane.store import tables
from memorypane.store.prepared import Prepared
from memorypane.store.rows import INFO, entry_info
from memorypane.store.transaction import Transaction

__all__ = [
    "EXACT_TOTAL",
    "RANKED",
    "Folded",
    "erase",
    "find",
    "fold_entry",
    "is_stale",
    "put",
    "rebuild",
    "rebuild_if_needed",
    "rows_matching",
]

RANKED = 2_000
"""Up to so many matches are ranked by bm25; a word of very many rows is listed newest first instead."""
EXACT_TOTAL = 1_000
SNIPPET = 160

_index = table("search", column("rowid"), column("name"), column("body"))
_MATCHING = literal_column("search").op("MATCH")(bindparam("words"))
_JOINED = _index.join(tables.entry, tables.entry.c.seq == _index.c.rowid)
# The sign keeps SQLite from walking through all live entries and asking the index about each.
_LIVE = literal_column("+entry.status") == literal_column("'active'")
_BEST: tuple[ColumnElement[Any], ...] = (literal_column("bm25(search, 4.0, 1.0)"), _index.c.rowid)
_NEWEST: tuple[ColumnElement[Any], ...] = (_index.c.rowid.desc(),)
_MATCHES = select(func.count()).select_from(select(_index.c.rowid).where(_MATCHING).limit(RANKED + 1).subquery())
# Texts are read for the hits alone: an order that carried them along would copy those of every match.
_HITS = select(*INFO, tables.entry.c.content).where(tables.entry.c.seq.in_(bindparam("keys", expanding=True)))
_insert = Prepared(text("INSERT INTO search (rowid, name, body) VALUES (:seq, :name, :body)"))
_update = Prepared(text("UPDATE search SET name = :name, body = :body WHERE rowid = :seq"))
_delete = text("DELETE FROM search WHERE rowid = :seq")


@dataclass(frozen=True, slots=True)
class Folded:
    """Name and text as the index holds them; made outside the transaction because long texts take a while."""

    name: str
    body: str


def fold_entry(name: str, description: str, content: str) -> Folded:
    """Fold what the index holds of an entry."""
    return Folded(fold.fold(name), fold.fold(f"{description}\n{content}" if description else content))


def put(transaction: Transaction, seq: int, folded: Folded, *, new: bool) -> None:
    """Write the index row of an entry."""
    values = {"seq": seq, "name": folded.name, "body": folded.body}
    (_insert if new else _update).run(transaction, values)


def erase(transaction: Transaction, seq: int) -> None:
    """Take an entry out of the index."""
    transaction.connection.execute(_delete, {"seq": seq})


def rows_matching(words: str) -> Select[Any]:
    """A subquery of the row keys that match a folded query."""
    return select(_index.c.rowid).where(literal_column("search").op("MATCH")(bindparam(None, words)))


def find(transaction: Transaction, query: str, visible: Sequence[ColumnElement[bool]], limit: int) -> SearchPage:
    """Return the best live entries for a person's or agent's words among the `visible` ones.

    `total` is exact up to 1,000 and capped beyond.
    """
    words = fold.fts_query(query)
    if not words:
        return SearchPage((), 0, capped=False)
    run = transaction.connection.execute
    live = select(_index.c.rowid).select_from(_JOINED).where(_MATCHING, _LIVE, *visible)
    total = run(_counted(live, EXACT_TOTAL), {"words": words}).scalar() or 0
    many = total > EXACT_TOTAL and (run(_MATCHES, {"words": words}).scalar() or 0) > RANKED
    best = live.order_by(*(_NEWEST if many else _BEST)).limit(limit)
    keys = list(run(best, {"words": words}).scalars())
    rows = {row[0]: row for row in run(_HITS, {"keys": keys})}
    hits = []
    for row in (rows[key] for key in keys if key in rows):
        found = entry_info(row)
        snippet, matches = fold.snippet(_shown(found.description, row[-1]), query, width=SNIPPET)
        hits.append(SearchHit(found, snippet, tuple(matches)))
    return SearchPage(tuple(hits), min(total, EXACT_TOTAL), capped=total > EXACT_TOTAL)


def _counted(matching: Select[Any], most: int) -> Select[Any]:
    return select(func.count()).select_from(matching.limit(most + 1).subquery())


def _shown(description: str, content: str) -> str:
    return f"{description}\n{content}" if description else content


def is_stale(transaction: Transaction) -> bool:
    """Whether the folding or Python's Unicode tables changed since the index was made."""
    return transaction.connection.execute(select(tables.meta.c.value).where(tables.meta.c.key == "fold")).scalar() != fold.fold_stamp()


def rebuild_if_needed(transaction: Transaction) -> bool:
    """Fold everything again where the index is stale; returns whether it was."""
    if not is_stale(transaction):
        return False
    rebuild(transaction)
    transaction.connection.execute(tables.meta.update().where(tables.meta.c.key == "fold").values(value=fold.fold_stamp()))
    return True


def rebuild(transaction: Transaction) -> None:
    """Make the index anew from the entries."""
    run = transaction.connection.execute
    entry = tables.entry.c
    run(text("DELETE FROM search"))
    rows = run(select(entry.seq, entry.name, entry.description, entry.content).where(entry.status != "purged"))
    for seq, name, description, content in rows.all():
        put(transaction, seq, fold_entry(name, description, content), new=True)
