"""The rows of a merge: three texts beside each other above, the result below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from memorypane.gui.diffview.cells import Block, Cell, Mark, Row, Tint, split_line
from memorypane.gui.diffview.sheets import row_columns
from memorypane.gui.editor.merging import Decisions
from memorypane.model.diff import rows as compare
from memorypane.model.lines import join_lines
from memorypane.model.merge import Piece

__all__ = ["ResultRows", "conflict_rows", "result_rows", "three_way_rows"]

Sign = Literal["", "+", "−", "!"]
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of one side of a piece, with what the comparison says about it."""

    text: str
    marks: Spans = ()
    changed: bool = False


_Pair = tuple[_Line | None, _Line | None]


@dataclass(frozen=True, slots=True)
class _Triple:
    theirs: _Line | None
    base: _Line | None
    mine: _Line | None


def three_way_rows(decisions: Decisions) -> tuple[tuple[Row, ...], tuple[int, ...], int]:
    """Rows of theirs, base and mine; the row at which each conflict begins; the highest line number."""
    rows: list[Row] = []
    starts: list[int] = []
    numbers = [0, 0, 0]
    for piece in decisions.merged.pieces:
        if piece.kind == "conflict":
            starts.append(len(rows))
        for triple in _triples(piece):
            lines = (triple.theirs, triple.base, triple.mine)
            numbers = [number + (line is not None) for number, line in zip(numbers, lines, strict=True)]
            sides = [
                _cells(line, numbers[side], piece.kind, side) if line is not None else iter(()) for side, line in enumerate(lines)
            ]
            change = len(starts) - 1 if piece.kind == "conflict" else -1
            rows.extend(Row(parts, change, row_columns(parts)) for parts in zip_longest(*sides))
    return tuple(rows), tuple(starts), max(*numbers, 1)


def _cells(line: _Line, number: int, kind: str, side: int) -> Iterator[Cell]:
    """The cells of one line: 0 is theirs, 1 the base, 2 mine."""
    sign: Sign = ""
    tint, words = Tint.NONE, Tint.REMOVED
    if side != 1 and line.changed:
        sign, tint, words = ("!", Tint.CONFLICT, Tint.CONFLICT) if kind == "conflict" else ("+", Tint.ADDED, Tint.ADDED)
    for offset, piece in split_line(line.text):
        marks = tuple(_clip(line.marks, offset, len(piece), words))
        first = offset == 0
        yield Cell(piece, (number,) if first else (), number, offset, sign if first else "", tint, marks)


def _clip(spans: Spans, offset: int, length: int, tint: Tint) -> Iterator[Mark]:
    for start, end in spans:
        if start < offset + length and end > offset:
            yield Mark(max(start, offset) - offset, min(end, offset + length) - offset, tint)


def _triples(piece: Piece) -> Iterator[_Triple]:
    """The lines of a piece beside each other."""
    if piece.kind == "same":
        for line in piece.base:
            same = _Line(line)
            yield _Triple(same, same, same)
    elif piece.kind == "theirs":
        for base, theirs in _pairs(piece.base, piece.theirs):
            yield _Triple(theirs, base, _Line(base.text) if base is not None else None)
    elif piece.kind == "mine":
        for base, mine in _pairs(piece.base, piece.mine):
            yield _Triple(_Line(base.text) if base is not None else None, base, mine)
    elif piece.kind == "both":
        for base, both in _pairs(piece.base, piece.theirs):
            yield _Triple(both, base, both)
    else:
        yield from _conflict_triples(list(_pairs(piece.base, piece.theirs)), list(_pairs(piece.base, piece.mine)))


def _conflict_triples(theirs: Sequence[_Pair], mine: Sequence[_Pair]) -> Iterator[_Triple]:
    """The lines of a conflict, first beside first; a line of the base shows what either side took from it."""
    bases = [
        _Line(one.text, _union(one.marks, other.marks))
        for one, other in zip((old for old, _ in theirs if old is not None), (old for old, _ in mine if old is not None), strict=True)
    ]
    left = [new for _, new in theirs if new is not None]
    right = [new for _, new in mine if new is not None]
    for three in zip_longest(left, bases, right):
        yield _Triple(*three)


def _union(first: Spans, second: Spans) -> Spans:
    """Spans that cover what either covers."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((*first, *second)):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[_Pair]:
    """Lines of two versions of a piece, those that belong together beside each other."""
    for row in compare(join_lines(old, open_end=False), join_lines(new, open_end=False)):
        before = _Line(row.old, row.old_marks, changed=row.kind != "same") if row.old_number else None
        whole = ((0, len(row.new)),) if row.kind == "added" and row.new else row.new_marks
        after = _Line(row.new, whole, changed=row.kind != "same") if row.new_number else None
        yield before, after


@dataclass(frozen=True, slots=True)
class ResultRows:
    """The result as rows; `blocks` are the rows of the conflicts' blocks by conflict number, `highest` the last line number."""

    rows: tuple[Row, ...]
    blocks: tuple[int, ...]
    highest: int


def result_rows(decisions: Decisions, origins: dict[str, str], heights: Sequence[int]) -> ResultRows:
    """Rows of the merged text.

    Lines that came in by themselves or by a choice carry the word for where from (`origins` by piece kind or pick). Each conflict has a
    block of its height in `heights`; the lines of a decided one follow it.
    """
    rows: list[Row] = []
    blocks: list[int] = []
    number = 0
    for piece in decisions.merged.pieces:
        if piece.kind != "conflict":
            lines = {"theirs": piece.theirs, "mine": piece.mine, "both": piece.theirs, "same": piece.base}[piece.kind]
            added = _result_lines(piece.base, lines) if piece.kind != "same" else [_Line(line) for line in lines]
            number = _append(rows, added, number, origins.get(piece.kind, ""))
            continue
        conflict = len(blocks)
        blocks.append(len(rows))
        rows.append(Row(block=Block(conflict, heights[conflict]), change=conflict))
        choice = decisions.choices[conflict]
        if choice is None:
            number += max(len(piece.theirs), len(piece.mine))
        else:
            number = _append(rows, _result_lines(piece.base, choice.lines), number, origins.get(choice.pick, ""))
    return ResultRows(tuple(rows), tuple(blocks), max(number, 1))


def _result_lines(base: Sequence[str], lines: Sequence[str]) -> list[_Line]:
    return [line for _, line in _pairs(base, lines) if line is not None]


def _append(rows: list[Row], lines: Sequence[_Line], number: int, origin: str) -> int:
    for line in lines:
        number += 1
        for offset, piece in split_line(line.text):
            first = offset == 0
            note = origin if first and line.changed else ""
            marks = tuple(_clip(line.marks, offset, len(piece), Tint.ADDED))
            cell = Cell(piece, (number,) if first else (), number, offset, marks=marks, note=note)
            rows.append(Row((cell,), columns=row_columns((cell,))))
    return number


def conflict_rows(piece: Piece, first: int, theirs: str, mine: str) -> tuple[Row, ...]:
    """Both answers of an open conflict, one below the other; `first` is the number of their first line in the result."""
    rows: list[Row] = []
    for lines, label in ((piece.theirs, theirs), (piece.mine, mine)):
        for index, line in enumerate(_result_lines(piece.base, lines)):
            for offset, text in split_line(line.text):
                start = offset == 0
                marks = tuple(_clip(line.marks, offset, len(text), Tint.CONFLICT))
                note = label if start and index == 0 else ""
                cell = Cell(text, (first + index,) if start else (), first + index, offset, tint=Tint.CONFLICT, marks=marks, note=note)
                rows.append(Row((cell,), columns=row_columns((cell,))))
    return tuple(rows)


