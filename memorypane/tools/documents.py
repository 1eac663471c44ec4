"""The answers that both document families of the `global` tools give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memorypane.model.values import Entry, Provenance, Version
from memorypane.service.agent import AgentFace
from memorypane.service.pipeline import Outcome
from memorypane.service.validate import clean_provenance
from memorypane.tools.common import held, pretty, version_row, where, written
from memorypane.tools.definition import Arguments, ToolResult

__all__ = ["claim", "claim_beside", "diff_result", "history_result", "read_result", "remove_result", "version_result", "write_result"]

Extra = Mapping[str, Any]


def claim(arguments: Arguments) -> Provenance:
    """What the writer claims, by the argument or beside the call; the default of this family is `agent_inferred`."""
    given = arguments.values.get("provenance") or {}
    source = given.get("source") if given else arguments.meta_source
    return clean_provenance(source, given.get("detail"), default="agent_inferred")


def claim_beside(arguments: Arguments) -> Provenance:
    """What the writer claims beside a call of a tool that has no argument for it."""
    return clean_provenance(arguments.meta_source, None, default="agent_inferred")


def read_result(found: Entry, extra: Extra) -> ToolResult:
    """The text of an entry alone, and its facts as data."""
    one = found.info
    data = {
        "id": one.id,
        "name": one.name,
        "content": found.content,
        "version": one.version,
        "version_id": one.version_id,
        "content_hash": one.content_hash,
        **extra,
    }
    return ToolResult(found.content, data)


def version_result(version: Version, extra: Extra) -> ToolResult:
    """The same for an older version."""
    data = {
        "id": version.entry_id,
        "name": version.state.name,
        "content": version.state.content,
        "version": version.number,
        "version_id": version.id,
        "content_hash": version.content_hash,
        **extra,
    }
    return ToolResult(version.state.content, data)


def write_result(face: AgentFace, outcome: Outcome, extra: Extra) -> ToolResult:
    """One line on what a write or revert did."""
    if outcome.proposal is not None:
        return held(outcome.proposal)
    if outcome.entries:
        one = outcome.entries[0]
        created = one.version == 1
        did = "Created" if created else "Wrote"
        return ToolResult(
            f"{did} {one.name!r} (id {one.id}, version {one.version}) in {where(face.caller)}.", {**written(one, created=created), **extra}
        )
    current = outcome.plan.current
    if current is None:
        raise LookupError("a plan without changes must name the entry that stands already")
    one = current.info
    text = f"Nothing changed: {one.name!r} (id {one.id}, version {one.version}) already stands so in {where(face.caller)}."
    return ToolResult(text, {**written(one, created=False), **extra})


def remove_result(face: AgentFace, outcome: Outcome, extra: Extra) -> ToolResult:
    """One line on a removal."""
    if outcome.proposal is not None:
        return held(outcome.proposal)
    one = outcome.entries[0]
    text = f"Removed {one.name!r} (id {one.id}, version {one.version}) in {where(face.caller)}. Its history stays; a revert brings it back."
    return ToolResult(text, {"id": one.id, "removed": True, "version": one.version, **extra})


def history_result(versions: tuple[Version, ...], extra: Extra) -> ToolResult:
    """The versions, newest first, without texts."""
    data = {"versions": [version_row(version) for version in versions], **extra}
    return ToolResult(pretty(data), data)


def diff_result(diff: str, extra: Extra) -> ToolResult:
    """A unified diff, or a sentence where there is no difference."""
    return ToolResult(diff or "The two versions have the same name and text.", {"diff": diff, **extra})
