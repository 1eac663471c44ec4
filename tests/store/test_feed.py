"""What listeners hear of commits, of this process and of others."""

from __future__ import annotations

import queue
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import event

from memorypane.model.values import Action
from memorypane.store import events
from memorypane.store.store import Store
from memorypane.store.transaction import Touched, Transaction
from tests.store.processes import Elsewhere, Running
from tests.store.support import add, state, still, write
from tests.support import wait_until

Heard = queue.Queue[tuple[Touched, bool]]


def write_what_comes(connection: Connection, path: Path) -> None:
    """Write an entry of each name that comes in, and say its id."""
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        connection.send("ready")
        while name := connection.recv():
            connection.send(add(store, name).id)


class Other:
    """A second process that writes to the same store."""

    def __init__(self, running: Running) -> None:
        self._running = running
        assert running.hear() == "ready"

    def add(self, name: str) -> str:
        """Let it write an entry and return its id."""
        self._running.connection.send(name)
        return str(self._running.hear())


@pytest.fixture
def watching(path: Path) -> Iterator[Store]:
    with closing(Store(path, backups=path.parent, clock=still, watch=True)) as store:
        yield store


@pytest.fixture
def other(watching: Store, elsewhere: Elsewhere) -> Iterator[Other]:
    with elsewhere.start(write_what_comes, watching.path) as running:
        yield Other(running)


@pytest.fixture
def heard(watching: Store) -> Heard:
    made: Heard = queue.Queue()
    watching.feed.subscribe(lambda touched, foreign: made.put((touched, foreign)))
    return made


def test_a_commit_of_this_process_is_told_before_the_call_returns(watching: Store, heard: Heard) -> None:
    made = add(watching, "one", actor="agent:alice")
    touched, foreign = heard.get_nowait()
    assert (touched.entries, touched.review, foreign) == ({made.id}, True, False)


def test_a_commit_of_another_process_is_told_within_a_second(other: Other, heard: Heard) -> None:
    made = other.add("theirs")
    touched, foreign = heard.get(timeout=1)
    assert (touched.entries, foreign) == ({made}, True)


def test_commits_of_both_are_each_told_once(watching: Store, other: Other, heard: Heard) -> None:
    ids = [(add(watching, f"mine {number}").id, False) if number % 2 else (other.add(f"theirs {number}"), True) for number in range(12)]
    told: list[tuple[str, bool]] = []
    while len(told) < len(ids):
        touched, foreign = heard.get(timeout=1)
        told += [(entry_id, foreign) for entry_id in touched.entries]
    marker = other.add("marker")
    touched, foreign = heard.get(timeout=1)
    assert (touched.entries, foreign) == ({marker}, True)
    assert sorted(told) == sorted(ids)


def test_an_own_commit_that_the_poll_sees_first_is_told_once(watching: Store, other: Other, heard: Heard) -> None:
    tell = watching.feed.committed

    def late(touched: Touched) -> None:
        newest = watching.read(events.newest_seq)
        assert wait_until(lambda: watching.feed._seen >= newest)
        tell(touched)

    watching.feed.committed = late  # type: ignore[method-assign]
    made = add(watching, "mine")
    marker = other.add("theirs")
    told = [heard.get(timeout=1) for _ in range(2)]
    assert [(touched.entries, foreign) for touched, foreign in told] == [({made.id}, False), ({marker}, True)]


def test_a_commit_that_failed_hides_no_other_ones(watching: Store, other: Other, heard: Heard) -> None:
    def refuse(_: object) -> None:
        raise KeyError("no commit")

    event.listen(watching._writing, "commit", refuse)
    with pytest.raises(KeyError):
        add(watching, "never")
    event.remove(watching._writing, "commit", refuse)
    assert watching.feed._own == set()
    made = other.add("theirs")
    touched, foreign = heard.get(timeout=1)
    assert (touched.entries, foreign) == ({made}, True)


def test_a_call_that_wrote_nothing_is_not_told(watching: Store, heard: Heard) -> None:
    def fail(transaction: Transaction) -> None:
        write(transaction, "", Action.CREATE, state("never"))
        raise KeyError("on purpose")

    watching.write(lambda _: None)
    with pytest.raises(KeyError):
        watching.write(fail)
    made = add(watching, "one")
    assert heard.get_nowait()[0].entries == {made.id}


def test_a_listener_that_ended_hears_no_more(watching: Store, heard: Heard) -> None:
    late: Heard = queue.Queue()
    end = watching.feed.subscribe(lambda touched, foreign: late.put((touched, foreign)))
    end()
    end()
    add(watching, "one")
    assert (heard.qsize(), late.qsize()) == (1, 0)


def test_a_listener_whose_window_is_gone_takes_nothing_from_the_others(watching: Store, heard: Heard) -> None:
    def gone(_: Touched, __: bool) -> None:
        raise RuntimeError("deleted")

    watching.feed.subscribe(gone)
    later: Heard = queue.Queue()
    watching.feed.subscribe(lambda touched, foreign: later.put((touched, foreign)))
    made = add(watching, "one")
    assert heard.get_nowait()[0].entries == later.get_nowait()[0].entries == {made.id}


def test_the_poll_goes_on_after_the_store_was_away(watching: Store, other: Other, heard: Heard) -> None:
    look, failures = watching.feed._look, [sqlite3.OperationalError("away"), sqlite3.OperationalError("still away")]

    def failing() -> None:
        if failures:
            raise failures.pop()
        look()

    watching.feed._look = failing  # type: ignore[method-assign]
    made = other.add("theirs")
    touched, foreign = heard.get(timeout=2)
    assert (touched.entries, foreign) == ({made}, True)
    assert failures == []


def test_what_others_committed_before_is_no_news(path: Path, elsewhere: Elsewhere) -> None:
    with closing(Store(path, backups=path.parent, clock=still)) as first:
        add(first, "old")
    with closing(Store(path, backups=path.parent, clock=still, watch=True)) as store, elsewhere.start(write_what_comes, path) as running:
        other = Other(running)
        heard: Heard = queue.Queue()
        store.feed.subscribe(lambda touched, foreign: heard.put((touched, foreign)))
        made = other.add("new")
        assert heard.get(timeout=2)[0].entries == {made}
