"""A short list whose rows are drawn by a function: agents, sections, what waits; rows may differ in height."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QItemSelection, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget
from typing_extensions import override

from memorypane.gui.theme.theme import Theme

__all__ = ["Brush", "ListRow", "RowList"]

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row.

    `key` stays while the row changes, `words` is what a screen reader says, `height` is in px at 100 %, `subject` what is drawn; heads
    cannot be chosen.
    """

    key: str
    words: str
    height: int
    subject: object
    head: bool = False


@dataclass(frozen=True, slots=True)
class Brush:
    """What a row is drawn with."""

    painter: QPainter
    area: QRect
    selected: bool
    active: bool
    hovered: bool


class _Model(QAbstractListModel):
    """The rows."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[ListRow, ...] = ()

    def show_rows(self, rows: tuple[ListRow, ...]) -> bool:
        """Take over rows; return whether they came, went or moved."""
        if [(row.key, row.height) for row in rows] == [(row.key, row.height) for row in self.rows]:
            changed = [number for number, (old, new) in enumerate(zip(self.rows, rows, strict=True)) if old != new]
            self.rows = rows
            for number in changed:
                self.dataChanged.emit(self.index(number), self.index(number))
            return False
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()
        return True

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature; an invalid index is a constant
        return 0 if parent.isValid() else len(self.rows)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.words
        return None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if 0 <= index.row() < len(self.rows) and self.rows[index.row()].head:
            return Qt.ItemFlag.ItemIsEnabled
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class _Delegate(QStyledItemDelegate):
    """Calls the function that draws."""

    def __init__(self, view: QTableView, draw: Callable[[Brush, object], None]) -> None:
        super().__init__(view)
        self._view, self._draw = view, draw

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, 0)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ListRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._draw(Brush(painter, option.rect, selected, self._view.hasFocus(), hovered), row.subject)
        painter.restore()


class RowList(QTableView):
    """Rows by key.

    Signals: `row_chosen` with the subject of a newly chosen row, `opened` with it on Enter or double click, `head_clicked` with a head's.
    """

    row_chosen = Signal(object)
    opened = Signal(object)
    head_clicked = Signal(object)

    def __init__(self, theme: Theme, name: str, draw: Callable[[Brush, object], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows = _Model()
        self._rows.setParent(self)
        self._chosen = ""
        self._quiet = False
        self.setModel(self._rows)
        self.setItemDelegate(_Delegate(self, draw))
        self.setAccessibleName(name)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # Not the current index: Qt makes the first row current by itself when a view gets the keyboard.
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.doubleClicked.connect(self._on_double_clicked)
        theme.changed.connect(self._on_theme_changed)

    @property
    def chosen(self) -> object:
        """The subject of the chosen row, None if none is chosen."""
        number = self._find(self._chosen)
        return self._rows.rows[number].subject if number >= 0 else None

    @property
    def chosen_key(self) -> str:
        """The key of the chosen row."""
        return self._chosen

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all rows that can be chosen, from top to bottom."""
        return tuple(row.key for row in self._rows.rows if not row.head)

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Show other rows; the chosen one stays chosen by its key, the view stays where it was."""
        place = self.verticalScrollBar().value()
        self._quiet = True
        fresh = tuple(rows)
        if self._rows.show_rows(fresh):
            self._set_heights()
        number = self._find(self._chosen)
        if number >= 0:
            self.setCurrentIndex(self._rows.index(number))
        self.verticalScrollBar().setValue(place)
        self._quiet = False

    def choose(self, key: str) -> None:
        """Choose a row by key and tell about it; a key without a row chooses none."""
        number = self._find(key)
        if number >= 0:
            self._chosen = ""
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            self.setCurrentIndex(self._rows.index(number))
        else:
            self._chosen = key
            self.clearSelection()

    def step(self, by: int) -> None:
        """Go to the next row that can be chosen, or the one before."""
        keys = self.keys
        if not keys:
            return
        target = keys.index(self._chosen) + by if self._chosen in keys else 0
        if 0 <= target < len(keys):
            self.setCurrentIndex(self._rows.index(self._find(keys[target])))

    def open_chosen(self) -> None:
        """Open the chosen row."""
        if self.chosen is not None:
            self.opened.emit(self.chosen)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End):
            super().keyPressEvent(event)
        else:
            event.ignore()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self.rowAt(event.position().toPoint().y())
        if 0 <= number < len(self._rows.rows) and self._rows.rows[number].head:
            self.head_clicked.emit(self._rows.rows[number].subject)
            return
        super().mousePressEvent(event)

    def _set_heights(self) -> None:
        for number, row in enumerate(self._rows.rows):
            self.setRowHeight(number, self._theme.px(row.height))

    def _on_theme_changed(self) -> None:
        self._set_heights()
        self.viewport().update()

    def _find(self, key: str) -> int:
        return next((number for number, row in enumerate(self._rows.rows) if key and row.key == key and not row.head), -1)

    def _on_selection_changed(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        if self._quiet or not indexes or not 0 <= indexes[0].row() < len(self._rows.rows):
            return
        row = self._rows.rows[indexes[0].row()]
        if not row.head and row.key != self._chosen:
            self._chosen = row.key
            self.row_chosen.emit(row.subject)

    def _on_double_clicked(self, _index: QModelIndex) -> None:
        self.open_chosen()
