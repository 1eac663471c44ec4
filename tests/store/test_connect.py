from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from memorypane.model.errors import Unavailable
from memorypane.store import entries
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction
from tests.store.support import add, raw, still

PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1, "busy_timeout": 10_000}


def pragma(transaction: Transaction, name: str) -> object:
    return transaction.connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(("name", "value"), PRAGMAS.items())
def test_connections_that_write_and_that_read_are_set_alike(store: Store, name: str, value: object) -> None:
    assert store.write(lambda transaction: pragma(transaction, name)) == value
    assert store.read(lambda transaction: pragma(transaction, name)) == value


def test_connections_that_read_cannot_write(store: Store) -> None:
    with pytest.raises(Unavailable):
        store.read(lambda transaction: transaction.connection.execute(text("DELETE FROM entry")))


def test_a_write_transaction_holds_the_lock_from_its_beginning(store: Store, path: Path) -> None:
    def job(_: Transaction) -> int:
        with closing(raw(path)) as other, pytest.raises(sqlite3.OperationalError) as caught:
            other.execute("BEGIN IMMEDIATE")
        return caught.value.sqlite_errorcode

    assert store.write(job) == sqlite3.SQLITE_BUSY


def test_a_read_transaction_sees_one_moment_and_holds_nobody_up(store: Store) -> None:
    first = add(store, "first")

    def job(transaction: Transaction) -> tuple[int, object]:
        before = len(entries.history(transaction, first.id))
        second = add(store, "second")
        return before, entries.info(transaction, second.id)

    assert store.read(job) == (1, None)
    assert store.read(lambda transaction: entries.totals(transaction)[0]) == 2


def test_store_and_files_beside_it_are_the_owners_alone(store: Store, path: Path) -> None:
    add(store, "first")
    files = {one.name: mode(one) for one in path.parent.iterdir() if one.is_file()}
    assert files == {"identity.db": 0o600, "identity.db-wal": 0o600, "identity.db-shm": 0o600}
    assert mode(path.parent) == 0o700


def test_a_store_that_others_could_read_is_closed_to_them(path: Path) -> None:
    Store(path, backups=path.parent, clock=still).close()
    path.chmod(0o644)
    path.parent.chmod(0o755)
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        add(store, "first")
        assert {mode(one) for one in path.parent.iterdir()} == {0o600}
        assert mode(path.parent) == 0o700


def test_every_store_has_an_id_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    def store_id(name: str) -> str:
        with closing(Store(tmp_path / name / "identity.db", backups=tmp_path, clock=still)) as store:
            return store.store_id

    assert store_id("one") == store_id("one") != store_id("two")


def test_a_closed_store_refuses_reads_and_writes(store: Store) -> None:
    add(store, "first")
    store.close()
    with pytest.raises(Unavailable, match="closed"):
        store.read(entries.totals)
    with pytest.raises(Unavailable, match="closed"):
        add(store, "second")


def test_opening_an_up_to_date_store_waits_for_no_writer(store: Store, path: Path) -> None:
    def job(_: Transaction) -> str:
        with closing(Store(path, backups=path.parent, clock=still)) as second:
            return second.store_id

    assert store.write(job) == store.store_id
