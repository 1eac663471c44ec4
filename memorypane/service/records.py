"""What an agent may do with the records of a workspace: remember, list, read, correct, forget."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import Any, Literal

from memorypane.model.errors import Conflict, NotAllowed, NotFound
from memorypane.model.shelves import RECORDS
from memorypane.model.values import Action, Change, Entry, EntryInfo, Proposal, State, Status
from memorypane.service.author import Author, Call, Plan, Request
from memorypane.service.documents import check_expected
from memorypane.service.pipeline import Outcome, Pipeline
from memorypane.service.quoting import quoted
from memorypane.service.record_draft import Draft
from memorypane.service.record_reading import Context, Filter, RecordPage, RecordView, context, open_workspace, page, views
from memorypane.service.validate import clean_state
from memorypane.store import entries
from memorypane.store import records as stored
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["RecordOutcome", "Records"]

Word = Literal["created", "unchanged", "suppressed", "superseded", "purged", "review_gated"]


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """What became of a call, in the contract's words; what else there is depends on the word.

    `record` stands (new, or already); `entry_id` is the record that was hidden, replaced, or stands in the way; `hidden_at` is when that
    was (milliseconds UTC); `hidden` says that a record whose erasure waits is out of agents' sight already.
    """

    word: Word
    record: RecordView | None = None
    entry_id: str = ""
    proposal: Proposal | None = None
    hidden_at: int = 0
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Records:
    """The workspaces' records for one author; its identity and workspace are fixed by the connection and never arguments."""

    store: Store
    pipeline: Pipeline
    author: Author

    def listed(self, wanted: Filter, *, cursor: str, limit: int) -> RecordPage:
        """Return a page of a workspace's records that this agent may know of."""
        wanted = replace(wanted, agent=self.author.agent)

        def job(transaction: Transaction) -> RecordPage:
            open_workspace(transaction, wanted.workspace, self.author.agent)
            return page(transaction, wanted, cursor, limit)

        return self.store.read(job)

    def context(self, workspace_id: str | None, *, max_chars: int) -> Context:
        """Return a workspace's active records as a text; None = the connection's own, `NotFound` without a confirmed one."""
        asked = workspace_id or self.author.workspace
        if not asked:
            raise NotFound("This connection stands in no workspace. Give the folderId of one.")

        def job(transaction: Transaction) -> Context:
            found = open_workspace(transaction, asked, self.author.agent)
            if workspace_id is None and found.state == "new":
                raise NotFound(
                    f"The folder you work in ({quoted(found.path)}) is not confirmed by the person yet, so nothing is remembered for "
                    f"it. What you write for it (folderId {found.id}) waits until it is.",
                    folderId=found.id,
                )
            return context(transaction, found, self.author.agent, max_chars)

        return self.store.read(job)

    def remember(self, workspace_id: str, draft: Draft, request: Request) -> RecordOutcome:
        """Add a record, unless it stands already or was forgotten there; `pinned` asks for the person's consent."""
        new = draft.applied(State(RECORDS.tier, RECORDS.name, workspace_id), self.author.agent)

        def plan(transaction: Transaction) -> Plan:
            open_workspace(transaction, workspace_id, self.author.agent)
            twin = self._twin(transaction, new, without="")
            if twin is not None:
                return Plan((), twin)
            return Plan((Change("", 0, Action.CREATE, new),), fragile=True)

        outcome = self.pipeline.submit(self._call(request, draft, whole_text=True), plan)
        if outcome.proposal is not None:
            return RecordOutcome("review_gated", proposal=outcome.proposal)
        if outcome.entries:
            return RecordOutcome("created", self._fresh(outcome.entries[0], new))
        return self._stands(outcome)

    def correct(self, workspace_id: str, record_id: str, draft: Draft, request: Request, *, expected: int | None = None) -> RecordOutcome:
        """Replace a record by a new one that supersedes it, both in one call; nothing different = nothing done.

        Raises `Conflict` for a record that was replaced already, or whose head is not `expected`, and `NotAllowed` for a forgotten one.
        """
        new_id = str(uuid.uuid4())
        written: list[State] = []

        def plan(transaction: Transaction) -> Plan:
            open_workspace(transaction, workspace_id, self.author.agent)
            found = self._record(transaction, workspace_id, record_id)
            self._check_correctable(transaction, found)
            check_expected(found, expected)
            now = entries.state(found)
            after = draft.applied(now, self.author.agent)
            if after == clean_state(now):
                return Plan((), found)
            if (after.content, after.kind, after.client) != (now.content, now.kind, now.client):
                twin = self._twin(transaction, after, without=found.id)
                if twin is not None:
                    return Plan((), twin)
            after = replace(after, supersedes=found.id, position=0.0)
            written[:] = [after]
            old = replace(now, status=Status.SUPERSEDED, superseded_by=new_id)
            changes = (Change(new_id, 0, Action.CREATE, after), Change(found.id, found.info.version, Action.SUPERSEDE, old))
            return Plan(changes, found, fragile=True)

        outcome = self.pipeline.submit(self._call(request, draft, whole_text=draft.content is not None), plan)
        if outcome.proposal is not None:
            return RecordOutcome("review_gated", proposal=outcome.proposal)
        if outcome.entries:
            return RecordOutcome("superseded", self._fresh(outcome.entries[0], written[0]), entry_id=record_id)
        return self._stands(outcome)

    def forget(self, workspace_id: str, record_id: str, request: Request, *, purge: bool) -> RecordOutcome:
        """Hide a record from agents; with `purge` also ask the person to erase it."""
        if purge:
            return self.store.write(lambda transaction: self._ask_purge(transaction, workspace_id, record_id, request))

        def plan(transaction: Transaction) -> Plan:
            open_workspace(transaction, workspace_id, self.author.agent)
            found = self._record(transaction, workspace_id, record_id)
            return Plan(_hiding(found), found)

        outcome = self.pipeline.submit(request.call(self.author), plan)
        if outcome.proposal is not None:
            return RecordOutcome("review_gated", proposal=outcome.proposal)
        if outcome.entries:
            return RecordOutcome("suppressed", entry_id=record_id, hidden=True)
        standing = outcome.plan.current
        return RecordOutcome("purged" if standing and standing.info.status is Status.PURGED else "unchanged", entry_id=record_id)

    def _ask_purge(self, transaction: Transaction, workspace_id: str, record_id: str, request: Request) -> RecordOutcome:
        """Hide the record at once where hiding it would go live, and propose its erasure, which always waits."""
        open_workspace(transaction, workspace_id, self.author.agent)
        found = self._record(transaction, workspace_id, record_id)
        if found.info.status is Status.PURGED:
            return RecordOutcome("purged", entry_id=record_id)
        waiting = stored.waiting_purge(transaction, self.author.agent, found.id)
        if waiting is not None and waiting.changes[0].base == found.info.version:
            hidden = found.info.status is Status.SUPPRESSED
            return RecordOutcome("review_gated", entry_id=record_id, proposal=waiting, hidden=hidden)
        call = request.call(self.author)
        hiding = Plan(_hiding(found), found)
        head, hidden = found.info.version, found.info.status is Status.SUPPRESSED
        if hiding.changes and self.pipeline.would_go_live(transaction, call, hiding):
            head, hidden = self.pipeline.apply(transaction, call, hiding).entries[0].version, True
        gone = replace(entries.state(found), kind="", content="", extra={}, evidence=(), supersedes="", superseded_by="", pinned=False)
        erasing = Plan((Change(found.id, head, Action.PURGE, replace(gone, status=Status.PURGED)),), found)
        outcome = self.pipeline.apply(transaction, replace(call, asks=("asks_purge",)), erasing)
        return RecordOutcome("review_gated", entry_id=record_id, proposal=outcome.proposal, hidden=hidden)

    def _call(self, request: Request, draft: Draft, *, whole_text: bool) -> Call:
        return request.call(self.author, whole_text=whole_text, asks=("asks_pinned",) if draft.pinned else ())

    def _record(self, transaction: Transaction, workspace_id: str, record_id: str) -> Entry:
        """The record of an id; `NotFound` for what stands in another workspace, is another agent's own, or was removed by the person."""
        found = entries.entry(transaction, record_id)
        if found is not None:
            one = found.info
            mine = one.client in ("", self.author.agent)
            if one.place is RECORDS and one.owner == workspace_id and mine and one.status is not Status.REMOVED:
                return found
        raise NotFound(f"There is no record {quoted(record_id)} in this workspace. list_workspace_memory shows the ids there are.")

    def _check_correctable(self, transaction: Transaction, found: Entry) -> None:
        one = found.info
        if one.status is Status.SUPERSEDED:
            raise self._replaced(transaction, found)
        if one.status is not Status.ACTIVE:
            raise NotAllowed(f"The record {one.id} was {_said(one.status)}; only the person can bring it back. Do not correct it.")

    def _replaced(self, transaction: Transaction, found: Entry) -> Conflict:
        """The conflict that names the record which stands now, at the end of the chain of corrections."""
        seen, current = {found.id}, found
        while current.info.status is Status.SUPERSEDED and current.info.superseded_by not in seen:
            newer = entries.entry(transaction, current.info.superseded_by)
            if newer is None:
                break
            seen.add(newer.id)
            current = newer
        if current is found or current.info.client not in ("", self.author.agent):
            return Conflict(f"The record {found.id} was replaced already. List the records to see what stands now.")
        data: dict[str, Any] = {"currentId": current.id, "current_version": current.info.version}
        if current.info.status is Status.ACTIVE:
            data["current"] = current.content
        return Conflict(f"The record {found.id} was replaced already; {current.id} stands now. Correct that one if it is wrong.", **data)

    def _twin(self, transaction: Transaction, wanted: State, *, without: str) -> Entry | None:
        """The record that makes a new one needless (same content, kind and scope), or forbids it (same content, forgotten)."""
        same = [one for one in stored.same_content(transaction, wanted.owner, self.author.agent, wanted.content) if one.id != without]
        for one in same:
            if one.status is Status.ACTIVE and (one.kind, one.client) == (wanted.kind, wanted.client):
                return entries.entry(transaction, one.id)
        for one in same:
            if one.status is Status.SUPPRESSED:
                return entries.entry(transaction, one.id)
        return None

    def _stands(self, outcome: Outcome) -> RecordOutcome:
        """The answer to a call that wrote nothing: what stands already, or what was forgotten."""
        standing = outcome.plan.current
        if standing is None:
            raise LookupError("a plan without changes must name the record that stands already")
        if standing.info.status is Status.SUPPRESSED:
            return RecordOutcome("suppressed", entry_id=standing.id, hidden_at=standing.info.updated_at)
        (view,) = self.store.read(lambda transaction: views(transaction, [standing], self.author.agent))
        return RecordOutcome("unchanged", view, entry_id=standing.id)

    def _fresh(self, info: EntryInfo, state: State) -> RecordView:
        """A record just written by this author."""
        return RecordView(Entry(info, state.content, state.evidence, state.supersedes, state.extra), self.author.actor, state.supersedes)


def _hiding(found: Entry) -> tuple[Change, ...]:
    """What hides a record: nothing if it is hidden already."""
    if found.info.status not in {Status.ACTIVE, Status.SUPERSEDED}:
        return ()
    return (Change(found.id, found.info.version, Action.SUPPRESS, replace(entries.state(found), status=Status.SUPPRESSED)),)


def _said(status: Status) -> str:
    return "erased" if status is Status.PURGED else "forgotten"
