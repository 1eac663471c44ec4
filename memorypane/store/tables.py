"""The tables as SQLModel classes; statements are built on them with SQLAlchemy Core.

The classes describe the schema that `schema.STEPS` makes (a test compares the two). They are never instantiated as rows:
a table class does not validate, and rows leave the store as frozen values of `memorypane.model`.
"""

from __future__ import annotations

from sqlalchemy import Table
from sqlmodel import Field, SQLModel

__all__ = [
    "agent",
    "connection",
    "decision",
    "entry",
    "event",
    "evidence",
    "meta",
    "policy",
    "proposal",
    "proposal_change",
    "rejected_text",
    "setting",
    "version",
    "workspace",
    "workspace_closed",
]


class MetaRow(SQLModel, table=True):
    """Facts about the store itself: its id, the fold stamp of its index."""

    __tablename__ = "meta"
    key: str = Field(primary_key=True)
    value: str


class EntryRow(SQLModel, table=True):
    """The head of each entry; `unreviewed` repeats `EntryInfo.unreviewed` for the index."""

    __tablename__ = "entry"
    seq: int | None = Field(default=None, primary_key=True)
    id: str
    tier: str
    shelf: str
    owner: str
    name: str
    name_key: str
    skeleton: str
    description: str
    excerpt: str
    kind: str
    position: float
    pinned: int
    confidence: float | None = None
    client: str
    status: str
    head: int
    head_id: str
    content_hash: str
    size: int
    deciding: int
    deciding_actor: str
    reviewed: int
    unreviewed: int
    actor: str
    source: str
    superseded_by: str
    supersedes: str
    extra: str
    evidence_of: str
    erasing: int
    created_at: int
    updated_at: int
    content: str


class VersionRow(SQLModel, table=True):
    """One immutable version; `number` is NULL on a side branch that came with an import."""

    __tablename__ = "version"
    seq: int | None = Field(default=None, primary_key=True)
    id: str
    entry_id: str = Field(foreign_key="entry.id")
    number: int | None = None
    action: str
    call_id: str
    tier: str
    shelf: str
    owner: str
    name: str
    description: str
    kind: str
    position: float
    pinned: int
    confidence: float | None = None
    client: str
    status: str
    superseded_by: str
    supersedes: str
    extra: str
    evidence_of: str
    content_hash: str
    size: int
    parent: str
    merged_from: str
    actor: str
    agent: str
    verified: int
    source: str
    detail: str
    tool: str
    via: str
    channel: str
    connection: str
    proposal_id: str
    created_at: int
    content: str


class EvidenceRow(SQLModel, table=True):
    """The evidence that came with a version; later versions point back to it by `evidence_of`."""

    __tablename__ = "evidence"
    version_id: str = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    fields: str


class ProposalRow(SQLModel, table=True):
    """A write that waits, or waited, for a person."""

    __tablename__ = "proposal"
    seq: int | None = Field(default=None, primary_key=True)
    id: str
    digest: str
    agent: str
    actor: str
    verified: int
    tool: str
    arguments: str
    source: str
    detail: str
    reasons: str
    findings: str
    whole_text: int
    state: str
    channel: str
    connection: str
    created_at: int
    decided_at: int
    decided_reason: str
    decided_via: str
    told: int


class ProposalChangeRow(SQLModel, table=True):
    """One change of a proposal, in order; `state` is the result as JSON."""

    __tablename__ = "proposal_change"
    proposal_seq: int = Field(primary_key=True, foreign_key="proposal.seq")
    ordinal: int = Field(primary_key=True)
    entry_id: str
    base: int
    action: str
    state: str


class AgentRow(SQLModel, table=True):
    """An agent that was registered or has called; an empty `token_hash` means unverified."""

    __tablename__ = "agent"
    name: str = Field(primary_key=True)
    token_hash: str
    revoked: int
    families: str
    first_seen: int
    last_seen: int


class ConnectionRow(SQLModel, table=True):
    """One connection with the processes that were observed behind it."""

    __tablename__ = "connection"
    seq: int | None = Field(default=None, primary_key=True)
    id: str
    agent: str
    verified: int
    channel: str
    workspace: str
    client_name: str
    pid: int
    program: str
    parent_pid: int
    parent_program: str
    started_at: int
    ended_at: int


class WorkspaceRow(SQLModel, table=True):
    """A known folder."""

    __tablename__ = "workspace"
    id: str = Field(primary_key=True)
    path: str
    name: str
    state: str
    created_at: int


class WorkspaceClosedRow(SQLModel, table=True):
    """A workspace that the person closed to an agent ("" = to all)."""

    __tablename__ = "workspace_closed"
    workspace_id: str = Field(primary_key=True, foreign_key="workspace.id")
    agent: str = Field(primary_key=True)


class PolicyRow(SQLModel, table=True):
    """A preset for a scope: "", `shelf:<tier>/<shelf>` or `agent:<name>`."""

    __tablename__ = "policy"
    scope: str = Field(primary_key=True)
    preset: str


class SettingRow(SQLModel, table=True):
    """A setting of the store that is not at its default; the value is JSON."""

    __tablename__ = "setting"
    key: str = Field(primary_key=True)
    value: str


class RejectedTextRow(SQLModel, table=True):
    """The hash of a text that the person rejected on a shelf."""

    __tablename__ = "rejected_text"
    digest: str = Field(primary_key=True)
    agent: str = Field(primary_key=True)
    shelf: str
    origin: str
    created_at: int


class DecisionRow(SQLModel, table=True):
    """One decision of the person, with what it takes to undo it."""

    __tablename__ = "decision"
    seq: int | None = Field(default=None, primary_key=True)
    at: int
    kind: str
    proposal_id: str
    entry_id: str
    call_id: str
    detail: str
    via: str
    undone: int


class EventRow(SQLModel, table=True):
    """One row of the hash-chained, content-free audit trail."""

    __tablename__ = "event"
    seq: int | None = Field(default=None, primary_key=True)
    at: int
    actor: str
    action: str
    entry_id: str
    version: int
    tool: str
    outcome: str
    detail: str
    count: int
    via: str
    channel: str
    connection: str
    hash: str


def _table(name: str) -> Table:
    return SQLModel.metadata.tables[name]


meta = _table("meta")
entry = _table("entry")
version = _table("version")
evidence = _table("evidence")
proposal = _table("proposal")
proposal_change = _table("proposal_change")
agent = _table("agent")
connection = _table("connection")
workspace = _table("workspace")
workspace_closed = _table("workspace_closed")
policy = _table("policy")
setting = _table("setting")
rejected_text = _table("rejected_text")
decision = _table("decision")
event = _table("event")
