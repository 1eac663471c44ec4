"""Selecting in a grid of texts: one pane at a time, and of two mixed texts only the one in which the selection began."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memorypane.gui.diffview.cells import BOTH, OLD, Cell, Row

__all__ = ["Place", "Selection", "word_around"]

_WORD = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A point between two characters: the row, and the offset in its cell in code points."""

    row: int
    offset: int


@dataclass(frozen=True, slots=True)
class Selection:
    """From where (`anchor`) to where (`caret`) text is selected in one pane; `sides` names the text that it takes."""

    pane: int
    anchor: Place
    caret: Place
    sides: int = BOTH

    @property
    def empty(self) -> bool:
        """Whether it holds nothing."""
        return self.anchor == self.caret

    @property
    def start(self) -> Place:
        """The earlier end."""
        return min(self.anchor, self.caret)

    @property
    def end(self) -> Place:
        """The later end."""
        return max(self.anchor, self.caret)

    def takes(self, cell: Cell) -> bool:
        """Whether the cell belongs to the text that is selected."""
        return bool(cell.sides & self.sides)

    def span(self, row: int, cell: Cell) -> tuple[int, int]:
        """The selected stretch of a cell, empty if it has none."""
        start, end = self.start, self.end
        if not start.row <= row <= end.row or not self.takes(cell):
            return 0, 0
        return (start.offset if row == start.row else 0), (end.offset if row == end.row else len(cell.text))

    def text(self, rows: Sequence[Row]) -> str:
        """The plain text it covers, with what folded rows hide, exactly as it stands in that one text."""
        parts: list[str] = []
        start, end = self.start, self.end
        for index in range(start.row, min(end.row + 1, len(rows))):
            row = rows[index]
            if row.fold is not None:
                if index < end.row:
                    parts.append(row.fold.old if self.sides == OLD else row.fold.new)
                continue
            cell = row.cells[self.pane] if row.cells else None
            if cell is None or not self.takes(cell):
                continue
            first, last = self.span(index, cell)
            parts.append(cell.text[first:last])
            if index < end.row and cell.breaks & self.sides:
                parts.append("\n")
        return "".join(parts)


def word_around(text: str, offset: int) -> tuple[int, int]:
    """The word, run of spaces or sign that a double click at an offset takes."""
    for match in _WORD.finditer(text):
        if match.start() <= offset < match.end():
            return match.span()
    return len(text), len(text)
