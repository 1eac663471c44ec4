"""Brings a store to the current schema: numbered steps, each in one transaction with its number, a backup first."""

from __future__ import annotations

import sqlite3
import time
import uuid
from contextlib import closing
from pathlib import Path

from memorypane.home.paths import private_folder
from memorypane.model import fold
from memorypane.model.errors import Unavailable
from memorypane.store.connect import check_ours
from memorypane.store.schema import APPLICATION_ID, SCHEMA_VERSION, STEPS, Step

__all__ = ["backup_before", "bring_up_to_date"]


def bring_up_to_date(connection: sqlite3.Connection, path: Path, backups: Path) -> None:
    """Apply the missing steps; several processes may try at once, each step is done by one of them."""
    schema = check_ours(connection, path)
    if 0 < schema < SCHEMA_VERSION:
        backup_before(connection, schema, backups)
    for step in STEPS:
        if step.number > schema:
            _apply(connection, path, step)


def backup_before(connection: sqlite3.Connection, schema: int, backups: Path) -> Path:
    """Copy the store through SQLite's backup API (a plain copy of a live file loses rows) and return the copy's path."""
    private_folder(backups)
    target = backups / f"before-schema-{schema + 1}-{int(time.time() * 1000)}-{uuid.uuid4().hex[:8]}.db"
    target.touch(mode=0o600, exist_ok=False)
    with closing(sqlite3.connect(target)) as copy:
        connection.backup(copy)
        (verdict,) = copy.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise Unavailable(f"The backup {target} before the update is not sound ({verdict}); the store was left as it is.")
    return target


def _apply(connection: sqlite3.Connection, path: Path, step: Step) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if check_ours(connection, path) < step.number:
            for statement in step.statements:
                connection.execute(statement)
            if step.number == 1:
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                facts = [("store_id", str(uuid.uuid4())), ("fold", fold.fold_stamp())]
                connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", facts)
            if step.after is not None:
                step.after(connection)
            connection.execute(f"PRAGMA user_version = {step.number}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
