"""Refused calls in the audit trail."""

from __future__ import annotations

import pytest

from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput, Unavailable
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock


def refusals(person: PersonFace) -> list[tuple[str, str, str, int]]:
    """Actor, tool, code and count of every refusal, oldest first."""
    found = [event for event in person.events(limit=1000) if event.action == "refuse"]
    return [(event.actor, event.tool, event.outcome, event.count) for event in reversed(found)]


def fail(agent: Agent) -> None:
    agent.refused("GlobalMemoryWrite", name="", content="unmistakable")


WRITE = ("agent:alice", "GlobalMemoryWrite", "invalid_input")


def test_the_first_refusal_is_written_at_once_without_its_words(person: PersonFace, alice: Agent) -> None:
    fail(alice)
    assert refusals(person) == [(*WRITE, 1)]
    assert "unmistakable" not in str(person.events())


def test_refusals_of_a_minute_become_one_row_with_their_count(person: PersonFace, alice: Agent, clock: Clock) -> None:
    for _ in range(50):
        clock.pass_by(seconds=1)
        fail(alice)
    assert refusals(person) == [(*WRITE, 1)]
    clock.pass_by(seconds=60)
    fail(alice)
    assert refusals(person) == [(*WRITE, 1), (*WRITE, 50)]


def test_agents_tools_and_codes_are_counted_apart(person: PersonFace, alice: Agent, bob: Agent) -> None:
    for _ in range(3):
        fail(alice)
        fail(bob)
        alice.refused("GlobalMemoryWrite", id="nothing", name="x", content="x")
        alice.refused("MemoryWrite", filename="..", content="x")
    assert [row[:3] for row in refusals(person)] == [
        WRITE,
        ("agent:bob", *WRITE[1:]),
        ("agent:alice", "GlobalMemoryWrite", "not_found"),
        ("agent:alice", "MemoryWrite", "invalid_input"),
    ]


def test_what_still_waits_is_written_when_the_desk_closes(home: Home, clock: Clock) -> None:
    with Desk.open(home, clock=clock) as desk:
        alice = Agent.enter(desk, "alice", desk.person(via="window").add_agent("alice").token)
        for _ in range(3):
            fail(alice)
    with Desk.open(home, clock=clock) as desk:
        assert refusals(desk.person(via="window")) == [(*WRITE, 1), (*WRITE, 2)]


def test_a_minute_that_ended_is_written_with_the_next_refusal_of_anybody(
    person: PersonFace, alice: Agent, bob: Agent, clock: Clock
) -> None:
    fail(alice)
    fail(alice)
    clock.pass_by(seconds=61)
    fail(bob)
    assert sorted(refusals(person)) == [(*WRITE, 1), (*WRITE, 1), ("agent:bob", *WRITE[1:], 1)]


def test_agents_that_come_and_go_leave_nothing_behind_in_memory(desk: Desk, clock: Clock) -> None:
    for number in range(30):
        fail(Agent.enter(desk, f"visitor-{number}"))
        clock.pass_by(seconds=61)
    assert len(desk._refusals._written) < 3


def test_a_clock_that_was_put_back_ends_the_minute(person: PersonFace, alice: Agent, clock: Clock) -> None:
    fail(alice)
    fail(alice)
    clock.pass_by(days=-1)
    fail(alice)
    assert refusals(person) == [(*WRITE, 1), (*WRITE, 2)]


def test_reads_that_find_nothing_are_no_refusals(person: PersonFace, alice: Agent) -> None:
    alice.refused("GlobalMemoryRead", id="nothing")
    alice.refused("SearchMemory", query=5)
    assert refusals(person) == []


def test_a_store_that_cannot_be_written_refuses_nobody(person: PersonFace, alice: Agent, desk: Desk) -> None:
    desk.refused(alice.caller, "GlobalMemoryWrite", Unavailable("The disk is full."))
    assert refusals(person) == []


def test_a_refusal_that_cannot_be_noted_is_still_answered(home: Home, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    with Desk.open(home, clock=clock) as desk:
        alice = Agent.enter(desk, "alice")
    desk.refused(alice.caller, "GlobalMemoryWrite", InvalidInput("no"))
    assert "could not be noted" in caplog.text
