"""Which items of two sequences correspond, in order: the ground under diff, blame and merge.

Lines that stand once in each text and say something are matched first, as a person's eye does; what lies between is matched with the fewest
changes, and coarsely where that would take too long. The work is counted, not timed, so that equal input always gives the equal answer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple, TypeVar

__all__ = ["Block", "align", "gaps"]

Item = TypeVar("Item", bound=Hashable)

EFFORT = 600_000
"""Steps the exact search may take for one pair of sequences: some tenths of a second."""

DEEPEST = 40
"""How often anchors are looked for between anchors before the exact search takes over."""


class Block(NamedTuple):
    """A run of equal items: where it begins in the old and in the new sequence, and how long it is."""

    old: int
    new: int
    size: int


def align(old: Sequence[Item], new: Sequence[Item], *, anchor: Callable[[Item], bool] | None = None, effort: int = EFFORT) -> list[Block]:
    """The blocks of equal items in order, each as long as it can be, none empty.

    `anchor` says which items mean enough to be matched just because they occur once on each side; without it none does. `effort` bounds
    the steps of the exact search; beyond it the answer is still a common subsequence, but seldom the longest.
    """
    numbers: dict[Item, int] = {}
    left = [numbers.setdefault(item, len(numbers)) for item in old]
    right = [numbers.setdefault(item, len(numbers)) for item in new]
    anchors = {number for item, number in numbers.items() if anchor(item)} if anchor else set()
    return _Aligner(left, right, anchors, effort).blocks()


def gaps(blocks: Sequence[Block], old: int, new: int) -> Iterator[tuple[int, int, int, int]]:
    """Between and around the blocks: `(old start, old end, new start, new end)` of what differs, for sequences of these lengths."""
    at_old = at_new = 0
    for block in (*blocks, Block(old, new, 0)):
        if at_old < block.old or at_new < block.new:
            yield at_old, block.old, at_new, block.new
        at_old, at_new = block.old + block.size, block.new + block.size


class _Aligner:
    """One comparison of two sequences of numbers."""

    def __init__(self, old: list[int], new: list[int], anchors: set[int], effort: int) -> None:
        self._old = old
        self._new = new
        self._anchors = anchors
        self._effort = effort
        self._partner = [-1] * len(old)

    def blocks(self) -> list[Block]:
        regions = [(0, len(self._old), 0, len(self._new), 0)]
        while regions:
            regions += self._split(*regions.pop())
        found: list[Block] = []
        start = 0
        partner = self._partner
        for at in range(len(partner)):
            if partner[at] < 0:
                start = at + 1
            elif at + 1 == len(partner) or partner[at + 1] != partner[at] + 1:
                found.append(Block(start, partner[start], at + 1 - start))
                start = at + 1
        return found

    def _split(self, a: int, a_end: int, b: int, b_end: int, depth: int) -> list[tuple[int, int, int, int, int]]:
        """Match what can be matched in one region and return the regions that are left."""
        old, new, partner = self._old, self._new, self._partner
        while a < a_end and b < b_end and old[a] == new[b]:
            partner[a] = b
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            partner[a_end] = b_end
        if a == a_end or b == b_end:
            return []
        anchors = self._unique(a, a_end, b, b_end) if self._anchors and depth < DEEPEST else []
        if not anchors:
            self._match(a, a_end, b, b_end)
            return []
        rest = []
        for here, there in anchors:
            partner[here] = there
            rest.append((a, here, b, there, depth + 1))
            a, b = here + 1, there + 1
        rest.append((a, a_end, b, b_end, depth + 1))
        return rest

    def _unique(self, a: int, a_end: int, b: int, b_end: int) -> list[tuple[int, int]]:
        """Pairs of anchors that occur once on each side of the region, as many as stand in the same order on both."""
        once: dict[int, int] = {}
        for at in range(a, a_end):
            number = self._old[at]
            once[number] = -1 if number in once else at
        there: dict[int, int] = {}
        for at in range(b, b_end):
            number = self._new[at]
            if once.get(number, -1) >= 0 and number in self._anchors:
                there[number] = -1 if number in there else at
        pairs = sorted((once[number], at) for number, at in there.items() if at >= 0)
        return _rising(pairs)

    def _match(self, a: int, a_end: int, b: int, b_end: int) -> None:
        """Match a region without anchors: exactly while there is effort left, else by the order of occurrence."""
        old, new = self._old, self._new
        right = set(new[b:b_end])
        here = [at for at in range(a, a_end) if old[at] in right]
        left = {old[at] for at in here}
        there = [at for at in range(b, b_end) if new[at] in left]
        if not here:
            return
        first, second = [old[at] for at in here], [new[at] for at in there]
        pairs, spent = _fewest_changes(first, second, self._effort)
        self._effort -= spent
        for one, other in _by_occurrence(first, second) if pairs is None else pairs:
            self._partner[here[one]] = there[other]


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of `pairs` (sorted by the first) whose seconds rise too."""
    tails: list[int] = []
    ends: list[int] = []
    before = [-1] * len(pairs)
    for index, (_, value) in enumerate(pairs):
        place = bisect_left(tails, value)
        if place == len(tails):
            tails.append(value)
            ends.append(index)
        else:
            tails[place] = value
            ends[place] = index
        before[index] = ends[place - 1] if place else -1
    chosen: list[tuple[int, int]] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    chosen.reverse()
    return chosen


def _by_occurrence(old: list[int], new: list[int]) -> list[tuple[int, int]]:
    """A common subsequence in little time: the first of a number with the first, the second with the second, where the order allows."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for at in range(len(new) - 1, -1, -1):
        places[new[at]].append(at)
    return _rising([(at, places[number].pop()) for at, number in enumerate(old) if places[number]])


def _fewest_changes(old: list[int], new: list[int], effort: int) -> tuple[list[tuple[int, int]] | None, int]:
    """The pairs of a longest common subsequence and the steps it took to find them; None in place of the pairs if `effort` ran out.

    Myers' greedy search: `reach[zero + k]` is how far the old sequence is used up on diagonal `k` (old minus new position) after so many
    changes. Diagonals that left the grid are not looked at again; for each number of changes those still in use are kept to walk back.
    """
    n, m = len(old), len(new)
    zero = n + m + 1
    if zero > effort:
        return None, 0
    reach = [0] * (2 * zero + 1)
    history: list[tuple[int, list[int]]] = []
    spent = low = high = 0
    for changes in range(zero):
        first, last = low - changes, changes - high
        history.append((first - 1, reach[zero + first - 1 : zero + last + 2]))
        for k in range(first, last + 1, 2):
            down, right = reach[zero + k + 1], reach[zero + k - 1]
            x = begin = down if k == -changes or (k != changes and right < down) else right + 1
            y = x - k
            while x < n and y < m and old[x] == new[y]:
                x += 1
                y += 1
            reach[zero + k] = x
            spent += 1 + x - begin
            if x >= n and y >= m:
                return _walk_back(history, n, m), spent
            if x > n:
                high += 2
            elif y > m:
                low += 2
        if spent > effort:
            return None, spent
    return None, spent


def _walk_back(history: list[tuple[int, list[int]]], x: int, y: int) -> list[tuple[int, int]]:
    """From the end of both sequences back through the kept diagonals: the pairs of equal items, in order."""
    pairs: list[tuple[int, int]] = []
    for changes in range(len(history) - 1, -1, -1):
        first, kept = history[changes]
        k = x - y
        if changes:
            down, right = kept[k + 1 - first], kept[k - 1 - first]
            from_above = k == -changes or (k != changes and right < down)
            begin = down if from_above else right + 1
            before = (down, down - k - 1) if from_above else (right, right - k + 1)
        else:
            begin, before = 0, (0, 0)
        while x > begin:
            x -= 1
            y -= 1
            pairs.append((x, y))
        x, y = before
    pairs.reverse()
    return pairs
