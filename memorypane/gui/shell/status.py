"""The foot of the left column: whether the server listens, how many agents are connected, the way to the settings."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.theme.buttons import IconButton
from memorypane.gui.theme.labels import plain_tooltip
from memorypane.gui.theme.paint import draw_dot, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT

__all__ = ["StatusLine"]


class StatusLine(QWidget):
    """30 high; `settings_asked` from the gear."""

    settings_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._listening = False
        self._connected = 0
        self._any_agent = False
        self._gear = IconButton(theme, "settings", self.tr("Settings"))
        self._gear.clicked.connect(self.settings_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 9, 0)
        row.addStretch(1)
        row.addWidget(self._gear)
        self.setFixedHeight(theme.px(HEIGHT.hint_bar))
        theme.changed.connect(self._on_theme_changed)

    def show_state(self, *, problem: str, connected: int, any_agent: bool) -> None:
        """Say how it stands; `problem` is "" while the server listens."""
        self._listening, self._connected, self._any_agent = not problem, connected, any_agent
        self.setToolTip(plain_tooltip(problem) if problem else "")
        self.setAccessibleName(" ".join(self._words()))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, theme.color("line"))
        middle = (self.height() + 1) // 2
        draw_dot(painter, QPointF(20, middle), theme.color("success" if self._listening else "muted"), filled=self._listening)
        first, second = self._words()
        area = QRect(31, 1, self.width() - 31 - 44, self.height() - 1)
        draw_text(painter, theme, area, first, "meta", theme.color("text"))
        area.setLeft(area.left() + theme.metrics("meta").horizontalAdvance(first) + 7)
        draw_text(painter, theme, area, second, "meta", theme.color("muted"))
        painter.end()

    def _words(self) -> tuple[str, str]:
        if not self._listening:
            return self.tr("Not listening"), ""
        if self._connected:
            return self.tr("Listening"), self.tr("· {number} connected").format(number=self._connected)
        return self.tr("Listening"), self.tr("· none connected") if self._any_agent else self.tr("· no agent yet")

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.hint_bar))
        self.update()
