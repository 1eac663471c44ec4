"""Blocks of Markdown put into a document, a stretch at a time so that a long text never holds the window up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTableFormat,
)

from memorypane.gui.reader.markdown import Piece, Run
from memorypane.gui.theme.theme import Theme

__all__ = ["BLOCK", "CODE_PAD", "CODE_SIDE", "INDENT", "MARKER", "QUOTE", "QUOTE_STEP", "Block", "DocumentBuilder"]

BLOCK = QTextFormat.Property.UserProperty
"""The block property that says what our own painting draws behind a block: a `Block`."""

MARKER = QTextFormat.Property.UserProperty + 1
"""The block property that holds the mark of a list item."""

QUOTE = QTextFormat.Property.UserProperty + 2
"""The block property that says in how many quotations a block stands."""

CODE_PAD = 10
CODE_SIDE = 12
QUOTE_STEP = 18
INDENT = 22
_ALIGN = {"center": Qt.AlignmentFlag.AlignHCenter, "right": Qt.AlignmentFlag.AlignRight}
_GAP = 10
_HEADING_ABOVE = 16
_HEADING_BELOW = 6
_ITEM_GAP = 2


class Block(IntEnum):
    """What is painted behind a block."""

    NOTHING = 0
    CODE = 1
    RULE = 2


class DocumentBuilder:
    """Writes pieces at the end of a document; `feed` takes as many as it may before `stop` says to pause."""

    def __init__(self, document: QTextDocument, theme: Theme, pieces: Sequence[Piece]) -> None:
        self._theme, self._pieces = theme, pieces
        self._cursor = QTextCursor(document)
        self._at = 0
        self._before = ""
        document.setIndentWidth(INDENT)

    @property
    def done(self) -> bool:
        """Whether all pieces are in."""
        return self._at >= len(self._pieces)

    def feed(self, stop: Callable[[], bool]) -> None:
        """Write pieces, at least one, until `stop()` or the end."""
        self._cursor.beginEditBlock()
        while not self.done:
            self._write(self._pieces[self._at])
            self._at += 1
            if stop():
                break
        self._cursor.endEditBlock()

    def _write(self, piece: Piece) -> None:
        match piece.kind:
            case "table":
                self._table(piece)
            case "code":
                self._open(piece, self._code_format(piece))
                self._cursor.insertText(piece.code.replace("\n", "\u2028"), self._mono())
            case "rule":
                form = self._block_format(piece)
                form.setProperty(BLOCK, Block.RULE)
                self._open(piece, form)
            case _:
                self._open(piece, self._block_format(piece))
                self._runs(piece.runs, self._text_format(piece))

    def _open(self, piece: Piece, form: QTextBlockFormat) -> None:
        """Begin a block; the first one is there already."""
        if piece.marker:
            form.setProperty(MARKER, piece.marker)
        if self._before == "heading" and piece.kind == "text":
            form.setTopMargin(0)
        if self._before:
            self._cursor.insertBlock(form, QTextCharFormat())
        else:
            form.setTopMargin(CODE_PAD if form.property(BLOCK) == Block.CODE else 0)
            self._cursor.setBlockFormat(form)
        self._before = piece.kind

    def _block_format(self, piece: Piece) -> QTextBlockFormat:
        form = QTextBlockFormat()
        line = self._theme.line("reading")
        if piece.kind == "heading":
            line = self._theme.line("reading_h1" if piece.level == 1 else "reading_h2")
            form.setHeadingLevel(piece.level)
            form.setTopMargin(_HEADING_ABOVE)
            form.setBottomMargin(_HEADING_BELOW)
        elif piece.depth:
            form.setTopMargin(0)
            form.setBottomMargin(_ITEM_GAP)
        else:
            form.setTopMargin(_GAP)
            form.setBottomMargin(_GAP)
        form.setLineHeight(line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        form.setLeftMargin(QUOTE_STEP * piece.quote)
        form.setProperty(QUOTE, piece.quote)
        form.setIndent(piece.depth)
        return form

    def _code_format(self, piece: Piece) -> QTextBlockFormat:
        form = self._block_format(piece)
        form.setProperty(BLOCK, Block.CODE)
        form.setLineHeight(self._theme.line("mono"), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        form.setLeftMargin(QUOTE_STEP * piece.quote + CODE_SIDE)
        form.setRightMargin(CODE_SIDE)
        form.setTopMargin(_GAP + CODE_PAD)
        form.setBottomMargin(_GAP + CODE_PAD + 4)
        return form

    def _text_format(self, piece: Piece) -> QTextCharFormat:
        style = "reading" if piece.kind != "heading" else "reading_h1" if piece.level == 1 else "reading_h2"
        form = QTextCharFormat()
        form.setFont(self._theme.font(style))  # type: ignore[arg-type]  # all three are names of styles
        form.setForeground(self._theme.color("text_secondary" if piece.quote else "text"))
        return form

    def _mono(self) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setFont(self._theme.font("mono"))
        form.setForeground(self._theme.color("text"))
        return form

    def _runs(self, runs: Sequence[Run], base: QTextCharFormat) -> None:
        for run in runs:
            self._cursor.insertText(run.text, self._run_format(run, base))

    def _run_format(self, run: Run, base: QTextCharFormat) -> QTextCharFormat:
        if not (run.bold or run.italic or run.strike or run.code or run.quiet or run.label or run.link):
            return base
        theme = self._theme
        form = QTextCharFormat(base)
        if run.bold:
            form.setFontWeight(QFont.Weight.DemiBold)
        form.setFontItalic(run.italic)
        form.setFontStrikeOut(run.strike)
        if run.quiet:
            form.setForeground(theme.color("muted"))
        if run.code or run.label:
            form.setFontFamilies(list(theme.font("mono").families()))
            size = theme.font("mono").pixelSize() + (1 if run.code else -2)
            form.setProperty(QTextFormat.Property.FontPixelSize, size)
            form.setBackground(theme.color("code_bg" if run.code else "warning_soft"))
        if run.label:
            form.setForeground(theme.color("warning"))
        if run.link:
            form.setAnchor(True)
            form.setAnchorHref(run.link)
            form.setForeground(theme.color("link"))
            form.setFontUnderline(True)
        return form

    def _table(self, piece: Piece) -> None:
        columns = max((len(row) for row in piece.rows), default=0)
        if not columns:
            return
        form = QTextTableFormat()
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderBrush(self._theme.color("line"))
        form.setBorder(1)
        form.setBorderCollapse(True)
        form.setCellPadding(6)
        form.setCellSpacing(0)
        form.setTopMargin(_GAP)
        form.setBottomMargin(_GAP)
        form.setLeftMargin(QUOTE_STEP * piece.quote + INDENT * piece.depth)
        form.setHeaderRowCount(1)
        form.setWidth(QTextLength(QTextLength.Type.VariableLength, 0))
        self._before = "table"
        table = self._cursor.insertTable(len(piece.rows), columns, form)
        text = self._text_format(piece)
        for row, cells in enumerate(piece.rows):
            for column, runs in enumerate(cells):
                cell = table.cellAt(row, column)
                cursor = cell.firstCursorPosition()
                block = QTextBlockFormat()
                block.setLineHeight(self._theme.line("reading") - 2, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
                block.setAlignment(_ALIGN.get(piece.aligns[column] if column < len(piece.aligns) else "", Qt.AlignmentFlag.AlignLeft))
                cursor.setBlockFormat(block)
                base = QTextCharFormat(text)
                if row == 0:
                    base.setFontWeight(QFont.Weight.DemiBold)
                for run in runs:
                    cursor.insertText(run.text, self._run_format(run, base))
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
