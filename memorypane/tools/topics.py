"""`memory_open`, `memory_write`, `memory_drop`: named subjects with a cheap index, opened when needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memorypane.model.errors import InvalidInput, MemoryPaneError, NotFound
from memorypane.model.topics import index_lines, with_line_end
from memorypane.service.agent import AgentFace
from memorypane.service.author import Request
from memorypane.service.quoting import quoted
from memorypane.service.topics import Topic
from memorypane.service.validate import clean_provenance
from memorypane.tools.common import held, iso, refuse_unknown
from memorypane.tools.definition import Arguments, Tool, ToolDefinition, ToolResult, failure, hints

__all__ = ["tools"]

FAMILY = "topics"
ALIASES = {"old_str": "old", "new_str": "new"}
NAME: dict[str, Any] = {"type": "string", "description": "group/slug, as the index shows it."}
OPEN_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "names": {"type": "array", "items": {"type": "string"}, "description": "The topics to open; leave it out for the index."}
    },
    "required": [],
}
WRITE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "description": {"type": "string", "description": "One line that says what the topic holds; needed to create it."},
        "name": NAME,
        "new": {"type": "string", "description": "With old: what takes its place. Alone: the body of a new topic, or what is appended."},
        "old": {"type": "string", "description": "A piece of the body that stands there exactly once. Without new it is removed."},
    },
    "required": ["name"],
}
DROP_SCHEMA: dict[str, Any] = {"type": "object", "properties": {"name": NAME}, "required": ["name"]}


def _row(topic: Topic) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": topic.name,
        "size": topic.size,
        "description": topic.description,
        "updated_at": iso(topic.updated_at),
        "version": topic.version,
    }
    return row if topic.body is None else {**row, "body": topic.body}


def _open(face: AgentFace, arguments: Arguments) -> ToolResult:
    refuse_unknown("memory_open", arguments.values, ("names",))
    names: Sequence[str] = arguments.values.get("names") or ()
    return _opened(face, names) if names else _index(face)


def _index(face: AgentFace) -> ToolResult:
    found = face.topics.index()
    lines = index_lines([(topic.name, topic.size, topic.description) for topic in found])
    text = "\n".join(lines) if lines else "There is no topic yet; memory_write creates the first one."
    return ToolResult(text, {"topics": [_row(topic) for topic in found], "missing": []})


def _opened(face: AgentFace, names: Sequence[str]) -> ToolResult:
    opened = face.topics.open(names)
    found = [topic for _, topic in opened.topics if isinstance(topic, Topic)]
    missing = [quoted(name) for name, topic in opened.topics if not isinstance(topic, Topic)]
    blocks = [_block(topic, opened.limit) if isinstance(topic, Topic) else _missing(name, topic) for name, topic in opened.topics]
    text, data = "\n".join(blocks), {"topics": [_row(topic) for topic in found], "missing": missing}
    if found:
        return ToolResult(text, data)
    refused = failure(NotFound("None of these topics is there. Open the index to see the names there are."))
    return ToolResult(text, {**refused.data, **data}, is_error=True)


def _block(topic: Topic, limit: int) -> str:
    """A topic as it is read; it ends with a line break, so that blocks are parted by a blank line."""
    updated = datetime.fromtimestamp(topic.updated_at / 1000, UTC).astimezone()
    size = f"{topic.size} of {limit} bytes, {max(0, limit - topic.size)} free" if limit else f"{topic.size} bytes, no limit"
    body = f"\n{with_line_end(topic.body)}" if topic.body else ""
    return f"[{topic.name}] [updated: {updated:%Y-%m-%d %H:%M:%S}] [size: {size}]\n{topic.description}\n{body}"


def _missing(name: str, problem: MemoryPaneError) -> str:
    why = "no topic has this name" if isinstance(problem, NotFound) else "this is no topic's name (group/slug of a-z, 0-9 and -)"
    return f"{quoted(name)}: {why}.\n"


def _fields(values: Mapping[str, Any]) -> dict[str, str | None]:
    """The arguments of a write with their aliases taken for what they stand for; "" for old and blanks for description are absent."""
    refuse_unknown("memory_write", [name for name in values if name not in ALIASES], tuple(WRITE_SCHEMA["properties"]))
    fields: dict[str, str | None] = {name: values.get(name) for name in ("old", "new", "description")}
    for alias, name in ALIASES.items():
        given = values.get(alias)
        if given is None or (name == "old" and given == ""):
            continue
        if not isinstance(given, str):
            raise InvalidInput(f"{alias} must be a text. Send it as {name}.")
        there = fields[name]
        if there is not None and there != given and not (name == "old" and there == ""):
            raise InvalidInput(f"{alias} stands for {name}, and the two hold different texts. Send {name} alone.")
        fields[name] = given
    return fields


def _write(face: AgentFace, arguments: Arguments) -> ToolResult:
    fields = _fields(arguments.values)
    name, request = arguments.values["name"], _request("memory_write", arguments)
    written = face.topics.write(name, old=fields["old"], new=fields["new"], description=fields["description"], request=request)
    if written.proposal is not None:
        return held(written.proposal)
    topic, actions = written.topic, written.actions
    did = ", ".join(actions) or "nothing changed, it stands so already"
    first = f"created {topic.name}" if actions == ("created",) else f"{topic.name}: {did}"
    (line,) = index_lines([(topic.name, topic.size, topic.description)])
    data = {"name": topic.name, "actions": list(actions), "size": topic.size, "version": topic.version, "description": topic.description}
    return ToolResult(f"{first}\n{line}", data)


def _drop(face: AgentFace, arguments: Arguments) -> ToolResult:
    refuse_unknown("memory_drop", arguments.values, ("name",))
    name = arguments.values["name"]
    proposal = face.topics.drop(name, _request("memory_drop", arguments))
    if proposal is not None:
        return held(proposal)
    return ToolResult(f"Dropped {name}: it is hidden from agents now. The person can restore or erase it.", {"name": name, "dropped": True})


def _request(tool: str, arguments: Arguments) -> Request:
    return Request(tool, clean_provenance(arguments.meta_source, None, default="unstated"), arguments.as_made)


def tools(place: str) -> tuple[Tool, ...]:
    """Return the family's tools; `place` names the channel, for the descriptions."""
    return (
        Tool(
            ToolDefinition(
                "memory_open",
                "Open topics",
                "Without names, list all topics in one line each: name, size in bytes, description. With names, return the whole "
                "text of these topics. Look at the index when a subject comes up, and open only what you need. All agents share the "
                f"topics. This is {place}.",
                FAMILY,
                OPEN_SCHEMA,
                hints(reads=True),
            ),
            _open,
        ),
        Tool(
            ToolDefinition(
                "memory_write",
                "Write a topic",
                "Create or edit a named subject that every agent can open: an ongoing project (areas/…), a person (people/…), "
                "anything else lasting (topics/…). A new name needs a description; new is its body. In an existing one, new alone is "
                "appended on a line of its own, old with new replaces the one place of old, old alone removes it, description "
                "refreshes the line in the index. Open the topic before you edit it. Returns what was done and the index line, or "
                f"says that the write waits for a person. It goes to {place}.",
                FAMILY,
                WRITE_SCHEMA,
                hints(),
            ),
            _write,
        ),
        Tool(
            ToolDefinition(
                "memory_drop",
                "Drop a topic",
                "Take a whole topic away from all agents, when it no longer matters or the user asks for it. To correct or shorten "
                "one, use memory_write. The person can restore it.",
                FAMILY,
                DROP_SCHEMA,
                hints(destroys=True),
            ),
            _drop,
        ),
    )
