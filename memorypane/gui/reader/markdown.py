"""Markdown as plain values a document can be built from; raw HTML stays text and nothing is ever loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from typing_extensions import override

from memorypane.gui.diffview.hidden import show
from memorypane.model.frontmatter import split

__all__ = ["OPENABLE", "Piece", "Run", "may_open", "parse", "render"]

OPENABLE = frozenset({"http", "https", "mailto"})
"""The only schemes a link may open; any other target is shown as text."""

_MAX_NESTING = 40
# Beyond these a text is shown as it is: rendering it would take seconds, or lay out paragraphs that hold the window up.
_RENDERED = 262_144
_BRACKETS = 8_000
_PARAGRAPH = 16_384
_CELLS = 1_200
_TASK = re.compile(r"\[([ xX])\]\s+")
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text set in one way; `link` is an address that may be opened, `label` marks a drawn hidden character."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    quiet: bool = False
    label: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """One block. `depth` counts the lists around it and `quote` the quotations; `item` numbers lists apart (0 = none).

    `marker` is set on the first block of a list item only: "•", "1." …, "☐" or "☑". `aligns` are left, center or right, one a column.
    """

    kind: Literal["text", "heading", "code", "rule", "table"]
    runs: tuple[Run, ...] = ()
    level: int = 0
    depth: int = 0
    quote: int = 0
    marker: str = ""
    list_id: int = 0
    code: str = ""
    rows: tuple[tuple[tuple[Run, ...], ...], ...] = ()
    aligns: tuple[str, ...] = ()


def may_open(address: str) -> bool:
    """Whether a link to `address` may be offered for opening: http, https with a host, or mailto."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in OPENABLE and bool(parts.netloc or (parts.scheme == "mailto" and parts.path))


def render(text: str) -> tuple[Piece, ...] | None:
    """The blocks of a text, or None if it is too long (or too tangled) to be rendered without delay."""
    if len(text) > _RENDERED or text.count("[") > _BRACKETS:
        return None
    pieces = parse(text)
    for piece in pieces:
        longest = max((len(line) for line in piece.code.split("\n")), default=0)
        if max(sum(len(run.text) for run in piece.runs), longest, len(piece.code) // 16) > _PARAGRAPH:
            return None
        if sum(map(len, piece.rows)) > _CELLS:
            return None
    return pieces


def parse(text: str) -> tuple[Piece, ...]:
    """Turn Markdown into blocks; a front matter block comes first, as code."""
    options = {"html": False, "linkify": False, "maxNesting": _MAX_NESTING}
    parser = _Parser("commonmark", options).enable(["table", "strikethrough"])
    front, body = split(text)
    pieces = _Walker().walk(parser.parse(body))
    return (Piece("code", code=front.rstrip("\n")), *pieces) if front is not None else tuple(pieces)


class _Parser(MarkdownIt):
    """Takes every target of a link: which may be opened is decided later, so that a refused one shows its words and its address."""

    @override
    def validateLink(self, url: str) -> bool:
        return True


class _Walker:
    """Goes once through the tokens of a text and keeps where it is."""

    def __init__(self) -> None:
        self._lists: list[tuple[int, bool, int]] = []  # id, ordered, next number
        self._quote = 0
        self._marker = ""
        self._made = 0
        self._heading = 0

    def walk(self, tokens: Sequence[Token]) -> list[Piece]:
        """Return the blocks of a parsed text in order."""
        pieces: list[Piece] = []
        stream = iter(tokens)
        for token in stream:
            pieces.extend(self._step(token, stream))
        return pieces

    def _step(self, token: Token, stream: Iterator[Token]) -> Iterator[Piece]:
        match token.type:
            case "inline":
                yield self._inline(token)
            case "fence" | "code_block":
                yield self._place(Piece("code", code=token.content.removesuffix("\n")))
            case "hr":
                yield self._place(Piece("rule"))
            case "table_open":
                rows, aligns = _table(stream)
                yield self._place(Piece("table", rows=rows, aligns=aligns))
            case "heading_open":
                self._heading = int(token.tag[1])
            case "heading_close":
                self._heading = 0
            case "list_item_close" if self._marker:
                yield self._place(Piece("text"))  # an item without any text still shows its mark
            case _:
                self._nest(token)

    def _nest(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._quote += 1
            case "blockquote_close":
                self._quote -= 1
            case "bullet_list_open" | "ordered_list_open":
                self._made += 1
                self._lists.append((self._made, token.type.startswith("ordered"), int(token.attrGet("start") or 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                made, ordered, number = self._lists[-1]
                self._marker = f"{number}." if ordered else "•"
                self._lists[-1] = (made, ordered, number + 1)

    def _place(self, piece: Piece) -> Piece:
        marker, self._marker = self._marker, ""
        return replace(piece, depth=len(self._lists), quote=self._quote, marker=marker, list_id=self._lists[-1][0] if self._lists else 0)

    def _inline(self, token: Token) -> Piece:
        if self._heading:
            return self._place(Piece("heading", runs=tuple(_runs(token.children or ())), level=self._heading))
        children = list(token.children or ())
        if self._marker and children and children[0].type == "text" and (task := _TASK.match(children[0].content)):
            self._marker = "☐" if task[1] == " " else "☑"
            children[0].content = children[0].content[task.end() :]
        return self._place(Piece("text", runs=tuple(_runs(children))))


def _table(stream: Iterator[Token]) -> tuple[tuple[tuple[tuple[Run, ...], ...], ...], tuple[str, ...]]:
    """Read up to the end of the table: its rows, the first one the head, every cell as runs; and how the columns are aligned."""
    rows: list[tuple[tuple[Run, ...], ...]] = []
    cells: list[tuple[Run, ...]] = []
    aligns: list[str] = []
    for token in stream:
        match token.type:
            case "table_close":
                break
            case "th_open":
                aligns.append(str(token.attrGet("style") or "").rpartition(":")[2] or "left")
            case "inline":
                cells.append(tuple(_runs(token.children or ())))
            case "tr_close":
                rows.append(tuple(cells))
                cells = []
    return tuple(rows), tuple(aligns)


def _runs(tokens: Sequence[Token]) -> Iterator[Run]:
    """The text of one block; hidden characters become labels of their own."""
    style = Run("")
    target = ""
    for index, token in enumerate(tokens):
        match token.type:
            case "text" | "text_special":
                yield from _visible(token.content, style)
            case "code_inline":
                yield from _visible(token.content, replace(style, code=True))
            case "softbreak":
                yield replace(style, text="" if _joins(tokens, index) else " ")
            case "hardbreak":
                yield replace(style, text="\u2028")
            case "image":
                yield from _visible(f"[{token.content or 'image'}]", style)
                yield from _visible(f" ({token.attrGet('src')})", replace(style, quiet=True, link=""))
            case "link_open":
                target = str(token.attrGet("href") or "")
                style = replace(style, link=target if may_open(target) else "")
            case "link_close":
                if not style.link and target:
                    yield from _visible(f" ({target})", replace(style, quiet=True))
                style = replace(style, link="")
                target = ""
            case _:
                style = _restyle(style, token.type)


def _restyle(style: Run, kind: str) -> Run:
    match kind:
        case "strong_open" | "strong_close":
            return replace(style, bold=kind.endswith("open"))
        case "em_open" | "em_close":
            return replace(style, italic=kind.endswith("open"))
        case "s_open" | "s_close":
            return replace(style, strike=kind.endswith("open"))
        case _:
            return style


def _joins(tokens: Sequence[Token], index: int) -> bool:
    """Whether a line break inside a paragraph joins two CJK characters, which takes no space."""
    before = tokens[index - 1].content[-1:] if index else ""
    after = tokens[index + 1].content[:1] if index + 1 < len(tokens) else ""
    return bool(_CJK.match(before) and _CJK.match(after))


def _visible(text: str, style: Run) -> Iterator[Run]:
    shown = show(text)
    if not shown.labels:
        if text:
            yield replace(style, text=text)
        return
    drawn = shown.text.encode("utf-16-le", "surrogatepass")
    at = 0
    for start, end in (*shown.labels, (len(drawn) // 2, len(drawn) // 2)):
        if start > at:
            yield replace(style, text=drawn[2 * at : 2 * start].decode("utf-16-le", "surrogatepass"))
        if end > start:
            yield replace(style, text=drawn[2 * start : 2 * end].decode("utf-16-le"), label=True)
        at = end
