"""Statements of the hot paths: built with SQLAlchemy Core once, compiled once, and run on the driver's own cursor.

Measured: Core spends more time per statement on looking up its compiled form, on contexts and on result objects than SQLite on running it,
and one write of an agent takes seventeen statements.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.dialects import sqlite
from sqlalchemy.sql import ClauseElement

from memorypane.store.transaction import Transaction

__all__ = ["Prepared"]

_DIALECT = sqlite.dialect(paramstyle="named")


class Prepared:
    """One compiled statement with named parameters; `columns` names those of an insert.

    Failures come as the driver's own errors, which `faults` knows as well.
    """

    __slots__ = ("_defaults", "_sql")

    def __init__(self, statement: ClauseElement, columns: Sequence[str] | None = None) -> None:
        compiled = statement.compile(dialect=_DIALECT, column_keys=list(columns) if columns is not None else None)
        self._sql = str(compiled)
        self._defaults = {name: value for name, value in compiled.params.items() if value is not None}

    def run(self, transaction: Transaction, values: Mapping[str, Any]) -> sqlite3.Cursor:
        """Run the statement with these values and return the driver's cursor."""
        return transaction.driver.execute(self._sql, {**self._defaults, **values})

    def row(self, transaction: Transaction, values: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """Return the first row, None if there is none."""
        found: tuple[Any, ...] | None = self.run(transaction, values).fetchone()
        return found

    def rows(self, transaction: Transaction, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return all rows."""
        return self.run(transaction, values).fetchall()

    def value(self, transaction: Transaction, values: Mapping[str, Any]) -> Any:
        """Return the first column of the first row, None if there is no row."""
        found = self.row(transaction, values)
        return found[0] if found is not None else None

    def insert(self, transaction: Transaction, values: Mapping[str, Any]) -> int:
        """Run an insert of one row and return its integer key."""
        key = self.run(transaction, values).lastrowid
        if key is None:
            raise LookupError("the insert made no row")
        return key
