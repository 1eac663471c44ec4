"""The grid with a caret: selecting, copying and unfolding by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QBasicTimer, QPoint, QRect, Qt, QTimerEvent, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QClipboard,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QMenu, QStyle, QWidget
from typing_extensions import override

from memorypane.gui.diffview.cells import BOTH, NEW, OLD, Row
from memorypane.gui.diffview.grid import TextGrid
from memorypane.gui.diffview.panes import PaneStyle
from memorypane.gui.diffview.selecting import Place, Selection, word_around
from memorypane.gui.theme.theme import Theme

__all__ = ["SelectableGrid"]

_DRAG_STEP_MS = 30
_MOVES = frozenset({
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
})


class SelectableGrid(TextGrid):
    """A grid in which text of one pane can be selected and copied.

    `fold_asked` carries the key of a fold that was clicked or entered; `selection_changed` says that something else is selected.
    Arrows move the caret, with Shift they select, Alt+Left and Alt+Right change the pane, Enter opens a fold.
    """

    fold_asked = Signal(int)
    selection_changed = Signal()

    def __init__(self, theme: Theme, panes: Sequence[PaneStyle] = (PaneStyle(),), parent: QWidget | None = None) -> None:
        super().__init__(theme, panes, parent)
        self._dragging = False
        self._drag_point = QPoint()
        self._drag_timer = QBasicTimer()
        self._goal_x: float | None = None

    # what is selected

    @property
    def selection(self) -> Selection:
        """What is selected now."""
        return self._selection

    @property
    def selected_text(self) -> str:
        """The selected text as it stands in the one text that was picked."""
        return self._selection.text(self._rows)

    def select(self, pane: int, anchor: Place, caret: Place, *, sides: int = 0) -> None:
        """Select a stretch of one pane; without `sides` the row under the anchor says which text is meant."""
        self._set_selection(Selection(pane, anchor, caret, sides or self._side_of(anchor.row, pane)))

    def select_all(self) -> None:
        """Select the whole text of the pane that has the caret."""
        if not self._rows:
            return
        end = Place(len(self._rows), 0)
        self._set_selection(Selection(self._selection.pane, Place(0, 0), end, self._narrowed(self._selection.sides, self._selection.pane)))

    def copy(self) -> None:
        """Put the selected text on the clipboard; without a selection nothing happens."""
        if text := self.selected_text:
            QGuiApplication.clipboard().setText(text)

    def words_of(self, index: int) -> str:
        """A row in words, for those who hear it."""
        row: Row = self._rows[index]
        if row.fold is not None:
            return self._fold_words(row.fold.count)
        parts = []
        for cell in row.cells:
            if cell is None:
                continue
            sign = {"+": self.tr("added"), "−": self.tr("removed"), "!": self.tr("conflict")}.get(cell.sign, "")
            parts.append(self.tr("line {number} {sign}: {text}").format(number=cell.line, sign=sign, text=cell.text).replace(" :", ":"))
        return "; ".join(dict.fromkeys(parts))

    def announce(self, index: int) -> None:
        """Tell assistive tools about a row."""
        words = self.words_of(index)
        self.setAccessibleDescription(words)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _side_of(self, row: int, pane: int) -> int:
        cell = self.cell(row, pane) if 0 <= row < len(self._rows) else None
        return self._narrowed(cell.sides if cell is not None else BOTH, pane)

    def _narrowed(self, sides: int, pane: int) -> int:
        """Of two texts in one pane one is selected: the new one, unless the selection began in a removed line."""
        if sides != BOTH or len(self._areas) > 2:
            return sides
        return OLD if len(self._areas) == 2 and pane == 0 else NEW

    def _set_selection(self, selection: Selection) -> None:
        before = self._selection
        if selection == before:
            return
        self._selection = selection
        self.viewport().update()
        if selection.caret.row != before.caret.row and 0 <= selection.caret.row < len(self._rows):
            self.announce(selection.caret.row)
        self.selection_changed.emit()

    # mouse

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._rows:
            return
        point = event.position().toPoint()
        row = self.row_at(point.y())
        if self._rows[row].fold is not None:
            self._set_selection(Selection(self._selection.pane, Place(row, 0), Place(row, 0), self._selection.sides))
            return
        pane = self._pane_at(point)
        place = self.place_at(point, pane)
        self._goal_x = None
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and pane == self._selection.pane:
            self._set_selection(Selection(pane, self._selection.anchor, place, self._selection.sides))
        elif point.x() < self._areas[pane].left + self._areas[pane].gutter:
            self._select_line(row, pane)
        else:
            self.select(pane, place, place)
            self._dragging = True

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        self._drag_point = point
        if not self._dragging:
            self._point_at(point)
            return
        self._drag_to(point)
        outside = not 0 <= point.y() < self.viewport().height()
        if outside and not self._drag_timer.isActive():
            self._drag_timer.start(_DRAG_STEP_MS, self)
        elif not outside:
            self._drag_timer.stop()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._drag_timer.stop()
        was_dragging, self._dragging = self._dragging, False
        row = self.row_at(event.position().toPoint().y())
        if not was_dragging and row >= 0 and (fold := self._rows[row].fold) is not None and self._selection.caret.row == row:
            self.fold_asked.emit(fold.key)
        elif was_dragging and not self._selection.empty and QGuiApplication.clipboard().supportsSelection():
            QGuiApplication.clipboard().setText(self.selected_text, QClipboard.Mode.Selection)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self._rows:
            return
        point = event.position().toPoint()
        pane = self._pane_at(point)
        place = self.place_at(point, pane)
        if (cell := self.cell(place.row, pane)) is not None:
            start, end = word_around(cell.text, place.offset)
            self.select(pane, Place(place.row, start), Place(place.row, end))

    @override
    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() != self._drag_timer.timerId():
            super().timerEvent(event)
            return
        below = self._drag_point.y() - self.viewport().height()
        step = self._drag_point.y() if self._drag_point.y() < 0 else max(0, below)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + step)
        self._drag_to(self._drag_point)

    def _drag_to(self, point: QPoint) -> None:
        selection = self._selection
        self._set_selection(Selection(selection.pane, selection.anchor, self.place_at(point, selection.pane), selection.sides))

    def _point_at(self, point: QPoint) -> None:
        """Show by the pointer what a click does."""
        row = self.row_at(point.y())
        over_fold = row >= 0 and self._rows[row].fold is not None and self.row_rect(row).contains(point)
        self._hover(row if over_fold else -1)
        over_text = bool(self._areas) and point.x() >= self._areas[self._pane_at(point)].left + self._areas[self._pane_at(point)].gutter
        shape = Qt.CursorShape.PointingHandCursor if over_fold else Qt.CursorShape.IBeamCursor if over_text else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def place_at(self, point: QPoint, pane: int) -> Place:
        """The place in a pane nearest to a point of the viewport."""
        row = self.row_at(point.y())
        if row < 0:
            return Place(0, 0)
        laid = self.laid_out(row, pane)
        if laid is None:
            return Place(row, 0)
        area = self.row_rect(row)
        if point.y() > area.bottom() and row == len(self._rows) - 1:
            return Place(row, laid.shown.length)
        return Place(row, laid.offset_at(point.x() - self._areas[pane].text_left, point.y() - area.top() - 1))

    def _select_line(self, row: int, pane: int) -> None:
        cell = self.cell(row, pane)
        if cell is not None:
            end = Place(row + 1, 0) if cell.breaks and row + 1 < len(self._rows) else Place(row, len(cell.text))
            self.select(pane, Place(row, 0), end)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setEnabled(not self._selection.empty)
        menu.addAction(self.tr("Select all"), self.select_all).setShortcut(QKeySequence(QKeySequence.StandardKey.SelectAll))
        menu.popup(event.globalPos())

    # keyboard

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._fold_at_caret() is not None:
            self.fold_asked.emit(self._fold_at_caret())
        elif event.key() in _MOVES and self._rows:
            self._move(event)
        else:
            event.ignore()

    def _fold_at_caret(self) -> int | None:
        row = self._selection.caret.row
        fold = self._rows[row].fold if 0 <= row < len(self._rows) else None
        return fold.key if fold is not None else None

    def _move(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.AltModifier:
            step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
            pane = max(0, min(self._selection.pane + step, len(self._areas) - 1))
            place = Place(self._selection.caret.row, 0)
            self.select(pane, place, place)
            return
        caret = self._moved(Qt.Key(event.key()), control=bool(modifiers & Qt.KeyboardModifier.ControlModifier))
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            selection = self._selection
            self._set_selection(Selection(selection.pane, selection.anchor, caret, selection.sides))
        else:
            self.select(self._selection.pane, caret, caret)
        self._reveal_caret()

    def _moved(self, key: Qt.Key, *, control: bool) -> Place:
        caret, pane = self._selection.caret, self._selection.pane
        if caret.row >= len(self._rows):
            caret = Place(len(self._rows) - 1, self._length(len(self._rows) - 1))
        if key not in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self._goal_x = None
        match key:
            case Qt.Key.Key_Home:
                return Place(0, 0) if control else Place(caret.row, 0)
            case Qt.Key.Key_End:
                row = len(self._rows) - 1 if control else caret.row
                return Place(row, self._length(row))
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                return self._sideways(caret, 1 if key is Qt.Key.Key_Right else -1, by_word=control)
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                return self._vertical(1 if key is Qt.Key.Key_Down else -1, pane)
            case _:
                height = self.viewport().height()
                bar = self.verticalScrollBar()
                before = self._caret_point()
                step = height - self._layouts.pitch
                bar.setValue(bar.value() + (step if key is Qt.Key.Key_PageDown else -step))
                moved = QPoint(before.x(), max(0, min(before.y(), height - 1)))
                if bar.value() in (bar.minimum(), bar.maximum()):
                    moved.setY(height - 1 if key is Qt.Key.Key_PageDown else 0)
                return self.place_at(moved, pane)

    def _length(self, row: int) -> int:
        cell = self.cell(row, self._selection.pane)
        return len(cell.text) if cell is not None else 0

    def _sideways(self, caret: Place, step: int, *, by_word: bool) -> Place:
        cell = self.cell(caret.row, self._selection.pane)
        text = cell.text if cell is not None else ""
        if step > 0 and caret.offset < len(text):
            return Place(caret.row, word_around(text, caret.offset)[1] if by_word else caret.offset + 1)
        if step < 0 and caret.offset > 0:
            return Place(caret.row, word_around(text, caret.offset - 1)[0] if by_word else caret.offset - 1)
        row = max(0, min(caret.row + step, len(self._rows) - 1))
        if row == caret.row:
            return caret
        return Place(row, 0 if step > 0 else self._length(row))

    def _vertical(self, step: int, pane: int) -> Place:
        point = self._caret_point()
        if self._goal_x is None:
            self._goal_x = point.x()
        row = min(self._selection.caret.row, len(self._rows) - 1)
        laid = self.laid_out(row, pane)
        line = laid.line_of(self._selection.caret.offset) + step if laid is not None else -1
        x = self._goal_x - self._areas[pane].text_left
        if laid is not None and 0 <= line < laid.layout.lineCount():
            return Place(row, laid.offset_at(x, line * laid.pitch))
        target = max(0, min(row + step, len(self._rows) - 1))
        if target == row:
            return Place(row, self._length(row) if step > 0 else 0)
        below = self.laid_out(target, pane)
        return Place(target, below.offset_at(x, 0 if step > 0 else below.height - 1) if below is not None else 0)

    def _caret_point(self) -> QPoint:
        row = max(0, min(self._selection.caret.row, len(self._rows) - 1))
        area = self.row_rect(row)
        laid = self.laid_out(row, self._selection.pane)
        if laid is None:
            return QPoint(self._areas[self._selection.pane].text_left, area.top() + 1)
        caret = laid.caret(self._selection.caret.offset)
        return QPoint(round(self._areas[self._selection.pane].text_left + caret.x()), round(area.top() + 1 + caret.y()))

    def _reveal_caret(self) -> None:
        row = min(self._selection.caret.row, len(self._rows) - 1)
        if self.row_rect(row).height() <= self.viewport().height():
            self.reveal(row)
            return
        top = self._caret_point().y()
        bar = self.verticalScrollBar()
        if top < 0:
            bar.setValue(bar.value() + top)
        elif top + self._layouts.pitch > self.viewport().height():
            bar.setValue(bar.value() + top + self._layouts.pitch - self.viewport().height())

    @override
    def _paint_over(self, painter: QPainter, index: int, top: int) -> None:
        if not self.hasFocus() or self._selection.caret.row != index or self.cell(index, self._selection.pane) is None:
            return
        point = self._caret_point()
        width = self.style().pixelMetric(QStyle.PixelMetric.PM_TextCursorWidth)
        painter.fillRect(QRect(point.x(), point.y() + 1, width, self._layouts.pitch - 2), self._theme.color("text"))

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
