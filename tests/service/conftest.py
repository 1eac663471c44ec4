"""What the service's tests share: an open desk with a person, verified agents and one that nobody knows at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from memorypane.home.paths import Home
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock, unsound


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(home: Home, clock: Clock) -> Iterator[Desk]:
    """A desk; whatever a test does there, the store must be sound in the end."""
    with Desk.open(home, clock=clock) as made:
        yield made
        assert unsound(made) == {}


@pytest.fixture
def person(desk: Desk) -> PersonFace:
    return desk.person(via="window")


@pytest.fixture
def agent(desk: Desk, person: PersonFace) -> Callable[[str], Agent]:
    """Register an agent and let it in."""
    return lambda name: Agent.enter(desk, name, person.add_agent(name).token)


@pytest.fixture
def alice(agent: Callable[[str], Agent]) -> Agent:
    return agent("alice")


@pytest.fixture
def bob(agent: Callable[[str], Agent]) -> Agent:
    return agent("bob")


@pytest.fixture
def mallory(desk: Desk) -> Agent:
    """An agent that nobody registered."""
    return Agent.enter(desk, "mallory")
