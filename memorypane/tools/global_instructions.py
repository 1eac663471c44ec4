"""`GlobalMemory*`: the instructions every agent inherits."""

from __future__ import annotations

from typing import Any

from memorypane.service.agent import AgentFace
from memorypane.service.documents import Finder
from memorypane.tools.common import EXPECTED, PROVENANCE, iso, placed, pretty
from memorypane.tools.definition import Arguments, Handler, Tool, ToolDefinition, ToolResult, hints
from memorypane.tools.documents import (
    claim,
    claim_beside,
    diff_result,
    history_result,
    read_result,
    remove_result,
    version_result,
    write_result,
)

__all__ = ["tools"]

FAMILY = "global"
ID: dict[str, Any] = {"type": "string", "description": "The entry's id from GlobalMemoryList."}


def _found(face: AgentFace, arguments: Arguments, *, removed: bool = False) -> Finder:
    return face.instructions.by_id(arguments.values["id"], removed=removed)


def _list(face: AgentFace, _: Arguments) -> ToolResult:
    rows = [(one, True) for one in face.instructions.system_listed()] + [(one, False) for one in face.instructions.listed()]
    data = {
        "entries": [
            {"id": one.id, "name": one.name, "updated_at": iso(one.updated_at), "system": system, "version": one.version, "size": one.size}
            for one, system in rows
        ]
    }
    return ToolResult(pretty(data), data)


def _read(face: AgentFace, arguments: Arguments) -> ToolResult:
    version_id = arguments.text("version_id")
    if version_id is None:
        return read_result(face.instructions.find(_found(face, arguments)), {})
    return version_result(face.instructions.read_version(_found(face, arguments, removed=True), version_id), {})


def _write(face: AgentFace, arguments: Arguments) -> ToolResult:
    outcome = face.instructions.write(
        None if arguments.text("id") is None else _found(face, arguments),
        arguments.values["name"],
        arguments.values["content"],
        tool="GlobalMemoryWrite",
        provenance=claim(arguments),
        arguments=arguments.as_made,
        expected=arguments.number("expected_version"),
    )
    return write_result(face, outcome, {})


def _remove(face: AgentFace, arguments: Arguments) -> ToolResult:
    outcome = face.instructions.remove(
        _found(face, arguments),
        tool="GlobalMemoryRemove",
        provenance=claim(arguments),
        arguments=arguments.as_made,
        expected=arguments.number("expected_version"),
    )
    return remove_result(face, outcome, {})


def _history(face: AgentFace, arguments: Arguments) -> ToolResult:
    return history_result(face.instructions.history(_found(face, arguments, removed=True)), {})


def _diff(face: AgentFace, arguments: Arguments) -> ToolResult:
    values = arguments.values
    return diff_result(
        face.instructions.diff(_found(face, arguments, removed=True), values["from_version_id"], values["to_version_id"]), {}
    )


def _revert(face: AgentFace, arguments: Arguments) -> ToolResult:
    outcome = face.instructions.revert(
        _found(face, arguments, removed=True),
        arguments.values["version_id"],
        tool="GlobalMemoryRevert",
        claimed=claim_beside(arguments),
        arguments=arguments.as_made,
        expected=arguments.number("expected_version"),
    )
    return write_result(face, outcome, {})


def _schema(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required} if required else {"type": "object", "properties": properties}


def tools(place: str) -> tuple[Tool, ...]:
    """Return the family's tools; `place` names the channel, for the descriptions."""
    version = {"type": "string", "description": "A version's id from GlobalMemoryHistory."}
    made: tuple[tuple[str, str, str, dict[str, Any], dict[str, bool], Handler], ...] = (
        (
            "GlobalMemoryList",
            "List shared instructions",
            (
                "List the standing instructions that every agent here inherits: id, name, version, size, no texts. Entries with system: "
                "true are set by "
                f"the person and cannot be opened or changed, only followed. This is {place}."
            ),
            _schema([]),
            hints(reads=True),
            _list,
        ),
        (
            "GlobalMemoryRead",
            "Read a shared instruction",
            "Return the text of one shared instruction, or of an older version of it. Read before you change it.",
            _schema(["id"], id=ID, version_id=version),
            hints(reads=True),
            _read,
        ),
        (
            "GlobalMemoryWrite",
            "Write a shared instruction",
            (
                "Create a standing instruction that every agent will follow from now on, or (with id) replace the name and whole text of "
                "one. Use it only for "
                "lasting rules the user wants everywhere; list first and extend what is there instead of adding a near copy. The answer "
                "gives id and version, "
                f"or says that the write waits for a person. It goes to {place}."
            ),
            {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": "The entry to replace; leave it out to create one."},
                    "name": {"type": "string", "description": "One line, 1 to 200 characters, unique."},
                    "content": {"type": "string", "description": "The whole text, Markdown, at most 1,048,576 bytes."},
                    "provenance": PROVENANCE,
                    "expected_version": EXPECTED,
                },
                "required": ["name", "content"],
            },
            hints(),
            _write,
        ),
        (
            "GlobalMemoryRemove",
            "Remove a shared instruction",
            "Remove a shared instruction that no longer holds. Its history stays, and a revert brings it back.",
            _schema(["id"], id=ID, provenance=PROVENANCE, expected_version=EXPECTED),
            hints(destroys=True),
            _remove,
        ),
        (
            "GlobalMemoryHistory",
            "History of a shared instruction",
            "List all versions of a shared instruction, newest first, with who wrote each and their claims. Works for removed ones too.",
            _schema(["id"], id=ID),
            hints(reads=True),
            _history,
        ),
        (
            "GlobalMemoryDiff",
            "Compare two versions",
            "Return the unified diff between two versions of one shared instruction.",
            _schema(["id", "from_version_id", "to_version_id"], id=ID, from_version_id=version, to_version_id=version),
            hints(reads=True),
            _diff,
        ),
        (
            "GlobalMemoryRevert",
            "Go back to a version",
            (
                "Write a new version with the name and text of an older one; brings a removed instruction back. Nothing is taken out of "
                "the history. "
                f"It goes to {place}."
            ),
            _schema(["id", "version_id"], id=ID, version_id=version, expected_version=EXPECTED),
            hints(),
            _revert,
        ),
    )
    return tuple(
        Tool(ToolDefinition(name, title, placed(text, place), FAMILY, schema, shown), handler)
        for name, title, text, schema, shown, handler in made
    )
