"""The one first-in-first-out writer of a store in this process.

A caller that finds nobody writing leads: it takes whatever has queued up meanwhile into one transaction (a savepoint each), commits
once, and wakes the others with their answers. So calls that arrive together share one fsync, and a lone call pays for no thread switch.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar, cast

from sqlalchemy import Connection, Engine

from memorypane.model.errors import Unavailable
from memorypane.store import faults
from memorypane.store.transaction import Touched, Transaction

__all__ = ["Writer"]

T = TypeVar("T")
BATCH = 64
"""Calls that may share a commit; more would make the first of them wait for the last."""


class _Ticket(Generic[T]):
    def __init__(self, job: Callable[[Transaction], T]) -> None:
        self.job = job
        self.woken = threading.Event()
        self.done = False
        self.answer: T | None = None
        self.problem: BaseException | None = None

    def result(self) -> T:
        if self.problem is not None:
            raise self.problem
        return cast("T", self.answer)


class Writer:
    """Runs jobs in write transactions, in the order in which they came; `after_commit` hears what each commit touched."""

    def __init__(self, engine: Engine, path: Path, clock: Callable[[], int], after_commit: Callable[[Touched], None]) -> None:
        self._engine = engine
        self._path = path
        self._clock = clock
        self._after_commit = after_commit
        self._lock = threading.Lock()
        self._queue: deque[_Ticket[object]] = deque()
        self._leading = False
        self._closed = False

    def run(self, job: Callable[[Transaction], T]) -> T:
        """Return what `job` returned once it is on disk; raise what it raised, with nothing of it written."""
        ticket = _Ticket(job)
        with self._lock:
            if self._closed:
                raise Unavailable("The store is closed.")
            self._queue.append(cast("_Ticket[object]", ticket))
            lead, self._leading = not self._leading, True
        if not lead:
            ticket.woken.wait()
        if not ticket.done:
            self._lead()
        return ticket.result()

    def _lead(self) -> None:
        with self._lock:
            batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        try:
            self._run_batch(batch)
        finally:
            with self._lock:
                if self._queue:
                    self._queue[0].woken.set()
                else:
                    self._leading = False
            for ticket in batch:
                ticket.done = True
                ticket.woken.set()

    def _run_batch(self, batch: Sequence[_Ticket[object]]) -> None:
        touched = Touched()
        try:
            with faults.translated(self._path), self._engine.begin() as connection:
                for ticket in batch:
                    self._run_one(connection, ticket, touched, alone=len(batch) == 1)
        except BaseException as problem:  # noqa: BLE001 - it is raised again in every caller that waits
            for ticket in batch:
                ticket.problem = ticket.problem or problem
            return
        if touched:
            self._after_commit(touched)

    def _run_one(self, connection: Connection, ticket: _Ticket[object], touched: Touched, *, alone: bool) -> None:
        transaction = Transaction(connection, self._clock())
        if alone:
            with faults.translated(self._path):
                ticket.answer = ticket.job(transaction)
        else:
            connection.exec_driver_sql("SAVEPOINT call")
            try:
                with faults.translated(self._path):
                    ticket.answer = ticket.job(transaction)
            except BaseException as problem:  # noqa: BLE001 - it is raised again in the caller that waits
                ticket.problem = problem
                # A full disk may have ended the whole transaction already; then the commit fails for all, as it must.
                connection.exec_driver_sql("ROLLBACK TO call")
                connection.exec_driver_sql("RELEASE call")
                return
            connection.exec_driver_sql("RELEASE call")
        touched.add(transaction.touched)

    def close(self) -> None:
        """Refuse further jobs; those under way finish first."""
        with self._lock:
            self._closed = True
