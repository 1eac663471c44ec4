"""A small table of plain cells; at most some thousand rows, so all of it is in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.theme.paint import Badge
from memorypane.model.values import Agent

__all__ = ["CELL_ROLE", "Cell", "Column", "Row", "TableModel"]

Index = QModelIndex | QPersistentModelIndex
CELL_ROLE = Qt.ItemDataRole.UserRole
Look = Literal["body", "meta", "mono", "badge", "writer"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, its width in px (0 = what is left), how its cells look, to which side they lean.

    Where it is narrow, columns with the lowest `drop` above 0 go first.
    """

    title: str
    width: int
    look: Look = "body"
    right: bool = False
    drop: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: text, or an actor with what is known of it, or a badge."""

    text: str
    badge: Badge | None = None
    agent: Agent | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `key` stays the same while its cells change, `subject` is what it is about."""

    key: str
    cells: tuple[Cell, ...]
    subject: object = None


class TableModel(QAbstractTableModel):
    """Shows rows; the same keys in the same order are updated in place."""

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self._rows: tuple[Row, ...] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows."""
        fresh = tuple(rows)
        if [row.key for row in fresh] == [row.key for row in self._rows]:
            changed = [number for number, (old, new) in enumerate(zip(self._rows, fresh, strict=True)) if old != new]
            self._rows = fresh
            for number in changed:
                self.dataChanged.emit(self.index(number, 0), self.index(number, len(self.columns) - 1))
            return
        self.beginResetModel()
        self._rows = fresh
        self.endResetModel()

    def row_at(self, number: int) -> Row | None:
        """Return one row."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def find(self, key: str) -> int:
        """Return the number of the row with that key, or -1."""
        return next((number for number, row in enumerate(self._rows) if row.key == key), -1)

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature; an invalid index is a constant
        return 0 if parent.isValid() else len(self._rows)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature; an invalid index is a constant
        return 0 if parent.isValid() else len(self.columns)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index.row())
        if row is None or not 0 <= index.column() < len(row.cells):
            return None
        cell = row.cells[index.column()]
        if role == CELL_ROLE:
            return cell
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return words.actor_words(cell.text) if self.columns[index.column()].look == "writer" else cell.text
        return None

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self.columns[section].right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None
