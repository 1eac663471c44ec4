"""Puts one text into a larger Markdown text so that it stays in its place: it can neither end there nor begin anything of ours."""

from __future__ import annotations

import re

from memorypane.model.blocks import Line, expand_lead, scan
from memorypane.model.fold import fold
from memorypane.model.frontmatter import split
from memorypane.model.markup import escape_comments, escape_inline, escape_line_start, escape_open_comments

__all__ = ["MARKER", "embed", "embed_line"]

MARKER = "memorypane:"
"""What stands after `<!-- ` in the comments that mark a text of ours inside somebody's file; no embedded text can hold it."""

MARKED = re.compile(rf"\s*{MARKER}", re.IGNORECASE)
OTHER_BREAKS = re.compile("[\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")
TABLE_LINE = re.compile(r"[ \t]*[|:\-][ \t|:\-]*")
BLOCK_START = re.compile(r"\d{0,9}[.)]|`(?=``)|[#>+*~=|_:\-\[]")
DEFINITION = re.compile(r"\[(?:[^\[\]\\]|\\.)*\]:\s*(?:<[^<>\n]*>|\S+)[ \t]*(?:\n|\Z|[\"'(])", re.DOTALL)
UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*")
HASHES = re.compile(r"[\s>*+\-\d.)|]*?(#{1,6})[ \t]+(\S.*)")


def embed(text: str, level: int, titles: frozenset[str], *, indent: int = 0) -> str:
    """`text` as it may stand below one of our headings, without blank lines at either end and without a last newline.

    Its highest heading gets `level` (further ones in proportion, 6 at most); open fences are closed; raw HTML is escaped outside code;
    front matter becomes a code block; lines that read like one of `titles` (folded as for a search) as a heading are escaped everywhere.
    What stands in code is otherwise left as it is. `indent` sets all of it that many blanks in, as the content of a list item.
    """
    block, body = split(OTHER_BREAKS.sub("\n", text).strip("\n"))
    parts = [_as_code(block, titles)] if block is not None else []
    if body.strip():
        parts.append(_body(body.strip("\n"), level, titles))
    whole = "\n\n".join(parts)
    return "\n".join(_indented(line, indent) for line in whole.split("\n")) if indent else whole


def embed_line(text: str) -> str:
    """A name or description as part of one line of ours: white space folded, raw HTML escaped."""
    return escape_inline(" ".join(text.split()))


def _indented(line: str, indent: int) -> str:
    """A line set in; tabs that would reach less far there are made blanks."""
    return f"{' ' * indent}{expand_lead(line)}" if _has_content(line) else ""


def _has_content(line: str) -> bool:
    """Whether Markdown takes the line for more than a blank one; other white space than blanks and tabs is content to it."""
    return bool(line.strip(" \t"))


def _as_code(block: str, titles: frozenset[str]) -> str:
    longest = max((len(run) for run in re.findall("`+", block)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}yaml", *_code_lines(block.rstrip("\n").split("\n"), titles), fence])


def _body(text: str, level: int, titles: frozenset[str]) -> str:
    lines = list(scan(text))
    highest = min((line.level for line in lines if line.kind in {"heading", "setext"}), default=level)
    writer = _Writer(max(0, level - highest), titles)
    for line in lines:
        writer.take(line)
    return "\n".join(writer.lines())


class _Writer:
    """Writes the lines of one text anew; paragraphs and fences are kept until they are whole."""

    def __init__(self, deeper: int, titles: frozenset[str]) -> None:
        self._deeper = deeper
        self._titles = titles
        self._done: list[str] = []
        self._paragraph: list[Line] = []
        self._code: list[str] = []
        # A blank line that must come before whatever follows.
        self._parting: list[str] = []

    def lines(self) -> list[str]:
        self._flush()
        return self._done

    def take(self, line: Line) -> None:
        if line.kind == "inside":
            self._code.append(line.text)
            return
        if line.kind == "end":
            self._done += _code_lines(self._code, self._titles)
            self._code = []
            self._done.append(line.text)
            return
        if line.kind == "setext":
            self._underlined(line)
            return
        if line.kind != "text" or line.opens:
            self._flush()
        if line.opens and TABLE_LINE.fullmatch(line.text, line.at):
            # Some readers make a table of it with any line before, be that a heading or a list.
            self._part(line)
        if _has_content(line.text):
            self._done += self._parting
        self._parting = []
        if line.kind == "text":
            self._paragraph.append(line)
        else:
            self._done.append(self._single(line))

    def _single(self, line: Line) -> str:
        before, rest = line.text[: line.at], line.text[line.at :]
        if line.kind == "heading":
            return before + self._heading(line, rest[line.level :])
        if line.kind == "tag":
            # It would keep what follows from being read as Markdown up to the next blank line.
            self._parting = [line.prefix.rstrip()]
        if line.kind == "code":
            if rest.startswith(">"):
                # Some readers take it for a quote that goes on.
                self._part(line)
            return before + _without_imitation(escape_comments(rest), self._titles)
        if line.kind == "fence":
            # Some readers look for tables before they look for code.
            return before + escape_comments(rest).replace("|", " ")
        return line.text

    def _part(self, line: Line) -> None:
        """Set a blank line before `line`, in its containers, unless there is one."""
        if self._done and _has_content(self._done[-1]):
            self._done.append(line.prefix.rstrip())

    def _heading(self, line: Line, rest: str) -> str:
        mark = "#" * min(6, line.level + self._deeper)
        if not _imitates(rest, self._titles):
            return mark + escape_inline(rest)
        # Escaped, it is a paragraph, which must take in neither the lines before nor those after it.
        self._part(line)
        self._parting = [line.prefix.rstrip()]
        return f"\\{mark}{escape_inline(rest)}"

    def _underlined(self, line: Line) -> None:
        title = self._paragraph.pop()
        self._flush()
        self._done.append(title.text[: title.at] + self._heading(line, f" {title.text[title.at :].strip()}"))

    def _continued(self, line: Line, text: str) -> str:
        """A line of a paragraph, escaped where it would be the end of it: for every reader, or for those that are less exact."""
        if line.opens:
            return text
        after_item = self._paragraph[0].text[: self._paragraph[0].at].strip(" >")
        if UNDERLINE.fullmatch(text) or text.startswith(">") or (after_item and TABLE_LINE.fullmatch(text)):
            return f"\\{text}"
        if line.lazy and (found := BLOCK_START.match(text)):
            return f"{text[: found.end() - 1]}\\{text[found.end() - 1 :]}"
        return text

    def _flush(self) -> None:
        """Write the open paragraph: what is code in it spans lines, so it is looked at as a whole."""
        if not self._paragraph:
            return
        texts = [self._continued(line, escape_line_start(line.text[line.at :])) for line in self._paragraph]
        if texts[0].startswith("[") and DEFINITION.match("\n".join(texts)):
            # A link definition holds for the whole text, so for other entries too.
            texts[0] = f"\\{texts[0]}"
        whole = escape_inline("\n".join(texts)).split("\n")
        for line, text in zip(self._paragraph, whole, strict=True):
            self._done.append(line.text[: line.at] + _without_imitation(text, self._titles))
        self._paragraph = []


def _imitates(text: str, titles: frozenset[str]) -> bool:
    return fold(text) in titles


def _without_imitation(line: str, titles: frozenset[str]) -> str:
    found = HASHES.fullmatch(line)
    return f"{line[: found.start(1)]}\\{line[found.start(1) :]}" if found and _imitates(found[2], titles) else line


def _code_lines(lines: list[str], titles: frozenset[str]) -> list[str]:
    """Lines of a code block: only what would be taken for ours, or would reach beyond the block, is escaped."""
    text = escape_open_comments("\n".join(lines), MARKED)
    return [_without_imitation(line, titles) for line in text.split("\n")] if lines else []
