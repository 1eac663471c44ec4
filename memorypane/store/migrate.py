"""Brings a store to the current schema: numbered steps, each in one transaction with its number, a backup first."""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from memorypane.home.paths import private_folder
from memorypane.model import fold
from memorypane.store.connect import check_ours
from memorypane.store.copying import copy_store
from memorypane.store.schema import APPLICATION_ID, STEPS, Step

__all__ = ["backup_before", "bring_up_to_date"]


def bring_up_to_date(connection: sqlite3.Connection, path: Path, backups: Path, steps: Sequence[Step] = STEPS) -> None:
    """Apply the missing steps; several processes may try at once, each step is done by one of them."""
    schema = check_ours(connection, path, steps[-1].number)
    copied = False
    for step in steps:
        if step.number > schema:
            copied |= _apply(connection, path, step, steps[-1].number, None if copied else backups)


def backup_before(path: Path, schema: int, backups: Path) -> Path:
    """Copy the store before a step and return the copy's path; a copy that is not sound stops the update."""
    private_folder(backups)
    target = backups / f"before-schema-{schema + 1}-{int(time.time() * 1000)}-{uuid.uuid4().hex[:8]}.db"
    return copy_store(path, target).file


def _apply(connection: sqlite3.Connection, path: Path, step: Step, newest: int, backups: Path | None) -> bool:
    """Apply one step unless another process did meanwhile; returns whether a backup was made.

    The backup is made under the write lock, so that it holds all that was written before the step, and only one process makes it.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        schema = check_ours(connection, path, newest)
        copied = bool(backups and 0 < schema < step.number)
        if backups and copied:
            backup_before(path, schema, backups)
        if schema < step.number:
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
    return copied
