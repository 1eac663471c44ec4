"""Erases an entry's words from every table, from the index and from the file's free pages.

Measured: the words stay in the file after a DELETE without `secure_delete`, and in the index's segments without `optimize`; `VACUUM` would
block writers for seconds, so it is not used.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import literal_column, select, text

from memorypane.model.values import Status
from memorypane.store import faults, tables
from memorypane.store.connect import connect
from memorypane.store.rows import as_json
from memorypane.store.schema import APPLICATION_ID
from memorypane.store.transaction import Transaction

__all__ = ["erase_words", "erased", "erasing", "finish", "holds"]

_entry, _version, _proposal, _change = tables.entry.c, tables.version.c, tables.proposal.c, tables.proposal_change.c
CHECKPOINT_SECONDS = 5.0
ERASED = "The entry was erased."
"""Why a proposal that waited was turned down by an erasure; its agent is told."""


def erase_words(transaction: Transaction, entry_id: str) -> None:
    """Take every word of an entry out of head, versions, evidence, proposals and index; numbers, actors and times stay."""
    run = transaction.connection.execute
    versions = select(_version.id).where(_version.entry_id == entry_id)
    run(tables.evidence.delete().where(tables.evidence.c.version_id.in_(versions)))
    gone = {
        "name": "",
        "description": "",
        "content": "",
        "content_hash": "",
        "size": 0,
        "extra": "{}",
        "kind": "",
        "evidence_of": "",
        "supersedes": "",
    }
    of_versions = {**gone, "detail": "{}", "source": "", "superseded_by": "", "status": Status.PURGED}
    run(tables.version.update().where(_version.entry_id == entry_id).values(of_versions))
    run(
        tables.entry.update()
        .where(_entry.id == entry_id)
        .values({**gone, "name_key": "", "skeleton": "", "excerpt": "", "source": "", "superseded_by": "", "erasing": 1})
    )
    run(text("DELETE FROM search WHERE rowid = (SELECT seq FROM entry WHERE id = :id)"), {"id": entry_id})
    for seq in run(select(_change.proposal_seq).where(_change.entry_id == entry_id)).scalars().all():
        _erase_proposal(transaction, seq)
    run(tables.rejected_text.delete().where(tables.rejected_text.c.origin == entry_id))


def _erase_proposal(transaction: Transaction, seq: int) -> None:
    run = transaction.connection.execute
    run(
        tables.proposal.update()
        .where(_proposal.seq == seq, _proposal.state == "pending")
        .values(state="rejected", decided_at=transaction.now, decided_reason=ERASED)
    )
    run(
        tables.proposal.update()
        .where(_proposal.seq == seq)
        .values(arguments="{}", detail="{}", findings="[]", source="", digest=_proposal.id)
    )
    # A reason is the person's words about the text, and the hash of a rejected text tells whoever can guess it.
    run(tables.proposal.update().where(_proposal.seq == seq, _proposal.decided_reason != ERASED).values(decided_reason=""))
    origin = select(_proposal.id).where(_proposal.seq == seq).scalar_subquery()
    run(tables.rejected_text.delete().where(tables.rejected_text.c.origin == origin))
    for ordinal, kept in run(select(_change.ordinal, _change.state).where(_change.proposal_seq == seq)).all():
        state = json.loads(kept)
        state.update(name="", description="", content="", kind="", extra={}, evidence=[], status="purged")
        at = (_change.proposal_seq == seq, _change.ordinal == ordinal)
        run(tables.proposal_change.update().where(*at).values(state=as_json(state)))
    transaction.touched.review = True


def erasing(transaction: Transaction) -> list[str]:
    """Return the entries whose words may still stand in the file."""
    # The literal lets SQLite use the index of the few such entries: this is asked at every start.
    return list(transaction.connection.execute(select(_entry.id).where(_entry.erasing == literal_column("1"))).scalars())


def finish(path: Path) -> bool:
    """Rewrite the index's segments and empty the write-ahead log; False if readers kept the log busy (try again later)."""
    with faults.translated(path), closing(connect(path)) as raw:
        return _finish(raw)


def _finish(raw: sqlite3.Connection) -> bool:
    raw.execute("INSERT INTO search (search) VALUES ('optimize')")
    deadline = time.monotonic() + CHECKPOINT_SECONDS
    while True:
        busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)


def erased(transaction: Transaction, entry_ids: Sequence[str]) -> None:
    """Note that nothing of these entries is left in the file."""
    transaction.connection.execute(tables.entry.update().where(_entry.id.in_(list(entry_ids))).values(erasing=0))
    transaction.touched.entries |= set(entry_ids)


def holds(path: Path, entry_id: str) -> bool:
    """Whether another file of ours (a backup, a channel's store) knows an entry with words."""
    with faults.translated(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as raw:
        if raw.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
            return False
        row = raw.execute("SELECT status FROM entry WHERE id = ?", (entry_id,)).fetchone()
        return row is not None and row[0] != "purged"
