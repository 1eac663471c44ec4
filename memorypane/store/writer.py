"""The one first-in-first-out writer of a store in this process.

A caller that finds nobody writing leads: it takes whatever has queued up meanwhile into one transaction (a savepoint each), commits
once, and wakes the others with their answers. So calls that arrive together share one fsync, and a lone call pays for no thread switch.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

from sqlalchemy import Connection, Engine

from memorypane.model.errors import Unavailable
from memorypane.store import faults
from memorypane.store.connect import refuse_newer
from memorypane.store.transaction import Touched, Transaction

__all__ = ["Watcher", "Writer"]

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


class Watcher(Protocol):
    """Hears of commits: before one is made, when it came to nothing, and when it stands."""

    def expect(self, touched: Touched) -> None:
        """A commit of this is about to be made."""

    def forget(self, touched: Touched) -> None:
        """It was not made."""

    def committed(self, touched: Touched) -> None:
        """It is on disk."""


class Writer:
    """Runs jobs in write transactions, in the order in which they came; `watcher` hears what each commit touches."""

    def __init__(self, engine: Engine, path: Path, clock: Callable[[], int], watcher: Watcher) -> None:
        self._engine = engine
        self._path = path
        self._clock = clock
        self._watcher = watcher
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
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
            try:
                ticket.woken.wait()
            except BaseException:
                self._abandon(cast("_Ticket[object]", ticket))
                raise
        if not ticket.done:
            self._lead()
        return ticket.result()

    def _abandon(self, ticket: _Ticket[object]) -> None:
        """Take back the job of a caller that was interrupted while it waited; if it was to lead, the next one does."""
        with self._lock:
            if ticket in self._queue:
                self._queue.remove(ticket)
                if ticket.woken.is_set():
                    self._pass_on()

    def _pass_on(self) -> None:
        if self._queue:
            self._queue[0].woken.set()
        else:
            self._leading = False
            self._idle.notify_all()

    def _lead(self) -> None:
        with self._lock:
            batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        try:
            self._run_batch(batch)
        finally:
            with self._lock:
                self._pass_on()
            for ticket in batch:
                ticket.done = True
                ticket.woken.set()

    def _run_batch(self, batch: Sequence[_Ticket[object]]) -> None:
        touched = Touched()
        try:
            with faults.translated(self._path), self._engine.begin() as connection:
                refuse_newer(_raw(connection).execute("PRAGMA user_version").fetchone()[0], self._path)
                for ticket in batch:
                    self._run_one(connection, ticket, touched, alone=len(batch) == 1)
                self._watcher.expect(touched)
        except BaseException as problem:  # noqa: BLE001 - it is raised again in every caller that waits
            self._watcher.forget(touched)
            own, *others = batch
            own.problem = own.problem or problem
            if not isinstance(problem, Exception):
                # An interrupt is for the caller in whose thread it came, which is the one that leads.
                problem = Unavailable("Another call broke off while this one was being written. Nothing was written; try again.")
            for ticket in others:
                ticket.problem = ticket.problem or problem
            return
        if touched:
            self._watcher.committed(touched)

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
            except BaseException as problem:
                if not isinstance(problem, Exception) or not _raw(connection).in_transaction:
                    # An interrupt, or SQLite has ended the whole transaction by itself (a full disk does that): then no call of it stands.
                    raise
                ticket.problem = problem
                connection.exec_driver_sql("ROLLBACK TO call")
                connection.exec_driver_sql("RELEASE call")
                return
            connection.exec_driver_sql("RELEASE call")
        touched.add(transaction.touched)

    def close(self) -> None:
        """Refuse further jobs and wait for those that were taken."""
        with self._lock:
            self._closed = True
            self._idle.wait_for(lambda: not self._leading)


def _raw(connection: Connection) -> sqlite3.Connection:
    """The bare connection beneath, for what needs no statement of the library."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)
