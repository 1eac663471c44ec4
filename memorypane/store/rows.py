"""How rows become values and values become columns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import CursorResult

from memorypane.model.shelves import Tier
from memorypane.model.values import Action, EntryInfo, Evidence, State, Status, Version
from memorypane.store import tables

__all__ = [
    "INFO",
    "SNAPSHOT",
    "VERSION_HEAD",
    "as_json",
    "entry_info",
    "from_json",
    "row_key",
    "snapshot",
    "state_from_json",
    "state_to_json",
    "version_value",
]

_entry = tables.entry.c
_version = tables.version.c

INFO = (
    _entry.seq,
    _entry.id,
    _entry.tier,
    _entry.shelf,
    _entry.owner,
    _entry.name,
    _entry.description,
    _entry.excerpt,
    _entry.kind,
    _entry.position,
    _entry.pinned,
    _entry.confidence,
    _entry.client,
    _entry.status,
    _entry.head,
    _entry.head_id,
    _entry.content_hash,
    _entry.size,
    _entry.deciding,
    _entry.deciding_actor,
    _entry.reviewed,
    _entry.actor,
    _entry.source,
    _entry.superseded_by,
    _entry.created_at,
    _entry.updated_at,
    _entry.erasing,
)
"""The columns of an entry as lists show it, in the order of `entry_info`."""

SNAPSHOT = (
    _version.tier,
    _version.shelf,
    _version.owner,
    _version.name,
    _version.description,
    _version.kind,
    _version.position,
    _version.pinned,
    _version.confidence,
    _version.client,
    _version.status,
    _version.superseded_by,
    _version.supersedes,
    _version.extra,
)
VERSION_HEAD = (
    *SNAPSHOT,
    _version.id,
    _version.entry_id,
    _version.number,
    _version.action,
    _version.call_id,
    _version.content_hash,
    _version.size,
    _version.parent,
    _version.merged_from,
    _version.actor,
    _version.source,
    _version.detail,
    _version.tool,
    _version.via,
    _version.channel,
    _version.connection,
    _version.proposal_id,
    _version.created_at,
    _version.verified,
)
"""The columns of a version without its text, in the order of `version_value`."""


def row_key(result: CursorResult[Any]) -> int:
    """The integer key that an insert of one row got."""
    if result.lastrowid is None:
        raise LookupError("the insert made no row")
    return int(result.lastrowid)


def as_json(value: object) -> str:
    """JSON as columns hold it: compact, sorted keys, real characters."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def from_json(text: str) -> Any:
    """Read a JSON column."""
    return json.loads(text)


def entry_info(row: Sequence[Any]) -> EntryInfo:
    """Build the value from a row of `INFO` columns (further columns may follow)."""
    (
        seq,
        entry_id,
        tier,
        shelf,
        owner,
        name,
        description,
        excerpt,
        kind,
        position,
        pinned,
        confidence,
        client,
        status,
        head,
        head_id,
        content_hash,
        size,
        deciding,
        deciding_actor,
        reviewed,
        actor,
        source,
        superseded_by,
        created_at,
        updated_at,
        erasing,
    ) = row[:27]
    return EntryInfo(
        seq,
        entry_id,
        Tier(tier),
        shelf,
        owner,
        name,
        description,
        excerpt,
        kind,
        position,
        bool(pinned),
        confidence,
        client,
        Status(status),
        head,
        head_id,
        content_hash,
        size,
        deciding,
        deciding_actor,
        reviewed,
        actor,
        source,
        superseded_by,
        created_at,
        updated_at,
        erasing=bool(erasing),
    )


def snapshot(row: Sequence[Any], content: str, evidence: tuple[Evidence, ...]) -> State:
    """Build a state from a row that begins with the `SNAPSHOT` columns."""
    tier, shelf, owner, name, description, kind, position, pinned, confidence, client, status, superseded_by, supersedes, extra = row[:14]
    return State(
        tier=Tier(tier),
        shelf=shelf,
        owner=owner,
        name=name,
        description=description,
        content=content,
        kind=kind,
        position=position,
        pinned=bool(pinned),
        confidence=confidence,
        client=client,
        status=Status(status),
        superseded_by=superseded_by,
        supersedes=supersedes,
        extra=from_json(extra),
        evidence=evidence,
    )


def version_value(row: Sequence[Any], content: str = "", evidence: tuple[Evidence, ...] = ()) -> Version:
    """Build the value from a row of `VERSION_HEAD` columns (further columns may follow)."""
    (
        version_id,
        entry_id,
        number,
        action,
        call_id,
        content_hash,
        size,
        parent,
        merged_from,
        actor,
        source,
        detail,
        tool,
        via,
        channel,
        connection,
        proposal_id,
        created_at,
        verified,
    ) = row[14:33]
    return Version(
        version_id,
        entry_id,
        number or 0,
        Action(action),
        call_id,
        snapshot(row, content, evidence),
        content_hash,
        size,
        parent,
        merged_from,
        actor,
        source,
        from_json(detail),
        tool,
        via,
        channel,
        connection,
        proposal_id,
        created_at,
        bool(verified),
    )


def state_to_json(state: State) -> str:
    """A state as a proposal keeps it."""
    fields = {name: getattr(state, name) for name in State.__dataclass_fields__ if name not in {"evidence", "extra"}}
    return as_json({**fields, "extra": dict(state.extra), "evidence": [dict(item.fields) for item in state.evidence]})


def state_from_json(text: str) -> State:
    """Read back what `state_to_json` wrote."""
    fields: Mapping[str, Any] = from_json(text)
    evidence = tuple(Evidence(item) for item in fields["evidence"])
    return State(**{**fields, "tier": Tier(fields["tier"]), "status": Status(fields["status"]), "evidence": evidence})
