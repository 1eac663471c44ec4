"""The five tools of a workspace's memory: typed records with evidence, for what the user explicitly asked to remember."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memorypane.model.values import Status
from memorypane.service.agent import AgentFace
from memorypane.service.author import Request
from memorypane.service.record_draft import Draft
from memorypane.service.record_reading import Filter, RecordView, describe
from memorypane.service.records import RecordOutcome
from memorypane.service.validate import clean_provenance
from memorypane.tools import workspace_schemas as schemas
from memorypane.tools.common import held, iso
from memorypane.tools.definition import Arguments, Handler, Tool, ToolDefinition, ToolResult, hints

__all__ = ["tools"]

FAMILY = "workspace"
SNIPPET = 300
"""A snippet in an answer is cut to this many characters; the person sees it whole."""
STATUSES = {"active": (Status.ACTIVE,), "superseded": (Status.SUPERSEDED,), "all": (Status.ACTIVE, Status.SUPERSEDED, Status.PURGED)}


def _row(view: RecordView) -> dict[str, Any]:
    """A record as data, bounded; absent values are left out."""
    entry, one = view.entry, view.entry.info
    row: dict[str, Any] = {
        "id": one.id,
        "folderId": one.owner,
        "scope": "client" if one.client else "shared",
        "kind": one.kind,
        "content": entry.content,
        "confidence": one.confidence,
        "pinned": one.pinned,
        **{name: entry.extra.get(name) for name in ("sourceType", "sourceId")},
        "evidenceRefs": [_evidence(item.fields) for item in entry.evidence] or None,
        "status": str(one.status),
        "version": one.version,
        "supersedes": view.supersedes,
        "supersededBy": view.superseded_by,
        "createdAt": iso(one.created_at),
        "updatedAt": iso(one.updated_at),
        "writtenBy": view.written_by,
        "erasing": one.erasing or None,
    }
    return {name: value for name, value in row.items() if value is not None and value != ""}


def _evidence(fields: Mapping[str, Any]) -> dict[str, Any]:
    snippet = fields.get("snippet")
    if isinstance(snippet, str) and len(snippet) > SNIPPET:
        return {**fields, "snippet": f"{snippet[: SNIPPET - 1]}…"}
    return dict(fields)


def _folder(arguments: Arguments) -> str:
    return str(arguments.values["folderId"]).lower()


def _record(arguments: Arguments) -> str:
    return str(arguments.values["memoryId"]).lower()


def _draft(values: Mapping[str, Any]) -> Draft:
    return Draft(
        kind=values.get("kind"),
        content=values.get("content"),
        scope=values.get("scope"),
        confidence=values.get("confidence"),
        pinned=values.get("pinned"),
        source_type=values.get("sourceType"),
        source_id=values.get("sourceId"),
        evidence=values.get("evidenceRefs"),
    )


def _request(tool: str, arguments: Arguments) -> Request:
    """The claim of a call: the one that came beside it, but `jekt` wherever the record itself says so."""
    said = str(arguments.values.get("sourceType") or "").strip().casefold()
    source = "jekt" if said == "jekt" else arguments.meta_source
    reason = arguments.text("reason")
    return Request(tool, clean_provenance(source, {"reason": reason} if reason else None, default="unstated"), arguments.as_made)


def _remember(face: AgentFace, arguments: Arguments) -> ToolResult:
    request = _request("remember_workspace_memory", arguments)
    return _answer(face.records.remember(_folder(arguments), _draft(arguments.values), request))


def _correct(face: AgentFace, arguments: Arguments) -> ToolResult:
    request, expected = _request("correct_workspace_memory", arguments), arguments.number("expected_version")
    outcome = face.records.correct(_folder(arguments), _record(arguments), _draft(arguments.values), request, expected=expected)
    return _answer(outcome)


def _forget(face: AgentFace, arguments: Arguments) -> ToolResult:
    request, purge = _request("forget_workspace_memory", arguments), arguments.values.get("mode") == "purge"
    outcome = face.records.forget(_folder(arguments), _record(arguments), request, purge=purge)
    if outcome.proposal is not None:
        also = "The record is hidden from agents already; only its erasure waits." if outcome.hidden else ""
        waiting = held(outcome.proposal, also=also)
        return ToolResult(waiting.text, {"outcome": outcome.word, "memoryId": outcome.entry_id, **waiting.data})
    said = {
        "suppressed": f"Forgotten: the record {outcome.entry_id} is hidden from agents now. The person can bring it back.",
        "purged": f"The record {outcome.entry_id} was erased already; nothing of it is left.",
    }.get(outcome.word, f"Nothing changed: the record {outcome.entry_id} is forgotten already.")
    return ToolResult(said, {"outcome": outcome.word, "memoryId": outcome.entry_id})


def _answer(outcome: RecordOutcome) -> ToolResult:
    """The result of a call that would have a record stand."""
    if outcome.proposal is not None:
        waiting = held(outcome.proposal)
        return ToolResult(waiting.text, {"outcome": outcome.word, **waiting.data})
    if outcome.record is None:
        on = datetime.fromtimestamp(outcome.hidden_at / 1000, UTC).date().isoformat()
        said = (
            f"Not stored: exactly this text was forgotten in this workspace on {on} (record {outcome.entry_id}). The person can lift that. "
            "Do not store it in other words or in another place."
        )
        return ToolResult(said, {"outcome": outcome.word, "memoryId": outcome.entry_id})
    one = outcome.record.entry.info
    who = "only you see it" if one.client else "every agent in this workspace sees it"
    shown = f"record {one.id}, version {one.version}"
    data: dict[str, Any] = {"outcome": outcome.word, "memory": _row(outcome.record)}
    if outcome.word == "superseded":
        return ToolResult(f"Corrected: {shown} replaces {outcome.entry_id}; {who}.", {**data, "supersededId": outcome.entry_id})
    if outcome.word == "created":
        return ToolResult(f"Remembered: {shown}; {who}.", data)
    return ToolResult(f"Nothing changed: {shown} says this already; {who}.", data)


def _list(face: AgentFace, arguments: Arguments) -> ToolResult:
    values = arguments.values
    wanted = Filter(
        _folder(arguments),
        face.caller.agent,
        STATUSES[values.get("status", "active")],
        values.get("kind", ""),
        values.get("scope", ""),
        values.get("query", ""),
    )
    found = face.records.listed(wanted, cursor=values.get("cursor", ""), limit=arguments.number("limit") or schemas.DEFAULT_LIMIT)
    data: dict[str, Any] = {"memories": [_row(view) for view in found.records], "total": found.total}
    more = []
    if found.cursor:
        data["nextCursor"] = found.cursor
        more = [f"There are more: go on with cursor {found.cursor}."]
    head = f"{len(found.records)} of {found.total} records, pinned first, then the newest:" if found.records else "No record fits."
    return ToolResult("\n\n".join([head, *map(describe, found.records), *more]), data)


def _context(face: AgentFace, arguments: Arguments) -> ToolResult:
    folder = arguments.text("folderId")
    found = face.records.context(folder.lower() if folder else None, max_chars=arguments.number("maxChars") or schemas.DEFAULT_CHARS)
    data = {
        "folderId": found.workspace.id,
        "name": found.workspace.name,
        "path": found.workspace.path,
        "text": found.text,
        "memories": [_row(view) for view in found.records],
        "omitted": found.omitted,
    }
    return ToolResult(f"Workspace {found.workspace.id}\n\n{found.text}", data)


def tools(place: str) -> tuple[Tool, ...]:
    """Return the family's tools; `place` names the channel, for the descriptions."""
    made: tuple[tuple[str, str, str, dict[str, Any], dict[str, bool], Handler], ...] = (
        (
            "remember_workspace_memory",
            "Remember for this workspace",
            (
                "Keep one fact, event, preference or open question of this workspace. Only when the user asks you to remember it, not "
                "for what you conclude along the way. As evidence give library_file with the path in the workspace where it is written, "
                "or agent_interaction_event with where the user said it and their words as snippet; a semantic_fact needs some. It never "
                "changes the source. The answer is created, unchanged (it stands already), suppressed (it was forgotten here and stays "
                f"away) or review_gated (a person looks at it first). It goes to {place}."
            ),
            schemas.REMEMBER,
            hints(idempotent=True),
            _remember,
        ),
        (
            "list_workspace_memory",
            "List a workspace's memory",
            (
                "List the records of a workspace with their ids, pinned first, then the newest; narrow by kind, scope, status or words. "
                f"Use it to find the id of a record to correct or forget. This is {place}."
            ),
            schemas.LIST,
            hints(reads=True),
            _list,
        ),
        (
            "read_workspace_context",
            "Read a workspace's memory",
            (
                "Return what is remembered for the workspace you work in, as one text within a limit of characters, with its folderId. "
                f"Read it when you begin to work in a folder. This is {place}."
            ),
            schemas.CONTEXT,
            hints(reads=True),
            _context,
        ),
        (
            "correct_workspace_memory",
            "Correct a record",
            (
                "Replace a record that is wrong or outdated: send its id and what differs. A new record supersedes the old one, which is "
                "kept in the history. Not for a new fact: remember that instead. The answer is superseded, unchanged, suppressed or "
                f"review_gated. It goes to {place}."
            ),
            schemas.CORRECT,
            hints(),
            _correct,
        ),
        (
            "forget_workspace_memory",
            "Forget a record",
            (
                "Hide a record from all agents when the user wants it forgotten; the same text then stays away. mode purge also asks the "
                "person to erase it for good. The answer is suppressed, unchanged, purged or review_gated."
            ),
            schemas.FORGET,
            hints(destroys=True, idempotent=True),
            _forget,
        ),
    )
    return tuple(
        Tool(ToolDefinition(name, title, text, FAMILY, schema, shown), handler) for name, title, text, schema, shown, handler in made
    )
