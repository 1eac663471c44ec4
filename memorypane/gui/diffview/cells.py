"""What a grid of texts shows: rows of cells, each a line (or a piece of a huge one) with its numbers, sign, tint and marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Literal

__all__ = ["BOTH", "NEW", "OLD", "PIECE", "Block", "Cell", "Fold", "Mark", "Row", "Tint", "split_line"]

PIECE = 2048
"""Longest piece of one line that is laid out at once, in code points; a longer line becomes several cells."""

OLD, NEW, BOTH = 1, 2, 3
"""Which of two texts a cell belongs to; a bit set, so that a selection knows what to leave out."""


class Tint(Enum):
    """The meaning of a coloured line or stretch of words; the theme knows the colours."""

    NONE = "none"
    ADDED = "added"
    REMOVED = "removed"
    CONFLICT = "conflict"
    FINDING = "finding"


@dataclass(frozen=True, slots=True)
class Mark:
    """A tinted stretch of a cell's text, in code points."""

    start: int
    end: int
    tint: Tint


@dataclass(frozen=True, slots=True)
class Cell:
    """One line of one pane, or a piece of a line.

    `numbers` has one entry a number column of the pane, 0 for none; `line` is the line's number in its own text and `offset`
    where the piece begins in it, both for finding a place again; `sides` says whose text it is, `breaks` in which of them a line break
    follows (both are sets of `OLD` and `NEW`).
    """

    text: str
    numbers: tuple[int, ...]
    line: int
    offset: int = 0
    sign: Literal["", "+", "−", "!"] = ""
    tint: Tint = Tint.NONE
    marks: tuple[Mark, ...] = ()
    sides: int = BOTH
    breaks: int = BOTH
    note: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """A run of unchanged lines shown as one row; `old` and `new` hold what it hides, for copying."""

    key: int
    count: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Block:
    """A row that is filled by a widget of its own."""

    key: int
    height: int


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the grid: a cell a pane (None = that text has no such line), or a fold, or a block.

    `change` numbers the place of change it belongs to, -1 for none; `columns` is the width of its longest cell in characters, from
    which its height is guessed until it is laid out.
    """

    cells: tuple[Cell | None, ...] = ()
    change: int = -1
    columns: int = 0
    fold: Fold | None = None
    block: Block | None = None


def split_line(text: str) -> Iterator[tuple[int, str]]:
    """Cut a line into pieces of at most `PIECE` code points with their offsets, at spaces where there are some."""
    if len(text) <= PIECE:
        yield 0, text
        return
    start, end = 0, len(text)
    while end - start > PIECE:
        stop = text.rfind(" ", start + PIECE // 2, start + PIECE) + 1
        if not stop:
            stop = start + PIECE
            while stop > start + PIECE // 2 and not _may_cut(text, stop):
                stop -= 1
        yield start, text[start:stop]
        start = stop
    yield start, text[start:]


def _may_cut(text: str, at: int) -> bool:
    """Whether a cut before `at` tears no visible character apart (marks, joiners, selectors, emoji modifiers)."""
    after = text[at]
    joining = "\u0300" <= after <= "\u036f" or after in "\u200d\ufe0e\ufe0f" or "\U0001f3fb" <= after <= "\U0001f3ff"
    return not joining and text[at - 1] != "\u200d"
