"""`review list`: what waits for the person, and what went live that nobody looked at yet."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from typing import Any

from memorypane.cli.context import Context
from memorypane.cli.output import Output, age, cut, table
from memorypane.cli.parser import Commands, Parser, command, subcommands
from memorypane.model.errors import NotFound
from memorypane.model.text import excerpt
from memorypane.model.values import EntryInfo, ListQuery, Proposal, Status
from memorypane.service.person import PersonFace

__all__ = ["register", "review_items"]

NAME_COLUMNS = 44


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    verbs = subcommands(group, "review", summary="List what agents wrote for your review", example="review list")
    command(
        verbs, "list", _list, summary="List held and unreviewed writes, oldest first",
        detail="Held ones are not live until you approve them; unreviewed ones are live and wait to be kept or reverted.",
        example="review list",
    )


def review_items(person: PersonFace) -> tuple[Mapping[str, Any], ...]:
    """Everything that waits, oldest first: held proposals by their own id, unreviewed entries by theirs."""
    items = [*_held(person), *_unreviewed(person)]
    return tuple(sorted(items, key=lambda item: int(item["created_at"])))


def _held(person: PersonFace) -> Iterator[Mapping[str, Any]]:
    for proposal in person.proposals():
        change = proposal.changes[0]
        yield {
            "id": proposal.id, "lane": "held", "entry_id": change.entry_id, "tier": change.state.tier.value, "shelf": change.state.shelf,
            "owner": change.state.owner, "name": change.state.name,
            "title": change.state.name or excerpt(change.state.content), "action": change.action.value, "actor": proposal.actor,
            "verified": proposal.verified, "source": proposal.provenance.source, "reasons": list(proposal.reasons),
            "findings": [finding.as_dict() for finding in proposal.findings], "stale": _stale(person, proposal),
            "created_at": proposal.created_at,
        }


def _stale(person: PersonFace, proposal: Proposal) -> bool:
    """Whether any entry moved since the proposal was made."""
    for change in proposal.changes:
        if change.base:
            try:
                info = person.entry(change.entry_id).info
            except NotFound:
                return True
            if info.version != change.base or info.status is Status.PURGED:
                return True
    return False


def _unreviewed(person: PersonFace) -> Iterator[Mapping[str, Any]]:
    for info in person.infos(person.seqs(ListQuery(unreviewed=True))).values():
        yield {
            "id": info.id, "lane": "unreviewed", "entry_id": info.id, "tier": info.tier.value, "shelf": info.shelf, "owner": info.owner,
            "name": info.name, "title": info.title, "action": "", "actor": info.deciding_actor, "verified": None, "source": info.source,
            "reasons": [],
            "findings": [], "stale": False, "created_at": _decided_at(person, info),
        }


def _decided_at(person: PersonFace, info: EntryInfo) -> int:
    """When the last deciding version was written; pins and moves after it do not make an item younger."""
    if info.version == info.deciding:
        return info.updated_at
    return next(version.created_at for version in person.history(info.id) if version.number == info.deciding)


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the items."""
    del arguments
    items = review_items(context.person)
    now = int(time.time() * 1000)
    rows = [
        (
            str(item["id"]), str(item["lane"]), f"{item['tier']}/{item['shelf']}", cut(str(item["title"]) or "(empty)", NAME_COLUMNS),
            str(item["actor"]), ", ".join(item["reasons"]), age(int(item["created_at"]), now),
        )
        for item in items
    ]
    laid = table(("ID", "LANE", "SHELF", "NAME", "WRITTEN BY", "BECAUSE", "AGE"), rows, right=frozenset({6}))
    return Output({"items": list(items)}, laid if rows else "Nothing waits for review.")
