"""The erasing of one entry inside an open transaction: its words go, a tombstone without content stays."""

from __future__ import annotations

import uuid
from dataclasses import replace

from memorypane.model.errors import NotAllowed
from memorypane.model.values import Action, EntryInfo, Status
from memorypane.service.author import Author
from memorypane.service.editing import stored
from memorypane.service.policy import rejected_digest
from memorypane.store import decisions, entries, erasing, search, writing
from memorypane.store.transaction import Transaction

__all__ = ["erase"]


def erase(transaction: Transaction, author: Author, entry_id: str, *, proposal_id: str = "") -> EntryInfo:
    """Take every word of an entry out of every table and return its tombstone; `proposal_id` is the proposal that asked for it.

    Until `purging.finish_pending` ran, the words may still stand in the file's free pages. Raises `NotFound` for an unknown id and
    `NotAllowed` for what was erased already.
    """
    found = stored(transaction, entry_id)
    if found.info.status is Status.PURGED:
        raise NotAllowed("This entry was erased already.")
    digests = []
    for version in entries.history(transaction, entry_id):
        whole = entries.version(transaction, entry_id, version.number)
        if whole is not None:
            digests.append(rejected_digest(whole.state.place.key, whole.state.content))
    decisions.lift(transaction, digests)
    gone = replace(
        entries.state(found),
        name="",
        description="",
        content="",
        kind="",
        extra={},
        evidence=(),
        supersedes="",
        superseded_by="",
        status=Status.PURGED,
        pinned=False,
    )
    stamp = writing.Stamp(author.trace(author.via), str(uuid.uuid4()), "human", proposal_id=proposal_id)
    writing.write(transaction, writing.Writing(entry_id, Action.PURGE, gone, search.Folded("", "")), stamp)
    erasing.erase_words(transaction, entry_id)
    return stored(transaction, entry_id).info
