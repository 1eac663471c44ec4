"""What the tests of the contracts' pages share: the same desk, person, folder and agents as the families' own tests."""

from __future__ import annotations

from tests.tools.families.conftest import agent, alice, bob, clock, desk, folder, here, mallory, person, worker

__all__ = ["agent", "alice", "bob", "clock", "desk", "folder", "here", "mallory", "person", "worker"]
