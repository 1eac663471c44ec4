"""Failures in a row on a connection: a model that keeps failing is told to stop."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Streaks"]

IDLE_SECONDS = 300.0
MOST_CONNECTIONS = 256
"""More than may be connected at once; the one that failed longest ago is forgotten first."""


class Streaks:
    """Counts failures by connection; a success or five idle minutes begin anew. Safe to use from many threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def failed(self, connection: str) -> int:
        """Note a failure and return how many there were in a row, this one included."""
        now = self._clock()
        with self._lock:
            count, at = self._failures.pop(connection, (0, now))
            count = 1 if now - at >= IDLE_SECONDS else count + 1
            self._failures[connection] = (count, now)
            if len(self._failures) > MOST_CONNECTIONS:
                self._failures.popitem(last=False)
        return count

    def succeeded(self, connection: str) -> None:
        """Note a success."""
        with self._lock:
            self._failures.pop(connection, None)
