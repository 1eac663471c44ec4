"""The write-ahead log stays short, and a watched store carries it over by itself."""

from __future__ import annotations

from contextlib import closing
from itertools import count
from pathlib import Path

from memorypane.store import events
from memorypane.store.journal import LONG_PAGES, SHORT_BYTES
from memorypane.store.store import Store
from tests.store.support import add, still, unsound
from tests.support import wait_until

LARGE = "word " * 200_000


def log_size(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_size


def test_a_watched_store_carries_a_long_log_over_while_it_is_open(path: Path) -> None:
    with closing(Store(path, backups=path.parent, clock=still, watch=True)) as store:
        for number in range(3):
            add(store, f"entry {number}", LARGE)
        assert log_size(path) < LONG_PAGES * 4_096
        assert wait_until(lambda: path.stat().st_size > 3 * len(LARGE))
        # The next write begins the log anew, and cuts it back.
        names = map(str, count())
        assert wait_until(lambda: add(store, next(names)).version == 1 and log_size(path) <= SHORT_BYTES)
        assert unsound(store) == {}


def test_a_short_log_stays_where_it_is(path: Path) -> None:
    with closing(Store(path, backups=path.parent, clock=still, watch=True)) as store:
        before = path.stat().st_size
        add(store, "entry")
        newest = store.read(events.newest_seq)
        assert wait_until(lambda: store.feed._seen >= newest)
        assert path.stat().st_size == before


def test_the_log_of_a_store_that_nobody_watches_does_not_grow_without_end(store: Store, path: Path) -> None:
    for number in range(12):
        add(store, f"entry {number}", LARGE)
    assert path.stat().st_size > 12 * len(LARGE)
    assert log_size(path) < 2 * LONG_PAGES * 4_120
