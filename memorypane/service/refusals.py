"""Refusals in the audit trail: the first at once, repeated ones of the same kind as one row a minute with their count."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from memorypane.model.errors import MemoryPaneError, Unavailable
from memorypane.store import events
from memorypane.store.store import Store

__all__ = ["RefusalLog"]

log = logging.getLogger(__name__)
MINUTE_MS = 60_000
Key = tuple[str, str, str]


class RefusalLog:
    """Notes refused calls of agents without their words; a flood of them costs one write a minute."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._written: dict[Key, int] = {}
        self._waiting: dict[Key, tuple[events.Trace, int]] = {}

    def note(self, trace: events.Trace, problem: MemoryPaneError) -> None:
        """Keep that a call was refused, by its code; failures of the environment are no refusals."""
        if isinstance(problem, Unavailable):
            return
        key, now = (trace.actor, trace.tool, problem.code), self._clock()
        with self._lock:
            _, count = self._waiting.pop(key, (trace, 0))
            if 0 <= now - self._written.get(key, -MINUTE_MS) < MINUTE_MS:
                self._waiting[key] = (trace, count + 1)
                return
            self._written[key] = now
        self._write(trace, problem.code, count + 1)

    def flush(self) -> None:
        """Write what still waits for its minute."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for (_, _, code), (trace, count) in waiting.items():
            self._write(trace, code, count)

    def _write(self, trace: events.Trace, code: str, count: int) -> None:
        try:
            self._store.write(lambda transaction: events.record(transaction, trace, "refuse", outcome=code, count=count))
        except Unavailable:
            # The caller hears of its refusal all the same; that the store cannot be written shows at the next write.
            log.warning("A refusal could not be noted.", exc_info=True)
