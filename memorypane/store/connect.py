"""Opening a store file: who may use it, how connections behave, how transactions begin."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool, StaticPool

from memorypane.home.paths import private_folder
from memorypane.model.errors import StoreDamaged, StoreForeign, StoreNewer, Unavailable
from memorypane.store import faults, journal
from memorypane.store.schema import APPLICATION_ID, SCHEMA_VERSION

__all__ = ["BUSY_MS", "check_ours", "connect", "make_file", "reading_engine", "refuse_foreign", "refuse_newer", "writing_engine"]

BUSY_MS = 10_000
HEADER = b"SQLite format 3\0"
READERS = 8


def make_file(path: Path) -> None:
    """Make sure that the file exists in a private folder, and refuse what is no SQLite file."""
    private_folder(path.parent)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            head = os.read(descriptor, len(HEADER))
        finally:
            os.close(descriptor)
    except OSError as problem:
        raise Unavailable(f"The store {path} cannot be opened: {problem.strerror or problem}.") from problem
    if head and head != HEADER:
        raise StoreDamaged(f"{path} is not a store: it does not begin as one. Move the file away, or restore a backup over it.")


def refuse_foreign(path: Path) -> None:
    """Raise if the file is another program's or a newer one's, before anything of it is changed; then make it the owner's alone."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_MS / 1000)) as looking:
        check_ours(looking, path)
    try:
        # The files beside it (write-ahead log, shared memory) get the mode of this one.
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except OSError as problem:
        raise Unavailable(f"The store {path} cannot be kept from others: {problem.strerror or problem}.") from problem


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection as every part of the program uses it: explicit transactions, WAL, full sync, secure delete."""
    connection = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA cache_size = -16384")
        journal.limit(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    # The switch needs the file alone for a moment and, unlike statements, does not wait by busy_timeout.
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as problem:
            if faults.error_code(problem) not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def check_ours(connection: sqlite3.Connection, path: Path, newest: int = SCHEMA_VERSION) -> int:
    """Return the store's schema version (0 = empty file); raise if the file is another program's or a newer one's."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == 0 and schema == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise StoreForeign(f"{path} is a database of another program. Choose another home, or move that file away.")
    refuse_newer(int(schema), path, newest)
    return int(schema)


def refuse_newer(schema: int, path: Path, newest: int = SCHEMA_VERSION) -> None:
    """Raise `StoreNewer` for a schema that this program does not know."""
    if schema > newest:
        raise StoreNewer(
            f"{path} was written by a newer version of Memory Pane (schema {schema}, this one knows {newest}). "
            "Update Memory Pane to open it."
        )


def _engine(path: Path, begin: str, *, single: bool) -> Engine:
    def creator() -> sqlite3.Connection:
        made = connect(path)
        if not single:
            made.execute("PRAGMA query_only = ON")
        return made

    if single:
        engine = create_engine("sqlite://", creator=creator, poolclass=StaticPool)
    else:
        engine = create_engine("sqlite://", creator=creator, poolclass=QueuePool, pool_size=READERS, max_overflow=-1)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def writing_engine(path: Path) -> Engine:
    """An engine of one connection whose transactions begin with the write lock."""
    return _engine(path, "BEGIN IMMEDIATE", single=True)


def reading_engine(path: Path) -> Engine:
    """An engine of read-only connections, one a thread at a time."""
    return _engine(path, "BEGIN", single=False)
