"""Homes with so many entries, made through the service, and bare SQLite files with the same rows."""

from __future__ import annotations

import random
import sqlite3
import uuid
from itertools import product
from pathlib import Path

from memorypane.home.paths import Home
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.service.desk import Desk
from memorypane.service.importing import ImportItem

__all__ = ["AGENT", "BareStore", "fill", "name_of", "text_of", "word_of"]

AGENT = "bench"
STEP = 5_000
SYLLABLES = ("bdfgklmnprst", ("a", "e", "io", "ou"), ("bel", "dar", "mik", "rop", "sen"))
WORDS = ["".join(parts) for parts in product(*SYLLABLES)]


def name_of(number: int) -> str:
    """The name of an entry."""
    return f"entry {number:06d}"


def word_of(number: int) -> str:
    """A word that stands in one entry alone."""
    return f"unique{number:06d}q"


def text_of(number: int) -> str:
    """About 400 characters, the same for the same number."""
    dice = random.Random(number)  # noqa: S311 - a text, not a secret
    return f"{word_of(number)}. {' '.join(dice.choices(WORDS, k=65))}. everywhere"


def fill(home: Home, size: int) -> list[str]:
    """Make a home with one agent that may write without limits and so many entries; returns their ids in order."""
    with Desk.open(home) as desk:
        person = desk.person(via="command")
        if not person.agents():
            person.add_agent(AGENT)
            for quota in ("writes_per_minute", "pending_proposals", "unreviewed_entries"):
                person.set_setting(f"quota.{quota}", "0")
        ids: list[str] = []
        for start in range(0, size, STEP):
            numbers = range(start, min(size, start + STEP))
            items = [ImportItem(INSTRUCTIONS, f"bench:{number}", name_of(number), text_of(number)) for number in numbers]
            ids += [outcome.entry_id for outcome in person.import_entries(items)]
    return ids


class BareStore:
    """The floor: SQLite alone with the same pragmas, one row an entry and one a version, and the words in an index."""

    def __init__(self, path: Path, size: int) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        run = self._connection.execute
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            run(f"PRAGMA {pragma}")
        run("CREATE TABLE entry (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, name TEXT, head INTEGER, content TEXT)")
        run("CREATE TABLE version (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, entry_id TEXT, number INTEGER, content TEXT)")
        run("CREATE UNIQUE INDEX version_number ON version (entry_id, number)")
        run("CREATE VIRTUAL TABLE word USING fts5 (content, prefix = '1 2 3')")
        run("BEGIN IMMEDIATE")
        self.ids = [self._insert(number) for number in range(size)]
        run("COMMIT")

    def _insert(self, number: int) -> str:
        run, entry_id, text = self._connection.execute, str(uuid.uuid4()), text_of(number)
        run("INSERT INTO entry (id, name, head, content) VALUES (?, ?, 1, ?)", (entry_id, name_of(number), text))
        run("INSERT INTO version (id, entry_id, number, content) VALUES (?, ?, 1, ?)", (str(uuid.uuid4()), entry_id, text))
        run("INSERT INTO word (rowid, content) VALUES (last_insert_rowid(), ?)", (text,))
        return entry_id

    def create(self, number: int) -> None:
        """Insert an entry with its first version, on disk when this returns."""
        run, entry_id, text = self._connection.execute, str(uuid.uuid4()), text_of(number)
        run("BEGIN IMMEDIATE")
        run("INSERT INTO entry (id, name, head, content) VALUES (?, ?, 1, ?)", (entry_id, name_of(number), text))
        run("INSERT INTO version (id, entry_id, number, content) VALUES (?, ?, 1, ?)", (str(uuid.uuid4()), entry_id, text))
        run("COMMIT")

    def update(self, entry_id: str, number: int) -> None:
        """Write an entry's next version, on disk when this returns."""
        run, text = self._connection.execute, text_of(number)
        run("BEGIN IMMEDIATE")
        (head,) = run("SELECT head FROM entry WHERE id = ?", (entry_id,)).fetchone()
        run("UPDATE entry SET head = ?, content = ? WHERE id = ?", (head + 1, text, entry_id))
        run("INSERT INTO version (id, entry_id, number, content) VALUES (?, ?, ?, ?)", (str(uuid.uuid4()), entry_id, head + 1, text))
        run("COMMIT")

    def read(self, entry_id: str) -> None:
        """Read an entry."""
        self._connection.execute("SELECT * FROM entry WHERE id = ?", (entry_id,)).fetchone()

    def search(self, query: str) -> None:
        """Find the ten best entries of a word and count them all."""
        self._connection.execute("SELECT count(*) FROM word WHERE word MATCH ?", (query,)).fetchone()
        self._connection.execute("SELECT rowid, content FROM word WHERE word MATCH ? ORDER BY rank LIMIT 10", (query,)).fetchall()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
