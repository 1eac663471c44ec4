"""What waits for the person, as lists and pages show it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorypane.model.shelves import Tier
from memorypane.model.values import Action, Finding, State, Status

__all__ = ["ReviewChange", "ReviewDetail", "ReviewItem", "seen_mark"]


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One row of the review list: a held proposal (`id` is its own) or an unreviewed entry (`id` is the entry's)."""

    id: str
    lane: Literal["held", "unreviewed"]
    entry_id: str
    tier: Tier
    shelf: str
    owner: str
    name: str
    excerpt: str
    action: Action
    actor: str
    verified: bool
    source: str
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]
    stale: bool
    created_at: int
    changes: int = 1


@dataclass(frozen=True, slots=True)
class ReviewChange:
    """One change of an item: texts before and after (the merged text where a stale proposal merges cleanly)."""

    entry_id: str
    action: Action
    base: int
    before: State | None
    after: State

    @property
    def before_text(self) -> str:
        """The text that stands, or stood last in the person's eyes; "" for a new entry."""
        return self.before.content if self.before is not None and self.before.status is Status.ACTIVE else ""

    @property
    def after_text(self) -> str:
        """The text that would stand; "" for a removal."""
        return self.after.content if self.after.status is Status.ACTIVE else ""


@dataclass(frozen=True, slots=True)
class ReviewDetail:
    """An item with all it would change.

    `seen` is the mark of what is shown: a decision that carries it is refused when anything else stands by then. `conflict` says why a
    stale proposal cannot be merged ("" = it can, or is not stale).
    """

    item: ReviewItem
    changes: tuple[ReviewChange, ...]
    call: Mapping[str, Any]
    seen: str
    merged: bool = False
    conflict: str = ""


def seen_mark(states: Sequence[tuple[str, State]]) -> str:
    """Return the mark of what a person was shown: of everything in the resulting states that a reader would take in."""
    shown = [
        [
            entry_id,
            state.tier,
            state.shelf,
            state.owner,
            state.name,
            state.description,
            state.content,
            state.kind,
            state.confidence,
            state.status,
            [dict(item.fields) for item in state.evidence],
        ]
        for entry_id, state in states
    ]
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
