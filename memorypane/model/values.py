"""The plain frozen values that travel between the layers.

Times are integer milliseconds UTC; sizes are UTF-8 bytes of the content; ids are UUID4 text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from memorypane.model.shelves import Shelf, Tier, find_shelf

__all__ = [
    "DECIDING", "HUMAN", "Action", "Agent", "Change", "Channel", "Connection", "Entry", "EntryInfo", "Event", "Evidence", "Finding",
    "ListQuery", "Page", "Proposal", "Provenance", "SearchHit", "SearchPage", "ShelfCount", "State", "Status", "Version", "Workspace",
    "agent_actor", "agent_of",
]

HUMAN = "human"


class Action(StrEnum):
    """What a version did to its entry; the only words used."""

    CREATE = "create"
    EDIT = "edit"
    REMOVE = "remove"
    RESTORE = "restore"
    REVERT = "revert"
    MOVE = "move"
    PROMOTE = "promote"
    DEMOTE = "demote"
    PIN = "pin"
    UNPIN = "unpin"
    REORDER = "reorder"
    IMPORT = "import"
    SUPPRESS = "suppress"
    SUPERSEDE = "supersede"
    PURGE = "purge"


DECIDING = frozenset(Action) - {Action.PIN, Action.UNPIN, Action.REORDER, Action.MOVE}
"""Actions after which `human_head` and `reviewed` are judged anew; the others leave both alone."""


class Status(StrEnum):
    """Where an entry stands; only `active` is live."""

    ACTIVE = "active"
    REMOVED = "removed"
    SUPERSEDED = "superseded"
    SUPPRESSED = "suppressed"
    PURGED = "purged"


def agent_actor(name: str) -> str:
    """The actor word of a named agent."""
    return f"agent:{name}"


def agent_of(actor: str) -> str:
    """The agent's name in an actor word, or "" for the person, imports and the watcher."""
    return actor.removeprefix("agent:") if actor.startswith("agent:") else ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a writer claims about where its text comes from; shown, never trusted."""

    source: str = "unstated"
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reference behind a workspace record, as its writer gave it (opaque ids, free snippet)."""

    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """The whole state of an entry at one version: what is compared, scanned, shown and written."""

    tier: Tier
    shelf: str
    owner: str = ""
    name: str = ""
    description: str = ""
    content: str = ""
    kind: str = ""
    position: float = 0.0
    pinned: bool = False
    confidence: float | None = None
    client: str = ""
    status: Status = Status.ACTIVE
    superseded_by: str = ""
    supersedes: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Typed fields that only one family knows (a record's `sourceType`, `sourceId`)."""
    evidence: tuple[Evidence, ...] = ()

    @property
    def place(self) -> Shelf:
        """The shelf this state stands on."""
        return find_shelf(self.tier, self.shelf)


@dataclass(frozen=True, slots=True)
class EntryInfo:
    """An entry as lists show it: everything but the text."""

    seq: int
    id: str
    tier: Tier
    shelf: str
    owner: str
    name: str
    description: str
    excerpt: str
    kind: str
    position: float
    pinned: bool
    confidence: float | None
    client: str
    status: Status
    version: int
    version_id: str
    content_hash: str
    size: int
    deciding: int
    deciding_actor: str
    reviewed: int
    actor: str
    source: str
    superseded_by: str
    created_at: int
    updated_at: int
    erasing: bool = False
    held: int = 0

    @property
    def unreviewed(self) -> bool:
        """Whether the last deciding version is an agent's that the person has not kept."""
        return self.deciding_actor.startswith("agent:") and self.deciding > self.reviewed

    @property
    def human_head(self) -> bool:
        """Whether a person wrote the last deciding version."""
        return self.deciding_actor == HUMAN

    @property
    def place(self) -> Shelf:
        """The shelf the entry stands on."""
        return find_shelf(self.tier, self.shelf)

    @property
    def title(self) -> str:
        """What a list shows as the name: the name, or the first line of an unnamed entry."""
        return self.name or self.excerpt


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry with its text and evidence, as of one version."""

    info: EntryInfo
    content: str
    evidence: tuple[Evidence, ...] = ()
    supersedes: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The entry's stable id."""
        return self.info.id


@dataclass(frozen=True, slots=True)
class Version:
    """One immutable version; `content` and `evidence` are filled only where one version is read whole.

    `size` is in bytes, `added`/`removed` count lines against the parent and are -1 where they were not asked for.
    """

    id: str
    entry_id: str
    number: int
    action: Action
    call_id: str
    state: State
    content_hash: str
    size: int
    parent: str
    merged_from: str
    actor: str
    source: str
    detail: Mapping[str, Any]
    tool: str
    via: str
    channel: str
    connection: str
    proposal_id: str
    created_at: int
    verified: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a write: the entry ("" = new), the head it starts from (0 = none), what it does and the result."""

    entry_id: str
    base: int
    action: Action
    state: State


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a person should look at; offsets count code points of `field`."""

    kind: Literal["lookalike", "injection", "forged_heading", "hidden_characters", "credential"]
    rule: str
    field: str
    start: int
    end: int
    text: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The finding as answers carry it, without its text."""
        return {"kind": self.kind, "rule": self.rule, "field": self.field, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A write that waits for a person, with all it would change."""

    id: str
    agent: str
    actor: str
    verified: bool
    tool: str
    arguments: Mapping[str, Any]
    provenance: Provenance
    changes: tuple[Change, ...]
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]
    state: Literal["pending", "approved", "rejected", "replaced"]
    channel: str
    connection: str
    created_at: int
    decided_at: int = 0
    decided_reason: str = ""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent as the store knows it; `verified` means that a token was made for it."""

    name: str
    verified: bool
    revoked: bool
    families: tuple[str, ...]
    first_seen: int
    last_seen: int


@dataclass(frozen=True, slots=True)
class Connection:
    """One connection as observed: which processes stood behind an agent's calls."""

    id: str
    agent: str
    verified: bool
    channel: str
    workspace: str
    pid: int
    program: str
    parent_pid: int
    parent_program: str
    started_at: int


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder known to the pane."""

    id: str
    path: str
    name: str
    state: Literal["new", "confirmed"]


@dataclass(frozen=True, slots=True)
class Channel:
    """A named world; `isolated` ones have an identity store of their own."""

    name: str
    isolated: bool
    store: str


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the audit trail; content-free."""

    seq: int
    at: int
    actor: str
    action: str
    entry_id: str
    tool: str
    outcome: str
    detail: Mapping[str, Any]
    count: int
    hash: str


@dataclass(frozen=True, slots=True)
class ListQuery:
    """Which entries a list shows; "" or None means not narrowed. `removed` shows the tombstones instead of the live ones."""

    tier: str = ""
    shelf: str = ""
    owner: str | None = None
    removed: bool = False
    unreviewed: bool = False
    pinned: bool = False
    agent: str = ""
    source: str = ""
    text: str = ""
    sort: Literal["order", "name", "updated", "size"] = "order"
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a list and how many entries the whole list has."""

    entries: tuple[EntryInfo, ...]
    total: int


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One found entry; `matches` are code point spans of the snippet."""

    entry: EntryInfo
    snippet: str
    matches: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The best hits; `capped` says that `total` stopped counting."""

    hits: tuple[SearchHit, ...]
    total: int
    capped: bool


@dataclass(frozen=True, slots=True)
class ShelfCount:
    """How many live and unreviewed entries one owner has on one shelf."""

    tier: Tier
    shelf: str
    owner: str
    active: int
    unreviewed: int
