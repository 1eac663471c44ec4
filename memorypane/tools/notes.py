"""`memory`: two small lists of notes, the agent's own and those about the user."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from memorypane.model.errors import InvalidInput, MemoryPaneError, Unavailable
from memorypane.model.notes import Done, Operation, read_operation
from memorypane.service.agent import AgentFace
from memorypane.service.author import Request
from memorypane.service.notes import Changed
from memorypane.service.quoting import without_credentials
from memorypane.service.validate import clean_provenance
from memorypane.tools.common import held_text, refuse_unknown
from memorypane.tools.definition import Arguments, Tool, ToolDefinition, ToolResult, hints
from memorypane.tools.streaks import Streaks

__all__ = ["tools"]

FAMILY = "notes"
TOOL = "memory"
PATIENCE = 3
"""Failures in a row that are answered without telling the model to stop."""
SINGLE = ("action", "content", "new_text", "old_text")
_CHANGE: dict[str, Any] = {
    "action": {"enum": ["add", "patch", "remove"], "type": "string", "description": "What to do."},
    "content": {"type": "string", "description": "The new entry (add), or what takes the place of old_text (patch)."},
    "new_text": {"type": "string", "description": "The same as content."},
    "old_text": {
        "type": "string",
        "description": "A piece of the entry you mean, exactly as it stands; only one entry may hold it, and for patch only once.",
    },
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **_CHANGE,
        "operations": {
            "type": "array",
            "items": {"type": "object", "properties": dict(_CHANGE), "required": ["action"], "additionalProperties": False},
            "description": "Several changes in order, all or none, instead of the single fields; the size is judged at the end.",
        },
        "target": {
            "enum": ["memory", "user"],
            "type": "string",
            "description": "memory: your own notes. user: who the user is, shared with all agents.",
        },
    },
    "required": ["target"],
}


def _prepare(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """An empty action is none: some hosts fill in every field of a batch."""
    return {name: value for name, value in arguments.items() if not (name == "action" and value == "")}


def _memory(streaks: Streaks, face: AgentFace, arguments: Arguments) -> ToolResult:
    values = arguments.values
    refuse_unknown(TOOL, values, tuple(SCHEMA["properties"]))
    batch = "operations" in values
    operations = _operations(values) if batch else [_single(values)]
    request = Request(TOOL, clean_provenance(arguments.meta_source, None, default="unstated"), arguments.as_made)
    changed = face.notes.change(values["target"], operations, request, batch=batch)
    streaks.succeeded(face.caller.connection)
    data = _held(changed) if changed.proposal is not None else _written(values["target"], changed, batch=batch)
    return ToolResult(json.dumps(data, ensure_ascii=False), data)


def _single(values: Mapping[str, Any]) -> Operation:
    if "action" not in values:
        raise InvalidInput("action is missing: send add, patch or remove with its fields, or several changes as operations.")
    return read_operation(values["action"], values)


def _operations(values: Mapping[str, Any]) -> list[Operation]:
    beside = [name for name in SINGLE if values.get(name)]
    if beside:
        raise InvalidInput(f"With operations, leave {', '.join(beside)} out; put every change into the list.")
    if not values["operations"]:
        raise InvalidInput("operations is empty, so there is nothing to do. Send at least one change in it.")
    found = []
    for number, fields in enumerate(values["operations"], 1):
        try:
            found.append(read_operation(fields["action"], fields))
        except InvalidInput as problem:
            raise InvalidInput(problem.message, **problem.data, operation=number) from problem
    return found


def _held(changed: Changed) -> dict[str, Any]:
    proposal = changed.proposal
    if proposal is None:
        raise LookupError("nothing of this call waits")
    return {
        "success": True,
        "staged": True,
        "pending_id": proposal.id,
        "message": held_text(proposal),
        "held": True,
        "proposalId": proposal.id,
        "reasons": list(proposal.reasons),
    }


def _written(target: str, changed: Changed, *, batch: bool) -> dict[str, Any]:
    done = changed.done
    said = " ".join(f"Operation {number}: {one.said}" for number, one in enumerate(done, 1)) if batch else done[0].said
    return {
        "success": True,
        "done": True,
        "target": target,
        "usage": changed.usage,
        "entry_count": changed.count,
        "message": said,
        "note": "This call is complete; it need not be repeated or checked.",
        **(_batch_report(done) if batch else _single_report(done[0])),
    }


def _single_report(one: Done) -> dict[str, Any]:
    if one.action == "remove":
        return {"removed_entry": one.before}
    return {"patched_entry_before": one.before, "patched_entry_after": one.after} if one.action == "patch" else {}


def _batch_report(done: Sequence[Done]) -> dict[str, Any]:
    numbered = [(str(number), one) for number, one in enumerate(done, 1)]
    return {
        "removed_entries": {number: one.before for number, one in numbered if one.action == "remove"},
        "patched_entries": {
            number: {"before": one.before, "after": one.after} for number, one in numbered if one.action == "patch"
        },
    }


def _failed(streaks: Streaks, problem: MemoryPaneError, face: AgentFace, arguments: Mapping[str, Any]) -> ToolResult:
    """The family's own failure: what helps to ask again stands at the top level, and in a batch never the entries."""
    said, extra = without_credentials(problem.message), dict(problem.data)
    number = extra.pop("operation", None) or _operation_at(str(extra.pop("path", "")))
    if arguments.get("operations") is not None:
        extra = {name: value for name, value in extra.items() if name not in {"current_entries", "matches"}}
        said = f"{f'Operation {number}: ' if number else ''}{said} Nothing was applied."
        if number:
            extra["operation"] = number
        target = arguments.get("target")
        if target == "memory" or target == "user":
            with suppress(Unavailable):  # a store that cannot be read is the failure itself, or will be the next one's
                extra["usage"] = face.notes.usage(target)
    failures = streaks.failed(face.caller.connection)
    data: dict[str, Any] = {"success": False, "error": said, "code": problem.code, **extra}
    if failures > PATIENCE:
        data["error"] += f" This was failure {failures} in a row: stop calling this tool now and answer the user."
        data["done"] = True
    return ToolResult(json.dumps(data, ensure_ascii=False), data, is_error=True)


def _operation_at(path: str) -> int | None:
    """The number from 1 of the operation that a JSON path leads into."""
    first, _, rest = path.partition(".")
    index = rest.partition(".")[0]
    return int(index) + 1 if first == "operations" and index.isdecimal() else None


def tools(place: str, streaks: Streaks) -> tuple[Tool, ...]:
    """Return the tool; `place` names the channel, for the description; `streaks` counts the failures of its connections."""
    definition = ToolDefinition(
        TOOL,
        "Notes",
        "Keep short facts that matter again in later sessions, in one of two small lists: target memory is yours alone, target user "
        "says who the user is and is read by every agent. Not for passing task state, long texts or secrets. add appends content; "
        "patch puts content in the place of old_text within one entry; remove deletes the entry that holds old_text. To make room or "
        "change several entries, send operations: all or none. The answer says how full the list is, or that the write waits for a "
        f"person. You find both lists in your startup memory. It goes to {place}.",
        FAMILY,
        SCHEMA,
        hints(),
    )
    return (Tool(definition, partial(_memory, streaks), _prepare, partial(_failed, streaks)),)
