"""The writer: order, shared commits, whose failure reaches whom."""

from __future__ import annotations

import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import event, text

from memorypane.model.errors import MemoryPaneError, Unavailable
from memorypane.model.values import Action
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction
from memorypane.store.writer import BATCH
from tests.store.support import raw, state, unsound, write
from tests.support import wait_until

Job = Callable[[Transaction], object]


def create(name: str) -> Job:
    return lambda transaction: write(transaction, "", Action.CREATE, state(name)).name


class Crowd:
    """Jobs that all wait behind one that is held, so that they share the next commit in the order in which they came."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(100)
        self._held, self._go = threading.Event(), threading.Event()
        self.first = self._pool.submit(store.write, self._hold)
        assert self._held.wait(10)

    def _hold(self, _: Transaction) -> str:
        self._held.set()
        assert self._go.wait(30)
        return "first"

    def send(self, job: Job) -> Future[object]:
        """Queue a job, and come back when it stands in the queue."""
        queue = self._store._writer._queue
        before = len(queue)
        future = self._pool.submit(self._store.write, job)
        assert wait_until(lambda: len(queue) > before)
        return future

    def go(self) -> None:
        """Let the first one go on."""
        self._go.set()

    def close(self) -> None:
        self._go.set()
        self._pool.shutdown()


@pytest.fixture
def crowd(store: Store) -> Iterator[Crowd]:
    made = Crowd(store)
    yield made
    made.close()


@pytest.fixture
def commits(store: Store) -> list[str]:
    """The transactions of the writer, as they end."""
    seen: list[str] = []
    event.listen(store._writing, "commit", lambda _: seen.append("commit"))
    event.listen(store._writing, "rollback", lambda _: seen.append("rollback"))
    return seen


def names(store: Store) -> list[str]:
    query = text("SELECT name FROM entry ORDER BY seq")
    return list(store.read(lambda transaction: transaction.connection.execute(query).scalars().all()))


def test_calls_are_carried_out_in_the_order_in_which_they_came(store: Store, crowd: Crowd) -> None:
    futures = [crowd.send(create(f"entry {number}")) for number in range(20)]
    crowd.go()
    assert [future.result(10) for future in futures] == [f"entry {number}" for number in range(20)]
    assert names(store) == [f"entry {number}" for number in range(20)]


def test_calls_that_wait_together_share_a_commit(crowd: Crowd, commits: list[str]) -> None:
    futures = [crowd.send(create(f"entry {number}")) for number in range(20)]
    crowd.go()
    for future in futures:
        future.result(10)
    assert commits == ["commit", "commit"]


def test_no_more_calls_share_a_commit_than_may(crowd: Crowd, commits: list[str]) -> None:
    futures = [crowd.send(create(f"entry {number}")) for number in range(BATCH + 1)]
    crowd.go()
    for future in futures:
        future.result(10)
    assert commits == ["commit"] * 3


def test_a_failing_call_leaves_the_others_of_its_commit_alone(store: Store, crowd: Crowd) -> None:
    def fail(transaction: Transaction) -> None:
        create("never")(transaction)
        raise KeyError("mine")

    before = crowd.send(create("before"))
    failing = crowd.send(fail)
    after = crowd.send(create("after"))
    crowd.go()
    assert (before.result(10), after.result(10)) == ("before", "after")
    with pytest.raises(KeyError, match="mine"):
        failing.result(10)
    assert names(store) == ["before", "after"]
    assert unsound(store) == {}


def test_a_lone_failing_call_writes_nothing(store: Store) -> None:
    def fail(transaction: Transaction) -> None:
        create("never")(transaction)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        store.write(fail)
    assert names(store) == []


def test_each_caller_gets_its_own_answer_and_its_own_error(crowd: Crowd) -> None:
    def fail(number: int) -> Job:
        def job(_: Transaction) -> None:
            raise ValueError(number)

        return job

    futures = [crowd.send(fail(number) if number % 2 else create(f"entry {number}")) for number in range(10)]
    crowd.go()
    for number, future in enumerate(futures):
        if number % 2:
            with pytest.raises(ValueError, match=f"^{number}$"):
                future.result(10)
        else:
            assert future.result(10) == f"entry {number}"


def test_an_answer_comes_only_after_the_commit(store: Store, crowd: Crowd, path: Path) -> None:
    seen: list[tuple[bool, int]] = []
    future = crowd.send(create("first"))

    def last(_: Transaction) -> None:
        with closing(raw(path)) as other:
            (count,) = other.execute("SELECT count(*) FROM entry").fetchone()
        seen.append((future.done(), count))

    end = crowd.send(last)
    crowd.go()
    end.result(10)
    assert seen == [(False, 0)]
    assert names(store) == ["first"]


def test_a_commit_that_fails_fails_for_every_call_in_it(store: Store, crowd: Crowd) -> None:
    def refuse(_: object) -> None:
        raise sqlite3.OperationalError("no")

    futures = [crowd.send(create(f"entry {number}")) for number in range(3)]
    event.listen(store._writing, "commit", refuse)
    crowd.go()
    with pytest.raises(sqlite3.OperationalError):
        crowd.first.result(10)
    for future in futures:
        with pytest.raises(sqlite3.OperationalError):
            future.result(10)
    event.remove(store._writing, "commit", refuse)
    assert names(store) == []
    assert store.write(create("later")) == "later"


def test_a_disk_that_fills_up_in_a_shared_commit_is_told_to_every_caller(store: Store, crowd: Crowd) -> None:
    def fill(transaction: Transaction) -> None:
        # No page more than there are: what SQLite does then is what it does on a full disk.
        transaction.connection.exec_driver_sql("PRAGMA max_page_count = 1")
        for number in range(1000):
            write(transaction, "", Action.CREATE, state(f"big {number}", "x" * 4000))

    before, full, after = crowd.send(create("before")), crowd.send(fill), crowd.send(create("after"))
    crowd.go()
    problems = [future.exception(10) for future in (before, full, after)]
    assert isinstance(problems[1], Unavailable)
    for problem, name in zip(problems[::2], ("before", "after"), strict=True):
        assert problem is None or isinstance(problem, MemoryPaneError)
        assert (problem is None) == (name in names(store))
    assert unsound(store) == {}


def test_a_transaction_that_sqlite_ended_by_itself_fails_for_every_call_in_it(store: Store, crowd: Crowd) -> None:
    def end(transaction: Transaction) -> None:
        transaction.connection.exec_driver_sql("ROLLBACK")
        raise Unavailable("The disk is full.")

    futures = [crowd.send(create("before")), crowd.send(end), crowd.send(create("after"))]
    crowd.go()
    for future in futures:
        with pytest.raises(Unavailable, match="disk is full"):
            future.result(10)
    assert names(store) == []
    assert store.write(create("later")) == "later"


def test_an_interrupt_reaches_the_caller_in_whose_thread_it_came(store: Store, crowd: Crowd) -> None:
    def interrupt(_: Transaction) -> None:
        raise KeyboardInterrupt

    leading, interrupted = crowd.send(create("leads")), crowd.send(interrupt)
    crowd.go()
    assert isinstance(leading.exception(10), KeyboardInterrupt)
    problem = interrupted.exception(10)
    assert isinstance(problem, Unavailable)
    assert "Nothing was written" in problem.message
    assert names(store) == []
    assert store.write(create("later")) == "later"


class Stopped(Exception):
    pass


def test_a_caller_that_is_interrupted_while_it_waits_takes_its_job_back(store: Store, crowd: Crowd) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    queue = store._writer._queue
    mine = threading.get_ident()

    def interrupt() -> Future[object]:
        assert wait_until(lambda: len(queue) == 1)
        after = crowd.send(create("after"))
        signal.pthread_kill(mine, signal.SIGUSR1)
        return after

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        with ThreadPoolExecutor(1) as pool:
            interrupting = pool.submit(interrupt)
            with pytest.raises(Stopped):
                store.write(create("never"))
            after = interrupting.result(10)
    finally:
        signal.signal(signal.SIGUSR1, before)
    crowd.go()
    assert after.result(10) == "after"
    assert names(store) == ["after"]


def test_closing_waits_for_calls_that_were_taken(store: Store, crowd: Crowd) -> None:
    futures = [crowd.send(create(f"entry {number}")) for number in range(5)]
    closing_ = ThreadPoolExecutor(1)
    closed = closing_.submit(store.close)
    assert wait_until(lambda: store._writer._closed)
    with pytest.raises(TimeoutError):
        closed.result(0.2)
    crowd.go()
    closed.result(10)
    closing_.shutdown()
    assert [future.result(10) for future in futures] == [f"entry {number}" for number in range(5)]
