"""The block structure of Markdown, line by line: containers, fences, headings and paragraphs, after the CommonMark specification.

HTML blocks are left out on purpose: whoever embeds a text escapes what would begin one (see `embed`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memorypane.model.markup import is_lone_tag

__all__ = ["Line", "expand_lead", "scan"]

Kind = Literal["blank", "text", "code", "heading", "setext", "rule", "fence", "inside", "end", "tag"]

PREFIX = re.compile(r"[ \t>*+\-0-9.)]*")
ATX = re.compile(r"#{1,6}(?![^ \t])")
FENCE = re.compile(r"(?:(`{3,})[^`]*|(~{3,}).*)")
RULE = re.compile(r"(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}")
SETEXT = re.compile(r"(?:=+|-+)[ \t]*")
CONTAINER_MARK = re.compile(r"(\d{0,9})[>+*.)-]")
ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?![^ \t])")

DEEPEST = 24
"""How deep containers nest; what would be one more is escaped, so that no line takes longer than it is long."""


class Line(NamedTuple):
    """One line as it is to be written, tabs before its content made blanks.

    `at` is where the content begins in `text`; `opens` says that a text line begins a paragraph (else it goes on with one), `lazy` that it
    goes on with one without its containers' markers, which are written before it here. A `setext` line underlines the paragraph of one line
    before it. An `end` closes a fence: the text's own closing line, or one that was missing. `prefix` is what a further line in the same
    containers would begin with.
    """

    kind: Kind
    text: str
    at: int
    prefix: str
    opens: bool = False
    level: int = 0
    lazy: bool = False


@dataclass(slots=True)
class _Container:
    """A block quote, or a list item whose content begins `offset` columns in; an item may still be empty."""

    quote: bool
    offset: int = 0
    empty: bool = False


def scan(text: str) -> Iterator[Line]:
    """Yield the lines of a Markdown text with their meaning; fences that the text leaves open are closed."""
    scanner = _Scanner()
    for line in text.split("\n"):
        yield from scanner.feed(line)
    yield from scanner.close()


def expand_lead(line: str) -> str:
    """`line` with the tabs among its indentation and markers made blanks, which means the same."""
    found = PREFIX.match(line)
    lead = found.end() if found else 0
    return line[:lead].expandtabs(4) + line[lead:]


class _Scanner:
    """Reads a text line by line; knows which containers, fence and paragraph are open."""

    def __init__(self) -> None:
        self._containers: list[_Container] = []
        self._fence = ""
        self._paragraph = 0
        """How many lines the open paragraph has; 0 if none is open."""

    def feed(self, raw: str) -> Iterator[Line]:
        """Take the next line; a fence that ends because its container ends is closed before it."""
        if not self._fence and not self._containers and raw[:1].isalpha():
            # By far the most lines; nothing but a paragraph begins with a letter.
            self._paragraph += 1
            yield Line("text", raw, 0, "", opens=self._paragraph == 1)
            return
        line = expand_lead(raw)
        matched, at = self._match(line)
        if self._fence:
            if matched == len(self._containers):
                yield self._within_fence(raw, line, at)
                return
            yield from self.close()
        yield self._block(line, matched, at)

    def close(self) -> Iterator[Line]:
        """Close an open fence."""
        if self._fence:
            prefix = self._prefix()
            yield Line("end", prefix + self._fence, len(prefix), prefix)
            self._fence = ""

    def _prefix(self) -> str:
        return "".join("> " if each.quote else " " * each.offset for each in self._containers)

    def _match(self, line: str) -> tuple[int, int]:
        """How many of the open containers this line goes on with, and where their content begins in it."""
        at = 0
        for number, each in enumerate(self._containers):
            indent = _indent(line, at)
            blank = not line[at:].strip(" \t")
            if each.quote:
                if indent > 3 or line[at + indent : at + indent + 1] != ">":
                    return number, at
                at += indent + 1
                at += line[at : at + 1] == " "
            elif blank:
                if each.empty:
                    return number, at
                at += min(indent, each.offset)
            elif indent >= each.offset:
                at += each.offset
            else:
                return number, at
        return len(self._containers), at

    def _within_fence(self, raw: str, line: str, at: int) -> Line:
        indent = _indent(line, at)
        rest = line[at + indent :].rstrip(" \t")
        prefix = self._prefix()
        if indent <= 3 and len(rest) >= len(self._fence) and not rest.strip(self._fence[0]):
            self._fence = ""
            return Line("end", line, at + indent, prefix)
        return Line("inside", raw, at, prefix)

    def _block(self, line: str, matched: int, at: int) -> Line:
        """Open what containers begin in this line, then see what it is."""
        open_before = len(self._containers)
        while True:
            indent = _indent(line, at)
            rest = line[at + indent :]
            continues = self._paragraph > 0 and matched == len(self._containers)
            if indent > 3 or not rest.strip(" \t") or self._leaf(rest, continues=continues):
                break
            if matched == DEEPEST and (marker := CONTAINER_MARK.match(rest)):
                line = f"{line[: at + indent]}{marker[1]}\\{rest[marker.end(1) :]}"
                break
            if rest[0] == ">":
                self._open(matched, _Container(quote=True))
                at += indent + 1
                at += line[at : at + 1] == " "
            elif width := _item_width(rest, continues=continues):
                empty = not rest[width:].strip(" \t")
                self._open(matched, _Container(quote=False, offset=indent + width, empty=empty))
                at = min(len(line), at + indent + width)
            else:
                break
            matched = len(self._containers)
            open_before = 0
        return self._content(line, at, matched, lazy_allowed=open_before > matched)

    def _open(self, matched: int, container: _Container) -> None:
        del self._containers[matched:]
        self._paragraph = 0
        self._filled()
        self._containers.append(container)

    def _filled(self) -> None:
        for each in self._containers:
            each.empty = False

    @staticmethod
    def _leaf(rest: str, *, continues: bool) -> Kind | None:
        if ATX.match(rest):
            return "heading"
        if FENCE.fullmatch(rest):
            return "fence"
        if continues and SETEXT.fullmatch(rest):
            return "setext"
        if RULE.fullmatch(rest):
            return "rule"
        return None

    def _content(self, line: str, at: int, matched: int, *, lazy_allowed: bool) -> Line:
        indent = _indent(line, at)
        rest = line[at + indent :]
        blank = not rest.strip(" \t")
        continues = self._paragraph > 0 and matched == len(self._containers)
        kind = self._leaf(rest, continues=continues) if indent <= 3 and not blank else None
        if lazy_allowed and self._paragraph and not blank and kind is None:
            self._paragraph += 1
            prefix = self._prefix()
            return Line("text", prefix + rest, len(prefix), prefix, lazy=True)
        if matched < len(self._containers):
            del self._containers[matched:]
            self._paragraph = 0
            continues = False
        if blank:
            self._paragraph = 0
            return Line("blank", line, at + indent, self._prefix())
        self._filled()
        return self._leaf_line(kind, line, at, indent, continues=continues)

    def _leaf_line(self, kind: Kind | None, line: str, at: int, indent: int, *, continues: bool) -> Line:
        rest, at, prefix = line[at + indent :], at + indent, self._prefix()
        if kind == "setext" and self._paragraph > 1:
            # A heading of several lines: the embedding text escapes the line below, so the paragraph goes on.
            self._paragraph += 1
            return Line("text", line, at, prefix)
        if continues and kind is None:
            self._paragraph += 1
            return Line("text", line, at, prefix)
        self._paragraph = 0
        if kind == "setext":
            return Line("setext", line, at, prefix, level=2 if rest[0] == "-" else 1)
        if kind == "heading":
            return Line("heading", line, at, prefix, level=len(rest) - len(rest.lstrip("#")))
        if kind == "fence":
            found = FENCE.fullmatch(rest)
            self._fence = (found[1] or found[2]) if found else ""
            return Line("fence", line, at, prefix)
        if kind == "rule":
            return Line("rule", line, at, prefix)
        if indent > 3:
            return Line("code", line, at, prefix)
        if is_lone_tag(rest):
            return Line("tag", line, at, prefix)
        self._paragraph = 1
        return Line("text", line, at, prefix, opens=True)


def _indent(line: str, at: int) -> int:
    end = at
    while end < len(line) and line[end] == " ":
        end += 1
    return end - at


def _item_width(rest: str, *, continues: bool) -> int:
    """How many columns a list marker and the blanks after it take, 0 if there is none that may begin an item here."""
    found = ITEM.match(rest)
    if not found:
        return 0
    width = found.end()
    after = rest[width:]
    if continues and (not after.strip(" \t") or (found[1] and int(found[1]) != 1)):
        return 0
    blanks = len(after) - len(after.lstrip(" "))
    return width + (blanks if 1 <= blanks <= 4 and after.strip(" \t") else 1)
