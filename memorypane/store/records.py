"""What the records of a workspace need beyond what all entries have: same contents, lists in pages, links, first writers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, bindparam, case, false, func, literal_column, or_, select

from memorypane.model import fold
from memorypane.model.shelves import RECORDS
from memorypane.model.text import content_hash
from memorypane.model.values import Action, EntryInfo, Proposal, Status
from memorypane.store import proposals, search, tables
from memorypane.store.rows import INFO, entry_info
from memorypane.store.transaction import Transaction

__all__ = ["Filter", "Place", "first_actors", "page", "ranked", "same_content", "visible", "waiting_purge"]

_entry, _version = tables.entry.c, tables.version.c
_proposal, _change = tables.proposal.c, tables.proposal_change.c
# Said in the statement itself, so that SQLite uses the index that holds this shelf alone.
_IS_RECORD = and_(_entry.tier == literal_column(f"'{RECORDS.tier}'"), _entry.shelf == literal_column(f"'{RECORDS.name}'"))
_SAME_CONTENT = (
    select(*INFO)
    .where(
        _IS_RECORD,
        _entry.owner == bindparam("owner"),
        _entry.content_hash == bindparam("digest"),
        _entry.status.in_([Status.ACTIVE, Status.SUPPRESSED]),
        or_(_entry.client == "", _entry.client == bindparam("agent")),
    )
    .order_by(_entry.updated_at.desc(), _entry.seq.desc())
)
_WAITING_PURGE = (
    select(_proposal.id)
    .join(tables.proposal_change, _change.proposal_seq == _proposal.seq)
    .where(
        _change.entry_id == bindparam("entry_id"),
        _change.action == Action.PURGE,
        _proposal.state == "pending",
        _proposal.agent == bindparam("agent"),
    )
    .order_by(_proposal.seq.desc())
)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records of a workspace an agent asks for; "" = not narrowed, `scope` is `shared` or `client`."""

    workspace: str
    agent: str
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    kind: str = ""
    scope: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended: the last record's pin and row key."""

    pinned: bool
    seq: int


def same_content(transaction: Transaction, workspace: str, agent: str, content: str) -> list[EntryInfo]:
    """Return the active and suppressed records with exactly this content that an agent may know of, the last changed first."""
    values = {"owner": workspace, "agent": agent, "digest": content_hash(content)}
    return [entry_info(row) for row in transaction.connection.execute(_SAME_CONTENT, values)]


def _conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = [
        _IS_RECORD,
        _entry.owner == wanted.workspace,
        _entry.status.in_(wanted.statuses),
        or_(_entry.client == "", _entry.client == wanted.agent),
    ]
    if wanted.kind:
        where.append(_entry.kind == wanted.kind)
    if wanted.scope:
        where.append(_entry.client == ("" if wanted.scope == "shared" else wanted.agent))
    if words := fold.fts_query(wanted.query):
        where.append(_entry.seq.in_(search.rows_matching(words)))
    elif wanted.query.strip():
        where.append(false())
    return where


def page(transaction: Transaction, wanted: Filter, after: Place | None, limit: int) -> tuple[list[int], int]:
    """Return the row keys of a page, pinned first, then the newest, and how many records the filter fits in all."""
    where = _conditions(wanted)
    total = transaction.connection.execute(select(func.count()).select_from(tables.entry).where(*where)).scalar() or 0
    if after is not None:
        pinned = int(after.pinned)
        where.append(or_(_entry.pinned < pinned, and_(_entry.pinned == pinned, _entry.seq < after.seq)))
    query = select(_entry.seq).where(*where).order_by(_entry.pinned.desc(), _entry.seq.desc()).limit(limit)
    return list(transaction.connection.execute(query).scalars()), total


def ranked(transaction: Transaction, wanted: Filter, kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Return row key and size in bytes of all records: pinned first, then by kind in the order given, then the newest."""
    by_kind = case({kind: number for number, kind in enumerate(kinds)}, value=_entry.kind, else_=len(kinds))
    query = select(_entry.seq, _entry.size).where(*_conditions(wanted)).order_by(_entry.pinned.desc(), by_kind, _entry.seq.desc())
    return [(seq, size) for seq, size in transaction.connection.execute(query)]


def first_actors(transaction: Transaction, entry_ids: Collection[str]) -> dict[str, str]:
    """Return who wrote the first version of each entry."""
    query = select(_version.entry_id, _version.actor).where(_version.entry_id.in_(list(entry_ids)), _version.number == 1)
    return dict(transaction.connection.execute(query).all())


def visible(transaction: Transaction, entry_ids: Collection[str], agent: str) -> set[str]:
    """Return those of the ids whose records are shared or the agent's own."""
    if not entry_ids:
        return set()
    query = select(_entry.id).where(_IS_RECORD, _entry.id.in_(list(entry_ids)), _entry.client.in_(["", agent]))
    return set(transaction.connection.execute(query).scalars())


def waiting_purge(transaction: Transaction, agent: str, entry_id: str) -> Proposal | None:
    """Return the agent's newest proposal to erase an entry that still waits."""
    found = transaction.connection.execute(_WAITING_PURGE, {"agent": agent, "entry_id": entry_id}).scalar()
    return proposals.find(transaction, found) if found else None
