"""One open store: its file, its readers, its writer and its change feed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from sqlalchemy import select

from memorypane.model.errors import Unavailable
from memorypane.store import events, faults, search, tables
from memorypane.store.connect import connect, make_file, reading_engine, refuse_foreign, writing_engine
from memorypane.store.feed import Feed
from memorypane.store.migrate import bring_up_to_date
from memorypane.store.schema import SCHEMA_VERSION
from memorypane.store.transaction import Transaction
from memorypane.store.writer import Writer

__all__ = ["Store"]

T = TypeVar("T")


class Store:
    """An identity store.

    Attributes: `path`, `store_id` (UUID4 text, made with the file), `schema`, `identity` (device and inode of the file), `feed`, `clock`.
    """

    def __init__(self, path: Path, *, backups: Path, clock: Callable[[], int], watch: bool = False) -> None:
        self.path = path
        self.clock = clock
        make_file(path)
        with faults.translated(path):
            refuse_foreign(path)
            with closing(connect(path)) as raw:
                bring_up_to_date(raw, path, backups)
        self._reading = reading_engine(path)
        self._writing = writing_engine(path)
        self.feed = Feed(path, self.read)
        self._writer = Writer(self._writing, path, clock, self.feed)
        self._gate = threading.Condition()
        self._inside = 0
        self._closed = False
        self.schema = SCHEMA_VERSION
        try:
            if self.read(search.is_stale):
                self._writer.run(search.rebuild_if_needed)
            self.store_id = self.read(_store_id)
            facts = path.stat()
            self.identity = (facts.st_dev, facts.st_ino)
            if watch:
                self.feed.watch(self.read(events.newest_seq))
        except BaseException:
            self.close()
            raise

    def read(self, job: Callable[[Transaction], T]) -> T:
        """Run `job` in a short read transaction and return what it returns."""
        with self._gate:
            if self._closed:
                raise Unavailable("The store is closed.")
            self._inside += 1
        try:
            with faults.translated(self.path), self._reading.connect() as connection, connection.begin():
                return job(Transaction(connection, self.clock()))
        finally:
            with self._gate:
                self._inside -= 1
                self._gate.notify_all()

    def write(self, job: Callable[[Transaction], T]) -> T:
        """Run `job` in a write transaction and return what it returns once that is on disk."""
        return self._writer.run(job)

    def close(self) -> None:
        """Wait for the jobs that were taken, stop the feed and let go of the file; later jobs are `Unavailable`."""
        self._writer.close()
        self.feed.close()
        with self._gate:
            self._closed = True
            self._gate.wait_for(lambda: not self._inside)
        self._reading.dispose()
        self._writing.dispose()


def _store_id(transaction: Transaction) -> str:
    return str(transaction.connection.execute(select(tables.meta.c.value).where(tables.meta.c.key == "store_id")).scalar_one())
