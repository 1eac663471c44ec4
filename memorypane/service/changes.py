"""What a listener hears after a commit."""

from __future__ import annotations

from dataclasses import dataclass

from memorypane.store.transaction import Touched

__all__ = ["Changed", "changed"]


@dataclass(frozen=True, slots=True)
class Changed:
    """What one commit (or several, by others) touched; `foreign` ones came from other processes."""

    entries: frozenset[str]
    review: bool
    agents: bool
    workspaces: bool
    policy: bool
    foreign: bool


def changed(touched: Touched, *, foreign: bool) -> Changed:
    """Freeze the store's note of a commit."""
    return Changed(frozenset(touched.entries), touched.review, touched.agents, touched.workspaces, touched.policy, foreign)
