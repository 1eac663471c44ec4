"""The rows of a merge: three texts beside each other above, the result below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from memorypane.gui.diffview.cells import BOTH, Block, Cell, Fold, Mark, Row, Tint, split_line
from memorypane.gui.diffview.sheets import CONTEXT, row_columns
from memorypane.gui.editor.merging import Decisions
from memorypane.model.diff import rows as compare
from memorypane.model.lines import join_lines
from memorypane.model.merge import Piece

__all__ = ["ResultRows", "ThreeWayRows", "conflict_rows", "result_rows", "three_way_rows"]

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


@dataclass(frozen=True, slots=True)
class ThreeWayRows:
    """Theirs, base and mine as rows; `starts` are the rows at which the conflicts begin, `highest` the highest line number."""

    rows: tuple[Row, ...]
    starts: tuple[int, ...]
    highest: int


def three_way_rows(decisions: Decisions, opened: frozenset[int] = frozenset()) -> ThreeWayRows:
    """Rows of the three texts beside each other; long unchanged runs are folded, but for those whose keys are in `opened`."""
    rows: list[Row] = []
    starts: list[int] = []
    numbers = [0, 0, 0]
    pieces = decisions.merged.pieces
    for index, piece in enumerate(pieces):
        if piece.kind == "conflict":
            starts.append(len(rows))
        change = len(starts) - 1 if piece.kind == "conflict" else -1
        first, last = _hidden(pieces, index, opened)
        for at, triple in enumerate(_triples(piece)):
            lines = (triple.theirs, triple.base, triple.mine)
            numbers = [number + (line is not None) for number, line in zip(numbers, lines, strict=True)]
            if first <= at < last:
                if at == first:
                    rows.append(_fold(index, piece.base[first:last]))
                continue
            sides = [_cells(line, numbers[side], piece.kind, side) if line is not None else iter(()) for side, line in enumerate(lines)]
            rows.extend(Row(parts, change, row_columns(parts)) for parts in zip_longest(*sides))
    return ThreeWayRows(tuple(rows), tuple(starts), max(*numbers, 1))


def _hidden(pieces: Sequence[Piece], index: int, opened: frozenset[int]) -> tuple[int, int]:
    """Which lines of an unchanged piece are folded away: all but a few beside the changes; (0, 0) for none."""
    piece = pieces[index]
    count = len(piece.base)
    if piece.kind != "same" or index in opened or count <= 2 * CONTEXT or len(pieces) == 1:
        return 0, 0
    return (CONTEXT if index else 0), (count - CONTEXT if index + 1 < len(pieces) else count)


def _fold(key: int, lines: Sequence[str]) -> Row:
    text = join_lines(lines, open_end=False)
    return Row(fold=Fold(key, len(lines), text, text))


def _cells(line: _Line, number: int, kind: str, side: int) -> Iterator[Cell]:
    """The cells of one line: 0 is theirs, 1 the base, 2 mine."""
    sign: Sign = ""
    tint, words = Tint.NONE, Tint.REMOVED
    if side != 1 and line.changed:
        sign, tint, words = ("!", Tint.CONFLICT, Tint.CONFLICT) if kind == "conflict" else ("+", Tint.ADDED, Tint.ADDED)
    for cell in _plain_cells(line, number, words):
        yield replace(cell, tint=tint, sign=sign if cell.numbers else "")


def _plain_cells(line: _Line, number: int, words: Tint) -> Iterator[Cell]:
    """The cells of one line with its marks: one, or the pieces of a huge line."""
    for offset, piece in split_line(line.text):
        marks = tuple(_clip(line.marks, offset, len(piece), words))
        last = offset + len(piece) == len(line.text)
        yield Cell(piece, () if offset else (number,), number, offset, marks=marks, breaks=BOTH if last else 0)


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


def result_rows(
    decisions: Decisions, origins: dict[str, str], heights: Sequence[int], opened: frozenset[int] = frozenset(),
) -> ResultRows:
    """Rows of the merged text.

    Lines that came in by themselves or by a choice carry the word for where from (`origins` by piece kind or pick). Each conflict has a
    block of its height in `heights`; the lines of a decided one follow it. Long unchanged runs are folded unless their key is `opened`.
    """
    rows: list[Row] = []
    blocks: list[int] = []
    number = 0
    pieces = decisions.merged.pieces
    for index, piece in enumerate(pieces):
        if piece.kind == "same":
            first, last = _hidden(pieces, index, opened)
            number = _append(rows, [_Line(line) for line in piece.base[:first]], number, "")
            if first < last:
                rows.append(_fold(index, piece.base[first:last]))
                number += last - first
            number = _append(rows, [_Line(line) for line in piece.base[last:]], number, "")
            continue
        if piece.kind != "conflict":
            number = _append(rows, _result_lines(piece.base, piece.merged), number, origins.get(piece.kind, ""))
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
        for cell in _plain_cells(line, number, Tint.ADDED):
            noted = replace(cell, note=origin) if cell.numbers and line.changed else cell
            rows.append(Row((noted,), columns=row_columns((noted,))))
    return number


def conflict_rows(piece: Piece, first: int, theirs: str, mine: str) -> tuple[Row, ...]:
    """Both answers of an open conflict, one below the other; `first` is the number of their first line in the result."""
    rows: list[Row] = []
    for lines, label in ((piece.theirs, theirs), (piece.mine, mine)):
        for index, line in enumerate(_result_lines(piece.base, lines)):
            for cell in _plain_cells(line, first + index, Tint.CONFLICT):
                noted = replace(cell, tint=Tint.CONFLICT, note=label if cell.numbers and index == 0 else "")
                rows.append(Row((noted,), columns=row_columns((noted,))))
    return tuple(rows)
