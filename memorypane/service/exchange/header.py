"""Understands the block that Cursor's rule files and others begin with: what it says goes beside the text, not into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memorypane.model.frontmatter import split

__all__ = ["Header", "read_header"]

LARGEST = 16 * 1024
PLAIN_LINE = re.compile(r"(?P<key>[A-Za-z][\w-]*):(?:[ \t]+(?P<value>.*?))?[ \t]*")
KEPT = ("globs", "alwaysApply", "applyTo", "trigger", "version", "author", "tags")
LONGEST_VALUE = 2_000
UNUSABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # YAML escapes can spell what a text must not hold
MOST_VALUES = 100


@dataclass(frozen=True, slots=True)
class Header:
    """What a block said: `fields` holds the kept keys as text, truth values or lists of text; `note` what went wrong."""

    body: str
    name: str = ""
    description: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


def read_header(text: str) -> Header:
    """Take the block off `text`; one that cannot be understood stays in the body, with a note."""
    block, body = split(text)
    if block is None:
        return Header(text)
    values, problem = _parse(block)
    if values is None:
        return Header(text, note=problem)
    fields = {key: _bounded(values[key]) for key in KEPT if values.get(key) not in (None, "", [])}
    return Header(body, _line(values.get("name")), _line(values.get("description")), fields)


def _parse(block: str) -> tuple[dict[str, Any] | None, str]:
    """The block as a mapping, or None and the reason."""
    if not block.strip():
        return {}, ""
    if len(block) > LARGEST:
        return None, f"The front matter has more than {LARGEST} characters and was kept as text."
    import yaml

    try:
        values = yaml.safe_load(block)
    except (yaml.YAMLError, RecursionError, ValueError) as problem:
        # Cursor itself writes `globs: *.ts`, which YAML takes for a broken alias.
        plain = _plain_lines(block)
        if plain is not None:
            return plain, ""
        line = getattr(getattr(problem, "problem_mark", None), "line", None)
        where = "" if line is None else f" in its line {line + 1}"
        return None, f"The front matter is no valid YAML{where} and was kept as text."
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        return None, "The front matter is no list of keys and values and was kept as text."
    return values, ""


def _plain_lines(block: str) -> dict[str, Any] | None:
    """The block read as `key: value` lines with the values as they stand, or None if a line is anything else."""
    values: dict[str, Any] = {}
    for line in block.split("\n"):
        if not line.strip():
            continue
        found = PLAIN_LINE.fullmatch(line)
        if not found or found["key"] in values:
            return None
        value = (found["value"] or "").strip()
        values[found["key"]] = {"true": True, "false": False}.get(value, value)
    return values


def _bounded(value: object) -> Any:
    """A value as plain data of bounded size: nested things become their text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [_line(item) for item in value[:MOST_VALUES]]
    return _line(value)


def _line(value: object) -> str:
    """A value as one line of text, "" for none."""
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return "(nested)"
    return UNUSABLE.sub("", " ".join(str(value)[: 2 * LONGEST_VALUE].split()))[:LONGEST_VALUE]
