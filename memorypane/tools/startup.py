"""`read_startup_memory`: what an agent should read before anything else, since hosts seldom read resources by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memorypane.model.compose import Composition
from memorypane.model.errors import InvalidInput
from memorypane.model.text import short
from memorypane.service.agent import AgentFace, OwnProposals
from memorypane.tools.definition import Arguments, Tool, ToolDefinition, ToolResult, hints

__all__ = ["PAGE", "page_end", "tools"]

PAGE = 20_000
"""Characters a page holds at most, so that no host cuts it."""
REASON_SHOWN = 500
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"offset": {"type": "integer", "minimum": 0, "description": "Where to go on, from next_offset of the answer before."}},
}


def page_end(composed: Composition, offset: int) -> int:
    """Return where a page from `offset` ends: at the last entry's border that fits, else (a longer entry) at a line's end."""
    text = composed.text
    if len(text) - offset <= PAGE:
        return len(text)
    borders = [placed.start for section in composed.sections for placed in section.entries] + [
        section.start for section in composed.sections
    ]
    fitting = [border for border in borders if offset < border <= offset + PAGE]
    if fitting:
        return max(fitting)
    line = text.rfind("\n", offset, offset + PAGE)
    return line + 1 if line >= offset else offset + PAGE


def _about_own(own: OwnProposals) -> Iterator[str]:
    """What an agent is told of its own writes that wait or waited."""
    waiting = {0: "None of your writes waits", 1: "1 of your writes waits"}.get(own.waiting, f"{own.waiting} of your writes wait")
    yield f"{waiting} for a person."
    for one in own.decided:
        because = f": {short(one.reason, REASON_SHOWN)}" if one.reason else ""
        yield f"Your proposal {one.id} was {one.state}{because}"


def _read(face: AgentFace, arguments: Arguments) -> ToolResult:
    composed = face.startup_text()
    offset = arguments.number("offset") or 0
    if offset > len(composed.text):
        raise InvalidInput(f"offset: the text has {len(composed.text)} characters, so it cannot go on at {offset}. Start from 0.")
    end = page_end(composed, offset)
    own = face.own_proposals()
    text = composed.text[offset:end]
    data: dict[str, Any] = {
        "text": text,
        "offset": offset,
        "total": len(composed.text),
        "sections": [
            {"tier": section.tier, "shelf": section.shelf, "entries": len(section.entries), "bytes": section.bytes}
            for section in composed.sections
        ],
        "own_proposals": {
            "waiting": own.waiting,
            "decided": [{"id": one.id, "state": one.state, "reason": one.reason} for one in own.decided],
        },
    }
    notes = []
    if end < len(composed.text):
        data["next_offset"] = end
        notes.append(f"This is not all: read on with offset {end} (of {len(composed.text)} characters).")
    else:
        notes.append("\n".join(_about_own(own)))
        # The lines stand at the end alone: an agent that reads only the first page was not told.
        face.told(own)
    return ToolResult("\n\n".join(part for part in (text.rstrip("\n"), *notes) if part), data)


def tools(place: str) -> tuple[Tool, ...]:
    """Return the tool; `place` names the channel, for the description."""
    definition = ToolDefinition(
        "read_startup_memory",
        "Read startup memory",
        "Read this first in every session: the person's rules (they override everything else), the shared instructions, what is known "
        "about the user and "
        f"the workspace, and your own notes. Long texts come in pages; go on with offset until next_offset is absent. This is {place}.",
        "always",
        SCHEMA,
        hints(reads=True),
    )
    return (Tool(definition, _read),)
