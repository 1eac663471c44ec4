"""A sound copy of a store while it is in use, through SQLite's backup API: copying the file of a live store loses rows."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from memorypane.model.errors import StoreDamaged, Unavailable
from memorypane.store import faults
from memorypane.store.connect import check_ours, connect

__all__ = ["Copied", "copy_store"]

PAGES_AT_ONCE = 1_024


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was opened again and checked, with what it holds."""

    file: Path
    entries: int
    versions: int


def copy_store(source: Path, target: Path) -> Copied:
    """Copy a store to a new file of mode 0600, open the copy, check it, count it.

    An existing file is left alone (`Unavailable`); a copy that could not be finished or is not sound is taken away again.
    """
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        raise Unavailable(f"{target} exists already and was left alone. Name a new file.") from None
    except OSError as problem:
        raise Unavailable(f"{target} cannot be written: {problem.strerror or problem}.") from problem
    try:
        with faults.translated(target):
            with closing(connect(source)) as store, closing(sqlite3.connect(target)) as copy:
                store.backup(copy, pages=PAGES_AT_ONCE)
                # One file is easier to carry away than three; the next program that opens it switches back.
                copy.execute("PRAGMA journal_mode = DELETE")
            return _checked(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _checked(target: Path) -> Copied:
    with closing(sqlite3.connect(f"{target.absolute().as_uri()}?mode=ro", uri=True)) as copy:
        check_ours(copy, target)
        (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise StoreDamaged(f"The copy {target} is not sound ({verdict}). Run `memorypane doctor` on the store.")
        (entries,) = copy.execute("SELECT count(*) FROM entry").fetchone()
        (versions,) = copy.execute("SELECT count(*) FROM version").fetchone()
    return Copied(target, entries, versions)
