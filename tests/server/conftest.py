"""Fixtures of the server's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memorypane.home.paths import Home
from tests.server.doors import Bare, Bridge, Server, running_server
from tests.support import Program


@pytest.fixture
def server(home: Home) -> Iterator[Server]:
    """A running server in this process."""
    with running_server(home) as made:
        yield made


@pytest.fixture
def bare(server: Server) -> Iterator[Callable[[], Bare]]:
    """Makes bare clients of the server."""
    made: list[Bare] = []

    def make() -> Bare:
        made.append(Bare(server.agents))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def bridge(program: Program) -> Iterator[Callable[..., Bridge]]:
    """Starts real bridges; what is left of them is ended."""
    made: list[Bridge] = []

    def start(*words: str | Path, env: dict[str, str | None] | None = None, cwd: Path | None = None) -> Bridge:
        made.append(Bridge(program, *words, env=env, cwd=cwd))
        return made[-1]

    yield start
    for each in made:
        each.close()
