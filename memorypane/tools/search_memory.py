"""`SearchMemory`: what this agent may read, by words."""

from __future__ import annotations

from typing import Any

from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import Tier
from memorypane.model.values import SearchHit
from memorypane.service.agent import AgentFace
from memorypane.tools.common import iso
from memorypane.tools.definition import Arguments, Tool, ToolDefinition, ToolResult, hints

__all__ = ["tools"]

DEFAULT_LIMIT = 10
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "Plain words; all must occur, the last one may be a beginning. There is no query syntax.",
        },
        "tiers": {
            "type": "array",
            "items": {"type": "string", "enum": [str(tier) for tier in Tier]},
            "description": "Only these of: global, workspace, personal.",
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many results, 10 if left out."},
    },
    "required": ["query"],
}


def _search(face: AgentFace, arguments: Arguments) -> ToolResult:
    tiers = [Tier(tier) for tier in arguments.values.get("tiers", ())]
    if Tier.SYSTEM in tiers:
        raise InvalidInput(
            "tiers: the system tier cannot be searched; its rules are in the startup text. Choose from global, workspace, personal."
        )
    found = face.search(arguments.values["query"], tiers, arguments.number("limit") or DEFAULT_LIMIT)
    data: dict[str, Any] = {"results": [_row(hit) for hit in found.hits], "total": found.total}
    if found.capped:
        data["total_capped"] = True
    lines = [_line(number, hit) for number, hit in enumerate(found.hits, 1)]
    more = f"{len(found.hits)} of {'more than ' if found.capped else ''}{found.total} entries:"
    return ToolResult("\n".join([more, *lines]) if lines else "No entry matches. Try fewer or other words.", data)


def _row(hit: SearchHit) -> dict[str, Any]:
    one = hit.entry
    return {
        "id": one.id,
        "tier": one.tier,
        "shelf": one.shelf,
        "name": one.name,
        "snippet": hit.snippet,
        "matches": [list(span) for span in hit.matches],
        "version": one.version,
        "updated_at": iso(one.updated_at),
    }


def _line(number: int, hit: SearchHit) -> str:
    one = hit.entry
    return f"{number}. {one.name or '(unnamed)'} [{one.place.key}, id {one.id}, version {one.version}]\n   {' '.join(hit.snippet.split())}"


def tools(place: str) -> tuple[Tool, ...]:
    """Return the search; `place` names the channel, for the description."""
    definition = ToolDefinition(
        "SearchMemory",
        "Search memory",
        "Find entries you may read by words: shared instructions and topics, this workspace's records, your own notes and files. Search "
        "before you write, "
        f"so that a fact stands in one place. Returns id, name and a piece of the text. This is {place}.",
        "search",
        SCHEMA,
        hints(reads=True),
    )
    return (Tool(definition, _search),)
