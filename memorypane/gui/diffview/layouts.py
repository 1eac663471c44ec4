"""Laid-out lines: one `QTextLayout` a cell, made when it is first seen and kept while it is near."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from memorypane.gui.diffview.cells import Cell, Mark, Tint
from memorypane.gui.diffview.hidden import PAD, Shown, show
from memorypane.gui.theme.theme import Theme

__all__ = ["LaidOut", "Layouts"]

_KEPT = 600
_TAB_COLUMNS = 4
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A cell's text, broken into lines; positions are in px from the top left of its text column.

    With `both_ways` a stretch may be several areas on one line, which only Qt itself draws right: use `range` there, not `areas`.
    """

    shown: Shown
    layout: QTextLayout
    pitch: int
    both_ways: bool

    @property
    def height(self) -> int:
        """How high the lines are together; at least one."""
        return max(1, self.layout.lineCount()) * self.pitch

    def lines(self) -> Iterator[QTextLine]:
        """The lines from the top."""
        for index in range(self.layout.lineCount()):
            yield self.layout.lineAt(index)

    def offset_at(self, x: float, y: float) -> int:
        """The source offset nearest to a point."""
        if not self.layout.lineCount():
            return 0
        line = self.layout.lineAt(max(0, min(int(y // self.pitch), self.layout.lineCount() - 1)))
        return self.shown.offset(line.xToCursor(x))

    def caret(self, offset: int) -> QPointF:
        """The top of the caret before a source offset."""
        position = self.shown.position(offset)
        line = self.layout.lineForTextPosition(position)
        if not line.isValid():
            return QPointF(0, 0)
        return QPointF(_x(line, position), line.lineNumber() * self.pitch)

    def line_of(self, offset: int) -> int:
        """Which of the lines holds a source offset, from 0."""
        line = self.layout.lineForTextPosition(self.shown.position(offset))
        return line.lineNumber() if line.isValid() else 0

    def areas(self, start: int, end: int) -> Iterator[QRectF]:
        """The areas that a stretch of the source covers, one a line; whole line heights."""
        first, last = self.shown.position(start), self.shown.position(end)
        yield from self.drawn_areas(first, last)

    def range(self, start: int, end: int, ground: QColor) -> QTextLayout.FormatRange:
        """A stretch of the source as a format with a ground, for drawing by Qt."""
        return self.drawn_range(self.shown.position(start), self.shown.position(end), ground)

    def drawn_range(self, start: int, end: int, ground: QColor) -> QTextLayout.FormatRange:
        """As `range`, for positions in the drawn text."""
        form = QTextCharFormat()
        form.setBackground(ground)
        return _range(start, end, form)

    def drawn_areas(self, first: int, last: int) -> Iterator[QRectF]:
        """As `areas`, for positions in the drawn text."""
        for line in self.lines():
            begin = max(first, line.textStart())
            stop = min(last, line.textStart() + line.textLength())
            if begin < stop:
                yield from self._line_areas(line, begin, stop)

    def _line_areas(self, line: QTextLine, begin: int, stop: int) -> Iterator[QRectF]:
        left, right = sorted((_x(line, begin), _x(line, stop)))
        if stop == line.textStart() + line.textLength():
            right = min(right, line.x() + line.naturalTextWidth())
        yield QRectF(left, line.lineNumber() * self.pitch, max(0.0, right - left), self.pitch)


def _x(line: QTextLine, position: int) -> float:
    found: object = line.cursorToX(position)
    # The binding returns the position along with x; older ones return x alone.
    x = found[0] if isinstance(found, tuple) else found
    return x if isinstance(x, float) else 0.0


class Layouts:
    """Makes and keeps the layouts of one grid for one text width a pane; `forget` when fonts or widths change."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._kept: OrderedDict[tuple[int, int, int], LaidOut] = OrderedDict()
        self.wrap = True

    def forget(self) -> None:
        """Drop everything laid out."""
        self._kept.clear()

    @property
    def pitch(self) -> int:
        """The height of one line."""
        return self._theme.line("mono")

    @property
    def column(self) -> float:
        """The width of one character of the fixed font."""
        return max(1.0, self._theme.metrics("mono").horizontalAdvance("0" * 64) / 64)

    def estimate(self, columns: int, width: float) -> int:
        """How many lines a text of so many columns will take in a width, without laying it out."""
        fits = max(1, int(width // self.column))
        return max(1, math.ceil(columns / fits))

    def get(self, row: int, pane: int, width: int, cell: Cell) -> LaidOut:
        """The layout of the cell at a place of the grid."""
        key = (row, pane, width)
        found = self._kept.get(key)
        if found is None:
            found = self._make(cell, width)
            self._kept[key] = found
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found

    def _make(self, cell: Cell, width: int) -> LaidOut:
        shown = show(cell.text)
        layout = QTextLayout(shown.text, self._theme.font("mono"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setTabStopDistance(_TAB_COLUMNS * self.column)
        layout.setTextOption(option)
        layout.setFormats([*self._finding_formats(cell.marks, shown), *self._label_formats(shown)])
        pitch, metrics = self.pitch, self._theme.metrics("mono")
        base = (pitch - metrics.height()) // 2 + metrics.ascent()
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            # Fallback fonts have other ascents; all lines share one base line.
            line.setPosition(QPointF(0, count * pitch + base - line.ascent()))
            count += 1
        layout.endLayout()
        return LaidOut(shown, layout, pitch, both_ways=_RTL.search(cell.text) is not None)

    def _finding_formats(self, marks: tuple[Mark, ...], shown: Shown) -> Iterator[QTextLayout.FormatRange]:
        for mark in marks:
            if mark.tint is Tint.FINDING:
                form = QTextCharFormat()
                form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
                form.setUnderlineColor(self._theme.color("finding_line"))
                yield _range(shown.position(mark.start), shown.position(mark.end), form)

    def _label_formats(self, shown: Shown) -> Iterator[QTextLayout.FormatRange]:
        size = self._theme.font("caption").pixelSize() - 1
        for start, end in shown.labels:
            form = QTextCharFormat()
            form.setProperty(QTextCharFormat.Property.FontPixelSize, size)
            form.setForeground(self._theme.color("warning"))
            yield _range(start, end, form)
            for at in (start, end - 1):
                pad = QTextCharFormat(form)
                pad.setProperty(QTextCharFormat.Property.FontPixelSize, max(1, size // 2))
                yield _range(at, at + len(PAD), pad)


def _range(start: int, end: int, form: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start = start
    made.length = end - start
    made.format = form
    return made
