"""Checks arguments against a tool's schema before anything else looks at them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from memorypane.model.errors import InvalidInput
from memorypane.model.text import short
from memorypane.scan.scanner import scan_text

__all__ = ["ArgumentCheck"]


class ArgumentCheck:
    """The compiled schema of one tool."""

    def __init__(self, tool: str, schema: Mapping[str, Any]) -> None:
        self._tool = tool
        self._properties: Mapping[str, Any] = schema.get("properties", {})
        self._required = frozenset(schema.get("required", ()))
        self._validator = jsonschema_rs.validator_for(dict(schema))

    def __call__(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments without those optional texts that are null; `InvalidInput` names the JSON path and the rule."""
        given = {name: value for name, value in arguments.items() if value is not None or not self._optional_text(name)}
        for path, value in _texts("", given):
            if (position := _lone_surrogate(value)) >= 0:
                raise InvalidInput(f"{self._tool}: {path} holds a lone surrogate at position {position}; send whole characters.")
        problems = sorted(self._validator.iter_errors(given), key=lambda problem: [str(part) for part in problem.instance_path])
        if problems:
            raise InvalidInput(f"{self._tool}: {_sentence(problems[0])} Send the call again with that put right.")
        return given

    def _optional_text(self, name: str) -> bool:
        return name not in self._required and self._properties.get(name, {}).get("type") == "string"


def _sentence(problem: jsonschema_rs.ValidationError) -> str:
    """Say what is wrong where; the value is cut short, and never shown if it holds a credential."""
    *_, keyword = ["", *(str(part) for part in problem.schema_path)]
    path, rule = ".".join(str(part) for part in problem.instance_path), problem.kind.as_dict()
    if keyword == "required":
        name = f"{path}.{rule['property']}" if path else rule["property"]
        return f"{name} is missing."
    if keyword == "additionalProperties":
        return f"{path or 'the call'} has unknown keys: {', '.join(short(name) for name in rule['unexpected'])}."
    shown = json.dumps(problem.instance, ensure_ascii=False)
    if any(finding.kind == "credential" for finding in scan_text(path, shown)):
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
                below = f"{at}.{short(key)}" if at else short(key)
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
