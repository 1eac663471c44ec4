"""Two texts compared line by line with marks on the words that changed; unified diffs; who wrote which line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memorypane.model.align import Block, gaps
from memorypane.model.lines import align_lines, ends_open, split_lines
from memorypane.model.pairing import Pairing
from memorypane.model.words import Span, mark_words

__all__ = ["DiffRow", "Fold", "blame", "counts", "fold", "rows", "unified"]

MARKED = 400_000
"""Code points of changed lines that are compared word by word; further ones get one rough mark each."""


class DiffRow(NamedTuple):
    """One line of a comparison.

    Line numbers count from 1, 0 where a side has no such line. `old` and `new` are the lines without their newline, "" where there is none.
    Marks are spans in code points of the line. In a place that changed, the removed lines come before the added ones that no removed line
    belongs to; a changed row stands where both its lines stand. A changed row without marks shares little, or only the newline at the end
    of the text differs.
    """

    kind: Literal["same", "removed", "added", "changed"]
    old_number: int
    new_number: int
    old: str
    new: str
    old_marks: tuple[Span, ...] = ()
    new_marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """Unchanged rows that a view may hide behind one."""

    rows: tuple[DiffRow, ...]


def rows(old: str, new: str) -> tuple[DiffRow, ...]:
    """Compare two texts; every line of both stands in exactly one row, in order."""
    first, second = split_lines(old), split_lines(new)
    blocks = align_lines(first, second)
    writer = _Rows(first, second)
    found: list[DiffRow] = []
    at = 0
    for start, end, new_start, new_end in gaps(blocks, len(first), len(second)):
        found += writer.same(at, start, new_start - start)
        found += writer.changed(start, end, new_start, new_end)
        at = end
    found += writer.same(at, len(first), len(second) - len(first))
    if found and found[-1].kind == "same" and ends_open(old) != ends_open(new):
        found[-1] = found[-1]._replace(kind="changed")
    return tuple(found)


class _Rows:
    """Writes the rows of one comparison and keeps the bounds on its work."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self._old = old
        self._new = new
        self._pairing = Pairing()
        self._left_to_mark = MARKED

    def same(self, start: int, end: int, ahead: int) -> Iterator[DiffRow]:
        """Unchanged lines; the new text's numbers are `ahead` of the old ones."""
        for at in range(start, end):
            line = self._old[at]
            yield DiffRow("same", at + 1, at + 1 + ahead, line, line)

    def changed(self, start: int, end: int, new_start: int, new_end: int) -> Iterator[DiffRow]:
        """One place that changed: pairs, and between them what only one text has."""
        pairs = self._pairing.pairs(self._old[start:end], self._new[new_start:new_end])
        at, new_at = start, new_start
        for one, other in [*((start + a, new_start + b) for a, b in pairs), (end, new_end)]:
            for line in range(at, one):
                yield DiffRow("removed", line + 1, 0, self._old[line], "")
            for line in range(new_at, other):
                yield DiffRow("added", 0, line + 1, "", self._new[line])
            if one < end:
                yield self._pair(one, other)
            at, new_at = one + 1, other + 1

    def _pair(self, at: int, new_at: int) -> DiffRow:
        old, new = self._old[at], self._new[new_at]
        marks = mark_words(old, new, rough=self._left_to_mark < 0)
        self._left_to_mark -= len(old) + len(new)
        return DiffRow("changed", at + 1, new_at + 1, old, new, *marks)


def fold(compared: Sequence[DiffRow], context: int = 3) -> tuple[DiffRow | Fold, ...]:
    """Put unchanged runs longer than twice `context` behind a `Fold`, but for `context` lines beside each change."""
    found: list[DiffRow | Fold] = []
    at = 0
    while at < len(compared):
        end = at
        while end < len(compared) and compared[end].kind == "same":
            end += 1
        first = at + context if at else at
        last = end - context if end < len(compared) else end
        if end - at > 2 * context and first < last:
            found += [*compared[at:first], Fold(tuple(compared[first:last])), *compared[last:end]]
        else:
            found += compared[at:end]
        found += compared[end : end + 1]
        at = end + 1
    return tuple(found)


def counts(compared: Sequence[DiffRow]) -> tuple[int, int]:
    """How many lines were added and removed; a changed line counts as both."""
    kinds = [row.kind for row in compared]
    changed = kinds.count("changed")
    return kinds.count("added") + changed, kinds.count("removed") + changed


def unified(
    old: str,
    new: str,
    old_label: str,
    new_label: str,
    *,
    old_name: str = "",
    new_name: str = "",
    context: int = 3,
    pair_limit: int = 4_000_000,
) -> str:
    """The unified diff of two texts, "" if they and their names are equal.

    Names that differ are the first hunk, headed `@@ name @@`. Where the lines of both texts multiplied exceed `pair_limit`, one sentence
    with both line counts stands in place of the hunks.
    """
    hunks: list[str] = []
    if old_name != new_name:
        hunks += ["@@ name @@", f"-{old_name}", f"+{new_name}"]
    if old != new:
        first, second = split_lines(old), split_lines(new)
        if len(first) * len(second) > pair_limit:
            hunks.append(f"Too large to compare line by line: {len(first)} lines before, {len(second)} lines after.")
        else:
            hunks += _hunks(_with_ends(old, first), _with_ends(new, second), context)
    if not hunks:
        return ""
    return "\n".join([f"--- {_label(old_label)}", f"+++ {_label(new_label)}", *hunks, ""])


def _label(text: str) -> str:
    return " ".join(text.split())


def _with_ends(text: str, lines: list[str]) -> list[str]:
    """The lines as a unified diff prints them: an open last line carries the remark that patching tools expect."""
    return [*lines[:-1], f"{lines[-1]}\n\\ No newline at end of file"] if ends_open(text) else lines


def _hunks(old: list[str], new: list[str], context: int) -> Iterator[str]:
    group: list[tuple[int, int, int, int]] = []
    for gap in gaps(align_lines(old, new), len(old), len(new)):
        if group and gap[0] - group[-1][1] > 2 * context:
            yield from _hunk(group, old, new, context)
            group = []
        group.append(gap)
    if group:
        yield from _hunk(group, old, new, context)


def _hunk(group: list[tuple[int, int, int, int]], old: list[str], new: list[str], context: int) -> Iterator[str]:
    start, ahead = max(0, group[0][0] - context), group[0][2] - group[0][0]
    end, new_ahead = min(len(old), group[-1][1] + context), group[-1][3] - group[-1][1]
    yield f"@@ -{_range(start, end)} +{_range(start + ahead, end + new_ahead)} @@"
    at = start
    for old_start, old_end, new_start, new_end in group:
        yield from (f" {line}" for line in old[at:old_start])
        yield from (f"-{line}" for line in old[old_start:old_end])
        yield from (f"+{line}" for line in new[new_start:new_end])
        at = old_end
    yield from (f" {line}" for line in old[at:end])


def _range(start: int, end: int) -> str:
    """First line and count as unified diffs write them: the count is left out if it is 1, an empty range names the line before it."""
    count = end - start
    return f"{start + 1}" if count == 1 else f"{start + 1 if count else start},{count}"


def blame(versions: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """For each line of the last text, the label of the version that brought it; `versions` are labels and texts, oldest first."""
    lines: list[str] = []
    labels: list[str] = []
    for label, text in versions:
        now = split_lines(text)
        blocks: list[Block] = align_lines(lines, now)
        kept = [label] * len(now)
        for block in blocks:
            kept[block.new : block.new + block.size] = labels[block.old : block.old + block.size]
        lines, labels = now, kept
    return tuple(zip(labels, lines, strict=True))
