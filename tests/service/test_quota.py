"""How much one agent may write."""

from __future__ import annotations

import pytest

from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.service.limits import DEFAULTS
from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock

WRITES, PENDING, UNREVIEWED = "quota.writes_per_minute", "quota.pending_proposals", "quota.unreviewed_entries"
JEKT = {"source": "jekt"}


def over(agent: Agent, number: int, **more: object) -> dict[str, object]:
    return agent.refused("GlobalMemoryWrite", name=f"entry {number}", content=str(number), **more)


def test_the_defaults_are_those_of_the_design(person: PersonFace) -> None:
    assert {key: value for key, value in person.settings().items() if key.startswith("quota.")} == {
        WRITES: 600,
        PENDING: 200,
        UNREVIEWED: 5_000,
    }


def test_writes_a_minute_are_counted_live_and_held(person: PersonFace, alice: Agent, clock: Clock) -> None:
    person.set_setting(WRITES, "3")
    alice.write("entry 0", "0")
    clock.pass_by(seconds=20)
    alice.reasons("GlobalMemoryWrite", name="entry 1", content="1", provenance=JEKT)
    alice.do("MemoryWrite", filename="a.md", content="2")
    error = over(alice, 3)
    assert (error["code"], error["retry_after_s"], error["quota"], error["limit"]) == ("over_limit", 40, WRITES, 3)
    clock.pass_by(seconds=39)
    assert over(alice, 3)["retry_after_s"] == 1
    clock.pass_by(seconds=1)
    alice.write("entry 3")


def test_what_was_refused_or_changed_nothing_does_not_count(person: PersonFace, alice: Agent) -> None:
    person.set_setting(WRITES, "2")
    made = alice.write("entry 0", "0")
    for _ in range(5):
        alice.refused("GlobalMemoryWrite", name="entry 0", content="again")
        alice.do("GlobalMemoryWrite", id=made, name="entry 0", content="0")
    alice.write("entry 1")
    assert over(alice, 2)["code"] == "over_limit"


def test_held_writes_that_replace_each_other_are_writes_all_the_same(person: PersonFace, alice: Agent) -> None:
    person.set_setting(WRITES, "3")
    made = alice.write("entry 0")
    for number in range(2):
        alice.do("GlobalMemoryWrite", id=made, name="entry 0", content=str(number), provenance=JEKT)
    assert len(person.proposals()) == 1
    assert over(alice, 3, provenance=JEKT)["quota"] == WRITES


def test_each_agent_has_its_own_count_and_the_person_none(person: PersonFace, alice: Agent, bob: Agent) -> None:
    person.set_setting(WRITES, "1")
    alice.write("entry 0")
    assert over(alice, 1)["code"] == "over_limit"
    bob.write("entry 1")
    for number in range(5):
        person.add(INSTRUCTIONS, name=f"mine {number}")


def test_proposals_that_wait_are_counted_until_they_are_decided(person: PersonFace, alice: Agent) -> None:
    person.set_setting(PENDING, "2")
    first, _ = (
        alice.do("GlobalMemoryWrite", name=f"entry {number}", content=str(number), provenance=JEKT)["proposalId"] for number in range(2)
    )
    error = over(alice, 2, provenance=JEKT)
    assert (error["code"], error["quota"], error["limit"]) == ("over_limit", PENDING, 2)
    alice.write("a live one")
    person.reject(first)
    alice.do("GlobalMemoryWrite", name="entry 2", content="2", provenance=JEKT)


def test_a_repeat_of_a_held_call_asks_for_no_room(person: PersonFace, alice: Agent) -> None:
    person.set_setting(PENDING, "1")
    call = {"name": "entry", "content": "text", "provenance": JEKT}
    first = alice.do("GlobalMemoryWrite", **call)
    before = person.events(limit=100)
    assert alice.do("GlobalMemoryWrite", **call) == first
    assert person.events(limit=100) == before
    assert person.totals().held == 1


def test_entries_that_nobody_looked_at_are_counted_until_somebody_does(person: PersonFace, alice: Agent) -> None:
    person.set_setting(UNREVIEWED, "2")
    made = [alice.write(f"entry {number}") for number in range(2)]
    error = over(alice, 2)
    assert (error["code"], error["quota"], error["limit"]) == ("over_limit", UNREVIEWED, 2)
    person.keep(made[0])
    alice.write("entry 2")


def test_a_quota_of_nothing_is_no_limit(person: PersonFace, alice: Agent) -> None:
    for key in (WRITES, PENDING, UNREVIEWED):
        person.set_setting(key, "0")
    for number in range(20):
        alice.write(f"entry {number}")
    assert person.totals().unreviewed == 20


def test_a_raised_quota_holds_from_the_next_call_on(person: PersonFace, alice: Agent) -> None:
    person.set_setting(WRITES, "1")
    alice.write("entry 0")
    assert over(alice, 1)["code"] == "over_limit"
    person.set_setting(WRITES, "2")
    alice.write("entry 1")


def test_a_setting_back_at_its_default_is_as_if_never_set(person: PersonFace) -> None:
    person.set_setting(WRITES, "1")
    person.set_setting(WRITES, "600")
    assert person.settings() == dict(sorted(DEFAULTS.items()))


@pytest.mark.parametrize("value", ["", "-1", "1.5", "many", "１", "1 ", "9" * 20, "9" * 5_000, "1000000001"])
def test_a_setting_takes_whole_numbers_alone(person: PersonFace, value: str) -> None:
    with pytest.raises(InvalidInput, match="whole number") as caught:
        person.set_setting(WRITES, value)
    assert len(caught.value.message) < 300
    assert person.settings()[WRITES] == 600


def test_an_unknown_setting_is_named_with_the_ones_there_are(person: PersonFace) -> None:
    with pytest.raises(InvalidInput, match=WRITES.replace(".", r"\.")):
        person.set_setting("quota.wishes", "3")
