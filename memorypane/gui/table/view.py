"""The view of such a table: header of 28, rows of 30, cells drawn as words, writers or badges."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget
from typing_extensions import override

from memorypane.gui.entries.delegate import draw_row_ground, draw_writer
from memorypane.gui.table.model import CELL_ROLE, Cell, Column, Row, TableModel
from memorypane.gui.theme.paint import draw_badge, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, TypeName

__all__ = ["Table"]

Index = QModelIndex | QPersistentModelIndex
_LEFT = 24
_PAD = 8
_STRETCH_MIN = 150


class _Delegate(QStyledItemDelegate):
    """Draws the cells."""

    def __init__(self, theme: Theme, view: QAbstractItemView, model: TableModel) -> None:
        super().__init__(view)
        self._theme, self._view, self._model = theme, view, model

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.px(HEIGHT.table_row))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, area = self._theme, option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setClipRect(area)
        first = index.column() == 0
        ground = area if first else area.adjusted(-4, 0, 0, 0)
        draw_row_ground(painter, theme, ground, selected=selected, active=self._view.hasFocus(), hovered=hovered, inset=0)
        cell: Cell | None = index.data(CELL_ROLE)
        if cell is not None:
            self._draw_cell(painter, area.adjusted(_LEFT if first else _PAD, 0, -_PAD, 0), cell, self._model.columns[index.column()])
        painter.restore()

    def _draw_cell(self, painter: QPainter, area: QRect, cell: Cell, column: Column) -> None:
        theme = self._theme
        if cell.badge is not None:
            draw_badge(painter, theme, area.left() - 6 if cell.badge.tone == "plain" else area.left(), area.center().y(), cell.badge)
        elif column.look == "writer":
            draw_writer(painter, theme, area.left(), area, cell.text, cell.agent, area.width(), theme.color("text"))
        else:
            style: TypeName = "mono" if column.look == "mono" else "meta" if column.look == "meta" else "body"
            align = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
            mode = Qt.TextElideMode.ElideMiddle if column.look == "meta" else Qt.TextElideMode.ElideRight
            color = theme.color("muted" if column.look == "meta" else "text")
            draw_text(painter, theme, area, cell.text, style, color, align=align, mode=mode)


class _Header(QHeaderView):
    """Titles in the caption style, the first one at the margin of the page."""

    def __init__(self, theme: Theme, columns: Sequence[Column], parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._columns = theme, tuple(columns)
        self.setHighlightSections(False)
        self.setSectionsClickable(False)
        self.setMinimumSectionSize(40)

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        theme, column = self._theme, self._columns[logicalIndex]
        painter.fillRect(rect, theme.color("surface_alt"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        align = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
        area = rect.adjusted(_LEFT if logicalIndex == 0 else _PAD, 0, -_PAD, 0)
        draw_text(painter, theme, area, column.title, "caption", theme.color("muted"), align=align)


class Table(QTableView):
    """Rows of facts; `row_chosen(Row)` when another row is chosen, `opened(Row)` on Enter or double click."""

    row_chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, theme: Theme, columns: Sequence[Column], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chosen = ""
        self._quiet = False
        self._model = TableModel(columns)
        self._model.setParent(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(theme, self, self._model))
        self.setAccessibleName(name)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        header = _Header(theme, columns, self)
        self.setHorizontalHeader(header)
        for number, column in enumerate(columns):
            if column.width:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Interactive)
                header.resizeSection(number, column.width + (_LEFT - _PAD if number == 0 else 0))
            else:
                header.setSectionResizeMode(number, QHeaderView.ResizeMode.Stretch)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # Not the current index: Qt makes the first row current by itself when a view gets the keyboard.
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.doubleClicked.connect(lambda _index: self.open_chosen())
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def chosen(self) -> Row | None:
        """The chosen row."""
        return self._model.row_at(self._model.find(self._chosen)) if self._chosen else None

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; the chosen one stays chosen, by its key, and the view stays where it was."""
        place = self.verticalScrollBar().value()
        self._quiet = True
        self._model.show_rows(rows)
        number = self._model.find(self._chosen)
        if number >= 0:
            self.setCurrentIndex(self._model.index(number, 0))
        self.verticalScrollBar().setValue(place)
        self._quiet = False

    def step(self, by: int) -> None:
        """Go down or up."""
        number = self._model.find(self._chosen)
        target = number + by if number >= 0 else 0
        if 0 <= target < self._model.rowCount():
            self.setCurrentIndex(self._model.index(target, 0))

    def open_chosen(self) -> None:
        """Open what the chosen row is about."""
        row = self.chosen
        if row is not None:
            self.opened.emit(row)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = self._model.columns
        room = self.viewport().width() - _STRETCH_MIN - sum(column.width for column in columns)
        for number in sorted((each for each in range(len(columns)) if columns[each].drop), key=lambda each: columns[each].drop):
            self.setColumnHidden(number, room < 0)
            room += columns[number].width if room < 0 else 0

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
        if event.key() in moves:
            super().keyPressEvent(event)
            return
        event.ignore()

    def _on_selection_changed(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        row = self._model.row_at(indexes[0].row()) if indexes else None
        if self._quiet or row is None:
            return
        self._chosen = row.key
        self.row_chosen.emit(row)

    def _on_theme_changed(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(HEIGHT.table_row))
        self.horizontalHeader().setFixedHeight(self._theme.px(HEIGHT.table_header))
        self.horizontalHeader().viewport().update()
        self.viewport().update()
