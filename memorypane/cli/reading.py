"""`list`, `show`, `history`, `diff` and `search`: commands that change nothing."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.inputs import find_place, find_workspace
from memorypane.cli.output import Output, shown_size, shown_time
from memorypane.cli.parser import Commands, Parser, command, count, entry_id, place, text, version_number
from memorypane.cli.views import entries_text, entry_data, hits_data, hits_text, version_data, versions_text
from memorypane.cli.words import UsageError
from memorypane.model.shelves import SHELVES, Tier
from memorypane.model.values import Entry, ListQuery, Version

__all__ = ["register"]

LISTED = 100
FOUND = 10


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    listing = command(
        group, "list", _list, summary="List entries in the order of their list",
        detail="Shows the live entries, or with --removed those that agents no longer see.", example="list --tier global --unreviewed",
    )
    place(listing)
    listing.add_argument("--removed", action="store_true", help="removed, replaced, forgotten and erased entries instead")
    listing.add_argument("--unreviewed", action="store_true", help="only what an agent wrote and nobody kept yet")
    listing.add_argument("--query", type=text, default="", metavar="Q", help="only entries that match these words")
    listing.add_argument("--limit", type=count, default=LISTED, metavar="N", help=f"at most N entries (else {LISTED})")
    listing.add_argument("--offset", type=count, default=0, metavar="N", help="leave out the first N")

    show = command(group, "show", _show, summary="Show one entry with its text", example="show 3f0c9a52-… --version 4")
    entry_id(show)
    show.add_argument("--version", type=version_number, default=None, metavar="N", help="as it was at version N")

    history = command(group, "history", _history, summary="List the versions of an entry, newest first", example="history 3f0c9a52-…")
    entry_id(history)

    diff = command(group, "diff", _diff, summary="Compare two versions of an entry", example="diff 3f0c9a52-… 4 7")
    entry_id(diff)
    diff.add_argument("first", type=version_number, metavar="FROM", help="number of the older version")
    diff.add_argument("second", type=version_number, metavar="TO", help="number of the newer version")

    search = command(group, "search", _search, summary="Find entries by words", example='search "database migration" --tier workspace')
    search.add_argument("query", type=text, metavar="QUERY", help="words that the entry holds; the last one may be a beginning")
    search.add_argument("--tier", choices=[tier.value for tier in Tier], default="", help="only this tier")
    search.add_argument("--limit", type=count, default=FOUND, metavar="N", help=f"at most N entries (else {FOUND})")


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print a page of a list."""
    tier, shelf = arguments.tier, arguments.shelf
    if "/" in shelf:
        found = find_place(tier, shelf)
        tier, shelf = found.tier.value, found.name
    if shelf and not any(one.name == shelf and tier in ("", one.tier) for one in SHELVES):
        raise UsageError(f"There is no shelf {shelf!r}{f' in {tier}' if tier else ''}. There are: {', '.join(one.key for one in SHELVES)}.")
    owner = arguments.owner
    if owner and (tier == Tier.WORKSPACE or shelf == "records"):
        owner = find_workspace(context.person.workspaces(), owner).id
    query = ListQuery(
        tier=tier, shelf=shelf, owner=owner, removed=arguments.removed, unreviewed=arguments.unreviewed, text=arguments.query
    )
    page = context.person.page(query, offset=arguments.offset, limit=arguments.limit)
    nothing = "No entry matches." if (tier or shelf or owner or arguments.query or arguments.unreviewed) else "There are no entries yet."
    of_workspaces = any(info.tier is Tier.WORKSPACE for info in page.entries)
    workspaces = {one.id: one.name for one in context.person.workspaces()} if of_workspaces and not context.as_json else {}
    return Output(
        {"entries": [entry_data(info) for info in page.entries], "total": page.total},
        entries_text(page.entries, page.total, nothing=nothing, workspaces=workspaces),
    )


def _show(context: Context, arguments: argparse.Namespace) -> Output:
    """Print an entry as it stands, or as it was."""
    entry = context.person.entry(arguments.id)
    if arguments.version is None:
        return _shown(entry, None)
    return _shown(entry, context.person.version(arguments.id, arguments.version))


def _shown(entry: Entry, version: Version | None) -> Output:
    """The entry, with the fields of an earlier version in place of its own where one is asked for."""
    info = entry.info
    data = entry_data(info)
    content, evidence, superseded_by = entry.content, entry.evidence, info.superseded_by
    if version is not None:
        state = version.state
        content, evidence, superseded_by = state.content, state.evidence, state.superseded_by
        data |= {
            "tier": state.tier.value, "shelf": state.shelf, "owner": state.owner, "name": state.name, "description": state.description,
            "kind": state.kind, "status": state.status.value, "pinned": state.pinned, "version": version.number, "actor": version.actor,
            "source": version.source, "size": version.size, "updated_at": version.created_at, "version_id": version.id,
            "content_hash": version.content_hash,
        }
    data |= {"content": content, "evidence": [dict(item.fields) for item in evidence], "superseded_by": superseded_by}
    facts = [
        f"{data['tier']}/{data['shelf']}", f"version {data['version']}", str(data["status"]), shown_size(int(str(data["size"]))),
        f"by {data['actor']}", shown_time(int(str(data["updated_at"]))),
    ]
    head = [line for line in (str(data["name"]), str(data["description"]), " · ".join(facts)) if line]
    return Output(data, "\n".join(head) + f"\n\n{content}")


def _history(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the versions of an entry."""
    versions = context.person.history(arguments.id)
    return Output({"versions": [version_data(version) for version in versions]}, versions_text(versions))


def _diff(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the unified diff of two versions."""
    difference = context.person.diff(arguments.id, arguments.first, arguments.second)
    return Output({"diff": difference}, difference or "The two versions have the same text.")


def _search(context: Context, arguments: argparse.Namespace) -> Output:
    """Print what a search found."""
    page = context.person.search(arguments.query, tier=arguments.tier, limit=arguments.limit)
    return Output(hits_data(page), hits_text(page, arguments.query))
