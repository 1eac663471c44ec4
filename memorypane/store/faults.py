"""Turns failures of SQLite into our errors, by result code and never by message text."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from memorypane.model.errors import InvalidInput, MemoryPaneError, OverLimit, StoreDamaged, Unavailable

__all__ = ["error_code", "explain", "translated"]

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk is full: nothing was written to {path}. Free some space and try again.",
    sqlite3.SQLITE_READONLY: "{path} or its folder cannot be written to. Check who owns it and its permissions.",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened. Check that its folder exists and may be written to.",
    sqlite3.SQLITE_BUSY: "Another program has held {path} for too long. Nothing was written; try again.",
    sqlite3.SQLITE_LOCKED: "Another program has held {path} for too long. Nothing was written; try again.",
    sqlite3.SQLITE_PROTOCOL: "Another program has held {path} for too long. Nothing was written; try again.",
    sqlite3.SQLITE_IOERR: "The disk refused to read or write {path}. Nothing was written; check the disk and try again.",
    sqlite3.SQLITE_PERM: "{path} may not be used. Check who owns it and its permissions.",
}


def error_code(problem: BaseException) -> int | None:
    """Return SQLite's primary result code of a failure, or None if it is not SQLite's."""
    cause = problem.orig if isinstance(problem, DBAPIError) else problem
    code = getattr(cause, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def explain(problem: BaseException, path: Path) -> MemoryPaneError | None:
    """Return our error for a failure of the environment; None means that the fault is ours."""
    code = error_code(problem)
    if code in DAMAGED:
        return StoreDamaged(f"{path} is damaged and cannot be read. Restore a backup, or move the file away to start afresh.")
    if code == sqlite3.SQLITE_TOOBIG:
        return OverLimit("The text is larger than a store can hold.")
    if code in SENTENCES:
        return Unavailable(SENTENCES[code].format(path=path))
    return None


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise our error in place of a database failure of the environment, or of a value that no column can hold; bugs pass as they are."""
    try:
        yield
    except UnicodeEncodeError as problem:
        place = problem.start
        raise InvalidInput(f"A text holds a lone surrogate at position {place} (counted from 0). Send whole characters.") from problem
    except OverflowError as problem:
        raise InvalidInput("A number is larger than a store can hold. Send a smaller one.") from problem
    except (sqlite3.Error, DBAPIError) as problem:
        known = explain(problem, path)
        if known is None:
            raise
        raise known from problem
