"""The plain text editor of Markdown source, with line numbers."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from typing_extensions import override

from memorypane.gui.theme.theme import Theme

__all__ = ["SourceEdit"]

_GUTTER = 40
_AFTER_GUTTER = 14
_NUMBER_PAD = 8
_TAB_COLUMNS = 4
_AT_ONCE = 65_536
_SLICE = 65_536


def _cut(text: str, at: int) -> int:
    """The end of the line at an offset, so that no line is put in twice; the end of the text if there is none."""
    end = text.find("\n", at)
    return len(text) if at >= len(text) or end < 0 else end + 1


class SourceEdit(QPlainTextEdit):
    """Edits a text exactly: what is not typed over stays as it was, also no-break spaces and line separators.

    `edited` says that the text differs from a moment ago; `loaded` that all of a text that was put in stands there.
    """

    edited = Signal()
    loaded = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._known = (-1, "")
        self._whole = ""
        self._at = 0
        self._place: tuple[int, int] | None = None
        self._gutter = _Gutter(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._load_on)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setAccessibleName(self.tr("Text"))
        self.textChanged.connect(self._on_text_changed)
        self.blockCountChanged.connect(self._fit_gutter)
        self.updateRequest.connect(self._on_update_request)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    @property
    def loading(self) -> bool:
        """Whether a part of a long text is still to come; until then it cannot be typed in."""
        return bool(self._whole)

    @property
    def text(self) -> str:
        """The text as it stands, lines ended by LF."""
        if self.loading:
            return self._whole
        revision = self.document().revision()
        if self._known[0] != revision:
            # toPlainText would turn no-break spaces into spaces and line separators into line breaks.
            self._known = (revision, self.document().toRawText().replace("\u2029", "\n"))
        return self._known[1]

    def show_text(self, text: str, *, keep_place: bool = False) -> None:
        """Put in another text, a long one bit by bit; `keep_place` leaves caret and scroll position about where they are.

        Nothing is left to undo. `loaded` fires when all of it is in, at once for a usual text.
        """
        self._timer.stop()
        self._place = (self.textCursor().position(), self.verticalScrollBar().value()) if keep_place else None
        self._at = _cut(text, _AT_ONCE)
        self._whole = text
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setPlainText(text[: self._at])
        if self._at < len(text):
            self._timer.start(0)
        else:
            self._finish()

    def _load_on(self) -> None:
        end = _cut(self._whole, self._at + _SLICE)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._whole[self._at : end])
        self._at = end
        if end < len(self._whole):
            self._timer.start(0)
        else:
            self._finish()

    def _finish(self) -> None:
        self._whole = ""
        self.setReadOnly(False)
        self.setUndoRedoEnabled(True)
        if self._place is not None:
            caret, scroll = self._place
            cursor = self.textCursor()
            cursor.setPosition(min(caret, max(0, self.document().characterCount() - 1)))
            self.setTextCursor(cursor)
            self.verticalScrollBar().setValue(scroll)
        self.loaded.emit()

    def _on_text_changed(self) -> None:
        if not self.loading:
            self.edited.emit()

    def replace_text(self, text: str) -> None:
        """Put in another text as one step that can be undone."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def gutter_width(self) -> int:
        """How wide the line numbers are."""
        digits = self._theme.metrics("caption").horizontalAdvance("0" * len(str(max(1, self.blockCount()))))
        return max(self._theme.px(_GUTTER), digits + 2 * _NUMBER_PAD)

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Draw the line numbers that are seen."""
        theme = self._theme
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), theme.color("gutter"))
        font = QFont(theme.font("mono"))
        font.setPixelSize(theme.font("caption").pixelSize())
        painter.setFont(font)
        painter.setPen(theme.color("gutter_text"))
        block = self.firstVisibleBlock()
        offset = self.contentOffset()
        line = self.fontMetrics().height()
        while block.isValid():
            area = self.blockBoundingGeometry(block).translated(offset)
            if area.top() > event.rect().bottom():
                break
            if block.isVisible() and area.bottom() >= event.rect().top():
                box = QRect(0, round(area.top()), self._gutter.width() - _NUMBER_PAD, line)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), str(block.blockNumber() + 1))
            block = block.next()
        painter.end()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def _place_gutter(self) -> None:
        inner = self.contentsRect()
        self._gutter.setGeometry(inner.left(), inner.top(), self.gutter_width(), inner.height())

    def _fit_gutter(self) -> None:
        self.setViewportMargins(self.gutter_width() + _AFTER_GUTTER, 0, 8, 0)
        self._place_gutter()

    def _on_update_request(self, area: QRect, moved: int) -> None:
        if moved:
            self._gutter.scroll(0, moved)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font("mono"))
        self.setTabStopDistance(_TAB_COLUMNS * self._theme.metrics("mono").horizontalAdvance(" "))
        self._fit_gutter()
        self._gutter.update()


class _Gutter(QWidget):
    """The column of line numbers; the editor paints it."""

    def __init__(self, edit: SourceEdit) -> None:
        super().__init__(edit)
        self._edit = edit

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._edit.gutter_width(), 0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        self._edit.paint_gutter(event)
