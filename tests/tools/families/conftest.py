"""What the tests of the tool families share: agents at a desk, some of them working in a known folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memorypane.model.values import Workspace
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.service.conftest import agent, alice, bob, clock, desk, mallory, person
from tests.service.support import Agent

__all__ = ["agent", "alice", "bob", "clock", "desk", "folder", "here", "mallory", "person", "worker"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to work in."""
    made = tmp_path / "work" / "parser"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def here(person: PersonFace, folder: Path) -> Workspace:
    """That folder as a workspace that the person confirmed."""
    return person.add_workspace(folder)


@pytest.fixture
def worker(desk: Desk, person: PersonFace, here: Workspace) -> Callable[[str], Agent]:
    """Register an agent and let it in from that folder."""
    return lambda name: Agent.enter(desk, name, person.add_agent(name).token, workspace=here.path)
