"""Real processes that write to one store at once, and processes that are killed while they do."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from memorypane.home.paths import Home
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.service.desk import Desk
from memorypane.store import entries
from memorypane.store.store import Store
from tests.store.processes import Elsewhere, Running
from tests.store.support import still, unsound
from tests.store.workers import AGENTS, Written, burst, create_and_edit, race_for_versions, register

ROUNDS = int(os.environ.get("KILL_ROUNDS", "8"))
"""How often processes are killed; more than a few rounds are for a night."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A home with eight agents in it."""
    register(Home(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def shared_id(root: Path) -> str:
    with Desk.open(Home(root)) as desk:
        return desk.person(via="command").add(INSTRUCTIONS, name="shared", content="\n").id


def all_at_once(elsewhere: Elsewhere, function: Callable[..., None], root: Path, *words: object) -> list[Any]:
    """Let every agent do the same at once, and return what each says."""
    with ExitStack() as opened:
        running = [opened.enter_context(elsewhere.start(function, root, name, *words)) for name in AGENTS]
        assert [one.hear() for one in running] == ["ready"] * len(AGENTS)
        for one in running:
            one.connection.send("go")
        return [one.hear(60) for one in running]


def versions(store: Store) -> dict[tuple[str, int], str]:
    query = text("SELECT entry_id, number, content FROM version")
    return {(entry_id, number): content for entry_id, number, content in store.read(lambda t: t.connection.execute(query).all())}


def missing(store: Store, answered: Sequence[Written]) -> list[Written]:
    """The writes that were answered for and do not stand in the store as they were said."""
    stored = versions(store)
    kept = [stored.get((one.entry_id, one.version)) for one in answered]
    return [one for one, text_ in zip(answered, kept, strict=True) if text_ is None or one.content not in (None, text_)]


def test_eight_processes_lose_nothing_and_number_without_gaps(root: Path, shared_id: str, elsewhere: Elsewhere) -> None:
    times = 15
    answered = [one for done in all_at_once(elsewhere, create_and_edit, root, shared_id, times) for one in done]
    with closing(Store(Home(root).shared_store, backups=root, clock=still)) as store:
        assert missing(store, answered) == []
        assert unsound(store) == {}
        assert store.read(entries.totals)[0] == len(AGENTS) * times + 1
        history = store.read(lambda transaction: entries.history(transaction, shared_id))
    assert sorted(version.number for version in history) == list(range(1, len(AGENTS) * times + 2))


def test_of_eight_processes_that_race_for_a_version_one_wins(root: Path, shared_id: str, elsewhere: Elsewhere) -> None:
    said = all_at_once(elsewhere, race_for_versions, root, shared_id, 100)
    won = [one for winners, _ in said for one in winners]
    assert sum(lost for _, lost in said) > 0
    numbers = [one.version for one in won]
    assert sorted(numbers) == list(range(2, max(numbers) + 1))
    with closing(Store(Home(root).shared_store, backups=root, clock=still)) as store:
        assert missing(store, won) == []
        found = store.read(lambda transaction: entries.entry(transaction, shared_id))
        assert found is not None
        assert len(found.content.splitlines()) == len(won) + 1
        assert unsound(store) == {}


def kill_in_mid_burst(elsewhere: Elsewhere, root: Path, seed: int) -> list[Written]:
    """Let processes write, kill them all at a moment that nobody chose, and return what they had said by then."""
    dice = random.Random(seed)  # noqa: S311 - when they die is no secret
    with ExitStack() as opened:
        running = [opened.enter_context(elsewhere.start(burst, root, name, seed)) for name in AGENTS[:3]]
        assert [one.hear() for one in running] == ["ready"] * 3
        answered = listen(running, dice.randrange(1, 40))
        for one in running:
            assert one.process.pid is not None
            os.kill(one.process.pid, signal.SIGKILL)
        for one in running:
            assert one.end() == -signal.SIGKILL
        return answered + listen(running, None)


def listen(running: Sequence[Running], most: int | None) -> list[Written]:
    """What the processes say, until so much was said, or they are all gone."""
    said: list[Written] = []
    open_ones = {one.connection: one for one in running}
    while open_ones and (most is None or len(said) < most):
        for connection in wait(list(open_ones), timeout=30):
            one = open_ones[connection]  # type: ignore[index]
            try:
                said.append(one.hear())
            except (EOFError, OSError):
                del open_ones[one.connection]
    return said


def test_processes_that_are_killed_leave_all_they_answered_for_and_nothing_half(root: Path, elsewhere: Elsewhere) -> None:
    answered: list[Written] = []
    for number in range(ROUNDS):
        answered += kill_in_mid_burst(elsewhere, root, number)
        with closing(Store(Home(root).shared_store, backups=root, clock=still)) as store:
            assert missing(store, answered) == []
            assert unsound(store) == {}
    assert len(answered) > ROUNDS
