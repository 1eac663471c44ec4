"""The left column's tree: painting of its rows, choosing a place with mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget
from typing_extensions import override

from memorypane.gui.places import Place
from memorypane.gui.shell.navigation import NavModel, NavRow
from memorypane.gui.theme.labels import plain_tooltip
from memorypane.gui.theme.paint import draw_dot, draw_icon, draw_pill, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, RADIUS

__all__ = ["NavView", "paint_nav_row"]

Index = QModelIndex | QPersistentModelIndex
_GAP = 8
_INDENT = 14


def paint_nav_row(
    painter: QPainter, theme: Theme, area: QRect, row: NavRow, *, chosen: bool = False, hovered: bool = False, focused: bool = False,
) -> None:
    """Draw one row of the left column into `area`."""
    middle = area.center().y() + 1
    right = area.right() - 16
    if row.look in ("section", "note"):
        color = theme.color("muted")
        style, weight = ("caption", 500) if row.look == "section" else ("body", 400)
        text_area = area.adjusted(16, 8 if row.look == "section" else 0, -40, 0)
        draw_text(painter, theme, text_area, row.text, style, color, weight=weight)  # type: ignore[arg-type]  # both words are styles
        if row.add:
            draw_icon(painter, theme, right - ICON.normal + 1, middle + 3, "plus", theme.color("text" if hovered else "text_secondary"))
        return
    if row.look == "gap":
        return
    if chosen or hovered:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("focus"), 2) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("selection_inactive" if chosen else "hover"))
        inset = 1 if focused else 0
        painter.drawRoundedRect(area.adjusted(8 + inset, inset, -8 - inset, -inset), RADIUS.control, RADIUS.control)
        painter.restore()
    x = 16 + row.indent * _INDENT
    draw_icon(painter, theme, area.left() + x, middle, row.icon, theme.color(row.color))
    x += ICON.normal + _GAP
    if row.count and row.pill:
        right -= draw_pill(painter, theme, area.right() - 7 - _GAP, middle, row.count) - 8
    elif row.count:
        width = theme.metrics("meta").horizontalAdvance(row.count)
        draw_text(painter, theme, QRect(right - width, area.top(), width + 1, area.height()), row.count, "meta", theme.color("muted"))
        right -= max(width, 14)
    if row.dot:
        right -= 16
        draw_dot(painter, QPointF(right, middle), theme.color("accent"))
    if row.note:
        width = theme.metrics("meta").horizontalAdvance(row.note)
        right -= width + 6
        draw_text(painter, theme, QRect(right, area.top(), width + 1, area.height()), row.note, "meta", theme.color("warning"))
    weight = 600 if chosen else 400
    text_area = QRect(area.left() + x, area.top(), right - 8 - area.left() - x, area.height())
    color = theme.color("text" if row.look == "item" else "text_secondary")
    draw_text(painter, theme, text_area, row.text, "body", color, weight=weight, mode=Qt.TextElideMode.ElideMiddle)


class _Delegate(QStyledItemDelegate):
    """Draws the rows."""

    def __init__(self, theme: Theme, view: QTreeView) -> None:
        super().__init__(view)
        self._theme, self._view = theme, view

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: NavRow | None = index.data(Qt.ItemDataRole.UserRole)
        if row is None or row.look == "gap":
            return QSize(0, _GAP)
        if row.look == "section":
            return QSize(0, self._theme.px(HEIGHT.sidebar_section + 4))
        return QSize(0, self._theme.px(HEIGHT.sidebar_row))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: NavRow | None = index.data(Qt.ItemDataRole.UserRole)
        if row is None:
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = chosen and self._view.hasFocus()
        area: QRect = option.rect
        paint_nav_row(painter, self._theme, area, row, chosen=chosen, hovered=hovered, focused=focused)


class NavView(QTreeView):
    """The places.

    Signals: `place_chosen` when the person goes to one, `entered_place` when they did so with the mouse and the keyboard should follow,
    `add_asked` with "workspace" or "agent" from a section's +.
    """

    place_chosen = Signal(object)
    add_asked = Signal(str)
    entered_place = Signal()

    def __init__(self, theme: Theme, model: NavModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        self.setModel(model)
        self.setItemDelegate(_Delegate(theme, self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAccessibleName(self.tr("Places"))
        self.setProperty("nav", "true")
        # Not the current index: Qt makes the first row current by itself when a view gets the keyboard.
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        theme.changed.connect(self._on_theme_changed)
        self._quiet = False

    def choose(self, place: Place) -> None:
        """Mark a place as the current one without telling anybody; a place without a row clears the mark."""
        index = self._model.find(place)
        self._quiet = True
        try:
            if index.isValid():
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            else:
                self.selectionModel().clear()
        finally:
            self._quiet = False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Letters are keys of the page, not a search in this column.
        if event.text() and event.text().isprintable() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._model.row_at(self.indexAt(event.position().toPoint()))
        if row is not None and row.add and event.position().x() > self.viewport().width() - 40:
            self.add_asked.emit(row.add)
            return
        super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        row = self._model.row_at(self.indexAt(event.position().toPoint()))
        if row is not None and row.place is not None:
            self.entered_place.emit()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self._model.row_at(index)
        tip = ""
        if row is not None and row.add and event.position().x() > self.viewport().width() - 40:
            tip = self.tr("Add a folder") if row.add == "workspace" else self.tr("Add an agent")
        elif row is not None and row.place is not None:
            tip = row.text
        self.viewport().setToolTip(plain_tooltip(tip) if tip else "")
        super().mouseMoveEvent(event)

    def _on_selection_changed(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        row = self._model.row_at(indexes[0]) if indexes else None
        if row is not None and row.place is not None and not self._quiet:
            self.place_chosen.emit(row.place)

    def _on_theme_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()
