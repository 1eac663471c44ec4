"""What the tests of the tools share: an open desk with the person and agents at it."""

from __future__ import annotations

from tests.service.conftest import agent, alice, bob, clock, desk, mallory, person

__all__ = ["agent", "alice", "bob", "clock", "desk", "mallory", "person"]
