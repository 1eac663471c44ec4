"""The window itself: three columns, the hint bar, the toast; it holds widgets and knows no behaviour."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFocusFrame,
    QLineEdit,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from memorypane.gui.settings import Settings
from memorypane.gui.shell.channel import ChannelHeader
from memorypane.gui.shell.nav_view import NavView
from memorypane.gui.shell.navigation import NavModel
from memorypane.gui.shell.removed import RemovedRow
from memorypane.gui.shell.screen import Screen
from memorypane.gui.shell.status import StatusLine
from memorypane.gui.theme.bars import HintBar, Toast
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import WIDTH
from memorypane.model.values import Channel

__all__ = ["MainWindow"]


class MainWindow(QMainWindow):
    """Left column, list column, main column.

    Signals: `key_pressed(QKeyEvent)` for keys that no focused widget took (accept it to take it), `closing` once when the window is
    about to go, `resized` with nothing.
    """

    key_pressed = Signal(object)
    closing = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, channel: Channel, settings: Settings) -> None:
        super().__init__()
        self._theme = theme
        self._screen: Screen | None = None
        self._folded = False
        self.setWindowTitle(self.tr("Memory Pane – {channel}").format(channel=channel.name))
        self.setMinimumSize(WIDTH.window_min, WIDTH.window_min_height)
        self.channel = ChannelHeader(theme, channel)
        self.nav_model = NavModel()
        self.nav_model.setParent(self)
        self.nav = NavView(theme, self.nav_model)
        self.removed = RemovedRow(theme)
        self.status = StatusLine(theme)
        self.hint_bar = HintBar(theme)
        self._sides = QStackedWidget()
        self._mains = QStackedWidget()
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._outer = QSplitter(Qt.Orientation.Horizontal)
        self._build(settings)
        self.toast = Toast(theme, self._body)
        self._ring = QFocusFrame(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        self._list_width = settings.list

    def _build(self, settings: Settings) -> None:
        theme = self._theme
        left = Panel(theme, ground="window")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.channel)
        column.addWidget(self.nav, 1)
        column.addWidget(self.removed)
        column.addSpacing(8)
        column.addWidget(self.status)
        left.setMinimumWidth(WIDTH.sidebar_min)
        left.setMaximumWidth(WIDTH.sidebar_max)
        self._sides.setMinimumWidth(WIDTH.list_min)
        self._sides.setMaximumWidth(WIDTH.list_max)
        self._mains.setMinimumWidth(WIDTH.reader_min)
        for splitter in (self._outer, self._columns):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        self._columns.addWidget(self._sides)
        self._columns.addWidget(self._mains)
        self._columns.setStretchFactor(0, 0)
        self._columns.setStretchFactor(1, 1)
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self._columns, 1)
        body.addWidget(self.hint_bar)
        self._outer.addWidget(left)
        self._outer.addWidget(self._body)
        self._outer.setStretchFactor(0, 0)
        self._outer.setStretchFactor(1, 1)
        self.setCentralWidget(self._outer)
        self.resize(settings.width, settings.height)
        # The line between two columns belongs to the left one.
        self._outer.setSizes([settings.sidebar - 1, settings.width - settings.sidebar])
        self._columns.setSizes([settings.list - 1, settings.width - settings.sidebar - settings.list])

    @property
    def folded(self) -> bool:
        """Whether the list column is folded away."""
        return self._folded

    @property
    def sidebar_width(self) -> int:
        """How wide the left column is."""
        return self._outer.sizes()[0] + 1

    @property
    def list_width(self) -> int:
        """How wide the list column is, or was when it was last there."""
        return self._columns.sizes()[0] + 1 if self._sides.isVisibleTo(self) else self._list_width

    def add_screen(self, screen: Screen) -> None:
        """Take a screen's widgets into the columns."""
        if screen.side is not None:
            self._sides.addWidget(screen.side)
        self._mains.addWidget(screen.main)

    def show_screen(self, screen: Screen, *, folded: bool) -> None:
        """Put a screen's widgets into sight; `folded` leaves its list away."""
        if self._sides.isVisibleTo(self) and self._columns.sizes()[0] > 0:
            self._list_width = self._columns.sizes()[0] + 1
        self._screen, self._folded = screen, folded and screen.side is not None
        self._mains.setCurrentWidget(screen.main)
        shown = screen.side is not None and not folded
        if screen.side is not None:
            self._sides.setCurrentWidget(screen.side)
        self._sides.setVisible(shown)
        if shown:
            width = self._columns.width()
            self._columns.setSizes([self._list_width - 1, max(WIDTH.reader_min, width - self._list_width)])

    def focus_next_column(self) -> None:
        """Move the keyboard to the next column (F6)."""
        columns = [self.nav, self._sides.currentWidget() if self._sides.isVisible() else None, self._mains.currentWidget()]
        shown = [each for each in columns if each is not None]
        focus = QApplication.focusWidget()
        now = next((number for number, each in enumerate(shown) if focus is each or (focus and each.isAncestorOf(focus))), -1)
        self._focus_into(shown[(now + 1) % len(shown)])

    def _focus_into(self, column: QWidget) -> None:
        if column.focusPolicy() & Qt.FocusPolicy.TabFocus or column.focusProxy() is not None:
            column.setFocus(Qt.FocusReason.TabFocusReason)
            return
        candidate = column.nextInFocusChain()
        while candidate is not None and candidate is not column:
            usable = candidate.isVisible() and candidate.isEnabled() and candidate.focusPolicy() & Qt.FocusPolicy.TabFocus
            if usable and column.isAncestorOf(candidate):
                candidate.setFocus(Qt.FocusReason.TabFocusReason)
                return
            candidate = candidate.nextInFocusChain()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()
        self.key_pressed.emit(event)
        if not event.isAccepted():
            super().keyPressEvent(event)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        # Lists mark their row instead, and search boxes draw their own border.
        ringed = isinstance(new, QAbstractButton) or (isinstance(new, QLineEdit) and not new.property("bare"))
        target = new if ringed and new is not None and self.isAncestorOf(new) else None
        self._ring.setWidget(target)  # type: ignore[arg-type]  # no widget takes the ring away; the stub leaves None out
