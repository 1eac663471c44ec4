"""What the common page says of `read_startup_memory`: an agent hears once how its own proposals ended, and of nobody else's."""

from __future__ import annotations

from typing import Any

from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock

JEKT = {"source": "jekt"}


def held(agent: Agent, name: str, content: str = "text", **more: Any) -> str:
    return str(agent.do("GlobalMemoryWrite", name=name, content=content, provenance=JEKT, **more)["proposalId"])


def own(agent: Agent, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = agent.do("read_startup_memory", **more)["own_proposals"]
    return found


def test_a_reading_tells_id_state_and_reason_of_what_was_decided_and_the_next_does_not_repeat_it(
    person: PersonFace, alice: Agent, clock: Clock
) -> None:
    first, second, third = held(alice, "One"), held(alice, "Two"), held(alice, "Three")
    assert own(alice) == {"waiting": 3, "decided": []}
    person.reject(second, reason="already\nknown")
    clock.pass_by(seconds=1)
    person.approve(first)
    result = alice.call("read_startup_memory")
    assert result.data["own_proposals"] == {
        "waiting": 1,
        "decided": [{"id": second, "state": "rejected", "reason": "already\nknown"}, {"id": first, "state": "approved", "reason": ""}],
    }
    last = result.text.splitlines()[-3:]
    assert last[0] == "1 of your writes waits for a person."
    assert last[1].startswith(f"Your proposal {second} was rejected: already")
    assert last[2] == f"Your proposal {first} was approved"
    assert third not in result.text
    assert own(alice) == {"waiting": 1, "decided": []}


def test_nobody_hears_of_the_proposals_of_another_agent(person: PersonFace, alice: Agent, bob: Agent) -> None:
    person.reject(held(alice, "One"), reason="no")
    assert own(bob) == {"waiting": 0, "decided": []}
    assert len(own(alice)["decided"]) == 1


def test_what_waits_again_is_told_of_anew_when_it_is_decided(person: PersonFace, alice: Agent) -> None:
    proposal = held(alice, "One")
    person.reject(proposal, reason="no")
    assert [one["state"] for one in own(alice)["decided"]] == ["rejected"]
    person.undo()
    assert own(alice) == {"waiting": 1, "decided": []}
    person.approve(proposal)
    assert own(alice)["decided"] == [{"id": proposal, "state": "approved", "reason": ""}]


def test_a_replaced_proposal_was_decided_by_nobody(alice: Agent) -> None:
    entry = alice.write("One")
    held(alice, "One", "first", id=entry)
    held(alice, "One", "second", id=entry)
    assert own(alice) == {"waiting": 1, "decided": []}


def test_the_lines_stand_on_the_last_page_and_only_that_one_counts_as_told(person: PersonFace, alice: Agent) -> None:
    for number in range(3):
        alice.write(f"Long {number}", f"{number} line\n" * 1_200)
    proposal = held(alice, "One")
    person.reject(proposal, reason="no")
    first = alice.call("read_startup_memory")
    assert proposal not in first.text
    offset = first.data["next_offset"]
    while offset is not None:
        page = alice.call("read_startup_memory", offset=offset)
        offset = page.data.get("next_offset")
    assert f"Your proposal {proposal} was rejected: no" in page.text
    assert own(alice)["decided"] == []
