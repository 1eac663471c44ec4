"""Refusals in the audit trail: the first at once, repeated ones of the same kind as one row a minute with their count."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from memorypane.model.errors import MemoryPaneError, Unavailable
from memorypane.store import events
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

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
            due = self._end_minutes(now)
            if key in self._written:
                _, count = self._waiting.get(key, (trace, 0))
                self._waiting[key] = (trace, count + 1)
            else:
                _, count = due.get(key, (trace, 0))
                self._written[key], due[key] = now, (trace, count + 1)
        self._write(due)

    def _end_minutes(self, now: int) -> dict[Key, tuple[events.Trace, int]]:
        """Forget the minutes that are over (a clock that was put back ends them too) and return what was counted in them."""
        over = [key for key, since in self._written.items() if not 0 <= now - since < MINUTE_MS]
        for key in over:
            del self._written[key]
        return {key: self._waiting.pop(key) for key in over if key in self._waiting}

    def flush(self) -> None:
        """Write what still waits for its minute."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        self._write(waiting)

    def _write(self, rows: Mapping[Key, tuple[events.Trace, int]]) -> None:
        def job(transaction: Transaction) -> None:
            for (_, _, code), (trace, count) in rows.items():
                events.record(transaction, trace, "refuse", outcome=code, count=count)

        if not rows:
            return
        try:
            self._store.write(job)
        except Unavailable:
            # The caller hears of its refusal all the same; that the store cannot be written shows at the next write.
            log.warning("A refusal could not be noted.", exc_info=True)
