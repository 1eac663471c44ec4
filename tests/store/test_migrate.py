"""Bringing a store of an older schema up to date."""

from __future__ import annotations

import json
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memorypane.model.errors import StoreNewer
from memorypane.store import entries
from memorypane.store.connect import connect
from memorypane.store.migrate import bring_up_to_date
from memorypane.store.schema import SCHEMA_VERSION, STEPS, Step
from memorypane.store.store import Store
from tests.store.support import add, raw, still, unsound
from tests.support import TOP

NEXT = SCHEMA_VERSION + 1
STATEMENTS = ("CREATE TABLE later (id TEXT PRIMARY KEY) STRICT", "INSERT INTO later VALUES ('once')")

MIGRATE = """
import json, os, signal, sys, time
from contextlib import closing
from pathlib import Path
from memorypane.store.connect import connect
from memorypane.store.migrate import bring_up_to_date
from memorypane.store.schema import STEPS, Step
path, statements, die = Path(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3] == "die"
def after(connection):
    if die:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.2)
print("ready", flush=True)
sys.stdin.readline()
with closing(connect(path)) as raw:
    bring_up_to_date(raw, path, path.parent / "backups", (*STEPS, Step(len(STEPS) + 1, statements, after)))
"""
MAKE = """
import sys
from pathlib import Path
from memorypane.store.store import Store
path = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
store = Store(path, backups=path.parent, clock=lambda: 1)
print(store.store_id)
store.close()
"""


def fail(_: sqlite3.Connection) -> None:
    raise RuntimeError("in the middle")


def start(path: Path, *, die: bool = False) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", MIGRATE, str(path), json.dumps(STATEMENTS), "die" if die else "live"]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TOP)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


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


def test_a_process_that_dies_in_a_step_leaves_the_old_schema(old: Path) -> None:
    child = start(old, die=True)
    child.communicate("go\n", timeout=30)
    assert child.returncode == -signal.SIGKILL
    assert schema_of(old) == (SCHEMA_VERSION, False)
    migrate(old, Step(NEXT, STATEMENTS))
    assert schema_of(old) == (NEXT, True)


def test_processes_that_race_do_a_step_once(old: Path) -> None:
    children = [start(old) for _ in range(3)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        _, errors = child.communicate(timeout=30)
        assert (child.returncode, errors) == (0, "")
    assert schema_of(old) == (NEXT, True)
    assert len(backups(old)) == 1


def test_a_store_that_was_brought_up_to_date_is_too_new_for_the_older_program(old: Path) -> None:
    migrate(old, Step(NEXT, STATEMENTS))
    with pytest.raises(StoreNewer):
        Store(old, backups=old.parent, clock=still)


def test_processes_that_make_a_store_at_once_make_one(path: Path) -> None:
    words = [sys.executable, "-c", MAKE, str(path)]
    children = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=TOP) for _ in range(3)]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    ids = {child.communicate("go\n", timeout=30)[0] for child in children}
    assert len(ids) == 1
    assert [child.returncode for child in children] == [0, 0, 0]
