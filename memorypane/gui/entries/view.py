"""The table of entries: fixed rows, keys of its own, a selection that is one entry."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget
from typing_extensions import override

from memorypane.gui.entries.model import EntryListModel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT

__all__ = ["EntryView"]


class EntryView(QTableView):
    """Shows an `EntryListModel`; `entry_chosen` with the row key the person went to, `opened` on Enter or double click.

    The chosen entry and the scroll position outlive every new query: both are remembered by key, not by row.
    """

    entry_chosen = Signal(int)
    opened = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, theme: Theme, model: EntryListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._entries = theme, model
        self._chosen = 0
        self._anchor = (0, 0)
        self._drop_line = -1
        self._quiet = False
        self.setModel(model)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDropIndicatorShown(False)
        model.about_to_list.connect(self._on_about_to_list)
        model.listed.connect(self._on_listed)
        # Not the current index: Qt makes the first row current by itself when a view gets the keyboard.
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.doubleClicked.connect(self._on_double_clicked)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def chosen(self) -> int:
        """The key of the chosen entry, 0 if none is."""
        return self._chosen

    def choose(self, seq: int) -> None:
        """Choose an entry by key (0 = none); it is scrolled into view if it is listed."""
        row = self._entries.row_of(seq)
        if row < 0:
            self._chosen = seq
            self.clearSelection()
            self._settle()
            return
        self.setCurrentIndex(self._entries.index(row, 0))
        self.scrollTo(self._entries.index(row, 0))

    def step(self, by: int) -> None:
        """Go `by` rows down (or up)."""
        row = self._entries.row_of(self._chosen)
        target = row + by if row >= 0 else 0
        if 0 <= target < self._entries.rowCount():
            self.setCurrentIndex(self._entries.index(target, 0))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen:
            self.opened.emit(self._chosen)
            return
        moves = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
        if event.key() in moves and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
            return
        # Everything else is a key of the page, not a search in this list.
        event.ignore()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            row = self._entries.row_of(self._chosen)
            place = self.visualRect(self._entries.index(row, 0)).center()
        else:
            row, place = self.rowAt(event.pos().y()), event.pos()
        if row >= 0:
            self.menu_asked.emit(self._entries.seq_at(row), self.viewport().mapToGlobal(place))

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        event.accept()
        self._drop_line = self._gap_at(event.position().toPoint())
        self.viewport().update()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        gap, self._drop_line = self._gap_at(event.position().toPoint()), -1
        self.viewport().update()
        self._entries.dropMimeData(event.mimeData(), Qt.DropAction.MoveAction, gap, 0, QModelIndex())
        # A copy as far as the view is concerned: it must not remove the dragged row itself.
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    @override
    def dragLeaveEvent(self, event: object) -> None:
        self._drop_line = -1
        self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._drop_line < 0:
            return
        painter = QPainter(self.viewport())
        last = self._entries.rowCount() - 1
        rect = self.visualRect(self._entries.index(min(self._drop_line, last), 0))
        y = rect.top() - 1 if self._drop_line <= last else rect.bottom()
        painter.fillRect(8, max(0, y), self.viewport().width() - 16, 2, self._theme.color("accent"))
        painter.end()

    def _gap_at(self, point: QPoint) -> int:
        """The row before which something dropped at `point` would stand."""
        row = self.rowAt(point.y())
        if row < 0:
            return self._entries.rowCount()
        rect = self.visualRect(self._entries.index(row, 0))
        return row if point.y() < rect.center().y() else row + 1

    def _on_selection_changed(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        if self._quiet or not indexes:
            return
        self._chosen = self._entries.seq_at(indexes[0].row())
        self._settle()
        if self._chosen:
            self.entry_chosen.emit(self._chosen)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.opened.emit(self._entries.seq_at(index.row()))

    def _on_about_to_list(self) -> None:
        self._quiet = True
        top = self.rowAt(0)
        offset = self.rowViewportPosition(top) if top >= 0 else 0
        self._anchor = (self._entries.seq_at(top) if top >= 0 else 0, offset)

    def _on_listed(self) -> None:
        row = self._entries.row_of(self._chosen)
        if row >= 0:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(self._entries.index(row, 0), flags)
        top = self._entries.row_of(self._anchor[0])
        if top >= 0:
            self.verticalScrollBar().setValue(top * self.verticalHeader().defaultSectionSize() - self._anchor[1])
        self._quiet = False
        self._settle()

    def _on_scrolled(self) -> None:
        self._settle()

    def _settle(self) -> None:
        self._entries.settle(settled=self._chosen == 0 and self.verticalScrollBar().value() == 0)

    def _on_theme_changed(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(HEIGHT.list_row))
        self.viewport().update()
