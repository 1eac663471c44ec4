"""The window's process: opens the channel, shows the window or why it cannot be, and ends orderly."""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType

from PySide6.QtCore import QObject, QProcess, QSocketNotifier
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from memorypane.gui.crash import CrashDialog, report
from memorypane.gui.pages.trouble import TroubleWindow
from memorypane.gui.pane import Pane
from memorypane.gui.settings import load_settings, save_settings
from memorypane.gui.theme.app_icon import app_icon
from memorypane.gui.theme.theme import Theme
from memorypane.home.paths import Home
from memorypane.model.errors import MemoryPaneError
from memorypane.service.desk import Desk

__all__ = ["Program", "run"]


class Program(QObject):
    """What lives as long as the process: theme, settings, the open desk and its window."""

    def __init__(self, app: QApplication, home: Home, channel: str) -> None:
        super().__init__()
        self._app, self._home, self._channel = app, home, channel
        self._settings, self._problem = load_settings(home)
        self._theme = Theme(app, mode=self._settings.theme, base=self._settings.text_size)
        self._desk: Desk | None = None
        self._pane: Pane | None = None
        self._trouble: TroubleWindow | None = None
        self._broken = False

    @property
    def pane(self) -> Pane | None:
        """The window, once the store could be opened."""
        return self._pane

    @property
    def trouble(self) -> TroubleWindow | None:
        """The window that says why there is no other."""
        return self._trouble

    def start(self) -> None:
        """Open the channel and show its window, or a window that says what is wrong and what to do."""
        try:
            desk = Desk.open(self._home, self._channel, watch=True)
        except MemoryPaneError as problem:
            self._show_trouble(problem)
            return
        self._desk = desk
        self._pane = Pane(self._app, desk, self._theme, self._settings)
        self._pane.controller.channel_asked.connect(self._on_channel_asked)
        self._pane.settings_screen.show_text_size(self._settings.text_size)
        self._pane.settings_screen.changed.connect(self._on_settings_changed)
        self._pane.window.closing.connect(self._on_window_closing)
        if self._settings.maximized:
            self._pane.window.showMaximized()
        else:
            self._pane.window.show()
        self._end_trouble()
        if self._problem:
            self._pane.window.toast.show_note(self._problem)

    def close(self) -> None:
        """Take everything apart; may be called twice."""
        pane, self._pane = self._pane, None
        if pane is not None:
            pane.close()
        desk, self._desk = self._desk, None
        if desk is not None:
            desk.close()
        self._end_trouble()

    def crashed(self, kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        """A bug of ours reached the event loop: say so once, then end."""
        text = report(kind, problem, trace)
        sys.stderr.write(text)
        if issubclass(kind, KeyboardInterrupt):
            self._app.exit(130)
            return
        if self._broken:
            return
        self._broken = True
        dialog = CrashDialog(self._theme, text, self._pane.window if self._pane is not None else None)
        dialog.finished.connect(lambda _result: self._app.exit(1))
        dialog.open()

    def _show_trouble(self, problem: MemoryPaneError) -> None:
        if self._trouble is None:
            self._trouble = TroubleWindow(self._theme, self._channel)
            self._trouble.retry_asked.connect(self.start)
        self._trouble.show_problem(problem, self._home)
        self._trouble.show()

    def _end_trouble(self) -> None:
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            trouble.close()
            trouble.deleteLater()

    def _on_window_closing(self) -> None:
        if self._pane is not None:
            self._settings = self._pane.controller.settings
            save_settings(self._home, self._settings)

    def _on_settings_changed(self, text_size: int) -> None:
        self._settings = replace(self._settings, theme=self._theme.mode, text_size=text_size)
        if self._pane is not None:
            self._pane.controller.keep_text_size(text_size)
            self._settings = self._pane.controller.settings
            if sentence := save_settings(self._home, self._settings):
                self._pane.window.toast.show_note(sentence)

    def _on_channel_asked(self, channel: str) -> None:
        QProcess.startDetached(sys.executable, ["-m", "memorypane", "--home", str(self._home.root), "--channel", channel])


@contextlib.contextmanager
def _ending_on_signals(app: QApplication) -> Iterator[None]:
    """SIGTERM and SIGINT close the windows as the person would; Python sees signals only when something wakes Qt's loop."""
    reader, writer = socket.socketpair()
    for end in (reader, writer):
        end.settimeout(0)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    def heard() -> None:
        with contextlib.suppress(BlockingIOError):
            reader.recv(64)
        app.closeAllWindows()
        app.quit()

    notifier.activated.connect(heard)
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)}
    wake = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(wake)
        for number, handler in before.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        notifier.deleteLater()
        reader.close()
        writer.close()


def run(home: Home, channel: str) -> int:
    """Run the window until it is closed; return the exit code (0 closed, 1 ended by a bug of ours)."""
    if sys.stderr is not None:
        faulthandler.enable()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("memorypane")
    app.setApplicationDisplayName("Memory Pane")
    app.setDesktopFileName("memorypane")
    app.setWindowIcon(QIcon(app_icon()))
    program = Program(app, home, channel)
    hook, sys.excepthook = sys.excepthook, program.crashed
    try:
        with _ending_on_signals(app):
            program.start()
            return app.exec()
    finally:
        sys.excepthook = hook
        program.close()
