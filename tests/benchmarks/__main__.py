"""Writes, reads and searches beside their floors: `python -m tests.benchmarks`, or `packaging/bench`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorypane.home.paths import Home
from tests.benchmarks.measure import Call, Row, Series, interleave, table
from tests.benchmarks.stores import BareStore, fill, name_of, text_of, word_of
from tests.benchmarks.subjects import Bridge, Dispatcher, EmptyServer
from tests.support import end_processes_of

WRITE, READ, SEARCH = "GlobalMemoryWrite", "GlobalMemoryRead", "SearchMemory"
CREATES_FROM = 10_000_000
"""Numbers of the entries that the measured calls make, beyond all that a store was filled with."""
Query = Callable[[int], str]
QUERIES: tuple[tuple[str, Query], ...] = (
    ("search one", word_of),
    ("search some", lambda number: ("boubel mio", "fasen ge", "kiorop le")[number % 3]),
    ("search all", lambda _: "everywhere"),
)


@dataclass(frozen=True)
class Filled:
    """One size of store: the home, the ids in it, and the bare store with the same rows."""

    size: int
    home: Home
    ids: list[str]
    bare: BareStore


def say(words: str) -> None:
    """Tell how far it is."""
    sys.stderr.write(f"{words}\n")


def filled(folder: Path, size: int, opened: ExitStack) -> Filled:
    """Fill both stores of a size."""
    started = time.perf_counter()
    home = Home(folder / f"home-{size}")
    ids = fill(home, size)
    bare = opened.enter_context(closing(BareStore(folder / f"bare-{size}.db", size)))
    say(f"Filled {size:,} entries in {time.perf_counter() - started:.1f} s.")
    return Filled(size, home, ids, bare)


def tool_series(subject: str, one: Filled, call: Callable[..., Any], shift: int) -> list[Series]:
    """What a subject with our tools does; `shift` keeps the names that it makes apart from another's."""

    def create(number: int) -> None:
        which = CREATES_FROM + shift + number
        call(WRITE, name=name_of(which), content=text_of(which))

    def update(number: int) -> None:
        # Entries of the import: an agent's edit of these goes live.
        which = (number * 7919 + shift) % one.size
        call(WRITE, id=one.ids[which], name=name_of(which), content=text_of(CREATES_FROM + shift + number))

    def read(number: int) -> None:
        call(READ, id=one.ids[number * 7919 % one.size])

    def search(query: Query) -> Call:
        return lambda number: call(SEARCH, query=query(number * 7919 % one.size))

    calls: dict[str, Call] = {"create": create, "update": update, "read": read, **{name: search(query) for name, query in QUERIES}}
    return [Series(subject, name, one.size, made) for name, made in calls.items()]


def bare_series(one: Filled) -> list[Series]:
    """The same on bare SQLite."""
    bare = one.bare

    def search(query: Query) -> Call:
        return lambda number: bare.search(f'"{query(number * 7919 % one.size)}"*')

    calls: dict[str, Call] = {
        "create": lambda number: bare.create(CREATES_FROM + number),
        "update": lambda number: bare.update(bare.ids[number * 7919 % one.size], number),
        "read": lambda number: bare.read(bare.ids[number * 7919 % one.size]),
        **{name: search(query) for name, query in QUERIES},
    }
    return [Series("SQLite", name, one.size, made) for name, made in calls.items()]


def ratios(series: Sequence[Series], sizes: Sequence[int]) -> list[Row]:
    """How the measured times stand to their floors and to each other."""
    by = {(one.subject, one.operation, one.size): one for one in series}
    empty = by.get(("empty server", "call", 0))
    rows: list[Row] = []

    def row(what: str, value: float, most: float, unit: str = "ms") -> None:
        rows.append(Row(what, value, f"≤ {most:.2f} {unit}", kept=value <= most))

    subjects = [name for name in ("bridge", "dispatcher") if (name, "read", sizes[0]) in by]
    for size in sizes:
        for operation in ("create", "update"):
            floor = by["SQLite", operation, size].percentile(50) + (empty.percentile(50) if empty else 0)
            for name in subjects:
                row(f"{name} {operation} p50 at {size:,}", by[name, operation, size].percentile(50), floor + 2)
        for name in subjects:
            if empty:
                row(f"{name} read p50 at {size:,}", by[name, "read", size].percentile(50), empty.percentile(50) + 1.2)
            for operation, _ in QUERIES:
                row(f"{name} {operation} p95 at {size:,}", by[name, operation, size].percentile(95), 60 if size > 10_000 else 20)
            for operation in ("create", "update", "read"):
                found = by[name, operation, size]
                row(f"{name} {operation} p99 at {size:,}", found.percentile(99), 5 * found.percentile(50))
    for name in subjects:
        for operation in ("create", "update", "read"):
            first, last = by[name, operation, sizes[0]].percentile(50), by[name, operation, sizes[-1]].percentile(50)
            row(f"{name} {operation} {sizes[-1]:,} to {sizes[0]:,}", last / first, 1.3, "times")
    return rows


def main() -> None:
    """Fill the stores, measure in turns and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="100,10000,100000", help="numbers of entries, parted by commas")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each subject")
    parser.add_argument("--calls", type=int, default=40, help="calls in a turn")
    parser.add_argument("--no-bridge", action="store_true", help="leave out the real bridge and the empty server")
    words = parser.parse_args()
    sizes = [int(size) for size in words.sizes.split(",")]
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="mp-bench-")))
        series: list[Series] = []
        for size in sizes:
            one = filled(folder, size, opened)
            found = bare_series(one) + tool_series("dispatcher", one, opened.enter_context(closing(Dispatcher(one.home))).call, 0)
            if not words.no_bridge:
                opened.callback(end_processes_of, one.home.root)
                found += tool_series("bridge", one, opened.enter_context(closing(Bridge(one.home))).call, 1_000_000)
            series += found
        if not words.no_bridge:
            empty = opened.enter_context(closing(EmptyServer()))
            series.append(Series("empty server", "call", 0, lambda _: empty.call()))
        say("Measuring.")
        interleave(series, rounds=words.rounds, calls=words.calls, warm_up=5)
        order = {name: number for number, name in enumerate(["call", "create", "update", "read", *(name for name, _ in QUERIES)])}
        series.sort(key=lambda one: (order[one.operation], one.size, one.subject))
        sys.stdout.write(table(series, ratios(series, sizes)) + "\n")


if __name__ == "__main__":
    main()
