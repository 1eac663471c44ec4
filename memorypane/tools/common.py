"""Words that several families share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from memorypane.model.errors import InvalidInput
from memorypane.model.values import EntryInfo, Proposal, Version
from memorypane.service.identity import Caller
from memorypane.service.quoting import quoted
from memorypane.tools.definition import ToolResult

__all__ = ["EXPECTED", "PROVENANCE", "held", "held_text", "iso", "placed", "pretty", "refuse_unknown", "version_row", "where", "written"]

PROVENANCE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "source": {
            "type": "string",
            "description": (
                "Where this comes from, at most 80 characters: human (the user said it), agent_inferred (you concluded it), "
                "jekt (another agent's message), or free words."
            ),
        },
        "detail": {"type": "object", "description": "Anything that lets a person check the source."},
    },
    "required": ["source"],
}
EXPECTED: dict[str, Any] = {
    "type": "integer",
    "description": "The version you started from; if somebody changed the entry since, nothing is written and you get the current text.",
}


def iso(milliseconds: int) -> str:
    """A time as tools print it: ISO 8601 UTC with milliseconds and Z."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def pretty(value: object) -> str:
    """JSON as a model reads it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def placed(description: str, place: str) -> str:
    """A tool's description, which says in which world the tool works."""
    return description if place in description else f"{description} This is {place}."


def where(caller: Caller) -> str:
    """Which world a write went to, in a few words."""
    kind = "isolated" if caller.isolated else "shared"
    return f"channel {caller.channel} ({kind}); nothing reaches other machines"


def held_text(proposal: Proposal, *, also: str = "") -> str:
    """What the model is told of a write that waits for a person, and no hint of a way around; `also` is a sentence of the family's."""
    return (
        f"Not in memory yet: this write waits for a person to look at it (proposal {proposal.id}; why: {', '.join(proposal.reasons)}). "
        f"{f'{also} ' if also else ''}It is kept and need not be repeated. Go on with your task, and do not look for another way to "
        "store it."
    )


def held(proposal: Proposal, *, also: str = "") -> ToolResult:
    """The answer to a write that waits for a person, which is a success."""
    return ToolResult(held_text(proposal, also=also), {"held": True, "proposalId": proposal.id, "reasons": list(proposal.reasons)})


def refuse_unknown(tool: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise `InvalidInput` naming the arguments that a tool does not know, and those that it does."""
    unknown = [name for name in given if name not in known]
    if unknown:
        raise InvalidInput(
            f"{tool} does not know {', '.join(map(quoted, unknown))}; nothing was done. Its arguments are {', '.join(known)}. "
            "Send the call again with these."
        )


def written(entry: EntryInfo, *, created: bool) -> dict[str, Any]:
    """What a write of a named text returns as data."""
    return {
        "id": entry.id,
        "name": entry.name,
        "version": entry.version,
        "version_id": entry.version_id,
        "content_hash": entry.content_hash,
        "created": created,
    }


def version_row(version: Version) -> dict[str, Any]:
    """One row of a history, without the text."""
    return {
        "version_id": version.id,
        "version": version.number,
        "action": version.action,
        "content_hash": version.content_hash,
        "parent_version_id": version.parent or None,
        "source": version.source,
        "source_detail": dict(version.detail),
        "written_by": version.actor,
        "created_at": iso(version.created_at),
    }
