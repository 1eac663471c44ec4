"""Bringing a store of an older schema up to date."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
from collections.abc import Callable
from contextlib import ExitStack, closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from memorypane.model.errors import StoreNewer
from memorypane.store import entries
from memorypane.store.connect import connect
from memorypane.store.migrate import bring_up_to_date
from memorypane.store.schema import SCHEMA_VERSION, STEPS, Step
from memorypane.store.store import Store
from tests.store.processes import Elsewhere
from tests.store.support import add, raw, still, unsound

NEXT = SCHEMA_VERSION + 1
STATEMENTS = ("CREATE TABLE later (id TEXT PRIMARY KEY) STRICT", "INSERT INTO later VALUES ('once')")


def step_when_told(connection: Connection, path: Path, die: bool) -> None:
    """Do the test's step as soon as a word comes in; or die in its middle."""
    connection.send("ready")
    connection.recv()

    def after(_: sqlite3.Connection) -> None:
        if die:
            os.kill(os.getpid(), signal.SIGKILL)

    migrate(path, Step(NEXT, STATEMENTS, after))
    connection.send("done")


def open_when_told(connection: Connection, path: Path) -> None:
    """Open the store as soon as a word comes in, and say its id."""
    connection.send("ready")
    connection.recv()
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        connection.send(store.store_id)


def fail(_: sqlite3.Connection) -> None:
    raise RuntimeError("in the middle")


def schema_of(path: Path) -> tuple[int, bool]:
    """The schema's number, and whether the test's step was done."""
    with closing(raw(path)) as connection:
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE name = 'later'").fetchall()
    return number, bool(tables)


def backups(path: Path) -> list[Path]:
    return sorted((path.parent / "backups").glob("*.db"))


@pytest.fixture
def old(path: Path) -> Path:
    """A closed store with one entry, of the newest schema there really is."""
    with closing(Store(path, backups=path.parent / "backups", clock=still)) as store:
        add(store, "kept")
    return path


def migrate(path: Path, *steps: Step) -> None:
    with closing(connect(path)) as connection:
        bring_up_to_date(connection, path, path.parent / "backups", (*STEPS, *steps))


def test_a_new_store_and_one_that_is_up_to_date_need_no_backup(old: Path) -> None:
    migrate(old)
    assert backups(old) == []


def test_a_step_is_done_once_with_a_sound_backup_before_it(old: Path) -> None:
    for _ in range(2):
        migrate(old, Step(NEXT, STATEMENTS))
    assert schema_of(old) == (NEXT, True)
    [backup] = backups(old)
    assert backup.name.startswith(f"before-schema-{NEXT}-")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with closing(Store(backup, backups=old.parent / "more", clock=still)) as store:
        assert store.read(entries.totals)[0] == 1
        assert unsound(store) == {}


def test_several_steps_need_one_backup(old: Path) -> None:
    migrate(old, Step(NEXT, STATEMENTS), Step(NEXT + 1, ("INSERT INTO later VALUES ('twice')",)))
    assert schema_of(old) == (NEXT + 1, True)
    assert len(backups(old)) == 1


@pytest.mark.parametrize("broken", [Step(NEXT, STATEMENTS, fail), Step(NEXT, (*STATEMENTS, "INSERT INTO nowhere VALUES (1)"))])
def test_a_step_that_fails_leaves_nothing_of_itself(old: Path, broken: Step) -> None:
    with pytest.raises((RuntimeError, sqlite3.OperationalError)):
        migrate(old, broken)
    assert schema_of(old) == (SCHEMA_VERSION, False)
    with closing(Store(old, backups=old.parent, clock=still)) as store:
        assert add(store, "after").version == 1


def test_a_process_that_dies_in_a_step_leaves_the_old_schema(old: Path, elsewhere: Elsewhere) -> None:
    with elsewhere.start(step_when_told, old, True) as running:
        running.connection.send("go")
        assert running.end() == -signal.SIGKILL
    assert schema_of(old) == (SCHEMA_VERSION, False)
    migrate(old, Step(NEXT, STATEMENTS))
    assert schema_of(old) == (NEXT, True)


def race(elsewhere: Elsewhere, function: Callable[..., None], *words: object) -> list[object]:
    """Let four processes do the same at once, and return what they say."""
    with ExitStack() as opened:
        running = [opened.enter_context(elsewhere.start(function, *words)) for _ in range(4)]
        assert [one.hear() for one in running] == ["ready"] * 4
        for one in running:
            one.connection.send("go")
        return [one.hear() for one in running]


def test_processes_that_race_do_a_step_once(old: Path, elsewhere: Elsewhere) -> None:
    assert race(elsewhere, step_when_told, old, False) == ["done"] * 4
    assert schema_of(old) == (NEXT, True)
    assert len(backups(old)) == 1


def test_a_store_that_was_brought_up_to_date_is_too_new_for_the_older_program(old: Path) -> None:
    migrate(old, Step(NEXT, STATEMENTS))
    with pytest.raises(StoreNewer):
        Store(old, backups=old.parent, clock=still)


def test_processes_that_make_a_store_at_once_make_one(path: Path, elsewhere: Elsewhere) -> None:
    [one] = set(race(elsewhere, open_when_told, path))
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        assert store.store_id == one
        assert unsound(store) == {}
