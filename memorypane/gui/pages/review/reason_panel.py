"""The box that says why something waits: one line a reason, findings first, each with the span it is about."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.pages.review.phrases import Reason
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.paint import draw_text
from memorypane.gui.theme.panels import Box, Panel
from memorypane.gui.theme.theme import Theme

__all__ = ["ReasonPanel"]

_SHOWN = 6


class _Quote(QWidget):
    """The exact words a finding is about, marked as they are in the text."""

    def __init__(self, theme: Theme, text: str) -> None:
        super().__init__()
        self._theme, self._text = theme, text
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.metrics("mono").horizontalAdvance(self._text) + 12, self._theme.px(20))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._theme.px(20))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect().adjusted(0, 1, 0, -1), theme.color("finding_bg"))
        draw_text(painter, theme, self.rect().adjusted(4, 0, -4, 0), self._text, "mono", theme.color("text"))
        path = QPainterPath()
        y = self.height() - 3.0
        path.moveTo(2, y)
        x = 2.0
        up = True
        while x < self.width() - 4:
            path.quadTo(x + 1.5, y + (-2 if up else 2), x + 3, y)
            x, up = x + 3, not up
        painter.setPen(QPen(theme.color("finding_line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.end()


class ReasonPanel(QWidget):
    """`show_asked(int)` carries the number of a finding to scroll to; hidden while there is no reason."""

    show_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: list[QWidget] = []
        box = Box(theme, ground="sunken")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        outer.addWidget(box)
        self._column = QVBoxLayout(box)
        self._column.setContentsMargins(12, 5, 12, 5)
        self._column.setSpacing(0)

    def show_reasons(self, reasons: tuple[Reason, ...]) -> None:
        """Show other reasons; without any the panel is gone."""
        for line in self._lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = [self._reason_row(reason) for reason in reasons[:_SHOWN]]
        if len(reasons) > _SHOWN:
            more = Label(self._theme, self.tr("and {number} more").format(number=len(reasons) - _SHOWN), "meta", "muted")
            self._lines.append(more)
        for line in self._lines:
            self._column.addWidget(line)
        self.setVisible(bool(reasons))

    def _reason_row(self, reason: Reason) -> QWidget:
        theme = self._theme
        line = Panel(theme, ground="", height=31)
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(9)
        row.addWidget(IconLabel(theme, reason.icon, "warning" if reason.color == "warning" else "text_secondary"))
        text = Label(theme, reason.text, "body", elide=None if reason.quote else Qt.TextElideMode.ElideRight)
        row.addWidget(text, 0 if reason.quote else 1)
        if reason.quote:
            row.setSpacing(7)
            row.addWidget(_Quote(theme, reason.quote))
            row.addStretch(1)
        if reason.place:
            row.addWidget(Label(theme, reason.place, "meta", "muted"))
        if reason.finding >= 0:
            show = Button(theme, self.tr("Show"), keys=("F",) if reason.finding == 0 else (), small=True)
            show.clicked.connect(lambda: self.show_asked.emit(reason.finding))
            row.addWidget(show)
        return line
