"""Reading entries and their versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, false, func, literal, literal_column, or_, select, tuple_

from memorypane.model import fold
from memorypane.model import text as words
from memorypane.model.shelves import SHELVES, Shelf, Tier
from memorypane.model.skeleton import skeleton
from memorypane.model.values import Entry, EntryInfo, Evidence, ListQuery, Page, ShelfCount, State, Status, Version
from memorypane.store import search, tables
from memorypane.store.prepared import Prepared
from memorypane.store.rows import INFO, VERSION_HEAD, entry_info, from_json, version_value
from memorypane.store.transaction import Transaction

__all__ = [
    "after",
    "at_place",
    "before",
    "by_name",
    "by_origin",
    "by_version",
    "counts",
    "entry",
    "history",
    "holder",
    "in_tier",
    "info",
    "infos",
    "last_position",
    "listed",
    "live_contents",
    "lookalikes",
    "page",
    "seqs",
    "state",
    "texts",
    "totals",
    "version",
    "version_by_id",
    "visible_to",
    "whole",
]

_entry = tables.entry.c
_version = tables.version.c
_PLACE_ORDER = case(
    *[(and_(_entry.tier == shelf.tier, _entry.shelf == shelf.name), number) for number, shelf in enumerate(SHELVES)], else_=len(SHELVES)
)
"""Lists over several shelves follow the order of the shelves."""


TEXT = (_entry.evidence_of, _entry.supersedes, _entry.extra, _entry.content)
"""The columns that make an entry of its info, in the order of `_whole_entry`."""
# Where a bound value says the condition of a partial index, SQLite plans the statement anew at every call.
_LIVE = _entry.status == literal_column("'active'")
_GONE = _entry.status != literal_column("'active'")
_HAS_NAME = _entry.name_key != literal_column("''")
_UNREVIEWED = _entry.unreviewed == literal_column("1")
_INFO_BY_ID = Prepared(select(*INFO).where(_entry.id == bindparam("id")))
_ENTRY_BY_ID = Prepared(select(*INFO, *TEXT).where(_entry.id == bindparam("id")))
_AT_PLACE = (_entry.tier == bindparam("tier"), _entry.shelf == bindparam("shelf"), _entry.owner == bindparam("owner"))
_NAMED = (*_AT_PLACE, _entry.name_key == bindparam("name_key"), _HAS_NAME)
_HOLDER = Prepared(select(_entry.id).where(_LIVE, *_NAMED))
_LIVE_BY_NAME = select(*INFO, *TEXT).where(_LIVE, *_NAMED, _entry.name == bindparam("name"))
_GONE_BY_NAME = select(*INFO, *TEXT).where(_GONE, *_NAMED, _entry.name == bindparam("name")).order_by(_entry.seq.desc()).limit(1)
_LAST_POSITION = Prepared(select(_entry.position).where(_LIVE, *_AT_PLACE).order_by(_entry.position.desc()).limit(1))
_LOOKALIKES = select(*INFO).where(
    _LIVE,
    _entry.skeleton == bindparam("skeleton"),
    _entry.skeleton != literal_column("''"),
    _entry.tier.in_([literal_column("'system'"), literal_column("'global'")]),
    _entry.id != bindparam("without"),
    _entry.name_key != bindparam("name_key"),
)
_EVIDENCE = Prepared(
    select(tables.evidence.c.fields).where(tables.evidence.c.version_id == bindparam("id")).order_by(tables.evidence.c.ordinal)
)
_BY_ORIGIN = (
    select(_version.entry_id)
    .where(
        _version.action == literal_column("'import'"),
        func.json_extract(_version.detail, literal_column("'$.origin'")) == bindparam("origin"),
    )
    .order_by(_version.seq.desc())
    .limit(1)
)
"""Statements of the hot paths are built once: building one costs as much as running it."""


def _place(shelf: Shelf, owner: str) -> dict[str, Any]:
    return {"tier": shelf.tier, "shelf": shelf.name, "owner": owner}


def _held(transaction: Transaction, found: Sequence[EntryInfo]) -> list[EntryInfo]:
    """Fill in how many pending proposals each entry has."""
    if not found:
        return []
    change, proposal = tables.proposal_change.c, tables.proposal.c
    query = (
        select(change.entry_id, func.count())
        .select_from(tables.proposal.join(tables.proposal_change, proposal.seq == change.proposal_seq))
        .where(proposal.state == "pending", change.entry_id.in_([one.id for one in found]))
        .group_by(change.entry_id)
    )
    waiting: dict[str, int] = dict(transaction.connection.execute(query).all())
    return [_with_held(one, waiting[one.id]) if one.id in waiting else one for one in found]


def _with_held(one: EntryInfo, held: int) -> EntryInfo:
    fields = {name: getattr(one, name) for name in EntryInfo.__dataclass_fields__}
    return EntryInfo(**{**fields, "held": held})


def info(transaction: Transaction, entry_id: str) -> EntryInfo | None:
    """Return the entry without its text, in whatever status it is."""
    row = _INFO_BY_ID.row(transaction, {"id": entry_id})
    return entry_info(row) if row else None


def evidence_of(transaction: Transaction, version_id: str) -> tuple[Evidence, ...]:
    """Return the evidence that came with a version, in its order."""
    if not version_id:
        return ()
    rows = _EVIDENCE.rows(transaction, {"id": version_id})
    return tuple(Evidence(from_json(fields)) for (fields,) in rows)


def entry(transaction: Transaction, entry_id: str) -> Entry | None:
    """Return the entry with text and evidence."""
    row = _ENTRY_BY_ID.row(transaction, {"id": entry_id})
    if row is None:
        return None
    return _whole_entry(transaction, row)


def _whole_entry(transaction: Transaction, row: Sequence[Any]) -> Entry:
    origin, supersedes, extra, content = row[-4:]
    return Entry(entry_info(row), content, evidence_of(transaction, origin), supersedes, from_json(extra))


def state(found: Entry) -> State:
    """The state that an entry stands in now."""
    one = found.info
    return State(
        tier=one.tier,
        shelf=one.shelf,
        owner=one.owner,
        name=one.name,
        description=one.description,
        content=found.content,
        kind=one.kind,
        position=one.position,
        pinned=one.pinned,
        confidence=one.confidence,
        client=one.client,
        status=one.status,
        superseded_by=one.superseded_by,
        supersedes=found.supersedes,
        extra=found.extra,
        evidence=found.evidence,
    )


def holder(transaction: Transaction, shelf: Shelf, owner: str, name_key: str) -> str:
    """Return the id of the live entry that holds a name, or ""."""
    return str(_HOLDER.value(transaction, {**_place(shelf, owner), "name_key": name_key}) or "")


def lookalikes(transaction: Transaction, name: str, *, without: str) -> list[EntryInfo]:
    """Return live entries of the system and shared shelves whose names look like `name` and are not equal to it."""
    looks = skeleton(name)
    if not looks:
        return []
    values = {"skeleton": looks, "without": without, "name_key": words.name_key(name)}
    return [entry_info(row) for row in transaction.connection.execute(_LOOKALIKES, values)]


def by_name(transaction: Transaction, shelf: Shelf, owner: str, name: str, *, removed: bool = False) -> Entry | None:
    """Return the live entry of exactly that name; with `removed`, else the one of that name that was removed last."""
    values = {**_place(shelf, owner), "name_key": words.name_key(name), "name": name}
    row = transaction.connection.execute(_LIVE_BY_NAME, values).first()
    if row is None and removed:
        row = transaction.connection.execute(_GONE_BY_NAME, values).first()
    return _whole_entry(transaction, row) if row else None


def at_place(shelf: Shelf, owner: str | None = None) -> list[ColumnElement[bool]]:
    """The conditions for the live entries of a shelf (and owner)."""
    where = [_LIVE, _entry.tier == shelf.tier, _entry.shelf == shelf.name]
    return where if owner is None else [*where, _entry.owner == owner]


def listed(transaction: Transaction, shelf: Shelf, owner: str = "") -> list[EntryInfo]:
    """Return the live entries of a shelf and owner: by position, then name."""
    query = select(*INFO).where(*at_place(shelf, owner)).order_by(_entry.position, _entry.name, _entry.seq)
    return [entry_info(row) for row in transaction.connection.execute(query)]


def live_contents(transaction: Transaction, shelf: Shelf, owner: str = "") -> list[Entry]:
    """Return the live entries of a shelf and owner with their texts."""
    query = select(*INFO, *TEXT).where(*at_place(shelf, owner)).order_by(_entry.position, _entry.name, _entry.seq)
    return [_whole_entry(transaction, row) for row in transaction.connection.execute(query).all()]


def whole(transaction: Transaction, keys: Sequence[int]) -> list[Entry]:
    """Return the entries of these row keys with their texts, in the order of the keys; a key that is gone is left out."""
    rows = transaction.connection.execute(select(*INFO, *TEXT).where(_entry.seq.in_(list(keys)))).all()
    found = {one.info.seq: one for one in (_whole_entry(transaction, row) for row in rows)}
    return [found[key] for key in keys if key in found]


def in_tier(tier: str) -> ColumnElement[bool]:
    """The condition for entries of one tier."""
    return _entry.tier == tier


def visible_to(agent: str, workspace: str, tiers: Sequence[Tier]) -> ColumnElement[bool]:
    """The condition for what an agent may read: global, its workspace's records (other agents' `client` ones never), its own shelves."""
    chosen = set(tiers or Tier) - {Tier.SYSTEM}
    parts: list[ColumnElement[bool]] = []
    if Tier.GLOBAL in chosen:
        parts.append(_entry.tier == Tier.GLOBAL)
    if Tier.WORKSPACE in chosen and workspace:
        parts.append(and_(_entry.tier == Tier.WORKSPACE, _entry.owner == workspace, _entry.client.in_(["", agent])))
    if Tier.PERSONAL in chosen:
        parts.append(and_(_entry.tier == Tier.PERSONAL, _entry.owner == agent))
    return or_(false(), *parts)


def last_position(transaction: Transaction, shelf: Shelf, owner: str) -> float:
    """Return the position of the last live entry of a shelf and owner, 0 if there is none."""
    return float(_LAST_POSITION.value(transaction, _place(shelf, owner)) or 0.0)


def _rank(one: EntryInfo) -> tuple[Any, Any]:
    """Where an entry stands in the order of its shelf, as a row value to compare: by position, then name, then age."""
    mine = tuple_(literal(one.position), literal(one.name), literal(one.seq))
    return tuple_(_entry.position, _entry.name, _entry.seq), mine


def before(transaction: Transaction, one: EntryInfo) -> tuple[str, float] | None:
    """Return id and position of the live entry right before this one on its shelf, None for the first."""
    theirs, mine = _rank(one)
    order = (_entry.position.desc(), _entry.name.desc(), _entry.seq.desc())
    query = select(_entry.id, _entry.position).where(*at_place(one.place, one.owner), theirs < mine).order_by(*order).limit(1)
    row = transaction.connection.execute(query).first()
    return (row[0], row[1]) if row else None


def after(transaction: Transaction, one: EntryInfo) -> str | None:
    """Return the id of a live entry that comes after this one on its shelf, None for the last."""
    theirs, mine = _rank(one)
    return transaction.connection.execute(select(_entry.id).where(*at_place(one.place, one.owner), theirs > mine).limit(1)).scalar()


def _conditions(query: ListQuery) -> list[ColumnElement[bool]]:
    gone = _entry.status.in_([status for status in Status if status is not Status.ACTIVE])
    where: list[ColumnElement[bool]] = []
    if query.unreviewed:
        where.append(_UNREVIEWED)
    if query.removed:
        where.append(gone)
    elif not query.unreviewed:
        where.append(_LIVE)
    simple = (
        (_entry.tier, query.tier),
        (_entry.shelf, query.shelf),
        (_entry.owner, query.owner),
        (_entry.source, query.source),
        (_entry.actor, f"agent:{query.agent}" if query.agent else ""),
    )
    where += [column == value for column, value in simple if value or (column is _entry.owner and value is not None)]
    if query.pinned:
        where.append(_entry.pinned == 1)
    if words := fold.fts_query(query.text):
        where.append(_entry.seq.in_(search.rows_matching(words)))
    elif query.text.strip():
        where.append(false())
    return where


def _order(query: ListQuery) -> list[ColumnElement[Any]]:
    by = {"name": _entry.name_key, "updated": _entry.updated_at, "size": _entry.size, "order": _entry.position}[query.sort]
    first = by.desc() if query.descending else by.asc()
    if query.sort != "order":
        return [first, _entry.seq]
    if query.removed:
        return [_entry.updated_at.desc(), _entry.seq]
    place = [] if query.tier and query.shelf else [_PLACE_ORDER, _entry.owner]
    return [*place, first, _entry.name, _entry.seq]


def seqs(transaction: Transaction, query: ListQuery) -> tuple[int, ...]:
    """Return the row keys of every entry a list shows, in its order."""
    statement = select(_entry.seq).where(*_conditions(query)).order_by(*_order(query))
    return tuple(transaction.connection.execute(statement).scalars())


def infos(transaction: Transaction, keys: Sequence[int]) -> dict[int, EntryInfo]:
    """Return the entries of these row keys; a key that is gone is left out."""
    rows = transaction.connection.execute(select(*INFO).where(_entry.seq.in_(list(keys))))
    return {one.seq: one for one in _held(transaction, [entry_info(row) for row in rows])}


def page(transaction: Transaction, query: ListQuery, offset: int, limit: int) -> Page:
    """Return a stretch of a list and the size of the whole."""
    where = _conditions(query)
    total = transaction.connection.execute(select(func.count()).select_from(tables.entry).where(*where)).scalar() or 0
    statement = select(*INFO).where(*where).order_by(*_order(query)).limit(limit).offset(offset)
    rows = [entry_info(row) for row in transaction.connection.execute(statement)]
    return Page(tuple(_held(transaction, rows)), total)


def counts(transaction: Transaction) -> tuple[ShelfCount, ...]:
    """Return the live and the unreviewed live entries of every shelf and owner that has any."""
    place = (_entry.tier, _entry.shelf, _entry.owner)
    run = transaction.connection.execute
    active = run(select(*place, func.count()).where(_LIVE).group_by(*place))
    # The sign keeps SQLite on the index of the unreviewed ones.
    live = literal_column("+entry.status") == literal_column("'active'")
    waiting = {tuple(row[:3]): row[3] for row in run(select(*place, func.count()).where(_UNREVIEWED, live).group_by(*place))}
    return tuple(ShelfCount(Tier(tier), shelf, owner, count, waiting.get((tier, shelf, owner), 0)) for tier, shelf, owner, count in active)


def totals(transaction: Transaction) -> tuple[int, int, int, int]:
    """Return how many entries are active, gone, and unreviewed, and how many proposals are pending."""
    run = transaction.connection.execute
    by_status: dict[str, int] = dict(run(select(_entry.status, func.count()).group_by(_entry.status)).all())
    active = by_status.pop("active", 0)
    unreviewed = run(select(func.count()).select_from(tables.entry).where(_UNREVIEWED)).scalar() or 0
    held = run(select(func.count()).select_from(tables.proposal).where(tables.proposal.c.state == "pending")).scalar() or 0
    return active, sum(by_status.values()), unreviewed, held


def history(transaction: Transaction, entry_id: str) -> tuple[Version, ...]:
    """Return the numbered versions of an entry, newest first, without texts."""
    query = select(*VERSION_HEAD).where(_version.entry_id == entry_id, _version.number.is_not(None)).order_by(_version.number.desc())
    return tuple(version_value(row) for row in transaction.connection.execute(query))


def texts(transaction: Transaction, entry_id: str, most: int) -> list[str]:
    """Return the texts of the newest `most` versions of an entry, oldest first."""
    query = select(_version.content).where(_version.entry_id == entry_id, _version.number.is_not(None))
    return list(transaction.connection.execute(query.order_by(_version.number.desc()).limit(most)).scalars())[::-1]


def _whole(transaction: Transaction, query: Select[Any]) -> Version | None:
    row = transaction.connection.execute(query).first()
    return version_value(row, row[-1], evidence_of(transaction, row[-2])) if row else None


def version(transaction: Transaction, entry_id: str, number: int) -> Version | None:
    """Return one version of an entry with its text."""
    where = and_(_version.entry_id == entry_id, _version.number == number)
    return _whole(transaction, select(*VERSION_HEAD, _version.evidence_of, _version.content).where(where))


def version_by_id(transaction: Transaction, version_id: str) -> Version | None:
    """Return the version of an id with its text, whatever entry it belongs to."""
    return _whole(transaction, select(*VERSION_HEAD, _version.evidence_of, _version.content).where(_version.id == version_id))


def by_origin(transaction: Transaction, origin: str) -> Entry | None:
    """Return the entry that an import brought from `origin` (its own words for a place) most recently."""
    entry_id = transaction.connection.execute(_BY_ORIGIN, {"origin": origin}).scalar()
    return entry(transaction, entry_id) if entry_id else None


def by_version(transaction: Transaction, version_id: str) -> Entry | None:
    """Return the entry that a version belongs to."""
    entry_id = transaction.connection.execute(select(_version.entry_id).where(_version.id == version_id)).scalar()
    return entry(transaction, entry_id) if entry_id else None
