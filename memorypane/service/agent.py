"""What one connected agent may do; there is no method here that reaches the system tier, decides, or sees another agent's shelves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorypane.model.compose import Composition
from memorypane.model.shelves import FILES, INSTRUCTIONS, Tier
from memorypane.model.values import SearchPage
from memorypane.service import startup
from memorypane.service.documents import Documents
from memorypane.service.identity import Caller
from memorypane.service.pipeline import Pipeline
from memorypane.store import entries, proposals, search
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

    def startup_text(self) -> Composition:
        """Return the composed text this agent should read first."""
        caller = self.caller
        return self._store.read(
            lambda transaction: startup.compose_for(transaction, caller.agent, caller.workspace, channel=caller.channel)
        )

    def own_proposals(self) -> OwnProposals:
        """Return what this agent may know of the queue: how many of its own writes wait."""
        return OwnProposals(self._store.read(lambda transaction: proposals.pending_for(transaction, self.caller.agent)))

    def system_count(self) -> int:
        """Return how many system entries stand above this agent's instructions."""
        return len(self.instructions.system_listed())
