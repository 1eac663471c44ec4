"""The schema as it was made and changed, one frozen step a schema version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["APPLICATION_ID", "SCHEMA_VERSION", "STEPS", "Step"]

APPLICATION_ID = 0x4D50414E
"""Marks our files in the SQLite header ("MPAN")."""

STEP_1 = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # `content` stands last so that lists never touch the overflow pages of long texts.
    """CREATE TABLE entry (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tier TEXT NOT NULL, shelf TEXT NOT NULL, owner TEXT NOT NULL,
        name TEXT NOT NULL, name_key TEXT NOT NULL, skeleton TEXT NOT NULL,
        description TEXT NOT NULL, excerpt TEXT NOT NULL, kind TEXT NOT NULL,
        position REAL NOT NULL, pinned INTEGER NOT NULL, confidence REAL, client TEXT NOT NULL, status TEXT NOT NULL,
        head INTEGER NOT NULL, head_id TEXT NOT NULL, content_hash TEXT NOT NULL, size INTEGER NOT NULL,
        deciding INTEGER NOT NULL, deciding_actor TEXT NOT NULL, reviewed INTEGER NOT NULL, unreviewed INTEGER NOT NULL,
        actor TEXT NOT NULL, source TEXT NOT NULL, superseded_by TEXT NOT NULL, supersedes TEXT NOT NULL, extra TEXT NOT NULL,
        evidence_of TEXT NOT NULL, erasing INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX entry_live_name ON entry (tier, shelf, owner, name_key) WHERE status = 'active' AND name_key <> ''",
    "CREATE INDEX entry_gone_name ON entry (tier, shelf, owner, name_key) WHERE status <> 'active' AND name_key <> ''",
    # Only shared and system names can be taken for each other by every agent.
    "CREATE INDEX entry_skeleton ON entry (skeleton) WHERE status = 'active' AND skeleton <> '' AND tier IN ('system', 'global')",
    # The same content of a workspace is found whatever became of it.
    "CREATE INDEX entry_record ON entry (owner, content_hash) WHERE tier = 'workspace' AND shelf = 'records'",
    "CREATE INDEX entry_erasing ON entry (id) WHERE erasing = 1",
    "CREATE INDEX entry_order ON entry (status, tier, shelf, owner, position)",
    "CREATE INDEX entry_unreviewed ON entry (deciding_actor, updated_at, seq) WHERE unreviewed = 1",
    """CREATE TABLE version (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, entry_id TEXT NOT NULL REFERENCES entry (id), number INTEGER,
        action TEXT NOT NULL, call_id TEXT NOT NULL, tier TEXT NOT NULL, shelf TEXT NOT NULL, owner TEXT NOT NULL, name TEXT NOT NULL,
        description TEXT NOT NULL, kind TEXT NOT NULL, position REAL NOT NULL, pinned INTEGER NOT NULL, confidence REAL,
        client TEXT NOT NULL, status TEXT NOT NULL, superseded_by TEXT NOT NULL,
        supersedes TEXT NOT NULL, extra TEXT NOT NULL, evidence_of TEXT NOT NULL, content_hash TEXT NOT NULL,
        size INTEGER NOT NULL, parent TEXT NOT NULL, merged_from TEXT NOT NULL, actor TEXT NOT NULL,
        agent TEXT NOT NULL, verified INTEGER NOT NULL, source TEXT NOT NULL, detail TEXT NOT NULL, tool TEXT NOT NULL,
        via TEXT NOT NULL, channel TEXT NOT NULL, connection TEXT NOT NULL, proposal_id TEXT NOT NULL,
        created_at INTEGER NOT NULL, content TEXT NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX version_number ON version (entry_id, number)",
    "CREATE INDEX version_call ON version (call_id)",
    "CREATE INDEX version_agent ON version (agent, created_at) WHERE agent <> ''",
    # An import finds again what it brought before by the origin it noted.
    "CREATE INDEX version_origin ON version (json_extract(detail, '$.origin')) WHERE action = 'import'",
    """CREATE TABLE evidence (
        version_id TEXT NOT NULL, ordinal INTEGER NOT NULL, fields TEXT NOT NULL, PRIMARY KEY (version_id, ordinal)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE proposal (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, agent TEXT NOT NULL, actor TEXT NOT NULL,
        verified INTEGER NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, source TEXT NOT NULL, detail TEXT NOT NULL,
        reasons TEXT NOT NULL, findings TEXT NOT NULL, whole_text INTEGER NOT NULL, state TEXT NOT NULL, channel TEXT NOT NULL,
        connection TEXT NOT NULL, created_at INTEGER NOT NULL, decided_at INTEGER NOT NULL DEFAULT 0,
        decided_reason TEXT NOT NULL DEFAULT '',
        decided_via TEXT NOT NULL DEFAULT '', told INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE UNIQUE INDEX proposal_pending ON proposal (agent, digest) WHERE state = 'pending'",
    "CREATE INDEX proposal_state ON proposal (state, seq)",
    "CREATE INDEX proposal_made ON proposal (agent, created_at, state)",
    "CREATE INDEX proposal_untold ON proposal (agent, decided_at) WHERE told = 0 AND state IN ('approved', 'rejected')",
    """CREATE TABLE proposal_change (
        proposal_seq INTEGER NOT NULL REFERENCES proposal (seq), ordinal INTEGER NOT NULL, entry_id TEXT NOT NULL,
        base INTEGER NOT NULL, action TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (proposal_seq, ordinal)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX proposal_change_entry ON proposal_change (entry_id)",
    """CREATE TABLE agent (
        name TEXT PRIMARY KEY, token_hash TEXT NOT NULL, revoked INTEGER NOT NULL, families TEXT NOT NULL,
        first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE connection (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, verified INTEGER NOT NULL, channel TEXT NOT NULL,
        workspace TEXT NOT NULL, client_name TEXT NOT NULL, pid INTEGER NOT NULL, program TEXT NOT NULL,
        parent_pid INTEGER NOT NULL, parent_program TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE workspace (
        id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE workspace_closed (
        workspace_id TEXT NOT NULL REFERENCES workspace (id), agent TEXT NOT NULL, PRIMARY KEY (workspace_id, agent)
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE policy (scope TEXT PRIMARY KEY, preset TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE rejected_text (
        digest TEXT NOT NULL, agent TEXT NOT NULL, shelf TEXT NOT NULL, origin TEXT NOT NULL, created_at INTEGER NOT NULL,
        PRIMARY KEY (digest, agent)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE decision (
        seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, proposal_id TEXT NOT NULL, entry_id TEXT NOT NULL,
        call_id TEXT NOT NULL, detail TEXT NOT NULL, via TEXT NOT NULL, undone INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE event (
        seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, entry_id TEXT NOT NULL,
        version INTEGER NOT NULL, tool TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL, count INTEGER NOT NULL,
        via TEXT NOT NULL, channel TEXT NOT NULL, connection TEXT NOT NULL, hash TEXT NOT NULL
    ) STRICT""",
    # Holds what model.fold makes of a text, so the tokenizer only has to part words at the spaces.
    """CREATE VIRTUAL TABLE search USING fts5 (
        name, body, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'", prefix = '1 2 3'
    )""",
)


@dataclass(frozen=True, slots=True)
class Step:
    """What brings a store from `number - 1` to `number`: statements, then an optional function over the open connection."""

    number: int
    statements: Sequence[str]
    after: Callable[[sqlite3.Connection], None] | None = None


STEPS = (Step(1, STEP_1),)
SCHEMA_VERSION = STEPS[-1].number
