"""The input schemas of the five tools of a workspace's memory."""

from __future__ import annotations

from typing import Any

from memorypane.service.record_reading import KINDS
from memorypane.tools.common import EXPECTED

__all__ = ["CONTEXT", "CORRECT", "DEFAULT_CHARS", "DEFAULT_LIMIT", "FORGET", "LIST", "REMEMBER"]

DEFAULT_LIMIT, DEFAULT_CHARS = 20, 6_000

FOLDER: dict[str, Any] = {"type": "string", "format": "uuid", "description": "The workspace's id, from read_workspace_context."}
RECORD: dict[str, Any] = {"type": "string", "format": "uuid", "description": "The record's id from a list or context."}
REASON: dict[str, Any] = {"type": "string", "maxLength": 2000, "description": "Why, in a sentence; the person sees it."}
SCOPE: dict[str, Any] = {
    "type": "string",
    "enum": ["shared", "client"],
    "description": "shared: every agent in this workspace; client: you alone, and only for a procedural_preference.",
}
_EVIDENCE_TYPES = (
    "library_content_chunk",
    "library_file",
    "library_document",
    "library_artifact",
    "library_canvas",
    "agent_context_run",
    "agent_interaction_event",
)
_FIELDS: dict[str, dict[str, Any]] = {
    "scope": SCOPE,
    "kind": {
        "type": "string",
        "enum": list(KINDS),
        "description": "What it is; a semantic_fact needs evidence.",
    },
    "content": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "One fact or wish in plain words."},
    "confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "How sure you are; shown to the person."},
    "pinned": {"type": "boolean", "description": "true asks the person to keep it at the top; the write then waits."},
    "sourceType": {"type": "string", "minLength": 1, "maxLength": 80, "description": "Where it comes from; jekt: another agent's message."},
    "sourceId": {"type": "string", "minLength": 1, "maxLength": 500, "description": "Which one of these."},
    "evidenceRefs": {
        "type": "array",
        "maxItems": 20,
        "items": {
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": list(_EVIDENCE_TYPES)},
                "id": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 500,
                    "description": "library_file: the path in the workspace. agent_interaction_event: where the user said it.",
                },
                "snippet": {"type": "string", "minLength": 1, "maxLength": 2000, "description": "The words themselves."},
                "relationship": {"type": "string", "minLength": 1, "maxLength": 80, "description": "Such as supports or contradicts."},
            },
            "required": ["type", "id"],
            "additionalProperties": False,
        },
        "description": "What a person can check it by.",
    },
}
REMEMBER: dict[str, Any] = {
    "type": "object",
    "properties": {"folderId": FOLDER, **_FIELDS, "scope": {**SCOPE, "default": "shared"}},
    "required": ["folderId", "kind", "content"],
    "allOf": [
        {
            "if": {"properties": {"kind": {"const": "semantic_fact"}}, "required": ["kind"]},
            "then": {"required": ["evidenceRefs"], "properties": {"evidenceRefs": {"minItems": 1}}},
        },
        {
            "if": {"properties": {"scope": {"const": "client"}}, "required": ["scope"]},
            "then": {"properties": {"kind": {"const": "procedural_preference"}}},
        },
    ],
    "additionalProperties": False,
}


def _schema(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


LIST = _schema(
    ["folderId"],
    folderId=FOLDER,
    kind={"type": "string", "enum": list(KINDS), "description": "Only this kind."},
    scope={**SCOPE, "description": "Only this scope."},
    status={
        "type": "string",
        "enum": ["active", "superseded", "all"],
        "default": "active",
        "description": "superseded: those that were replaced; all: these and the marks of erased ones too.",
    },
    query={"type": "string", "description": "Words that must all occur."},
    limit={"type": "integer", "minimum": 1, "maximum": 100, "default": DEFAULT_LIMIT, "description": "How many records."},
    cursor={"type": "string", "description": "nextCursor of the page before."},
)
CONTEXT = _schema(
    [],
    folderId={**FOLDER, "description": "The workspace's id; leave it out for the one you work in."},
    maxChars={"type": "integer", "minimum": 500, "maximum": 50_000, "default": DEFAULT_CHARS, "description": "The longest text to return."},
)
CORRECT = _schema(["folderId", "memoryId"], folderId=FOLDER, memoryId=RECORD, **_FIELDS, reason=REASON, expected_version=EXPECTED)
FORGET = _schema(
    ["folderId", "memoryId"],
    folderId=FOLDER,
    memoryId=RECORD,
    mode={
        "type": "string",
        "enum": ["suppress", "purge"],
        "default": "suppress",
        "description": "suppress hides it from all agents; purge also asks the person to erase the text for good.",
    },
    reason=REASON,
)
