"""What one connected agent may do; there is no method here that reaches the system tier, decides, or sees another agent's shelves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorypane.model import text
from memorypane.model.compose import Composition
from memorypane.model.errors import NotFound
from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, RECORDS, TOPICS, Shelf, Tier
from memorypane.model.values import Entry, EntryInfo, SearchPage, Status
from memorypane.service import startup
from memorypane.service.documents import Documents
from memorypane.service.identity import Caller
from memorypane.service.notes import Notes
from memorypane.service.pipeline import Pipeline
from memorypane.service.records import Records
from memorypane.service.topics import Topics
from memorypane.store import entries, proposals, search, usage, workspaces
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["AgentFace", "Ended", "OwnProposals"]


MOST_TOLD = 200
"""So many decisions an agent is told of at once; what is left comes with its next reading."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How one of the agent's own proposals ended: `approved` or `rejected`, and what the person said to it ("" = nothing)."""

    id: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class OwnProposals:
    """How many of the agent's own writes wait, and which were decided since it was told last, in the order of the decisions."""

    waiting: int
    decided: tuple[Ended, ...]


class AgentFace:
    """The service as an agent sees it.

    Attributes: `caller`, `instructions` and `topics` (which all agents share), `files` (the caller's own), `notes` (the caller's own and
    those about the user), `records` (of workspaces).
    """

    def __init__(self, store: Store, pipeline: Pipeline, caller: Caller) -> None:
        self._store = store
        self.caller = caller
        self.instructions = Documents(store, pipeline, caller.author, INSTRUCTIONS, "")
        self.files = Documents(store, pipeline, caller.author, FILES, caller.agent)
        self.notes = Notes(store, pipeline, caller.author)
        self.topics = Topics(store, pipeline, caller.author)
        self.records = Records(store, pipeline, caller.author)

    def search(self, query: str, tiers: Sequence[Tier], limit: int) -> SearchPage:
        """Return live entries that this agent may read and that match; `tiers` narrows ("()" = all of them), never to the system tier."""

        def job(transaction: Transaction) -> SearchPage:
            visible = entries.visible_to(self.caller.agent, self._workspace(transaction), tiers)
            return search.find(transaction, query, [visible], limit)

        return self._store.read(job)

    def index(self) -> list[EntryInfo]:
        """Return every live entry that this agent may read, shelf by shelf; the system tier is no part of it."""

        def job(transaction: Transaction) -> list[EntryInfo]:
            found = [one for place in self._places(transaction) for one in entries.listed(transaction, *place)]
            return [one for one in found if one.client in ("", self.caller.agent)]

        return self._store.read(job)

    def entry(self, entry_id: str) -> Entry:
        """Return a live entry that this agent may read; `NotFound` for every other id, whatever stands behind it."""

        def job(transaction: Transaction) -> Entry:
            found = entries.entry(transaction, entry_id)
            if found is None or found.info.status is not Status.ACTIVE or not self._may_read(transaction, found.info):
                raise NotFound(f"There is no entry {text.short(entry_id)!r} here. The index lists the entries there are.")
            return found

        return self._store.read(job)

    def _workspace(self, transaction: Transaction) -> str:
        """The connection's workspace, "" while the person has closed it to this agent."""
        asked = self.caller.workspace
        return "" if asked and workspaces.closed(transaction, asked, self.caller.agent) else asked

    def _places(self, transaction: Transaction) -> list[tuple[Shelf, str]]:
        """The shelves this agent may read, each with the owner of its entries."""
        shared = [(INSTRUCTIONS, ""), (PROFILE, ""), (TOPICS, "")]
        workspace = self._workspace(transaction)
        records = [(RECORDS, workspace)] if workspace else []
        return [*shared, *records, (NOTES, self.caller.agent), (FILES, self.caller.agent)]

    def _may_read(self, transaction: Transaction, one: EntryInfo) -> bool:
        return (one.place, one.owner) in self._places(transaction) and one.client in ("", self.caller.agent)

    def startup_text(self) -> Composition:
        """Return the composed text this agent should read first."""
        caller = self.caller
        return self._store.read(
            lambda transaction: startup.compose_for(transaction, caller.agent, self._workspace(transaction), channel=caller.channel)
        )

    def own_proposals(self) -> OwnProposals:
        """Return what this agent may know of the queue: how many of its own writes wait, and what was decided that it was not told of."""

        def job(transaction: Transaction) -> OwnProposals:
            found = proposals.untold(transaction, self.caller.agent, MOST_TOLD)
            decided = tuple(Ended(one.id, one.state, one.decided_reason) for one in found)
            return OwnProposals(usage.pending(transaction, self.caller.agent), decided)

        return self._store.read(job)

    def told(self, own: OwnProposals) -> None:
        """Note that the agent was told of these decisions, so that the next reading does not repeat them."""
        if own.decided:
            self._store.write(lambda transaction: proposals.tell(transaction, [one.id for one in own.decided]))

    def system_count(self) -> int:
        """Return how many system entries stand above this agent's instructions."""
        return len(self.instructions.system_listed())
