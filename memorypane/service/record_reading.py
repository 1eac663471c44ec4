"""Records of a workspace as an agent reads them: one by one, in pages, and as a bounded text."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memorypane.model.errors import InvalidInput, NotFound
from memorypane.model.text import short
from memorypane.model.values import Entry, Status, Workspace
from memorypane.service.quoting import quoted
from memorypane.store import entries, workspaces
from memorypane.store import records as stored
from memorypane.store.records import Filter, Place
from memorypane.store.transaction import Transaction

__all__ = ["KINDS", "Context", "Filter", "RecordPage", "RecordView", "context", "describe", "open_workspace", "page", "views"]

KINDS = ("semantic_fact", "episodic_event", "procedural_preference", "project_preference", "open_question", "source_preference")
"""The kinds in the order of the contract, which is the order of a context."""
NAME_SHOWN = 60
LEAST_LINE = 50
"""A record's line above its content is longer than this."""


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record with what its row does not say: who wrote it first, and the links that this agent may follow."""

    entry: Entry
    written_by: str
    supersedes: str = ""
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A stretch of a list, how long the list is, and the mark by which it goes on ("" = this is its end)."""

    records: tuple[RecordView, ...]
    total: int
    cursor: str


@dataclass(frozen=True, slots=True)
class Context:
    """A workspace's active records as one text within a limit, and how many were left out."""

    workspace: Workspace
    text: str
    records: tuple[RecordView, ...]
    omitted: int


def open_workspace(transaction: Transaction, workspace_id: str, agent: str) -> Workspace:
    """Return a workspace that is known and not closed to the agent; `NotFound`, the same for both, says how one gets known."""
    found = workspaces.workspace(transaction, workspace_id)
    if found is None or workspaces.closed(transaction, workspace_id, agent):
        raise NotFound(
            f"There is no workspace {quoted(workspace_id)} here. A folder becomes known when an agent is started in it or when the person "
            "adds it; leave folderId out of read_workspace_context to see the one you work in."
        )
    return found


def views(transaction: Transaction, found: Sequence[Entry], agent: str) -> tuple[RecordView, ...]:
    """Complete records for an agent; a link to another agent's own record is left out."""
    writers = stored.first_actors(transaction, {one.id for one in found})
    linked = stored.visible(transaction, {other for one in found for other in (one.supersedes, one.info.superseded_by) if other}, agent)

    def link(other: str) -> str:
        return other if other in linked else ""

    return tuple(RecordView(one, writers.get(one.id, ""), link(one.supersedes), link(one.info.superseded_by)) for one in found)


def page(transaction: Transaction, wanted: Filter, cursor: str, limit: int) -> RecordPage:
    """Return a page of at most `limit` records; `InvalidInput` for a cursor that no page of this very list gave."""
    keys, total = stored.page(transaction, wanted, _place(cursor, wanted) if cursor else None, limit + 1)
    found = entries.whole(transaction, keys[:limit])
    more = len(keys) > limit
    mark = _cursor(Place(found[-1].info.pinned, found[-1].info.seq), wanted) if more and found else ""
    return RecordPage(views(transaction, found, wanted.agent), total, mark)


def _cursor(place: Place, wanted: Filter) -> str:
    return base64.urlsafe_b64encode(json.dumps([int(place.pinned), place.seq, _mark(wanted)]).encode()).decode().rstrip("=")


def _place(cursor: str, wanted: Filter) -> Place:
    try:
        given = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, UnicodeError, ValueError, RecursionError):
        given = None
    if isinstance(given, list) and len(given) == 3 and given[2] == _mark(wanted):
        pinned, seq, _ = given
        if pinned in (0, 1) and isinstance(seq, int) and 0 < seq < 1 << 63:
            return Place(bool(pinned), seq)
    raise InvalidInput(
        f"cursor {quoted(cursor)!r} is not the nextCursor of a page of this list with these filters. Leave it out to begin with the first "
        "page."
    )


def _mark(wanted: Filter) -> str:
    """What ties a cursor to its list."""
    parts = [wanted.workspace, wanted.agent, *wanted.statuses, wanted.kind, wanted.scope, wanted.query]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def describe(view: RecordView) -> str:
    """A record as text: a line with its facts, then its content."""
    one = view.entry.info
    facts = [f"id {one.id}", f"version {one.version}", *([one.kind] if one.kind else []), "client" if one.client else "shared"]
    if one.pinned:
        facts.append("pinned")
    if one.status is not Status.ACTIVE:
        facts.append(one.status)
    if view.superseded_by:
        facts.append(f"replaced by {view.superseded_by}")
    if view.entry.evidence:
        facts.append(f"evidence: {len(view.entry.evidence)}")
    return f"[{', '.join(facts)}]\n{view.entry.content}".rstrip("\n")


def context(transaction: Transaction, workspace: Workspace, agent: str, max_chars: int) -> Context:
    """Compose the workspace's text of at most `max_chars` code points: whole records, those that do not fit are counted."""
    order = stored.ranked(transaction, Filter(workspace.id, agent), KINDS)
    name = short(workspace.name, NAME_SHOWN)
    if not order:
        return Context(workspace, f"Nothing is remembered for the workspace {name} yet.", (), 0)
    head = f"Remembered for the workspace {name}:"
    known: dict[int, RecordView] = {}
    chosen = list(_fitting(transaction, order, agent, max_chars - len(head), known))
    if len(chosen) < len(order):
        room = max_chars - len(head) - len(f"\n\n{_left_out(len(order))}")
        chosen = list(_fitting(transaction, order, agent, room, known))
    omitted = len(order) - len(chosen)
    tail = [_left_out(omitted)] if omitted else []
    return Context(workspace, "\n\n".join([head, *map(describe, chosen), *tail]), tuple(chosen), omitted)


def _left_out(count: int) -> str:
    return f"{count} more did not fit; list_workspace_memory shows them."


def _fitting(
    transaction: Transaction, order: Sequence[tuple[int, int]], agent: str, room: int, known: dict[int, RecordView]
) -> Iterator[RecordView]:
    """The records that fit one after the other into so many code points; `known` keeps what was read."""
    for key, size in order:
        # A code point has four bytes at most: what cannot fit even so is not read at all.
        if size // 4 + LEAST_LINE > room:
            continue
        if key not in known:
            found = entries.whole(transaction, [key])
            if not found:
                continue
            known[key] = views(transaction, found, agent)[0]
        length = len(describe(known[key])) + len("\n\n")
        if length <= room:
            room -= length
            yield known[key]
