"""Running text at the line height of its style, which labels do not know."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import TypeName

__all__ = ["Paragraph"]


class Paragraph(QWidget):
    """Plain text, wrapped to the width there is; `color` is a token's name."""

    def __init__(
        self, theme: Theme, text: str = "", style: TypeName = "body", color: str = "text_secondary", *, centered: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._style, self._color, self._centered = theme, style, color, centered
        self._text = ""
        self._laid_out = False
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_text(text)
        theme.changed.connect(self._on_theme_changed)

    @property
    def full_text(self) -> str:
        """What it says."""
        return self._text

    def show_text(self, text: str) -> None:
        """Say something else."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return len(self._lay_out(width)[1]) * self._theme.line(self._style)

    @override
    def sizeHint(self) -> QSize:
        width = min(560, max((self._theme.metrics(self._style).horizontalAdvance(line) for line in self._text.split("\n")), default=0) + 4)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        # At the width in force: scroll areas ask for nothing but this height.
        return QSize(80, self.heightForWidth(self.width()) if self._laid_out else self._theme.line(self._style))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._laid_out = True
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.color(self._color))
        layouts, lines = self._lay_out(self.width())
        for number, (layout, at) in enumerate(lines):
            line = layouts[layout].lineAt(at)
            line.setPosition(QPointF(0, number * self._theme.line(self._style) + (self._theme.line(self._style) - line.height()) / 2))
        for paragraph in layouts:
            paragraph.draw(painter, QPointF(0, 0))
        painter.end()

    def _lay_out(self, width: int) -> tuple[list[QTextLayout], list[tuple[int, int]]]:
        """One layout a paragraph, and where each of their lines is: (layout, line)."""
        option = QTextOption(Qt.AlignmentFlag.AlignHCenter if self._centered else Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layouts, lines = [], []
        for number, paragraph in enumerate(self._text.split("\n") if self._text else ()):
            layout = QTextLayout(paragraph, self._theme.font(self._style))
            layout.setTextOption(option)
            layout.beginLayout()
            while (line := layout.createLine()).isValid():
                line.setLineWidth(max(1, width))
                lines.append((number, layout.lineCount() - 1))
            layout.endLayout()
            layouts.append(layout)
        return layouts, lines

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()
