"""From compared lines to rows of a grid: inline or side by side, whole or with unchanged runs folded."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, zip_longest
from typing import Literal

from memorypane.gui.diffview.cells import BOTH, NEW, OLD, Cell, Fold, Mark, Row, Tint, split_line
from memorypane.gui.diffview.hidden import wide_count
from memorypane.model.diff import DiffRow, fold
from memorypane.model.diff import Fold as Folded
from memorypane.model.lines import split_lines

__all__ = ["CONTEXT", "Layout", "Sheet", "Span", "line_rows", "make_sheet", "plain_sheet", "row_columns"]

CONTEXT = 3
"""Unchanged lines that stay around a change; runs of more than twice as many are folded."""

Layout = Literal["inline", "side"]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows ready to be shown; `changes` are the first rows of the places that changed, `highest` the highest line number."""

    rows: tuple[Row, ...]
    changes: tuple[int, ...]
    highest: int


@dataclass(frozen=True, slots=True)
class _Builder:
    """What the rows of one comparison need to know beyond the compared lines themselves."""

    layout: Layout
    old_breaks: int
    new_breaks: int
    findings: dict[int, tuple[Span, ...]]
    strong: bool

    def changed(self, run: Sequence[DiffRow], change: int) -> Iterator[Row]:
        """The rows of one place of change."""
        if self.layout == "inline":
            for line in run:
                yield from self._stacked(line, change)
        else:
            for left, right in _pairs(run):
                yield from self._beside(left, right, change)

    def same(self, line: DiffRow) -> Iterator[Row]:
        """The rows of an unchanged line."""
        marks = self._found(line.new_number)
        old_break, new_break = self._break(line.old_number, OLD), self._break(line.new_number, NEW)
        if self.layout == "inline":
            numbers = (line.old_number, line.new_number)
            yield from _single(_cells(line.new, numbers, line.new_number, breaks=old_break | new_break, marks=marks), -1)
            return
        left = _cells(line.old, (line.old_number,), line.old_number, breaks=old_break, sides=OLD)
        right = _cells(line.new, (line.new_number,), line.new_number, breaks=new_break, sides=NEW, marks=marks)
        yield from _double(left, right, -1)

    def _stacked(self, line: DiffRow, change: int) -> Iterator[Row]:
        if line.kind != "added":
            yield from _single(self._old(line, (line.old_number, 0)), change)
        if line.kind != "removed":
            yield from _single(self._new(line, (0, line.new_number)), change)

    def _beside(self, left: DiffRow | None, right: DiffRow | None, change: int) -> Iterator[Row]:
        old = self._old(left, (left.old_number,)) if left is not None else ()
        new = self._new(right, (right.new_number,)) if right is not None else ()
        yield from _double(old, new, change)

    def _old(self, line: DiffRow, numbers: tuple[int, ...]) -> Iterator[Cell]:
        words = [Mark(start, end, Tint.REMOVED) for start, end in self._words(line.kind == "removed", line.old, line.old_marks)]
        ends = self._break(line.old_number, OLD)
        return _cells(line.old, numbers, line.old_number, breaks=ends, sides=OLD, sign="−", tint=Tint.REMOVED, marks=words)

    def _new(self, line: DiffRow, numbers: tuple[int, ...]) -> Iterator[Cell]:
        words = [Mark(start, end, Tint.ADDED) for start, end in self._words(line.kind == "added", line.new, line.new_marks)]
        marks = [*words, *self._found(line.new_number)]
        ends = self._break(line.new_number, NEW)
        return _cells(line.new, numbers, line.new_number, breaks=ends, sides=NEW, sign="+", tint=Tint.ADDED, marks=marks)

    def _break(self, number: int, side: int) -> int:
        """The side itself if a line break follows that line in its text, else nothing."""
        return side if number <= (self.old_breaks if side == OLD else self.new_breaks) else 0

    def _words(self, alone: bool, text: str, marks: Iterable[Span]) -> Iterable[Span]:  # noqa: FBT001  # positional in two places only
        if alone and self.strong and text:
            return ((0, len(text)),)
        return marks

    def _found(self, number: int) -> list[Mark]:
        return [Mark(start, end, Tint.FINDING) for start, end in self.findings.get(number, ())]


def make_sheet(
    lines: Sequence[DiffRow],
    layout: Layout,
    *,
    old: str,
    new: str,
    whole: bool = False,
    opened: frozenset[int] = frozenset(),
    findings: Sequence[Span] = (),
) -> Sheet:
    """Lay out compared lines.

    `old` and `new` are the two texts, `findings` spans of the new one in code points, `opened` the keys of folds that were
    unfolded. Texts without any difference are never folded.
    """
    marks = _by_line(new, findings) if findings else {}
    builder = _Builder(layout, old.count("\n"), new.count("\n"), marks, strong=bool(old) and bool(new))
    changed = any(line.kind != "same" for line in lines)
    rows: list[Row] = []
    changes: list[int] = []
    at = 0
    for kind, group in groupby(fold(lines, CONTEXT) if changed and not whole else lines, key=_kind):
        if kind == "changed":
            run = [part for part in group if isinstance(part, DiffRow)]
            changes.append(len(rows))
            rows.extend(builder.changed(run, len(changes) - 1))
            at += len(run)
            continue
        for part in group:
            hidden = part.rows if isinstance(part, Folded) else (part,)
            if isinstance(part, Folded) and at not in opened and not any(line.new_number in marks for line in hidden):
                rows.append(_fold_row(hidden, at, builder))
            else:
                rows.extend(row for line in hidden for row in builder.same(line))
            at += len(hidden)
    highest = max((max(line.old_number, line.new_number) for line in lines[-1:]), default=1)
    return Sheet(tuple(rows), tuple(changes), max(highest, builder.old_breaks, builder.new_breaks, 1))


def plain_sheet(text: str) -> Sheet:
    """The rows of one text as it is."""
    lines = split_lines(text)
    breaks = text.count("\n")
    rows = [row for number, line in enumerate(lines, 1) for row in line_rows(line, number, newline=number <= breaks)]
    return Sheet(tuple(rows), (), max(1, len(lines)))


def line_rows(line: str, number: int, *, newline: bool, note: str = "") -> Iterator[Row]:
    """The rows of one unchanged line in a grid of one pane; the note stands on the first."""
    for row in _single(_cells(line, (number,), number, breaks=BOTH if newline else 0), -1):
        cell = row.cells[0]
        if cell is not None and note and cell.offset == 0:
            yield replace(row, cells=(replace(cell, note=note),))
        else:
            yield row


def row_columns(cells: Iterable[Cell | None]) -> int:
    """How many character columns the longest cell takes."""
    return max((len(cell.text) + wide_count(cell.text) for cell in cells if cell is not None), default=0)


def _kind(part: DiffRow | Folded) -> str:
    return "changed" if isinstance(part, DiffRow) and part.kind != "same" else "same"


def _fold_row(hidden: Sequence[DiffRow], key: int, builder: _Builder) -> Row:
    old = "".join(line.old + ("\n" if line.old_number <= builder.old_breaks else "") for line in hidden)
    new = "".join(line.new + ("\n" if line.new_number <= builder.new_breaks else "") for line in hidden)
    return Row(fold=Fold(key, len(hidden), old, new))


def _pairs(run: Sequence[DiffRow]) -> Iterator[tuple[DiffRow | None, DiffRow | None]]:
    """Put what was removed beside what was added; lines that were recognised as the same line stay together."""
    for changed, group in groupby(run, key=lambda line: line.kind == "changed"):
        if changed:
            for line in group:
                yield line, line
            continue
        lines = list(group)
        yield from zip_longest((line for line in lines if line.kind == "removed"), (line for line in lines if line.kind == "added"))


def _cells(
    text: str,
    numbers: tuple[int, ...],
    line: int,
    *,
    breaks: int,
    sides: int = BOTH,
    sign: Literal["", "+", "−", "!"] = "",
    tint: Tint = Tint.NONE,
    marks: Sequence[Mark] = (),
) -> Iterator[Cell]:
    """The cells of one line: one, or several pieces of a huge one; numbers and sign stand on the first."""
    for offset, piece in split_line(text):
        end = offset + len(piece)
        own = tuple(
            Mark(max(mark.start, offset) - offset, min(mark.end, end) - offset, mark.tint)
            for mark in marks
            if mark.start < end and mark.end > offset
        )
        first, last = offset == 0, end == len(text)
        yield Cell(piece, numbers if first else (), line, offset, sign if first else "", tint, own, sides, breaks if last else 0)


def _single(cells: Iterable[Cell], change: int) -> Iterator[Row]:
    for cell in cells:
        yield Row((cell,), change, row_columns((cell,)))


def _double(left: Iterable[Cell], right: Iterable[Cell], change: int) -> Iterator[Row]:
    for pair in zip_longest(left, right):
        yield Row(pair, change, row_columns(pair))


def _by_line(text: str, spans: Sequence[Span]) -> dict[int, tuple[Span, ...]]:
    """Spans of a whole text as spans of its lines, by line number."""
    lines = text.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    found: dict[int, list[Span]] = {}
    for start, end in spans:
        index = max(0, bisect_left(starts, start + 1) - 1)
        while index < len(lines) and starts[index] < end:
            first, last = max(start, starts[index]) - starts[index], min(end, starts[index] + len(lines[index])) - starts[index]
            if first < last:
                found.setdefault(index + 1, []).append((first, last))
            index += 1
    return {line: tuple(parts) for line, parts in found.items()}
