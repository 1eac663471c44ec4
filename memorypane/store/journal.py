"""The write-ahead log: how long it may grow, and carrying it over into the store where no caller waits for that."""

from __future__ import annotations

import sqlite3
from pathlib import Path

__all__ = ["carry_over", "limit"]

SHORT_BYTES = 4 << 20
"""A log that began anew is cut back to this; the watching thread carries over what is longer."""
LONG_PAGES = 4_000
"""Where nobody watches, the writer itself carries over a log of so many pages: rarely, since it takes ten times a usual commit."""


def limit(connection: sqlite3.Connection) -> None:
    """Set on a connection how its log is kept short."""
    connection.execute(f"PRAGMA journal_size_limit = {SHORT_BYTES}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {LONG_PAGES}")


def carry_over(connection: sqlite3.Connection, path: Path) -> None:
    """Carry a long log over into the store; neither readers nor writers wait, and what they still need stays for the next time."""
    try:
        size = path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return
    if size > SHORT_BYTES:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
