"""What a job of the store works with: an open connection, the time of the call, and a note of what it touched."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from sqlalchemy import Connection

__all__ = ["Touched", "Transaction"]


@dataclass(slots=True)
class Touched:
    """What a commit changed, in the words of the change feed."""

    entries: set[str] = field(default_factory=set)
    review: bool = False
    agents: bool = False
    workspaces: bool = False
    policy: bool = False
    events: set[str] = field(default_factory=set)
    """Hashes of the audit events: unlike row numbers, those of a transaction that failed are not given out again."""

    def __bool__(self) -> bool:
        return bool(self.events or self.entries or self.review or self.agents or self.workspaces or self.policy)

    def add(self, other: Touched) -> None:
        """Take over what `other` touched."""
        self.entries |= other.entries
        self.review |= other.review
        self.agents |= other.agents
        self.workspaces |= other.workspaces
        self.policy |= other.policy
        self.events |= other.events


@dataclass(slots=True)
class Transaction:
    """An open read or write transaction; `now` is its time in milliseconds UTC."""

    connection: Connection
    now: int
    touched: Touched = field(default_factory=Touched)
    driver: sqlite3.Connection = field(init=False, repr=False)
    """The driver's connection under `connection`, in the same transaction."""

    def __post_init__(self) -> None:
        driver = self.connection.connection.driver_connection
        if not isinstance(driver, sqlite3.Connection):
            raise TypeError(type(driver))
        self.driver = driver
