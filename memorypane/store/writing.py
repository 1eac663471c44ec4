"""Writing one version: version row, head, index and audit event, all in the caller's transaction."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, select

from memorypane.model import text
from memorypane.model.errors import DuplicateName
from memorypane.model.skeleton import skeleton
from memorypane.model.values import DECIDING, HUMAN, Action, EntryInfo, State, Status, agent_of
from memorypane.store import entries, events, search, tables
from memorypane.store.prepared import Prepared
from memorypane.store.rows import as_json
from memorypane.store.transaction import Transaction

__all__ = ["Stamp", "Standing", "Writing", "keep", "refuse_taken_name", "write"]

_NEW_VERSION = Prepared(tables.version.insert(), [column.name for column in tables.version.columns if column.name != "seq"])
_NEW_ENTRY = Prepared(tables.entry.insert(), [column.name for column in tables.entry.columns if column.name != "seq"])
_insert_evidence = tables.evidence.insert()
_KEPT = {"seq", "id", "erasing", "created_at"}
_UPDATE_ENTRY = Prepared(
    tables.entry.update().where(tables.entry.c.seq == bindparam("old_seq")),
    [column.name for column in tables.entry.columns if column.name not in _KEPT],
)
_EVIDENCE_OF = Prepared(select(tables.entry.c.evidence_of).where(tables.entry.c.seq == bindparam("seq")))


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entry stood with the person before a decision: who decided last, and whether that had been kept."""

    actor: str
    kept: bool
    reviewed: int

    @classmethod
    def of(cls, info: EntryInfo) -> Standing:
        """The standing of an entry as it is."""
        return cls(info.deciding_actor, info.reviewed >= info.deciding, info.reviewed)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who writes, what they claim, and by which way; the same for every version of one call."""

    trace: events.Trace
    call_id: str
    source: str
    detail: Mapping[str, Any] = field(default_factory=dict)
    verified: bool = True
    proposal_id: str = ""
    reviewed: bool = False
    """Whether the person looked at the text: an approved write counts as kept."""
    standing: Standing | None = None
    """Set where a decision is undone: the version stands with the person as its entry did before."""


@dataclass(frozen=True, slots=True)
class Writing:
    """One version to write: the entry's new state, what was folded of it, and where it comes from ("" id = a new entry)."""

    entry_id: str
    action: Action
    state: State
    folded: search.Folded
    merged_from: str = ""
    created_at: int = 0
    """When the entry was first written, for an import that keeps dates; 0 = now."""


def write(transaction: Transaction, writing: Writing, stamp: Stamp) -> EntryInfo:
    """Write the next version of an entry, or the first of a new one, and return the entry as it now stands.

    Raises `DuplicateName` with the holder when another live entry of the shelf has the name.
    """
    state = writing.state
    name_key = text.name_key(state.name) if state.name else ""
    old = entries.info(transaction, writing.entry_id) if writing.entry_id else None
    refuse_taken_name(transaction, state, old.id if old else "")
    entry_id = old.id if old else (writing.entry_id or str(uuid.uuid4()))
    version_id = str(uuid.uuid4())
    number = old.version + 1 if old else 1
    head = _head_columns(writing, stamp, old, number, version_id)
    head["evidence_of"] = _store_evidence(transaction, state, old, version_id)
    columns = {
        **head,
        "name_key": name_key,
        "skeleton": skeleton(state.name),
        "id": entry_id,
        "updated_at": transaction.now,
        "content": state.content,
    }
    created_at = writing.created_at or transaction.now
    seq = _store_head(transaction, columns, old, created_at)
    _store_version(transaction, writing, stamp, columns, old.version_id if old else "")
    if old is None or (old.name, old.description, old.content_hash) != (state.name, state.description, head["content_hash"]):
        search.put(transaction, seq, writing.folded, new=old is None)
    events.record(
        transaction,
        stamp.trace,
        writing.action,
        entry_id=entry_id,
        version=number,
        detail={"proposal_id": stamp.proposal_id} if stamp.proposal_id else None,
    )
    transaction.touched.entries.add(entry_id)
    if head["unreviewed"] or (old and old.unreviewed):
        transaction.touched.review = True
    return _as_it_stands(seq, columns, old.created_at if old else created_at, erasing=old.erasing if old else False)


def _as_it_stands(seq: int, columns: Mapping[str, Any], created_at: int, *, erasing: bool) -> EntryInfo:
    renamed = {"head": "version", "head_id": "version_id"}
    names = EntryInfo.__dataclass_fields__
    values = {renamed.get(name, name): value for name, value in columns.items() if renamed.get(name, name) in names}
    return EntryInfo(**{**values, "pinned": bool(columns["pinned"]), "seq": seq, "created_at": created_at, "erasing": erasing})


def refuse_taken_name(transaction: Transaction, state: State, entry_id: str) -> None:
    """Raise `DuplicateName` with the holder when another live entry than `entry_id` has the name of a live state."""
    if state.status is not Status.ACTIVE or not state.name:
        return
    holder = entries.holder(transaction, state.place, state.owner, text.name_key(state.name))
    if holder and holder != entry_id:
        raise DuplicateName(
            f"The name {text.short(state.name)!r} is taken by the entry {holder}. Choose another name, or change that entry.", holder=holder
        )


def _head_columns(writing: Writing, stamp: Stamp, old: EntryInfo | None, number: int, version_id: str) -> dict[str, Any]:
    state, actor = writing.state, stamp.trace.actor
    deciding, deciding_actor, reviewed = (old.deciding, old.deciding_actor, old.reviewed) if old else (number, actor, 0)
    if stamp.standing is not None:
        deciding, deciding_actor = number, stamp.standing.actor
        reviewed = number if stamp.standing.kept else stamp.standing.reviewed
    elif writing.action in DECIDING:
        deciding, deciding_actor = number, actor
        if actor == HUMAN or stamp.reviewed:
            reviewed = number
    return {
        "tier": state.tier,
        "shelf": state.shelf,
        "owner": state.owner,
        "name": state.name,
        "description": state.description,
        "excerpt": text.excerpt(state.content),
        "kind": state.kind,
        "position": state.position,
        "pinned": int(state.pinned),
        "confidence": state.confidence,
        "client": state.client,
        "status": state.status,
        "head": number,
        "head_id": version_id,
        "content_hash": text.content_hash(state.content),
        "size": text.size_of(state.content),
        "deciding": deciding,
        "deciding_actor": deciding_actor,
        "reviewed": reviewed,
        "unreviewed": int(deciding_actor.startswith("agent:") and deciding > reviewed),
        "actor": actor,
        "source": stamp.source,
        "superseded_by": state.superseded_by,
        "supersedes": state.supersedes,
        "extra": as_json(dict(state.extra)),
    }


def _store_evidence(transaction: Transaction, state: State, old: EntryInfo | None, version_id: str) -> str:
    """Keep the evidence with the version that brought it; versions that do not change it point back."""
    if old is not None:
        before = _EVIDENCE_OF.value(transaction, {"seq": old.seq}) or ""
        if entries.evidence_of(transaction, before) == state.evidence:
            return before
    if not state.evidence:
        return ""
    rows = [{"version_id": version_id, "ordinal": at, "fields": as_json(dict(item.fields))} for at, item in enumerate(state.evidence)]
    transaction.connection.execute(_insert_evidence, rows)
    return version_id


def _store_head(transaction: Transaction, columns: Mapping[str, Any], old: EntryInfo | None, created_at: int) -> int:
    if old is None:
        return _NEW_ENTRY.insert(transaction, {**columns, "erasing": 0, "created_at": created_at})
    # What is given here is set: a parent key that is set, even to what it was, makes SQLite look through its children.
    _UPDATE_ENTRY.run(transaction, {**columns, "old_seq": old.seq})
    return old.seq


def _store_version(transaction: Transaction, writing: Writing, stamp: Stamp, head: Mapping[str, Any], parent: str) -> None:
    same = (
        "tier",
        "shelf",
        "owner",
        "name",
        "description",
        "kind",
        "position",
        "pinned",
        "confidence",
        "client",
        "status",
        "superseded_by",
        "supersedes",
        "extra",
        "evidence_of",
        "content_hash",
        "size",
        "content",
    )
    _NEW_VERSION.run(
        transaction,
        {
            **{name: head[name] for name in same},
            "id": head["head_id"],
            "entry_id": head["id"],
            "number": head["head"],
            "action": writing.action,
            "call_id": stamp.call_id,
            "parent": parent,
            "merged_from": writing.merged_from,
            "actor": stamp.trace.actor,
            "agent": agent_of(stamp.trace.actor),
            "verified": int(stamp.verified),
            "source": stamp.source,
            "detail": as_json(dict(stamp.detail)),
            "tool": stamp.trace.tool,
            "via": stamp.trace.via,
            "channel": stamp.trace.channel,
            "connection": stamp.trace.connection,
            "proposal_id": stamp.proposal_id,
            "created_at": transaction.now,
        },
    )


def keep(transaction: Transaction, entry_id: str, trace: events.Trace, detail: Mapping[str, Any]) -> None:
    """Record that the person keeps the entry as it stands; `detail` goes into the audit trail."""
    found = entries.info(transaction, entry_id)
    if found is None:
        raise LookupError(entry_id)
    column = tables.entry.c
    transaction.connection.execute(tables.entry.update().where(column.seq == found.seq).values(reviewed=found.version, unreviewed=0))
    events.record(transaction, trace, "keep", entry_id=entry_id, version=found.version, detail=detail)
    transaction.touched.entries.add(entry_id)
    transaction.touched.review = True
