"""Painting the rows of a grid: gutter, tints, marks, hidden characters, selection, text."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from memorypane.gui.diffview.cells import Cell, Mark, Tint
from memorypane.gui.diffview.layouts import LaidOut
from memorypane.gui.diffview.panes import PaneArea
from memorypane.gui.theme.paint import draw_icon, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import ICON

__all__ = ["RowPainter"]

_LINE = {Tint.ADDED: "added_bg", Tint.REMOVED: "removed_bg", Tint.CONFLICT: "warning_soft"}
_WORDS = {
    Tint.ADDED: "added_word_bg", Tint.REMOVED: "removed_word_bg", Tint.CONFLICT: "finding_bg", Tint.FINDING: "finding_bg",
}
_SIGNS = {"+": "added_mark", "−": "removed_mark", "!": "warning"}
_RADIUS = 2.5


def _findings_last(mark: Mark) -> bool:
    return mark.tint is Tint.FINDING


class RowPainter:
    """Paints cells and folds at given places; holds the theme only."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme

    def ground(self, painter: QPainter, area: PaneArea, top: int, height: int, cell: Cell | None) -> None:
        """Fill the background of one pane's row: gutter, line tint, or the filler of a line that is not there."""
        theme = self._theme
        whole = QRect(area.left, top, area.width, height)
        if cell is None:
            painter.fillRect(whole, theme.color("sunken"))
            return
        painter.fillRect(QRect(area.left, top, area.gutter, height), theme.color("gutter"))
        if name := _LINE.get(cell.tint):
            painter.fillRect(whole.adjusted(0 if area.flat else area.gutter, 0, 0, 0), theme.color(name))

    def margin(self, painter: QPainter, area: PaneArea, top: int, pitch: int, cell: Cell) -> None:
        """Draw line numbers, sign and note on the first line of a row; `pitch` is the height of one line."""
        theme = self._theme
        font = QFont(theme.font("mono"))
        font.setPixelSize(theme.font("caption").pixelSize())
        painter.setFont(font)
        painter.setPen(theme.color("gutter_text"))
        line = QRect(0, top + 1, 0, pitch)
        for number, right in zip(cell.numbers, area.number_rights, strict=False):
            if number:
                box = QRect(area.left, line.top(), right - area.left, pitch)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(number))
        if cell.sign:
            strong = theme.font("mono", weight=700)
            painter.setFont(strong)
            painter.setPen(theme.color(_SIGNS[cell.sign]))
            box = QRect(area.sign_middle - 10, line.top(), 20, pitch)
            # The typographic minus is wider than the dash in some fixed fonts; the dash lines up with the plus.
            sign = "-" if cell.sign == "−" else cell.sign
            painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter), sign)

    def note(self, painter: QPainter, area: PaneArea, top: int, pitch: int, words: str, *, lead: bool) -> None:
        """Draw a few quiet words: before the text (`lead`), or at the right end of the row."""
        theme = self._theme
        if lead:
            box = QRect(area.lead_left, top + 1, area.text_left - area.lead_left - 8, pitch)
            draw_text(painter, theme, box, words, "caption", theme.color("muted"), weight=400)
            return
        left = area.text_left + area.text_width
        box = QRect(left, top + 1, area.right - 24 - left, pitch)
        draw_text(painter, theme, box, words, "caption", theme.color("muted"), weight=400, align=Qt.AlignmentFlag.AlignRight)

    def text(
        self, painter: QPainter, area: PaneArea, top: int, laid: LaidOut, cell: Cell, selected: tuple[int, int], *, active: bool,
    ) -> None:
        """Draw the text of a cell with its marks, labels and the selected stretch."""
        theme = self._theme
        origin = QPointF(area.text_left, top + 1)
        painter.save()
        painter.setClipRect(QRect(area.left, top, area.width, laid.height + 2), Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        grounds = [(mark.start, mark.end, theme.color(_WORDS[mark.tint])) for mark in sorted(cell.marks, key=_findings_last)]
        if selected[0] < selected[1]:
            grounds.append((*selected, theme.color("text_selection" if active else "selection_inactive")))
        ranges = []
        if laid.both_ways:
            ranges = [laid.range(*ground) for ground in grounds]
            ranges += [laid.drawn_range(*label, theme.color("warning_soft")) for label in laid.shown.labels]
        else:
            for start, end, color in grounds:
                painter.setBrush(color)
                for box in self._boxes(laid.areas(start, end), origin):
                    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
        self._labels(painter, laid, origin)
        painter.setPen(theme.color("text"))
        laid.layout.draw(painter, origin, ranges)
        painter.restore()

    def _labels(self, painter: QPainter, laid: LaidOut, origin: QPointF) -> None:
        if not laid.shown.labels:
            return
        painter.setPen(self._theme.pen("warning_line"))
        painter.setBrush(self._theme.color("warning_soft"))
        for start, end in laid.shown.labels:
            for box in self._boxes(laid.drawn_areas(start, end), origin):
                painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)

    @staticmethod
    def _boxes(areas: Iterator[QRectF], origin: QPointF) -> Iterator[QRectF]:
        for area in areas:
            yield area.translated(origin).adjusted(0, 1, 0, -1)

    def fold(self, painter: QPainter, area: QRect, words: str, *, focused: bool, hovered: bool) -> None:
        """Draw the row that stands for a run of unchanged lines."""
        theme = self._theme
        painter.fillRect(area, theme.color("hover" if hovered else "surface_alt"))
        painter.fillRect(area.left(), area.top(), area.width(), 1, theme.color("line"))
        painter.fillRect(area.left(), area.bottom(), area.width(), 1, theme.color("line"))
        ink = theme.color("text" if hovered or focused else "muted")
        middle = area.top() + area.height() // 2
        x = area.left() + 20
        draw_icon(painter, theme, x, middle, "unfold-vertical", ink, ICON.small)
        draw_text(painter, theme, area.adjusted(38, 0, -16, 0), words, "meta", ink)
        if focused:
            painter.setPen(theme.pen("focus", 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(1, 1, -1, -1))
