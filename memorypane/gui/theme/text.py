"""Line heights of the tokens, which Qt knows as a format of blocks only."""

from __future__ import annotations

from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument

__all__ = ["set_line_height"]


def set_line_height(document: QTextDocument, px: int) -> None:
    """Set all lines of a document `px` apart; text that is put in later needs it again."""
    form = QTextBlockFormat()
    form.setLineHeight(px, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(form)
