"""A scrolling grid of texts that lays out only the rows it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QWidget
from typing_extensions import override

from memorypane.gui.diffview.cells import Cell, Row
from memorypane.gui.diffview.heights import Heights
from memorypane.gui.diffview.layouts import LaidOut, Layouts
from memorypane.gui.diffview.painting import RowPainter
from memorypane.gui.diffview.panes import DIVIDER, PaneArea, PaneStyle, place_panes
from memorypane.gui.diffview.selecting import Place, Selection
from memorypane.gui.theme.theme import Theme

__all__ = ["TextGrid"]

_ROW_PAD = 2
_FOLD_HEIGHT = 26
_BAR_WIDTH = 12
_NEAR_SCREENS = 3


class TextGrid(QAbstractScrollArea):
    """Rows of one to three panes; every row is as high as its highest cell.

    `scrolled` says that other rows are seen, `resized` that the width changed. Blocks (rows with a widget of their own) are placed as the
    grid scrolls. Subclasses add selecting; this class paints, measures and scrolls.
    """

    scrolled = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, panes: Sequence[PaneStyle] = (PaneStyle(),), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._styles = tuple(panes)
        self._areas: tuple[PaneArea, ...] = ()
        self._rows: Sequence[Row] = ()
        self._highest = 1
        self._heights = Heights()
        self._layouts = Layouts(theme)
        self._painter = RowPainter(theme)
        self._blocks: dict[int, QWidget] = {}
        self._first, self._shift, self._value = 0, 0, 0
        self._settling = False
        self._selection = Selection(0, Place(0, 0), Place(0, 0))
        self._hovered = -1
        self._note_lead = False
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        # The bar lies over the rows, so that tints run through to the edge and both sides keep equal widths.
        self._bar = QScrollBar(Qt.Orientation.Vertical, self)
        self._bar.hide()
        own = self.verticalScrollBar()
        own.rangeChanged.connect(self._on_range_changed)
        own.valueChanged.connect(self._bar.setValue)
        self._bar.valueChanged.connect(own.setValue)
        theme.changed.connect(self._on_theme_changed)

    # content

    @property
    def rows(self) -> Sequence[Row]:
        """What is shown."""
        return self._rows

    @property
    def panes(self) -> tuple[PaneArea, ...]:
        """Where the panes lie."""
        return self._areas

    def set_rows(
        self,
        rows: Sequence[Row],
        *,
        panes: Sequence[PaneStyle] | None = None,
        highest: int = 1,
        keep_place: bool = False,
        note_lead: bool = False,
    ) -> None:
        """Show other rows; `highest` is the highest line number, `keep_place` stays near the line that is at the top now."""
        line = self._top_line() if keep_place else None
        self._drop_blocks()
        self._rows, self._highest, self._note_lead = rows, highest, note_lead
        if panes is not None:
            self._styles = tuple(panes)
        self._selection = Selection(0, Place(0, 0), Place(0, 0))
        self._hovered = -1
        self._rebuild()
        row = self.find_line(line, 0) if line is not None else 0
        self._settle(max(0, row), 0)

    def set_block(self, row: int, widget: QWidget) -> None:
        """Put a widget into a block row; it belongs to the grid until other rows are shown."""
        self._blocks[row] = widget
        widget.setParent(self.viewport())
        self._place_blocks()

    def set_block_height(self, row: int, height: int) -> None:
        """Make a block row higher or lower."""
        if self._heights.correct(row, height):
            self._settle(self._first, self._shift)

    def height_at(self, width: int, at_most: int) -> int:
        """How high the rows would be together at a width of the viewport, measured only as far as `at_most` px."""
        areas = place_panes(self._theme, self._styles, width, self._highest)
        height = 0
        for index, row in enumerate(self._rows):
            if row.block is not None:
                height += row.block.height
            elif row.fold is not None:
                height += self._theme.px(_FOLD_HEIGHT)
            else:
                laid = [
                    self._layouts.get(index, pane, area.text_width, cell).height
                    for pane, area in enumerate(areas)
                    if (cell := self.cell(index, pane)) is not None
                ]
                height += max(laid, default=self._layouts.pitch) + _ROW_PAD
            if height >= at_most:
                return at_most
        return height

    def find_line(self, line: int, pane: int) -> int:
        """The first row of a text line in a pane, or of the fold that hides it; -1 if it is not there."""
        best = -1
        for index, row in enumerate(self._rows):
            cell = row.cells[pane] if pane < len(row.cells) else None
            if cell is not None and cell.line >= line:
                return index if cell.line == line or best < 0 else best
            if row.fold is not None:
                best = index
        return best

    # geometry

    def row_rect(self, row: int) -> QRect:
        """Where a row lies in the viewport now, also above or below what is seen."""
        top = self._heights.top(row) - self._heights.top(self._first) - self._shift if len(self._heights) else 0
        return QRect(0, top, self.viewport().width(), self._heights.height(row))

    def row_at(self, y: int) -> int:
        """The row at a height of the viewport, clamped to what there is; -1 without rows."""
        if not self._rows:
            return -1
        return self._heights.row_at(self._heights.top(self._first) + self._shift + y)

    def visible_rows(self) -> range:
        """The rows that are seen at least in part."""
        if not self._rows:
            return range(0)
        return range(self._first, self.row_at(self.viewport().height() - 1) + 1)

    def reveal(self, row: int, *, middle: bool = False) -> None:
        """Scroll until a row is seen; `middle` brings it to the upper third even if it is seen already."""
        if not 0 <= row < len(self._rows):
            return
        height = self.viewport().height()
        self._measure(row)
        area = self.row_rect(row)
        if middle and not (area.top() >= 0 and area.bottom() < height * 2 // 3):
            self._settle(row, -height // 3)
        elif area.top() < 0:
            self._settle(row, 0)
        elif area.bottom() >= height:
            self._settle(row, min(0, area.height() - height))

    def cell(self, row: int, pane: int) -> Cell | None:
        """The cell at a place of the grid, None where that text has no line."""
        cells = self._rows[row].cells
        return cells[pane] if pane < len(cells) else None

    def laid_out(self, row: int, pane: int) -> LaidOut | None:
        """The layout of a cell, made now if need be."""
        cell = self.cell(row, pane)
        return None if cell is None else self._layouts.get(row, pane, self._areas[pane].text_width, cell)

    def _rebuild(self) -> None:
        """Compute widths and the estimated heights anew."""
        self._layouts.forget()
        width = self.viewport().width()
        self._areas = place_panes(self._theme, self._styles, width, self._highest)
        pitch = self._layouts.pitch
        fits = max(1, int(min(area.text_width for area in self._areas) // self._layouts.column))
        fold = self._theme.px(_FOLD_HEIGHT)

        def guess(row: Row) -> int:
            if row.block is not None:
                return row.block.height
            return fold if row.fold is not None else max(1, -(-row.columns // fits)) * pitch + _ROW_PAD

        self._heights = Heights(map(guess, self._rows))
        self._first = min(self._first, max(0, len(self._rows) - 1))

    def _measure(self, row: int) -> int:
        """Lay out a row and return its true height."""
        shown = self._rows[row]
        if shown.fold is None and shown.block is None:
            laid = [self.laid_out(row, pane) for pane in range(len(self._areas))]
            self._heights.correct(row, max((cell.height for cell in laid if cell is not None), default=self._layouts.pitch) + _ROW_PAD)
        return self._heights.height(row)

    # scrolling

    def _settle(self, row: int, shift: int) -> None:
        """Put the point `shift` px below the top of a row at the top of the viewport; rows on the way are measured."""
        if not self._rows:
            self._first = self._shift = self._value = 0
            self.verticalScrollBar().setRange(0, 0)
            self.viewport().update()
            return
        while shift < 0 and row > 0:
            row -= 1
            shift += self._measure(row)
        shift = max(0, shift)
        while row < len(self._rows) - 1 and shift >= self._measure(row):
            shift -= self._heights.height(row)
            row += 1
        height = self.viewport().height()
        covered, last = -shift, row
        while covered < height and last < len(self._rows):
            covered += self._measure(last)
            last += 1
        if covered < height:
            gap = height - covered
            shift -= gap
            while shift < 0 and row > 0:
                row -= 1
                shift += self._measure(row)
            shift = max(0, shift)
        self._first, self._shift = row, shift
        self._sync_bar()
        self._place_blocks()
        self.viewport().update()
        self.scrolled.emit()

    def _sync_bar(self) -> None:
        self._settling = True
        own = self.verticalScrollBar()
        height = self.viewport().height()
        own.setPageStep(height)
        own.setSingleStep(self._layouts.pitch + _ROW_PAD)
        own.setRange(0, max(0, self._heights.total - height))
        own.setValue(self._heights.top(self._first) + self._shift)
        self._value = own.value()
        self._settling = False

    @override
    def scrollContentsBy(self, dx: int, dy: int) -> None:
        if self._settling or not self._rows:
            return
        value = self.verticalScrollBar().value()
        moved = value - self._value
        if abs(moved) <= _NEAR_SCREENS * self.viewport().height():
            self._settle(self._first, self._shift + moved)
        else:
            row = self._heights.row_at(value)
            self._settle(row, value - self._heights.top(row))

    def _top_line(self) -> int | None:
        for index in self.visible_rows():
            if (cell := self.cell(index, 0)) is not None:
                return cell.line
        return None

    # blocks

    def _place_blocks(self) -> None:
        for row, widget in self._blocks.items():
            area = self.row_rect(row)
            seen = area.bottom() >= 0 and area.top() < self.viewport().height()
            if seen:
                widget.setGeometry(area)
            if widget.isHidden() == seen:
                widget.setVisible(seen)

    def _drop_blocks(self) -> None:
        for widget in self._blocks.values():
            widget.hide()
            widget.deleteLater()
        self._blocks.clear()

    # painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        theme = self._theme
        view = self.viewport().rect()
        painter.fillRect(view, theme.color("surface"))
        for area in self._areas:
            painter.fillRect(QRect(area.left, 0, area.gutter, view.height()), theme.color("gutter"))
        if self._rows:
            y = -self._shift
            for index in range(self._first, len(self._rows)):
                if y >= view.height():
                    break
                height = self._measure(index)
                if y + height >= event.rect().top() and y <= event.rect().bottom():
                    self._paint_row(painter, index, y, height)
                y += height
        for area in self._areas[1:]:
            painter.fillRect(QRect(area.left - DIVIDER, 0, DIVIDER, view.height()), theme.color("line_strong"))
        painter.end()

    def _paint_row(self, painter: QPainter, index: int, top: int, height: int) -> None:
        row = self._rows[index]
        if row.block is not None:
            return
        if row.fold is not None:
            focused = self.hasFocus() and self._selection.caret.row == index
            whole = QRect(0, top, self.viewport().width(), height)
            self._painter.fold(painter, whole, self._fold_words(row.fold.count), focused=focused, hovered=self._hovered == index)
            return
        pitch = self._layouts.pitch
        for pane, area in enumerate(self._areas):
            cell = self.cell(index, pane)
            self._painter.ground(painter, area, top, height, cell)
            if cell is None:
                continue
            self._painter.margin(painter, area, top, pitch, cell)
            laid = self._layouts.get(index, pane, area.text_width, cell)
            selected = self._selection.span(index, cell) if pane == self._selection.pane else (0, 0)
            self._painter.text(painter, area, top, laid, cell, selected, active=self.hasFocus())
            if cell.note:
                self._painter.note(painter, area, top, pitch, cell.note, lead=self._note_lead)
        self._paint_over(painter, index, top)

    def _paint_over(self, painter: QPainter, index: int, top: int) -> None:
        """Paint what lies over a row; the caret, in the class that has one."""

    def _fold_words(self, count: int) -> str:
        return self.tr("1 unchanged line") if count == 1 else self.tr("{count} unchanged lines").format(count=f"{count:,}")

    # changes of size and look

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bar.setGeometry(self.width() - _BAR_WIDTH, 0, _BAR_WIDTH, self.height())
        if event.size().width() != event.oldSize().width():
            self._rebuild()
            self.resized.emit()
        self._settle(self._first, self._shift)

    def _on_range_changed(self, low: int, high: int) -> None:
        self._bar.setRange(low, high)
        self._bar.setPageStep(self.verticalScrollBar().pageStep())
        self._bar.setSingleStep(self.verticalScrollBar().singleStep())
        self._bar.setVisible(high > low)

    def _on_theme_changed(self) -> None:
        self._rebuild()
        self._settle(self._first, self._shift)

    def update_rows(self, rows: Iterable[int]) -> None:
        """Repaint some rows."""
        for row in rows:
            self.viewport().update(self.row_rect(row))

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave and self._hovered >= 0:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            old, self._hovered = self._hovered, row
            self.update_rows(index for index in (old, row) if index >= 0)

    def _pane_at(self, point: QPoint) -> int:
        for index, area in enumerate(self._areas):
            if point.x() < area.right:
                return index
        return len(self._areas) - 1
