"""The table of versions: two are picked, one row is current."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget
from typing_extensions import override

from memorypane.gui.history.delegate import MARGIN, VersionDelegate
from memorypane.gui.history.model import Column, VersionModel
from memorypane.gui.theme.paint import draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH

__all__ = ["VersionTable"]

_WIDTHS = {
    Column.FROM: 72, Column.TO: 48, Column.VERSION: 92, Column.ACTION: 104, Column.ACTOR: 154, Column.CLAIM: 148, Column.WITH: 192,
    Column.WHEN: 92, Column.SIZE: 64, Column.LINES: 86,
}
_DROPPED = (Column.WITH, Column.SIZE, Column.CLAIM, Column.LINES, Column.ACTION)
_ROWS, _LEAST_ROWS = 6, 3
_SHARE = 0.32


class VersionTable(QTableView):
    """Versions with radio buttons for the two that are compared.

    `from_asked` and `to_asked` carry the number of the version whose button was clicked, `rows_seen` says that other rows are seen.
    Columns that do not fit are left out: first what it was written with, then size, claim, lines and action.
    """

    from_asked = Signal(int)
    to_asked = Signal(int)
    rows_seen = Signal()

    def __init__(self, theme: Theme, model: VersionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._versions = theme, model
        self._most_rows = _ROWS
        self._delegate = VersionDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setHorizontalHeader(_Header(theme, self))
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Versions"))
        self.verticalScrollBar().valueChanged.connect(self.rows_seen)
        model.rowsInserted.connect(self._on_rows_changed)
        model.modelReset.connect(self._on_rows_changed)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def current_number(self) -> int:
        """The number of the current row's version, 0 without one."""
        row = self.currentIndex().row()
        return self._versions.versions[row].number if 0 <= row < len(self._versions.versions) else 0

    def make_current(self, number: int) -> None:
        """Move to the row of a version."""
        row = self._versions.row(number)
        if row >= 0:
            self.setCurrentIndex(self._versions.index(row, Column.VERSION))

    def step(self, by: int) -> None:
        """Move some rows down (1) or up (-1)."""
        row = max(0, min(self.currentIndex().row() + by, self._versions.rowCount() - 1))
        self.setCurrentIndex(self._versions.index(row, Column.VERSION))

    def visible_rows(self) -> range:
        """The rows that are seen, with a few below."""
        height = self._theme.px(HEIGHT.table_row)
        first = self.verticalScrollBar().value() // height
        return range(first, min(first + self.viewport().height() // height + 3, self._versions.rowCount()))

    def share_height(self, height: int) -> None:
        """Show fewer rows where the page is low, so that the comparison keeps most of it."""
        spare = int(height * _SHARE) - self._theme.px(HEIGHT.table_header)
        rows = max(_LEAST_ROWS, min(_ROWS, spare // self._theme.px(HEIGHT.table_row)))
        if rows != self._most_rows:
            self._most_rows = rows
            self.updateGeometry()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH.reader_min, self._theme.px(HEIGHT.table_header) + self._theme.px(HEIGHT.table_row))

    @override
    def sizeHint(self) -> QSize:
        rows = max(1, min(self._most_rows, self._versions.rowCount()))
        return QSize(600, self._theme.px(HEIGHT.table_header) + rows * self._theme.px(HEIGHT.table_row))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()
        self.rows_seen.emit()

    def _fit_columns(self) -> None:
        theme, width = self._theme, self.viewport().width()
        widths = {column: theme.px(wide) for column, wide in _WIDTHS.items()}
        hidden: set[Column] = set()
        for column in _DROPPED:
            if sum(wide for shown, wide in widths.items() if shown not in hidden) > width:
                hidden.add(column)
        spare = width - sum(wide for column, wide in widths.items() if column not in hidden)
        grows = Column.WITH if Column.WITH not in hidden else Column.ACTOR
        for column, wide in widths.items():
            self.setColumnHidden(column, column in hidden)
            if column not in hidden:
                self.setColumnWidth(column, max(24, wide + (spare if column is grows else 0)))
        self._delegate.claims_hidden = Column.CLAIM in hidden

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index.isValid():
            number = self._versions.versions[index.row()].number
            if index.column() == Column.FROM:
                self.from_asked.emit(number)
            elif index.column() == Column.TO:
                self.to_asked.emit(number)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.indexAt(event.position().toPoint()).row())
        super().mouseMoveEvent(event)

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._delegate.hovered:
            self._delegate.hovered = row
            self.viewport().update()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Letters belong to the page; Qt would take them to jump to a row that begins with them.
        if event.text() and event.text().isprintable():
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _on_rows_changed(self) -> None:
        self.updateGeometry()
        self.rows_seen.emit()

    def _on_theme_changed(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(HEIGHT.table_row))
        self.horizontalHeader().setFixedHeight(self._theme.px(HEIGHT.table_header))
        self._fit_columns()
        self.updateGeometry()
        self.viewport().update()


class _Header(QHeaderView):
    """Column titles that line up with the cells."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(16)

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # Qt's own name
        theme = self._theme
        painter.fillRect(rect, theme.color("surface_alt"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        words = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        column = Column(logicalIndex)
        right = column in (Column.SIZE, Column.LINES)
        box = rect.adjusted(MARGIN if column is Column.FROM else 0, 0, -MARGIN if column is Column.LINES else 0, -1)
        align = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        draw_text(painter, theme, box, words, "caption", theme.color("muted"), align=align)
