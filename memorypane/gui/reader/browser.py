"""The view of rendered Markdown: reads nothing from outside, opens nothing by itself."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextDocument,
    QTextFrameFormat,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser, QWidget
from typing_extensions import override

from memorypane.gui.reader.building import BLOCK, CODE_PAD, CODE_SIDE, INDENT, MARKER, QUOTE, QUOTE_STEP, Block, DocumentBuilder
from memorypane.gui.reader.markdown import Piece
from memorypane.gui.theme.paint import draw_dot
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import ICON, RADIUS, WIDTH

__all__ = ["MarkdownView"]

_SLICE_S = 0.008
_TOP = 18
_BOTTOM = 48


class MarkdownView(QTextBrowser):
    """Shows pieces of Markdown, at most 640 px wide.

    `built` fires when all of it is in, `link_asked` carries the address of a clicked or entered link, `link_seen` the one under the
    pointer or the focus ("" = none).
    """

    built = Signal()
    link_asked = Signal(str)
    link_seen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pieces: tuple[Piece, ...] = ()
        self._builder: DocumentBuilder | None = None
        self._own: QTextDocument | None = None
        self._place = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._build_on)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setAccessibleName(self.tr("Text"))
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.highlighted.connect(self._on_highlighted)
        theme.changed.connect(self._rebuild)

    def show_pieces(self, pieces: Sequence[Piece], *, keep_place: bool = False) -> None:
        """Show another text; `keep_place` stays at the scroll position, for a text that changed under the reader."""
        self._pieces = tuple(pieces)
        self._place = self.verticalScrollBar().value() if keep_place else 0
        self._begin()

    @property
    def building(self) -> bool:
        """Whether a part of the text is still to come."""
        return self._builder is not None

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing: neither pictures nor style sheets nor other texts, wherever they are."""
        return None

    def _begin(self) -> None:
        self._timer.stop()
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(self._theme.font("reading"))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)
        frame = QTextFrameFormat()
        frame.setTopMargin(_TOP)
        frame.setBottomMargin(_BOTTOM)
        document.rootFrame().setFrameFormat(frame)
        old, self._own = self._own, document
        self.setDocument(document)
        if old is not None:
            old.deleteLater()
        self._builder = DocumentBuilder(document, self._theme, self._pieces)
        self._build_on()

    def _build_on(self) -> None:
        builder = self._builder
        if builder is None:
            return
        end = time.perf_counter() + _SLICE_S
        if not builder.done:
            builder.feed(lambda: time.perf_counter() > end)
        if self._place and (builder.done or self.verticalScrollBar().maximum() >= self._place):
            self.verticalScrollBar().setValue(self._place)
            self._place = 0
        if builder.done:
            self._builder = None
            self.built.emit()
        else:
            self._timer.start(0)

    def _rebuild(self) -> None:
        self.show_pieces(self._pieces, keep_place=True)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.setViewportMargins(WIDTH.reader_margin, 0, 0, 0)
        measure = min(WIDTH.measure, self.viewport().width() - WIDTH.reader_margin)
        if measure != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(max(120, measure))
        super().resizeEvent(event)

    # panels behind code, bars beside quotations, rules

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_behind(painter)
        painter.end()
        super().paintEvent(event)

    def _paint_behind(self, painter: QPainter) -> None:
        layout = self.document().documentLayout()
        shift = self.verticalScrollBar().value()
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            area = layout.blockBoundingRect(block).translated(0, -shift)
            if area.top() - 2 * CODE_PAD > self.viewport().height():
                break
            form = block.blockFormat()
            if quote := int(form.property(QUOTE) or 0):
                self._paint_quote(painter, layout, block, quote, area)
            self._paint_block(painter, form, area)
            if marker := form.property(MARKER):
                self._paint_marker(painter, block, str(marker), area)
            block = block.next()

    def _paint_quote(self, painter: QPainter, layout: QAbstractTextDocumentLayout, block: QTextBlock, quote: int, area: QRectF) -> None:
        """Bars at the left of a quotation, joined to those of the block before it."""
        before = block.previous()
        shared = int(before.blockFormat().property(QUOTE) or 0) if before.isValid() else 0
        above = layout.blockBoundingRect(before).bottom() - self.verticalScrollBar().value() if shared else area.top()
        for level in range(quote):
            top = min(above, area.top()) if level < shared else area.top()
            painter.fillRect(QRectF(level * QUOTE_STEP, top, 3, area.bottom() - top), self._theme.color("line_strong"))

    def _paint_block(self, painter: QPainter, form: QTextBlockFormat, area: QRectF) -> None:
        theme, kind, width = self._theme, form.property(BLOCK), self.lineWrapColumnOrWidth()
        if kind == Block.CODE:
            left = form.leftMargin() + form.indent() * INDENT - CODE_SIDE
            panel = QRectF(left, area.top() - CODE_PAD, width - left, area.height() + 2 * CODE_PAD + 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("code_bg"))
            painter.drawRoundedRect(panel, RADIUS.control, RADIUS.control)
        elif kind == Block.RULE:
            painter.fillRect(QRectF(0, round(area.center().y()), width, 1), theme.color("line_strong"))

    def _paint_marker(self, painter: QPainter, block: QTextBlock, marker: str, area: QRectF) -> None:
        theme, form = self._theme, block.blockFormat()
        right = block.textDirection() is Qt.LayoutDirection.RightToLeft
        edge = form.leftMargin() + form.indent() * INDENT
        if right:
            edge = self.lineWrapColumnOrWidth() - form.indent() * INDENT
        line = block.layout().lineAt(0)
        middle = area.top() + line.y() + line.height() / 2 if line.isValid() else area.center().y()
        if marker in ("☐", "☑"):
            name, color = ("square-check", "success") if marker == "☑" else ("square", "muted")
            x = edge + 4 if right else edge - 4 - ICON.normal
            theme.icons.paint(painter, x, middle - ICON.normal / 2 + 1, name, theme.color(color))
        elif marker == "•":
            center = QPointF(edge + 12 if right else edge - 12, middle + 1)
            draw_dot(painter, center, theme.color("text"), 2.6 if form.indent() == 1 else 2.2, filled=form.indent() == 1)
        else:
            painter.setFont(theme.font("reading"))
            painter.setPen(theme.color("text"))
            box = QRectF(edge + 5 if right else edge - 5 - 60, middle - 11, 60, 22)
            align = Qt.AlignmentFlag.AlignLeft if right else Qt.AlignmentFlag.AlignRight
            painter.drawText(box, int(align | Qt.AlignmentFlag.AlignVCenter), marker)

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.link_asked.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))

    def _on_highlighted(self, url: QUrl) -> None:
        self.link_seen.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
