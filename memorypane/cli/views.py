"""The objects that commands print, as `--json` shows them and as rows for people."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from memorypane.cli.output import age, cut, shown_size, table
from memorypane.model.values import EntryInfo, SearchPage, Status, Version

__all__ = ["entries_text", "entry_data", "entry_line", "hits_data", "hits_text", "version_data", "versions_text"]

NAME_COLUMNS = 48


def entry_data(info: EntryInfo) -> dict[str, Any]:
    """An entry without its text, as every command prints it."""
    data = {
        "id": info.id, "tier": info.tier.value, "shelf": info.shelf, "owner": info.owner, "name": info.name,
        "description": info.description, "kind": info.kind, "status": info.status.value, "version": info.version,
        "reviewed": info.reviewed, "pinned": info.pinned,
        "actor": info.actor, "source": info.source, "size": info.size, "created_at": info.created_at, "updated_at": info.updated_at,
    }
    if info.status is Status.PURGED:
        data["erasing"] = info.erasing
    return data


def entry_line(info: EntryInfo) -> str:
    """One sentence that says where an entry stands."""
    state = "" if info.status is Status.ACTIVE else f", {info.status.value}"
    return f"{info.title or '(empty)'}: {info.place.key}, version {info.version}{state}\n{info.id}"


def entries_text(infos: Iterable[EntryInfo], total: int, *, nothing: str, workspaces: Mapping[str, str]) -> str:
    """A table of entries, and how many there are in all where it shows only some; `workspaces` gives names for their ids."""
    shown = list(infos)
    if not shown:
        return nothing if not total else f"Nothing at this place; {total} in all."
    now = int(time.time() * 1000)
    rows = [
        (
            info.id, info.place.key, workspaces.get(info.owner, info.owner), _marks(info), cut(info.title or "(empty)", NAME_COLUMNS),
            shown_size(info.size), info.actor, age(info.updated_at, now),
        )
        for info in shown
    ]
    laid = table(("ID", "SHELF", "OF", "", "NAME", "SIZE", "WRITTEN BY", "AGE"), rows, right=frozenset({5, 7}))
    return laid if len(shown) == total else f"{laid}\n\n{len(shown)} of {total} entries"


def _marks(info: EntryInfo) -> str:
    """What a person should notice: new, pinned, held changes, or not live."""
    words = [word for word, holds in (("new", info.unreviewed), ("pinned", info.pinned), (f"{info.held} held", info.held > 0)) if holds]
    if info.status is not Status.ACTIVE:
        words.append(info.status.value)
    return ", ".join(words)


def version_data(version: Version) -> dict[str, Any]:
    """A version without its text."""
    return {
        "version": version.number, "version_id": version.id, "action": version.action.value, "actor": version.actor,
        "source": version.source, "source_detail": dict(version.detail), "tool": version.tool, "via": version.via,
        "proposal_id": version.proposal_id,
        "content_hash": version.content_hash, "size": version.size, "name": version.state.name, "created_at": version.created_at,
    }


def versions_text(versions: Iterable[Version]) -> str:
    """A table of versions, newest first."""
    now = int(time.time() * 1000)
    rows = [
        (
            str(version.number), version.action.value, version.actor, version.source if version.source != "unstated" else "",
            version.tool or version.via, shown_size(version.size), age(version.created_at, now),
        )
        for version in versions
    ]
    return table(("VERSION", "ACTION", "WRITTEN BY", "CLAIMS", "WITH", "SIZE", "AGE"), rows, right=frozenset({0, 5, 6}))


def hits_data(page: SearchPage) -> dict[str, Any]:
    """What a search found."""
    data: dict[str, Any] = {
        "results": [
            {
                "id": hit.entry.id, "tier": hit.entry.tier.value, "shelf": hit.entry.shelf, "name": hit.entry.name, "snippet": hit.snippet,
                "matches": [list(span) for span in hit.matches], "version": hit.entry.version, "updated_at": hit.entry.updated_at,
            }
            for hit in page.hits
        ],
        "total": page.total,
    }
    if page.capped:
        data["total_capped"] = True
    return data


def hits_text(page: SearchPage, query: str) -> str:
    """What a search found, two lines a hit."""
    if not page.hits:
        return f"No entry matches “{query}”."
    lines = []
    for hit in page.hits:
        lines.append(f"{hit.entry.title or '(empty)'}  ({hit.entry.place.key})  {hit.entry.id}")
        lines.append("    " + " ".join(hit.snippet.split()))
    if page.total > len(page.hits):
        lines.append(f"\n{len(page.hits)} of {'more than ' if page.capped else ''}{page.total} entries")
    return "\n".join(lines)
