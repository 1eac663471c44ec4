"""What changed, from whichever process, told to the window in its own thread and in bursts rather than drops."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from memorypane.service.changes import Changed

__all__ = ["Feed", "merge"]

_GATHER_MS = 40


def merge(first: Changed, second: Changed) -> Changed:
    """Return one note of what both touched."""
    return Changed(
        entries=first.entries | second.entries,
        review=first.review or second.review,
        agents=first.agents or second.agents,
        workspaces=first.workspaces or second.workspaces,
        policy=first.policy or second.policy,
        foreign=first.foreign or second.foreign,
    )


class Feed(QObject):
    """Turns the service's notes, which arrive in threads of its own, into `changed` in the window's thread.

    The first note of a burst is told at once, what follows within 40 ms is told together.
    """

    changed = Signal(object)
    _arrived = Signal(object)

    def __init__(self, subscribe: Callable[[Callable[[Changed], None]], Callable[[], None]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: Changed | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_GATHER_MS)
        self._timer.timeout.connect(self._on_gathered)
        self._arrived.connect(self._on_note_arrived, Qt.ConnectionType.QueuedConnection)
        self._leave = subscribe(self._arrived.emit)

    def close(self) -> None:
        """Hear nothing more."""
        self._leave()
        self._timer.stop()
        self._waiting = None

    def _on_note_arrived(self, note: Changed) -> None:
        if self._timer.isActive():
            self._waiting = note if self._waiting is None else merge(self._waiting, note)
            return
        self._timer.start()
        self.changed.emit(note)

    def _on_gathered(self) -> None:
        if self._waiting is not None:
            note, self._waiting = self._waiting, None
            self._timer.start()
            self.changed.emit(note)
