"""A workspace record's own fields as a call gives them, and the conditions that the result must meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorypane.model.errors import InvalidInput
from memorypane.model.values import Evidence, State
from memorypane.service.validate import clean_state

__all__ = ["Draft"]

FACT, PREFERENCE = "semantic_fact", "procedural_preference"


@dataclass(frozen=True, slots=True)
class Draft:
    """A record's own fields as a call gives them; None = not given."""

    kind: str | None = None
    content: str | None = None
    scope: str | None = None
    confidence: float | None = None
    pinned: bool | None = None
    source_type: str | None = None
    source_id: str | None = None
    evidence: Sequence[Mapping[str, Any]] | None = None

    def applied(self, state: State, agent: str) -> State:
        """The state with what is given, cleaned; raises `InvalidInput` where the contract's conditions on kind and scope do not hold."""
        sources = {"sourceType": self.source_type, "sourceId": self.source_id}
        given: dict[str, Any] = {"kind": self.kind, "content": self.content, "confidence": self.confidence, "pinned": self.pinned}
        after = replace(
            state,
            **{name: value for name, value in given.items() if value is not None},
            extra={**state.extra, **{name: value for name, value in sources.items() if value is not None}},
        )
        if self.scope is not None:
            after = replace(after, client=agent if self.scope == "client" else "")
        if self.evidence is not None:
            after = replace(after, evidence=tuple(Evidence(item) for item in self.evidence))
        after = clean_state(after)
        _check_conditions(after)
        return after


def _check_conditions(state: State) -> None:
    if state.kind == FACT and not state.evidence:
        raise InvalidInput(f"evidenceRefs: a {FACT} needs at least one reference; say where it is written or where the user said it.")
    if state.client and state.kind != PREFERENCE:
        raise InvalidInput(f"kind: scope client goes only with {PREFERENCE}, not with {state.kind}. Use scope shared or that kind.")
    if not state.content:
        raise InvalidInput("content is empty once its byte order mark is gone; send the text to remember.")
