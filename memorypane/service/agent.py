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
from memorypane.service.pipeline import Pipeline
from memorypane.store import entries, search, usage
from memorypane.store.store import Store

__all__ = ["AgentFace", "OwnProposals"]


@dataclass(frozen=True, slots=True)
class OwnProposals:
    """How many of the agent's own writes wait."""

    waiting: int


class AgentFace:
    """The service as an agent sees it.

    Attributes: `caller`, `instructions` (the shelf every agent shares), `files` (the caller's own).
    """

    def __init__(self, store: Store, pipeline: Pipeline, caller: Caller) -> None:
        self._store = store
        self.caller = caller
        self.instructions = Documents(store, pipeline, caller.author, INSTRUCTIONS, "")
        self.files = Documents(store, pipeline, caller.author, FILES, caller.agent)

    def search(self, query: str, tiers: Sequence[Tier], limit: int) -> SearchPage:
        """Return live entries that this agent may read and that match; `tiers` narrows ("()" = all of them), never to the system tier."""
        visible = entries.visible_to(self.caller.agent, self.caller.workspace, tiers)
        return self._store.read(lambda transaction: search.find(transaction, query, [visible], limit))

    def index(self) -> list[EntryInfo]:
        """Return every live entry that this agent may read, shelf by shelf; the system tier is no part of it."""
        found = self._store.read(lambda transaction: [one for place in self._places() for one in entries.listed(transaction, *place)])
        return [one for one in found if self._may_read(one)]

    def entry(self, entry_id: str) -> Entry:
        """Return a live entry that this agent may read; `NotFound` for every other id, whatever stands behind it."""
        found = self._store.read(lambda transaction: entries.entry(transaction, entry_id))
        if found is None or found.info.status is not Status.ACTIVE or not self._may_read(found.info):
            raise NotFound(f"There is no entry {text.short(entry_id)!r} here. The index lists the entries there are.")
        return found

    def _places(self) -> list[tuple[Shelf, str]]:
        """The shelves this agent may read, each with the owner of its entries."""
        shared = [(INSTRUCTIONS, ""), (PROFILE, ""), (TOPICS, "")]
        records = [(RECORDS, self.caller.workspace)] if self.caller.workspace else []
        return [*shared, *records, (NOTES, self.caller.agent), (FILES, self.caller.agent)]

    def _may_read(self, one: EntryInfo) -> bool:
        return (one.place, one.owner) in self._places() and one.client in ("", self.caller.agent)

    def startup_text(self) -> Composition:
        """Return the composed text this agent should read first."""
        caller = self.caller
        return self._store.read(
            lambda transaction: startup.compose_for(transaction, caller.agent, caller.workspace, channel=caller.channel)
        )

    def own_proposals(self) -> OwnProposals:
        """Return what this agent may know of the queue: how many of its own writes wait."""
        return OwnProposals(self._store.read(lambda transaction: usage.pending(transaction, self.caller.agent)))

    def system_count(self) -> int:
        """Return how many system entries stand above this agent's instructions."""
        return len(self.instructions.system_listed())
