"""Which removed line became which added one, so that the two can be shown as one changed line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memorypane.model.align import align, gaps
from memorypane.model.words import likeness, vocabulary

__all__ = ["Pairing"]

ALIKE = 0.4
ALIKE_ALONE = 0.25
"""Two lines that face each other alone need less in common than those chosen among many."""

WINDOW = 48
"""Lines of each side that are compared each with each; longer runs are cut into proportional pieces."""


class Pairing:
    """Pairs lines place after place of one comparison, within one bound on the work for all of them.

    `effort` counts compared pairs of lines; once it is used up, only lines that differ in blanks and case are paired.
    """

    def __init__(self, effort: int = 150_000) -> None:
        self._effort = effort

    def pairs(self, old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
        """Indices of removed and added lines that belong together, rising on both sides."""
        if not old or not new:
            return []
        found: list[tuple[int, int]] = []
        # Blank lines are like no other line, not even another blank one.
        blocks = align([_bare(line) or at for at, line in enumerate(old)], [_bare(line) or -1 - at for at, line in enumerate(new)])
        found += [(block.old + step, block.new + step) for block in blocks for step in range(block.size)]
        for start, end, new_start, new_end in gaps(blocks, len(old), len(new)):
            before, after = old[start:end], new[new_start:new_end]
            pairs = self._abreast(before, after) if len(before) == len(after) > WINDOW else self._pieces(before, after)
            found += [(start + one, new_start + other) for one, other in pairs]
        return sorted(found)

    def _abreast(self, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Long runs of as many lines as before: a replacement in every line, if a sample of facing lines says so."""
        sample = range(0, len(old), len(old) // 32)
        alike = sum(likeness(vocabulary(old[at]), vocabulary(new[at])) >= ALIKE for at in sample)
        if 2 * alike < len(sample) or self._effort < len(old):
            yield from self._pieces(old, new)
            return
        self._effort -= len(old)
        yield from ((at, at) for at in range(len(old)) if likeness(vocabulary(old[at]), vocabulary(new[at])) >= ALIKE)

    def _pieces(self, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Every pair of the runs' pieces, which are cut in proportion."""
        count = -(-max(len(old), len(new)) // WINDOW)
        for part in range(count):
            start, end = len(old) * part // count, len(old) * (part + 1) // count
            new_start, new_end = len(new) * part // count, len(new) * (part + 1) // count
            for one, other in self._alike(old[start:end], new[new_start:new_end]):
                yield start + one, new_start + other

    def _alike(self, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The pairs of two short runs with the most in common altogether, none crossing another."""
        rows, columns = len(old), len(new)
        if not rows or not columns or rows * columns > self._effort:
            return
        self._effort -= rows * columns
        left = [vocabulary(line) for line in old]
        right = [vocabulary(line) for line in new]
        least = ALIKE_ALONE if rows == columns == 1 else ALIKE
        worth = [[common if (common := likeness(one, other)) >= least else 0.0 for other in right] for one in left]
        # best[i][j]: the most that lines from i and from j on can have in common.
        best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
        for i in range(rows - 1, -1, -1):
            for j in range(columns - 1, -1, -1):
                with_both = worth[i][j] + best[i + 1][j + 1] if worth[i][j] else 0.0
                best[i][j] = max(with_both, best[i + 1][j], best[i][j + 1])
        i = j = 0
        while i < rows and j < columns:
            if worth[i][j] and best[i][j] == worth[i][j] + best[i + 1][j + 1]:
                yield i, j
                i, j = i + 1, j + 1
            elif best[i][j] == best[i + 1][j]:
                i += 1
            else:
                j += 1


def _bare(line: str) -> str:
    return "".join(line.split()).casefold()
