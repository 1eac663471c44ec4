"""What a tool is to a host: name, schema, description, annotations; and what a call of it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memorypane.model.errors import MemoryPaneError
from memorypane.service.agent import AgentFace
from memorypane.service.quoting import without_credentials

__all__ = ["Arguments", "Handler", "Tool", "ToolDefinition", "ToolResult", "failure", "hints"]

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as it is offered; `input_schema` is a JSON Schema object."""

    name: str
    title: str
    description: str
    family: str
    input_schema: Schema
    annotations: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is what the model reads, `data` the same for programs; `is_error` marks a failure."""

    text: str
    data: dict[str, Any]
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call's arguments after the schema check, the claim that came beside them, and the words for the audit trail."""

    values: Mapping[str, Any]
    meta_source: str | None = None
    as_made: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """An optional text argument; null means absent."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> int | None:
        """An optional whole number (1.0 is one)."""
        value = self.values.get(name)
        return None if value is None else int(value)


Handler = Callable[[AgentFace, Arguments], ToolResult]
FailureHandler = Callable[[MemoryPaneError, AgentFace, Mapping[str, Any]], ToolResult]
"""Answers a refused call: the refusal, who called, and the arguments as they came (which may be what was wrong)."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A definition with what carries it out; `writes` tools have their refusals noted in the audit trail.

    `prepare` puts arguments right before they are checked; `failed` answers refusals in the family's own form (None = the common one).
    """

    definition: ToolDefinition
    handler: Handler
    prepare: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    failed: FailureHandler | None = None

    @property
    def writes(self) -> bool:
        """Whether a call may change something."""
        return not self.definition.annotations["readOnlyHint"]


def hints(*, reads: bool = False, destroys: bool = False, idempotent: bool = False) -> dict[str, bool]:
    """The hints that hosts show or decide by; nothing here reaches beyond this machine."""
    return {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": idempotent or reads, "openWorldHint": False}


def failure(problem: MemoryPaneError) -> ToolResult:
    """The result of a refused or failed call; a conflict shows the current text, so that the model can go on from it."""
    text = without_credentials(problem.message)
    current = problem.data.get("current")
    if isinstance(current, str):
        text += f"\n\nThe current text (version {problem.data.get('current_version')}):\n{current}"
    return ToolResult(text, {"error": {**problem.as_dict(), "message": without_credentials(problem.message)}}, is_error=True)
