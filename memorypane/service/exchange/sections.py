"""Splits a Markdown text at its second-level headings, outside code fences and comments."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Part", "split_sections", "title_only"]

HEADING = re.compile(r" {0,3}##(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*")
# A fence in a list item is indented as the item is, so any indentation opens and closes one.
FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>.*)")
COMMENT = re.compile(r" {0,3}<!--")


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the text; `number` counts parts of the same heading from 1 and is 0 before the first heading."""

    heading: str
    number: int
    text: str


def split_sections(text: str) -> tuple[Part, ...]:
    """Cut `text` before every `##` heading; the parts joined are the text again. A text without one is one part."""
    starts: list[tuple[int, str]] = []
    fence, comment, at = "", False, 0
    for line in text.split("\n"):
        if fence:
            closing = FENCE.fullmatch(line)
            if closing and closing["fence"].startswith(fence) and not closing["info"].strip():
                fence = ""
        elif comment:
            comment = "-->" not in line
        elif (opening := FENCE.fullmatch(line)) and not ("`" in opening["fence"] and "`" in opening["info"]):
            fence = opening["fence"]
        elif COMMENT.match(line):
            comment = "-->" not in line
        elif found := HEADING.fullmatch(line):
            starts.append((at, (found["title"] or "").strip()))
        at += len(line) + 1
    parts = [Part("", 0, text[: starts[0][0]] if starts else text)]
    seen: dict[str, int] = {}
    for index, (start, heading) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(text)
        seen[heading] = seen.get(heading, 0) + 1
        parts.append(Part(heading, seen[heading], text[start:end]))
    return tuple(part for part in parts if part.text)


def title_only(text: str) -> bool:
    """Whether there is nothing but headings and blank lines."""
    return all(not line.strip() or re.match(r" {0,3}#{1,6}(?:[ \t]|$)", line) for line in text.split("\n"))
