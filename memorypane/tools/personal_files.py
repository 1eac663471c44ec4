"""`Memory*`: the calling agent's own Markdown files."""

from __future__ import annotations

from typing import Any

import yaml

from memorypane.model import frontmatter
from memorypane.model.text import check_filename
from memorypane.service.agent import AgentFace
from memorypane.tools.common import EXPECTED, PROVENANCE, iso, placed, pretty
from memorypane.tools.definition import Arguments, Handler, Tool, ToolDefinition, ToolResult, hints
from memorypane.tools.documents import claim, claim_beside, diff_result, history_result, read_result, remove_result, write_result

__all__ = ["tools"]

FAMILY = "global"
INDEX = "MEMORY.md"
LONGEST_FRONT_MATTER = 16_384
FILENAME: dict[str, Any] = {"type": "string", "description": "Letters, digits, - and _, ending in .md, as MemoryList shows it."}


def _name(arguments: Arguments) -> str:
    return check_filename(arguments.values["filename"])


def metadata_type(content: str) -> str | None:
    """Return `metadata.type` of a text's front matter, or None where there is none that can be read."""
    block, _ = frontmatter.split(content)
    if block is None or len(block) > LONGEST_FRONT_MATTER:
        return None
    try:
        fields = yaml.safe_load(block)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    metadata = fields.get("metadata") if isinstance(fields, dict) else None
    kind = metadata.get("type") if isinstance(metadata, dict) else None
    return kind if isinstance(kind, str) else None


def _list(face: AgentFace, _: Arguments) -> ToolResult:
    rows = []
    for found in sorted(face.files.with_texts(), key=lambda one: (one.info.name != INDEX, one.info.name)):
        row: dict[str, Any] = {"filename": found.info.name, "is_index": found.info.name == INDEX}
        if kind := metadata_type(found.content):
            row["metadata_type"] = kind
        rows.append(
            {
                **row,
                "size_bytes": found.info.size,
                "modified_at": iso(found.info.updated_at),
                "id": found.info.id,
                "version": found.info.version,
            }
        )
    data = {"files": rows}
    return ToolResult(pretty(data), data)


def _read(face: AgentFace, arguments: Arguments) -> ToolResult:
    name = _name(arguments)
    return read_result(face.files.find(face.files.by_name(name)), {"filename": name})


def _write(face: AgentFace, arguments: Arguments) -> ToolResult:
    name = _name(arguments)
    outcome = face.files.write(
        face.files.by_name_or_new(name),
        name,
        arguments.values["content"],
        tool="MemoryWrite",
        provenance=claim(arguments),
        arguments=arguments.as_made,
        expected=arguments.number("expected_version"),
    )
    return write_result(face, outcome, {"filename": name})


def _remove(face: AgentFace, arguments: Arguments) -> ToolResult:
    name = _name(arguments)
    outcome = face.files.remove(
        face.files.by_name(name),
        tool="MemoryRemove",
        provenance=claim_beside(arguments),
        arguments=arguments.as_made,
        expected=arguments.number("expected_version"),
    )
    return remove_result(face, outcome, {"filename": name})


def _history(face: AgentFace, arguments: Arguments) -> ToolResult:
    name = _name(arguments)
    return history_result(face.files.history(face.files.by_name(name, removed=True)), {"filename": name})


def _diff(face: AgentFace, arguments: Arguments) -> ToolResult:
    first, second = arguments.values["from_version_id"], arguments.values["to_version_id"]
    return diff_result(face.files.diff(face.files.by_version(first), first, second), {})


def _revert(face: AgentFace, arguments: Arguments) -> ToolResult:
    name = _name(arguments)
    outcome = face.files.revert(
        face.files.by_name(name, removed=True),
        arguments.values["target_version_id"],
        tool="MemoryRevert",
        claimed=claim_beside(arguments),
        arguments=arguments.as_made,
        expected=arguments.number("expected_version"),
    )
    return write_result(face, outcome, {"filename": name})


def _schema(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required} if required else {"type": "object", "properties": properties}


def tools(place: str) -> tuple[Tool, ...]:
    """Return the family's tools; `place` names the channel, for the descriptions."""
    version = {"type": "string", "description": "A version's id from MemoryHistory."}
    made: tuple[tuple[str, str, str, dict[str, Any], dict[str, bool], Handler], ...] = (
        (
            "MemoryList",
            "List your files",
            f"List your own memory files, {INDEX} (the index) first. No other agent sees them. This is {place}.",
            _schema([]),
            hints(reads=True),
            _list,
        ),
        (
            "MemoryRead",
            "Read one of your files",
            "Return the text of one of your own memory files.",
            _schema(["filename"], filename=FILENAME),
            hints(reads=True),
            _read,
        ),
        (
            "MemoryWrite",
            "Write one of your files",
            (
                f"Create one of your own memory files, or replace its whole text. Use it for what only you need later; keep {INDEX} as a "
                "short index of the "
                f"others. The answer gives the version, or says that the write waits for a person. It goes to {place}."
            ),
            _schema(
                ["filename", "content"],
                filename=FILENAME,
                content={"type": "string", "description": "The whole text, Markdown, at most 1,048,576 bytes."},
                provenance=PROVENANCE,
                expected_version=EXPECTED,
            ),
            hints(),
            _write,
        ),
        (
            "MemoryRemove",
            "Remove one of your files",
            "Remove one of your own memory files. Its history stays, and a revert brings it back.",
            _schema(["filename"], filename=FILENAME, expected_version=EXPECTED),
            hints(destroys=True),
            _remove,
        ),
        (
            "MemoryHistory",
            "History of one of your files",
            "List all versions of one of your files, newest first, without texts. Works for removed ones too.",
            _schema(["filename"], filename=FILENAME),
            hints(reads=True),
            _history,
        ),
        (
            "MemoryDiff",
            "Compare two versions",
            "Return the unified diff between two versions of one of your files.",
            _schema(["from_version_id", "to_version_id"], from_version_id=version, to_version_id=version),
            hints(reads=True),
            _diff,
        ),
        (
            "MemoryRevert",
            "Go back to a version",
            "Write a new version of one of your files with the text of an older one; brings a removed file back.",
            _schema(["filename", "target_version_id"], filename=FILENAME, target_version_id=version, expected_version=EXPECTED),
            hints(),
            _revert,
        ),
    )
    return tuple(
        Tool(ToolDefinition(name, title, placed(text, place), FAMILY, schema, shown), handler)
        for name, title, text, schema, shown, handler in made
    )
