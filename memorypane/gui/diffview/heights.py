"""Row heights of a grid that lays out only what is seen: estimates, corrected as rows are measured."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

__all__ = ["Heights"]


class Heights:
    """Heights of all rows in px and, derived from them, where each row begins."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._tops: list[int] = []
        self._stale = True

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._heights)

    def _known_tops(self) -> list[int]:
        if self._stale:
            self._tops = list(accumulate(self._heights, initial=0))
            self._stale = False
        return self._tops

    def height(self, row: int) -> int:
        """The height of one row."""
        return self._heights[row]

    def correct(self, row: int, height: int) -> bool:
        """Note the measured height of a row; true if the estimate was off."""
        if self._heights[row] == height:
            return False
        self._heights[row] = height
        self._stale = True
        return True

    def top(self, row: int) -> int:
        """Where a row begins; the number of rows gives the end of the last."""
        return self._known_tops()[row]

    @property
    def total(self) -> int:
        """The height of all rows together."""
        return self._known_tops()[-1]

    def row_at(self, y: int) -> int:
        """The row that covers `y`, clamped to the first and last; -1 without rows."""
        if not self._heights:
            return -1
        return max(0, min(bisect_right(self._known_tops(), y) - 1, len(self._heights) - 1))
