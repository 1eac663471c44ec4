"""Checks arguments against a tool's schema before anything else looks at them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from memorypane.model.errors import InvalidInput
from memorypane.model.text import short
from memorypane.scan.scanner import credentials
from memorypane.service.quoting import quoted

__all__ = ["ArgumentCheck"]

DEEPEST = 64
"""Levels of nesting; what is deeper would break off whatever walks through it."""


class ArgumentCheck:
    """The compiled schema of one tool."""

    def __init__(self, tool: str, schema: Mapping[str, Any]) -> None:
        self._tool = tool
        self._schema = schema
        self._validator = jsonschema_rs.validator_for(dict(schema), validate_formats=True)

    def __call__(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments without those optional texts and lists that are null.

        `InvalidInput` names the JSON path and the rule; the path is its `path` too.
        """
        if _depth(arguments) > DEEPEST:
            raise InvalidInput(f"{self._tool}: the arguments are nested deeper than {DEEPEST} levels. Send them flatter.")
        given: dict[str, Any] = _without_nulls(arguments, self._schema)
        for path, value in _texts("", given):
            if (position := _lone_surrogate(value)) >= 0:
                raise InvalidInput(f"{self._tool}: {path} holds a lone surrogate at position {position}; send whole characters.", path=path)
        problems = sorted(self._validator.iter_errors(given), key=lambda problem: [str(part) for part in problem.instance_path])
        if problems:
            said = f"{self._tool}: {_sentence(problems[0])} Send the call again with that put right."
            raise InvalidInput(said, path=_path(problems[0]))
        return given


def _depth(value: object) -> int:
    """How many lists and objects stand within each other."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, Mapping | list)]:
        depth += 1
        if depth > DEEPEST:
            break
        level = [item for one in level for item in (one.values() if isinstance(one, Mapping) else one)]
    return depth


def _without_nulls(value: Any, schema: Mapping[str, Any]) -> Any:
    """A JSON value without the optional texts and lists that are null, at every level that the schema describes."""
    if isinstance(value, Mapping):
        known: Mapping[str, Any] = schema.get("properties", {})
        optional = {name for name, rule in known.items() if rule.get("type") in {"string", "array"}} - set(schema.get("required", ()))
        kept = {name: item for name, item in value.items() if item is not None or name not in optional}
        return {name: _without_nulls(item, known.get(name, {})) for name, item in kept.items()}
    if isinstance(value, list) and "items" in schema:
        return [_without_nulls(item, schema["items"]) for item in value]
    return value


def _path(problem: jsonschema_rs.ValidationError) -> str:
    """The JSON path of what is wrong, also of what is missing; "" for the call itself."""
    parts = [str(part) for part in problem.instance_path]
    missing = problem.kind.as_dict().get("property") if str([*problem.schema_path, ""][-2]) == "required" else None
    return ".".join([*parts, missing] if missing else parts)


def _sentence(problem: jsonschema_rs.ValidationError) -> str:
    """Say what is wrong where; the value is cut short, and never shown if it holds a credential."""
    *_, keyword = ["", *(str(part) for part in problem.schema_path)]
    path, rule = _path(problem), problem.kind.as_dict()
    if keyword == "required":
        return f"{path} is missing."
    if keyword == "additionalProperties":
        return f"{path or 'the call'} has unknown keys: {', '.join(quoted(name) for name in rule['unexpected'])}."
    shown = json.dumps(problem.instance, ensure_ascii=False)
    if credentials(path, shown):
        shown = "a value that looks like a credential"
    wants = {
        "type": "has the wrong type",
        "enum": "is none of the allowed values",
        "minimum": "is too small",
        "maximum": "is too large",
        "minLength": "is too short",
        "maxLength": "is too long",
        "minItems": "has too few items",
        "maxItems": "has too many items",
        "format": "has the wrong form",
        "pattern": "has the wrong form",
    }.get(keyword, "does not fit")
    limits = next(iter(rule.values()), None)
    allowed = ", ".join(map(str, limits)) if isinstance(limits, list) else str(limits)
    detail = f" (allowed: {short(allowed, 200)})" if limits is not None else ""
    return f"{path or 'the call'} {wants}{detail}; got {short(shown)}."


def _texts(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield every text in a JSON value with its path, keys included."""
    waiting: list[tuple[str, object]] = [(path, value)]
    while waiting:
        at, one = waiting.pop()
        if isinstance(one, str):
            yield at, one
        elif isinstance(one, Mapping):
            for key, item in one.items():
                below = f"{at}.{quoted(str(key))}" if at else quoted(str(key))
                yield below, str(key)
                waiting.append((below, item))
        elif isinstance(one, list):
            waiting += [(f"{at}.{number}", item) for number, item in enumerate(one)]


def _lone_surrogate(value: str) -> int:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as problem:
        return problem.start
    return -1
