"""Gathers what one agent's startup text is composed of."""

from __future__ import annotations

from memorypane.model.compose import Composition, Part, compose
from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, RECORDS, SYSTEM, TOPICS, Shelf
from memorypane.model.values import HUMAN, Entry
from memorypane.store import agents, entries, workspaces
from memorypane.store.transaction import Transaction

__all__ = ["compose_for", "parts_for"]


def _part(found: Entry) -> Part:
    one = found.info
    return Part(
        tier=one.tier,
        shelf=one.shelf,
        entry_id=one.id,
        version=one.version,
        name=one.name,
        description=one.description,
        content=found.content,
        human=one.deciding_actor == HUMAN,
        reviewed=not one.unreviewed,
        updated_at=one.updated_at,
        kind=one.kind,
        pinned=one.pinned,
    )


def parts_for(transaction: Transaction, agent: str, workspace: str) -> list[Part]:
    """Return the live entries that an agent inherits; an unverified agent's personal ones are no part of any startup text."""
    places: list[tuple[Shelf, str]] = [(SYSTEM, ""), (INSTRUCTIONS, ""), (PROFILE, "")]
    if workspace:
        places.append((RECORDS, workspace))
    known = agents.agent(transaction, agent)
    if known is not None and known.verified:
        places += [(NOTES, agent), (FILES, agent)]
    places.append((TOPICS, ""))
    found = [one for shelf, owner in places for one in entries.live_contents(transaction, shelf, owner)]
    return [_part(one) for one in found if not one.info.client or one.info.client == agent]


def compose_for(transaction: Transaction, agent: str, workspace: str, *, channel: str) -> Composition:
    """Return the startup text of an agent in a workspace ("" = none)."""
    place = workspaces.workspace(transaction, workspace)
    return compose(parts_for(transaction, agent, workspace), channel=channel, workspace=place.name if place is not None else "")
