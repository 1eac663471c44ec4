"""The head of the left column: which channel this window shows, and the way to the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget
from typing_extensions import override

from memorypane.gui.theme.paint import Badge, badge_width, draw_badge, draw_icon, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON
from memorypane.model.values import Channel

__all__ = ["ChannelHeader"]


class ChannelHeader(QPushButton):
    """48 high; a click lists the channels, `channel_asked` carries the name of another one."""

    channel_asked = Signal(str)

    def __init__(self, theme: Theme, channel: Channel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._channel = theme, channel
        self._others: tuple[Channel, ...] = ()
        self.setFixedHeight(theme.px(HEIGHT.column_header))
        self.setAccessibleName(self.tr("Channel {name}, {kind}").format(name=channel.name, kind=self._kind(channel)))
        self.clicked.connect(self._on_clicked)
        theme.changed.connect(self._on_theme_changed)

    def show_channels(self, channels: Sequence[Channel]) -> None:
        """Take over which channels there are; with one alone there is nothing to switch."""
        self._others = tuple(channels) if len(channels) > 1 else ()
        self.setEnabled(bool(self._others))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, self.height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        if self._others and self.underMouse():
            painter.fillRect(self.rect(), theme.color("hover"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        middle = self.height() // 2
        draw_icon(painter, theme, 16, middle, "layers", theme.color("text_secondary"))
        badge = Badge(self._kind(self._channel))
        room = self.width() - 40 - 8 - badge_width(theme, badge) - (38 if self._others else 16)
        width = min(room, theme.metrics("row_name").horizontalAdvance(self._channel.name) + 1)
        draw_text(painter, theme, QRect(40, 0, width, self.height()), self._channel.name, "row_name", theme.color("text"))
        draw_badge(painter, theme, 40 + width + 8, middle, badge)
        if self._others:
            draw_icon(painter, theme, self.width() - ICON.normal - 14, middle, "chevron-down", theme.color("text_secondary"))
        painter.end()

    def _kind(self, channel: Channel) -> str:
        return self.tr("isolated") if channel.isolated else self.tr("shared")

    def _on_clicked(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for channel in self._others:
            action = QAction(f"{channel.name}  ({self._kind(channel)})".replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(channel.name == self._channel.name)
            action.setData(channel.name)
            menu.addAction(action)
        menu.triggered.connect(self._on_action_triggered)
        menu.popup(self.mapToGlobal(QPoint(8, self.height() - 4)))

    def _on_action_triggered(self, action: QAction) -> None:
        if action.data() != self._channel.name:
            self.channel_asked.emit(action.data())

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.column_header))
        self.update()
