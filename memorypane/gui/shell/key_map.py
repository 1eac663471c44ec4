"""All keys of the page and of the window, in one sheet."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.keys import KeyAction, hints_of
from memorypane.gui.theme.bars import Hint
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paint import draw_keys, keys_width
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT

__all__ = ["KeyMapDialog"]


class _Caps(QWidget):
    """Key caps in a layout."""

    def __init__(self, theme: Theme, keys: tuple[str, ...]) -> None:
        super().__init__()
        self._theme, self._keys = theme, keys
        self.setFixedSize(keys_width(theme, keys), theme.px(HEIGHT.keycap + 4))
        self.setAccessibleName(" ".join(keys))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_keys(painter, self._theme, 0, self.height() // 2, self._keys)
        painter.end()


class KeyMapDialog(QDialog):
    """Two columns: this page, everywhere; closes with Esc."""

    def __init__(
        self, theme: Theme, page: Iterable[Hint], actions: Iterable[KeyAction], everywhere: Iterable[KeyAction], parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        here = dict.fromkeys((*page, *hints_of(KeyAction(each.key, each.words, each.run) for each in actions)))
        columns = QHBoxLayout()
        columns.setSpacing(48)
        columns.addLayout(self._column(self.tr("On this page"), here))
        columns.addLayout(self._column(self.tr("Everywhere"), hints_of(everywhere)))
        close = Button(theme, self.tr("Close"))
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(16)
        column.addLayout(columns)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)

    def _column(self, title: str, hints: Iterable[Hint]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(6)
        grid.addWidget(Label(self._theme, title, "page_title"), 0, 0, 1, 2)
        seen = set()
        row = 1
        for hint in hints:
            if hint.words in seen:
                continue
            seen.add(hint.words)
            grid.addWidget(_Caps(self._theme, hint.keys), row, 0, Qt.AlignmentFlag.AlignLeft)
            grid.addWidget(Label(self._theme, hint.words, "body", "secondary"), row, 1)
            row += 1
        grid.setRowStretch(row, 1)
        grid.setColumnStretch(1, 1)
        return grid
