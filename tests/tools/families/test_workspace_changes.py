"""Correcting and forgetting the records of a workspace as a host does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memorypane.model.shelves import RECORDS
from memorypane.model.values import Action, ListQuery, Status, Workspace
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock
from tests.tools.families.support import FILE, INJECTION, TOKEN, Memory

Worker = Callable[[str], Agent]
UNKNOWN = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
MINE = {"kind": "procedural_preference", "scope": "client"}


@pytest.fixture
def alice(worker: Worker, here: Workspace) -> Memory:
    return Memory(worker("alice"), here)


@pytest.fixture
def bob(worker: Worker, here: Workspace) -> Memory:
    return Memory(worker("bob"), here)


@pytest.fixture
def mallory(desk: Desk, here: Workspace) -> Memory:
    return Memory(Agent.enter(desk, "mallory", workspace=here.path), here)


def everything(person: PersonFace) -> int:
    """Live and other records together."""
    return sum(person.page(ListQuery(shelf="records", removed=removed)).total for removed in (False, True))


# correcting


def test_a_correction_is_a_new_record_linked_both_ways_in_one_call(alice: Memory, person: PersonFace) -> None:
    old = alice.made("port 8080", confidence=0.5, sourceType="chat")
    data = alice.correct(old, content="port 9090", reason="moved")
    new = data["memory"]
    assert (data["outcome"], data["supersededId"], new["supersedes"]) == ("superseded", old, old)
    assert (new["content"], new["kind"], new["confidence"], new["sourceType"], new["version"]) == (
        "port 9090", "project_preference", 0.5, "chat", 1,
    )
    assert alice.contents() == ["port 9090"]
    (gone,) = alice.listed(status="superseded")["memories"]
    assert (gone["id"], gone["status"], gone["supersededBy"], gone["content"]) == (old, "superseded", new["id"], "port 8080")
    assert alice.listed(status="all")["total"] == 2
    assert "8080" not in str(alice.context())
    first, last = person.history(new["id"])[0], person.history(old)[0]
    assert (first.action, last.action) == (Action.CREATE, Action.SUPERSEDE)
    assert first.call_id == last.call_id
    assert first.detail == {"reason": "moved"}


def test_a_correction_brings_every_field(alice: Memory) -> None:
    old = alice.made("a", kind="semantic_fact", evidenceRefs=[FILE], sourceId="1")
    other = {**FILE, "id": "other.md"}
    new = alice.correct(old, content="b", confidence=0.25, evidenceRefs=[other], sourceType="chat", sourceId="2")["memory"]
    assert (new["content"], new["confidence"], new["evidenceRefs"], new["sourceType"], new["sourceId"]) == ("b", 0.25, [other], "chat", "2")
    kept = alice.correct(new["id"], content="c")["memory"]
    assert (kept["evidenceRefs"], kept["sourceId"]) == ([other], "2")


@pytest.mark.parametrize(
    "fields", [{}, {"content": "a"}, {"content": None, "kind": "project_preference", "scope": "shared"}, {"pinned": False}]
)
def test_without_a_difference_nothing_is_made(alice: Memory, person: PersonFace, fields: dict[str, Any]) -> None:
    old = alice.made("a")
    data = alice.correct(old, **fields)
    assert (data["outcome"], data["memory"]["id"]) == ("unchanged", old)
    assert everything(person) == 1


def test_the_conditions_hold_for_the_result(alice: Memory) -> None:
    old = alice.made("p")
    for fields, path in (({"kind": "semantic_fact"}, "evidenceRefs"), ({"scope": "client"}, "kind"), ({"content": "\ufeff"}, "content")):
        error = alice.refused("correct", memoryId=old, **fields)
        assert error["code"] == "invalid_input"
        assert path in error["message"]
    fact = alice.correct(old, kind="semantic_fact", evidenceRefs=[FILE])["memory"]
    assert (fact["kind"], fact["content"]) == ("semantic_fact", "p")
    assert alice.refused("correct", memoryId=fact["id"], evidenceRefs=[])["code"] == "invalid_input"
    mine = alice.correct(alice.made("q", kind="procedural_preference"), scope="client")["memory"]
    assert mine["scope"] == "client"
    assert alice.refused("correct", memoryId=mine["id"], kind="open_question")["code"] == "invalid_input"


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"content": ""}, "content"), ({"content": "x" * 4001}, "content"), ({"content": "a\x00"}, "content"),
        ({"confidence": 2}, "confidence"), ({"pinned": "yes"}, "pinned"),
        ({"evidenceRefs": [{**FILE, "url": "u"}]}, "url"), ({"memoryId": "x"}, "memoryId"),
        ({"memoryId": None}, "memoryId"), ({"expected_version": "1"}, "expected_version"), ({"tags": []}, "tags"),
    ],
)
def test_a_correction_follows_the_same_rules(alice: Memory, person: PersonFace, fields: dict[str, Any], path: str) -> None:
    error = alice.refused("correct", **{"memoryId": alice.made("1"), **fields})
    assert error["code"] == "invalid_input"
    assert path in error["message"]
    assert everything(person) == 1


def test_what_was_replaced_names_the_record_that_stands_now(alice: Memory, bob: Memory) -> None:
    first = alice.made("1")
    second = alice.correct(first, content="2")["memory"]["id"]
    third = alice.correct(second, content="3")["memory"]["id"]
    error = bob.refused("correct", memoryId=first, content="4")
    assert (error["code"], error["currentId"], error["current"], error["current_version"]) == ("conflict", third, "3", 1)
    assert third in error["message"]
    bob.forget(third)
    assert "current" not in bob.refused("correct", memoryId=first, content="4")


def test_a_link_to_another_agents_own_record_is_not_shown(alice: Memory, bob: Memory) -> None:
    shared = alice.made("tabs", kind="procedural_preference")
    own = alice.correct(shared, scope="client")["memory"]["id"]
    assert alice.listed(status="superseded")["memories"][0]["supersededBy"] == own
    for text in (str(bob.listed(status="all")), str(bob.refused("correct", memoryId=shared, content="x"))):
        assert own not in text
    back = alice.correct(own, content="spaces", scope="shared")["memory"]["id"]
    assert "supersedes" not in bob.listed()["memories"][0]
    assert alice.listed()["memories"][0] == {**bob.listed()["memories"][0], "supersedes": own}
    assert bob.listed()["memories"][0]["id"] == back


def test_the_expected_version_must_be_the_head(alice: Memory, person: PersonFace) -> None:
    record = alice.made("1")
    person.edit(record, content="by the person")
    error = alice.refused("correct", memoryId=record, content="2", expected_version=1)
    assert (error["code"], error["current_version"], error["current"]) == ("conflict", 2, "by the person")
    assert alice.correct(record, content="2", expected_version=2)["outcome"] == "review_gated"
    assert alice.correct(alice.made("first"), content="second", expected_version=1)["outcome"] == "superseded"


def test_correcting_what_the_person_wrote_waits_and_is_approved_as_a_whole(alice: Memory, person: PersonFace) -> None:
    record = alice.made("1")
    person.edit(record, content="by the person")
    data = alice.correct(record, content="2")
    assert (data["outcome"], data["reasons"]) == ("review_gated", ["human_head"])
    assert alice.contents() == ["by the person"]
    assert alice.correct(record, content="2")["proposalId"] == data["proposalId"]
    person.approve(data["proposalId"])
    (new,) = alice.listed()["memories"]
    assert (new["content"], new["supersedes"]) == ("2", record)
    assert person.entry(record).info.status is Status.SUPERSEDED


def test_a_newer_whole_correction_replaces_the_agents_older_one(alice: Memory, bob: Memory, person: PersonFace) -> None:
    record = person.add(RECORDS, owner=alice.folder, content="mine", kind="open_question").id
    first = alice.correct(record, content="2")["proposalId"]
    other = bob.correct(record, content="3")["proposalId"]
    sure = alice.correct(record, confidence=0.5)["proposalId"]
    newer = alice.correct(record, content="4")["proposalId"]
    assert [one.id for one in person.proposals()] == [other, sure, newer]
    assert first not in {other, sure, newer}


def test_a_correction_into_another_record_leaves_both(alice: Memory, person: PersonFace) -> None:
    first, second = alice.made("one"), alice.made("two")
    data = alice.correct(first, content="two")
    assert (data["outcome"], data["memory"]["id"]) == ("unchanged", second)
    assert sorted(alice.contents()) == ["one", "two"]
    assert everything(person) == 2


def test_a_correction_is_no_way_around_a_suppression(alice: Memory) -> None:
    banned, other = alice.made("banned text"), alice.made("harmless")
    alice.forget(banned)
    for fields in ({"content": "banned text"}, {"content": "banned text", "kind": "open_question"}):
        data = alice.correct(other, **fields)
        assert (data["outcome"], data["memoryId"]) == ("suppressed", banned)
    assert alice.contents() == ["harmless"]


def test_another_kind_or_scope_is_looked_for_as_well(alice: Memory) -> None:
    first, second = alice.made("x"), alice.made("x", kind="open_question")
    assert alice.correct(first, kind="open_question")["memory"]["id"] == second
    alice.forget(second)
    assert alice.correct(first, kind="source_preference")["memoryId"] == second
    assert alice.correct(first, confidence=0.5)["outcome"] == "superseded"
    mine, shared = alice.made("y", **MINE), alice.made("y", kind="procedural_preference")
    assert alice.correct(mine, scope="shared")["memory"]["id"] == shared


def test_a_record_of_rejected_text_can_be_corrected_and_forgotten(alice: Memory, bob: Memory, person: PersonFace) -> None:
    for text in ("one", "two"):
        person.reject(alice.remember(text, sourceType="jekt")["proposalId"])
        person.approve(bob.remember(text)["proposalId"])
    two, one = alice.listed()["memories"]
    assert alice.correct(one["id"], content="other")["outcome"] == "superseded"
    assert alice.forget(two["id"])["outcome"] == "suppressed"
    assert alice.refused("correct", memoryId=alice.listed()["memories"][0]["id"], content="one")["reason"] == "rejected_before"


def test_what_was_forgotten_cannot_be_corrected(alice: Memory, person: PersonFace) -> None:
    record = alice.made("walrus")
    alice.forget(record)
    error = alice.refused("correct", memoryId=record, content="x")
    assert error["code"] == "not_allowed"
    assert "walrus" not in str(error)


def test_a_correction_asks_for_a_pin_and_inherits_one(alice: Memory, person: PersonFace) -> None:
    record = alice.made("1")
    assert alice.correct(record, pinned=True)["reasons"] == ["asks_pinned"]
    person.pin(record)
    data = alice.correct(record, content="2")
    assert data["reasons"] == ["pinned"]
    person.approve(data["proposalId"])
    assert alice.listed()["memories"][0]["pinned"] is True


def test_corrections_at_once_leave_one_record(alice: Memory, bob: Memory) -> None:
    record = alice.made("0")

    def correct(number: int) -> bool:
        arguments = {"folderId": alice.folder, "memoryId": record, "content": f"text {number}"}
        return not (alice, bob)[number % 2].agent.call("correct_workspace_memory", **arguments).is_error

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(correct, range(6))) == 1
    assert alice.listed()["total"] == 1


# which record


def test_records_of_elsewhere_and_removed_ones_are_not_found(alice: Memory, person: PersonFace, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    there = Memory(alice.agent, person.add_workspace(tmp_path / "other"))
    foreign, gone = there.made("in W"), alice.made("gone")
    person.remove(gone)
    topic = alice.agent.do("GlobalMemoryWrite", name="rule", content="x")["id"]
    for record in (foreign, gone, topic, UNKNOWN):
        for tool, more in (("correct", {"content": "x"}), ("forget", {}), ("forget", {"mode": "purge"})):
            error = alice.refused(tool, memoryId=record, **more)
            assert error["code"] == "not_found"
            assert "in W" not in str(error)
    assert alice.listed(status="all")["total"] == 0
    assert there.contents() == ["in W"]


# forgetting


def test_a_forgotten_record_is_hidden_and_kept_for_the_person(alice: Memory, person: PersonFace) -> None:
    record = alice.made("walnut")
    assert alice.forget(record, reason="user asked")["outcome"] == "suppressed"
    for narrowed in ({}, {"status": "all"}, {"status": "superseded"}, {"query": "walnut"}):
        assert alice.listed(**narrowed)["total"] == 0
    assert "walnut" not in str(alice.context())
    assert alice.agent.do("SearchMemory", query="walnut")["results"] == []
    found = person.entry(record)
    assert (found.content, found.info.status) == ("walnut", Status.SUPPRESSED)
    assert alice.forget(record)["outcome"] == "unchanged"
    last, first = person.history(record)
    assert (last.action, last.detail, first.action) == (Action.SUPPRESS, {"reason": "user asked"}, Action.CREATE)


def test_forgotten_content_stays_away_until_the_person_lifts_that(alice: Memory, bob: Memory, person: PersonFace, clock: Clock) -> None:
    record = alice.made("do not ask")
    clock.pass_by(days=3)
    alice.forget(record)
    clock.pass_by(days=3)
    for who, kind in ((alice, "project_preference"), (bob, "open_question")):
        arguments = {"folderId": alice.folder, "kind": kind, "content": "do not ask"}
        result = who.agent.call("remember_workspace_memory", **arguments)
        assert result.data == {"outcome": "suppressed", "memoryId": record}
        assert result.text.startswith("Not stored:")
        assert "2027-01-18" in result.text
        assert "The person can lift that" in result.text
    assert alice.remember("do ask")["outcome"] == "created"
    person.restore(record)
    assert alice.remember("do not ask")["outcome"] == "unchanged"
    assert bob.remember("do not ask", kind="open_question")["outcome"] == "created"


def test_another_agents_forgotten_own_record_forbids_nothing(alice: Memory, bob: Memory) -> None:
    alice.forget(alice.made("likes tabs", **MINE))
    assert bob.remember("likes tabs", **MINE)["outcome"] == "created"
    assert alice.remember("likes tabs", **MINE)["outcome"] == "suppressed"


def test_forgetting_a_replaced_record_hides_it_as_well(alice: Memory) -> None:
    record = alice.made("1")
    alice.correct(record, content="2")
    assert alice.forget(record)["outcome"] == "suppressed"
    assert alice.listed(status="superseded")["total"] == 0
    assert alice.contents(status="all") == ["2"]
    assert alice.remember("1")["outcome"] == "suppressed"


def test_forgetting_a_pinned_record_or_the_persons_waits(alice: Memory, person: PersonFace) -> None:
    record = alice.made("x")
    person.pin(record)
    assert alice.forget(record)["reasons"] == ["pinned"]
    mine = person.add(RECORDS, owner=alice.folder, content="mine", kind="open_question").id
    assert alice.forget(mine)["reasons"] == ["human_head"]
    assert alice.listed()["total"] == 2


@pytest.mark.parametrize(("arguments", "path"), [({"mode": "delete"}, "mode"), ({"memoryId": "x"}, "memoryId"), ({"all": True}, "all")])
def test_forgetting_checks_its_arguments(alice: Memory, arguments: dict[str, Any], path: str) -> None:
    error = alice.refused("forget", **{"memoryId": alice.made("x"), **arguments})
    assert error["code"] == "invalid_input"
    assert path in error["message"]
    assert alice.listed()["total"] == 1


def test_a_bad_text_is_forgotten_at_once_whatever_it_says(alice: Memory, person: PersonFace) -> None:
    person.approve(alice.remember(INJECTION)["proposalId"])
    assert alice.forget(alice.listed()["memories"][0]["id"])["outcome"] == "suppressed"


def test_a_reason_is_looked_through_like_a_text(alice: Memory) -> None:
    record = alice.made("x")
    error = alice.refused("forget", memoryId=record, reason=f"it was {TOKEN}")
    assert error["code"] == "secret"
    assert TOKEN not in str(error)
    assert alice.forget(record, reason=INJECTION)["reasons"] == ["finding"]


# asking for an erasure


@pytest.mark.parametrize("preset", ["trusting", "balanced"])
def test_a_purge_hides_at_once_and_its_erasure_waits(alice: Memory, person: PersonFace, preset: str) -> None:
    person.set_policy(preset)
    record = alice.made("purge this walrus")
    result = alice.agent.call("forget_workspace_memory", folderId=alice.folder, memoryId=record, mode="purge")
    assert (result.data["outcome"], result.data["held"], result.data["reasons"]) == ("review_gated", True, ["asks_purge"])
    assert result.text.startswith("Not in memory yet:")
    assert "hidden from agents already" in result.text
    assert alice.listed(status="all")["total"] == 0
    assert person.entry(record).info.status is Status.SUPPRESSED
    (waiting,) = person.proposals()
    (change,) = waiting.changes
    assert (change.entry_id, change.base, change.action, change.state.status) == (record, 2, Action.PURGE, Status.PURGED)
    assert "walrus" not in str(waiting)
    assert alice.remember("purge this walrus")["outcome"] == "suppressed"


def test_a_purge_that_waits_keeps_its_proposal(alice: Memory, bob: Memory, person: PersonFace) -> None:
    record = alice.made("x")
    first = alice.forget(record, mode="purge")["proposalId"]
    assert alice.forget(record, mode="purge", reason="again")["proposalId"] == first
    assert alice.forget(record)["outcome"] == "unchanged"
    assert bob.forget(record, mode="purge")["proposalId"] != first
    assert len(person.proposals()) == 2
    person.reject(first)
    assert alice.forget(record, mode="purge")["proposalId"] != first
    assert person.entry(record).info.version == 2


def test_a_record_that_the_person_brought_back_can_be_purged_anew(alice: Memory, person: PersonFace) -> None:
    person.set_policy("trusting")
    record = alice.made("x")
    alice.forget(record, mode="purge")
    person.restore(record)
    assert alice.contents() == ["x"]
    data = alice.forget(record, mode="purge")
    assert alice.contents() == []
    waiting = next(one for one in person.proposals() if one.id == data["proposalId"])
    assert waiting.changes[0].base == person.entry(record).info.version


def test_a_purge_of_a_record_forgotten_before_waits_as_well(alice: Memory) -> None:
    record = alice.made("x")
    alice.forget(record)
    assert alice.forget(record, mode="purge")["reasons"] == ["asks_purge"]


def test_a_purge_that_may_not_hide_leaves_the_record_in_sight(alice: Memory, mallory: Memory, person: PersonFace) -> None:
    pinned, other = alice.made("pinned"), alice.made("other")
    person.pin(pinned)
    data = alice.forget(pinned, mode="purge")
    assert data["reasons"] == ["asks_purge", "pinned"]
    assert alice.forget(pinned, mode="purge")["proposalId"] == data["proposalId"]
    assert mallory.forget(other, mode="purge")["reasons"] == ["asks_purge", "unverified"]
    text = alice.agent.call("forget_workspace_memory", folderId=alice.folder, memoryId=pinned, mode="purge").text
    assert "hidden" not in text
    assert alice.listed()["total"] == 2


def test_a_purge_that_is_over_a_quota_hides_nothing(alice: Memory, person: PersonFace) -> None:
    record, other = alice.made("x"), alice.made("y")
    person.set_setting("quota.pending_proposals", "1")
    alice.forget(other, mode="purge")
    assert alice.refused("forget", memoryId=record, mode="purge")["code"] == "over_limit"
    assert alice.contents() == ["x"]


def test_an_erased_record_is_told_of_without_a_word_of_it(alice: Memory, bob: Memory, person: PersonFace) -> None:
    record, mine = alice.made("walrus", kind="open_question", sourceId="msg-1"), alice.made("heron", **MINE)
    person.purge(record)
    person.purge(mine)
    assert alice.forget(record)["outcome"] == "purged"
    assert alice.forget(record, mode="purge")["outcome"] == "purged"
    assert alice.refused("correct", memoryId=record, content="x")["code"] == "not_allowed"
    assert alice.listed()["total"] == 0
    shown = alice.listed(status="all")["memories"]
    assert [(one["id"], one["status"]) for one in shown] == [(mine, "purged"), (record, "purged")]
    assert not {"content", "kind", "sourceId"} & set(shown[1])
    assert [one["id"] for one in bob.listed(status="all")["memories"]] == [record]
    assert alice.remember("walrus", kind="open_question")["outcome"] == "created"
