"""The window's line to the channel's server: whether it listens, who is connected, their calls."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from memorypane.control.client import ControlClient, ControlEvent, ControlWatch, LiveConnection
from memorypane.home.paths import Home
from memorypane.model.errors import MemoryPaneError

__all__ = ["Link"]

_GATHER_MS = 120


class Link(QObject):
    """Watches the server in a thread of its own, starting it if none runs (and it may be started).

    `connections` are the agents connected now; `problem` is "" while the server listens, else a sentence. `moved` says that either
    changed, `called` carries the connection of one call.
    """

    moved = Signal()
    called = Signal(object)
    _heard = Signal(object)
    _asked = Signal(object)

    def __init__(self, home: Home, channel: str, *, start: bool = True, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home, self._channel = home, channel
        self._connections: tuple[LiveConnection, ...] = ()
        self._problem = self.tr("Looking for the server.")
        self._watch = ControlWatch(home, channel, start=start)
        self._heard.connect(self._on_event_heard, Qt.ConnectionType.QueuedConnection)
        self._asked.connect(self._on_status_known, Qt.ConnectionType.QueuedConnection)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_GATHER_MS)
        self._again.timeout.connect(self._wake)
        self._wanted = threading.Event()
        self._ended = threading.Event()
        self._threads = (
            threading.Thread(target=self._listen, name="memorypane-link", daemon=True),
            threading.Thread(target=self._ask_when_wanted, name="memorypane-status", daemon=True),
        )

    @property
    def connections(self) -> tuple[LiveConnection, ...]:
        """Who is connected now, oldest first."""
        return self._connections

    @property
    def problem(self) -> str:
        """Why nobody can connect, or "" while the server listens."""
        return self._problem

    @property
    def listening(self) -> bool:
        """Whether the server answers."""
        return not self._problem

    def open(self) -> None:
        """Begin to watch."""
        for thread in self._threads:
            thread.start()

    def revoke(self, agent: str) -> None:
        """Close the connections of a revoked agent; call it off the window's thread. No server means nothing to close."""
        try:
            with ControlClient.open(self._home, self._channel) as client:
                client.revoke(agent)
        except MemoryPaneError:
            return

    def close(self) -> None:
        """Stop watching and wait for the threads."""
        self._ended.set()
        self._wanted.set()
        self._again.stop()
        self._watch.close()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _wake(self) -> None:
        self._wanted.set()

    def _listen(self) -> None:
        for event in self._watch.events():
            if self._ended.is_set():
                return
            self._heard.emit(event)

    def _ask_when_wanted(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._ended.is_set():
                return
            self._asked.emit(_status(lambda: ControlClient.open(self._home, self._channel)))

    def _on_event_heard(self, event: ControlEvent) -> None:
        if self._ended.is_set():
            return
        if event.kind == "lost":
            self._connections = ()
            self._problem = str(event.data.get("message", "")) or self.tr("The server ended.")
            self.moved.emit()
            return
        if event.kind == "call":
            self.called.emit(event.data)
        if event.kind in ("connected", "opened", "closed", "call") and not self._again.isActive():
            self._again.start()

    def _on_status_known(self, connections: tuple[LiveConnection, ...] | None) -> None:
        if self._ended.is_set() or connections is None:
            return
        self._connections = connections
        self._problem = ""
        self.moved.emit()


def _status(reach: Callable[[], ControlClient]) -> tuple[LiveConnection, ...] | None:
    try:
        with reach() as client:
            return tuple(sorted(client.status().connections, key=lambda each: each.since))
    except MemoryPaneError:
        return None
