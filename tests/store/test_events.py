"""The audit trail: chained rows, and what a changed chain looks like."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from memorypane.store import events
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction
from tests.store.support import add, stamp

COLUMNS = {
    "at": 1, "actor": "agent:mallory", "action": "keep", "entry_id": "other", "version": 9, "tool": "other", "outcome": "held",
    "detail": '{"a":1}', "count": 7, "via": "window", "channel": "other", "connection": "other", "hash": "0" * 64,
}  # fmt: skip


def execute(store: Store, statement: str, **values: Any) -> None:
    def job(transaction: Transaction) -> None:
        transaction.connection.execute(text(statement), values)

    store.write(job)


@pytest.fixture
def trail(store: Store) -> Store:
    """A store with six rows in its audit trail."""
    for number in range(6):
        add(store, f"entry {number}")
    return store


def test_an_untouched_chain_fits(trail: Store) -> None:
    assert trail.read(events.verify) == 0


def test_an_empty_chain_fits(store: Store) -> None:
    assert store.read(events.verify) == 0


def test_every_column_is_bound(trail: Store) -> None:
    described = trail.read(lambda transaction: transaction.connection.execute(text("SELECT * FROM event LIMIT 1")).keys())
    assert set(COLUMNS) == set(described) - {"seq"}


@pytest.mark.parametrize(("column", "value"), COLUMNS.items())
def test_a_changed_column_is_found(trail: Store, column: str, value: object) -> None:
    execute(trail, f"UPDATE event SET {column} = :value WHERE seq = 3", value=value)  # noqa: S608 - a name of ours
    assert trail.read(events.verify) == 3


@pytest.mark.parametrize("gone", [1, 2, 5])
def test_a_row_that_was_taken_out_is_found_at_the_next_one(trail: Store, gone: int) -> None:
    execute(trail, "DELETE FROM event WHERE seq = :seq", seq=gone)
    assert trail.read(events.verify) == gone + 1


def test_rows_in_another_order_are_found(trail: Store) -> None:
    for old, new in ((3, 100), (4, 3), (100, 4)):
        execute(trail, "UPDATE event SET seq = :new WHERE seq = :old", old=old, new=new)
    assert trail.read(events.verify) == 3


def test_a_row_put_in_between_is_found(trail: Store) -> None:
    execute(trail, "UPDATE event SET seq = seq + 1000 WHERE seq > 3")
    execute(trail, "INSERT INTO event SELECT 4, at, actor, action, entry_id, version, tool, outcome, detail, count, via, channel,"
                   " connection, hash FROM event WHERE seq = 2")  # fmt: skip
    assert trail.read(events.verify) == 4


def test_a_chain_goes_on_after_a_rolled_back_call(trail: Store) -> None:
    def fail(transaction: Transaction) -> None:
        events.record(transaction, stamp().trace, "never")
        raise KeyError

    with pytest.raises(KeyError):
        trail.write(fail)
    add(trail, "more")
    assert trail.read(events.verify) == 0
    assert [event.action for event in trail.read(lambda transaction: events.latest(transaction, 10))] == ["create"] * 7


def test_no_event_holds_a_word_of_the_entry(store: Store) -> None:
    add(store, "Unmistakable name", "unmistakable text")
    rows = store.read(lambda transaction: transaction.connection.execute(text("SELECT * FROM event")).all())
    assert "nmistakable" not in str(rows)
