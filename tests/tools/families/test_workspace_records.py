"""Remembering, listing and reading the records of a workspace as a host does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memorypane.model.shelves import RECORDS
from memorypane.model.values import ListQuery, Workspace
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from memorypane.service.record_reading import KINDS
from memorypane.store import tables
from memorypane.tools.toolbox import SOURCE_META
from tests.service.support import Agent
from tests.tools.families.support import FILE, INJECTION, TOKEN, Memory

Worker = Callable[[str], Agent]
UNKNOWN = "123e4567-e89b-42d3-a456-426614174000"


@pytest.fixture
def alice(worker: Worker, here: Workspace) -> Memory:
    return Memory(worker("alice"), here)


@pytest.fixture
def bob(worker: Worker, here: Workspace) -> Memory:
    return Memory(worker("bob"), here)


@pytest.fixture
def close(desk: Desk, here: Workspace) -> Callable[[str], None]:
    """Close the workspace to an agent, or to all ("")."""

    def shut(agent: str) -> None:
        values = {"workspace_id": here.id, "agent": agent}
        desk._store.write(lambda transaction: transaction.connection.execute(tables.workspace_closed.insert(), values))

    return shut


def count(person: PersonFace) -> int:
    return person.page(ListQuery(shelf="records")).total


# remembering


def test_a_record_comes_back_whole(alice: Memory, here: Workspace) -> None:
    data = alice.remember("The build needs Go 1.22.", kind="semantic_fact", confidence=0.75, sourceType="user_statement", sourceId="msg-17",
                          evidenceRefs=[FILE])
    memory = data["memory"]
    assert data["outcome"] == "created"
    assert memory["createdAt"] == memory["updatedAt"] == "2027-01-15T08:00:00.000Z"
    assert {name: value for name, value in memory.items() if name not in {"id", "createdAt", "updatedAt"}} == {
        "folderId": here.id, "scope": "shared", "kind": "semantic_fact", "content": "The build needs Go 1.22.", "confidence": 0.75,
        "pinned": False, "sourceType": "user_statement", "sourceId": "msg-17", "evidenceRefs": [FILE], "status": "active", "version": 1,
        "writtenBy": "agent:alice",
    }
    assert alice.listed()["memories"] == [memory]


def test_absent_and_null_values_are_left_out(alice: Memory) -> None:
    memory = alice.remember("why?", kind="open_question", sourceType=None, sourceId=None, scope=None, evidenceRefs=None)["memory"]
    assert memory["scope"] == "shared"
    assert not {"confidence", "sourceType", "sourceId", "evidenceRefs", "supersedes", "supersededBy"} & set(memory)


def test_the_same_content_kind_and_scope_is_unchanged_whoever_says_it(alice: Memory, bob: Memory, person: PersonFace) -> None:
    first = alice.made("use ninja")
    for one in (alice, bob):
        data = one.remember("use ninja", confidence=0.1)
        assert (data["outcome"], data["memory"]["id"], data["memory"]["version"]) == ("unchanged", first, 1)
        assert data["memory"]["writtenBy"] == "agent:alice"
    assert count(person) == 1


@pytest.mark.parametrize("more", [{"content": "Use ninja"}, {"content": "use ninja "}, {"kind": "source_preference"}])
def test_anything_else_is_another_record(alice: Memory, person: PersonFace, more: dict[str, Any]) -> None:
    alice.made("use ninja")
    alice.made(**{"content": "use ninja", **more})
    assert count(person) == 2


def test_only_line_ends_of_a_content_change(alice: Memory) -> None:
    assert alice.remember("  a\r\nb\rc \u00a0e\u0301")["memory"]["content"] == "  a\nb\nc \u00a0e\u0301"


def test_remembering_the_same_at_once_makes_one_record(alice: Memory, bob: Memory, person: PersonFace) -> None:
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda who: who.remember("use ninja")["outcome"], [alice, bob] * 3))
    assert sorted(outcomes) == ["created", *["unchanged"] * 5]
    assert count(person) == 1


# the rules of the schema


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"folderId": "W"}, "folderId"),
        ({"folderId": ""}, "folderId"),
        ({"folderId": 7}, "folderId"),
        ({"folderId": "../../etc"}, "folderId"),
        ({"folderId": UNKNOWN[:-1] + "g"}, "folderId"),
        ({"folderId": UNKNOWN.replace("-", "")}, "folderId"),
        ({"kind": "fact"}, "kind"),
        ({"kind": "Semantic_Fact"}, "kind"),
        ({"kind": None}, "kind"),
        ({"scope": "private"}, "scope"),
        ({"content": ""}, "content"),
        ({"content": "z" * 4001}, "content"),
        ({"content": "😀" * 4001}, "content"),
        ({"content": 5}, "content"),
        ({"content": None}, "content"),
        ({"content": "a\x00b"}, "content"),
        ({"content": "\ufeff"}, "content"),
        ({"confidence": 1.01}, "confidence"),
        ({"confidence": -0.1}, "confidence"),
        ({"confidence": "0.5"}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"pinned": 1}, "pinned"),
        ({"pinned": "true"}, "pinned"),
        ({"sourceType": ""}, "sourceType"),
        ({"sourceType": "t" * 81}, "sourceType"),
        ({"sourceType": "a\x07"}, "sourceType"),
        ({"sourceId": ""}, "sourceId"),
        ({"sourceId": "i" * 501}, "sourceId"),
        ({"tags": ["a"]}, "tags"),
        ({"clientId": "bob"}, "clientId"),
        ({"folder_id": "x"}, "folder_id"),
        ({"kind": "semantic_fact"}, "evidenceRefs"),
        ({"kind": "semantic_fact", "evidenceRefs": []}, "evidenceRefs"),
        ({"kind": "semantic_fact", "evidenceRefs": None}, "evidenceRefs"),
        ({"scope": "client"}, "kind"),
        ({"scope": "client", "kind": "open_question"}, "kind"),
        ({"evidenceRefs": [{"type": "library_file", "id": str(number)} for number in range(21)]}, "evidenceRefs"),
        ({"evidenceRefs": {"type": "library_file", "id": "x"}}, "evidenceRefs"),
        ({"evidenceRefs": ["x"]}, "evidenceRefs.0"),
        ({"evidenceRefs": [FILE, {"type": "web_page", "id": "b"}]}, "evidenceRefs.1.type"),
        ({"evidenceRefs": [{"type": "library_file"}]}, "evidenceRefs.0.id"),
        ({"evidenceRefs": [{"id": "x"}]}, "evidenceRefs.0.type"),
        ({"evidenceRefs": [{"type": "library_file", "id": ""}]}, "evidenceRefs.0.id"),
        ({"evidenceRefs": [{"type": "library_file", "id": "i" * 501}]}, "evidenceRefs.0.id"),
        ({"evidenceRefs": [{"type": "library_file", "id": "i", "snippet": ""}]}, "evidenceRefs.0.snippet"),
        ({"evidenceRefs": [{"type": "library_file", "id": "i", "snippet": "s" * 2001}]}, "evidenceRefs.0.snippet"),
        ({"evidenceRefs": [{"type": "library_file", "id": "i", "snippet": "a\x1b"}]}, "evidenceRefs.0.snippet"),
        ({"evidenceRefs": [{"type": "library_file", "id": "i", "relationship": "r" * 81}]}, "evidenceRefs.0.relationship"),
        ({"evidenceRefs": [FILE, {"type": "library_file", "id": "y", "title": "t"}]}, "title"),
    ],
)
def test_what_breaks_a_rule_is_named_by_its_path_and_nothing_is_kept(
    alice: Memory, person: PersonFace, arguments: dict[str, Any], path: str
) -> None:
    error = alice.refused("remember", **{"kind": "project_preference", "content": "text", **arguments})
    assert error["code"] == "invalid_input"
    assert path in error["message"]
    assert count(person) == 0
    assert person.review() == ()


@pytest.mark.parametrize("missing", ["folderId", "kind", "content"])
def test_what_is_missing_is_named(alice: Memory, missing: str) -> None:
    arguments = {"folderId": alice.folder, "kind": "project_preference", "content": "text"}
    del arguments[missing]
    error = alice.agent.refused("remember_workspace_memory", **arguments)
    assert (error["code"], error["path"]) == ("invalid_input", missing)


def test_the_edges_fit(alice: Memory) -> None:
    alice.made("y" * 4000, confidence=0, sourceType="t" * 80, sourceId="i" * 500)
    memory = alice.remember("😀" * 4000, confidence=1, evidenceRefs=[])["memory"]
    assert memory["confidence"] == 1
    refs = [{"type": "library_file", "id": "i" * 500, "snippet": "s" * 2000, "relationship": "r" * 80}] * 20
    assert len(alice.remember("x", kind="semantic_fact", evidenceRefs=refs)["memory"]["evidenceRefs"]) == 20
    for kind in KINDS:
        alice.made("text", kind=kind, evidenceRefs=[FILE])


def test_an_uppercase_id_is_the_same_id(alice: Memory, here: Workspace) -> None:
    assert alice.remember("x", folderId=here.id.upper())["memory"]["folderId"] == here.id


def test_evidence_is_kept_as_given_in_order_and_cut_only_in_answers(alice: Memory, person: PersonFace) -> None:
    twice = {"type": "library_file", "id": "z"}
    refs = [twice, {"type": "library_canvas", "id": "a", "snippet": "s" * 900}, twice]
    memory = alice.remember("e", kind="semantic_fact", evidenceRefs=refs)["memory"]
    assert [one["id"] for one in memory["evidenceRefs"]] == ["z", "a", "z"]
    assert len(memory["evidenceRefs"][1]["snippet"]) == 300
    assert [dict(one.fields) for one in person.entry(memory["id"]).evidence] == refs
    assert alice.remember("f", evidenceRefs=[{**FILE, "snippet": "s" * 300}])["memory"]["evidenceRefs"][0]["snippet"] == "s" * 300
    assert alice.remember("g", evidenceRefs=[{**FILE, "snippet": None}])["memory"]["evidenceRefs"][0]["id"] == FILE["id"]


# which workspace


def test_an_unknown_workspace_is_not_found_and_the_answer_says_how_one_gets_known(alice: Memory) -> None:
    for tool, more in (("remember", {"kind": "open_question", "content": "x"}), ("list", {}), ("context", {}),
                       ("correct", {"memoryId": UNKNOWN, "content": "x"}), ("forget", {"memoryId": UNKNOWN})):
        error = alice.refused(tool, folderId=UNKNOWN, **more)
        assert error["code"] == "not_found"
        assert "becomes known" in error["message"]


def test_an_agent_may_write_in_another_workspace_whose_id_it_knows(alice: Memory, person: PersonFace, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = person.add_workspace(tmp_path / "other")
    there = Memory(alice.agent, other)
    there.made("in the other")
    alice.made("in the other")
    assert there.contents() == ["in the other"]
    assert alice.context()["folderId"] == alice.folder


def test_a_new_workspace_holds_every_write_under_every_preset(desk: Desk, person: PersonFace, tmp_path: Path) -> None:
    (tmp_path / "fresh").mkdir()
    person.set_policy("trusting")
    agent = Agent.enter(desk, "carol", person.add_agent("carol").token, workspace=str(tmp_path / "fresh"))
    # Nothing can be remembered for it yet; the refusal tells the id, so that a write can wait there.
    folder = agent.refused("read_workspace_context")["folderId"]
    arguments = {"folderId": folder, "kind": "open_question", "content": "x"}
    assert agent.reasons("remember_workspace_memory", **arguments) == ["new_workspace"]
    person.confirm_workspace(folder)
    assert agent.do("remember_workspace_memory", **arguments)["outcome"] == "created"


# listing


def test_the_pinned_come_first_and_then_the_newest(alice: Memory, person: PersonFace) -> None:
    first = alice.made("one")
    for text in ("two", "three"):
        alice.made(text)
    assert alice.contents() == ["three", "two", "one"]
    person.pin(first)
    assert alice.contents() == ["one", "three", "two"]
    assert alice.listed()["memories"][0]["pinned"] is True


def test_pages_follow_each_other_while_others_write(alice: Memory, bob: Memory, person: PersonFace) -> None:
    first, *_ = [alice.made(f"r{number}") for number in range(5)]
    person.pin(first)
    page = alice.listed(limit=2)
    assert (page["total"], [one["content"] for one in page["memories"]]) == (5, ["r0", "r4"])
    bob.made("new")
    page = alice.listed(limit=2, cursor=page["nextCursor"])
    assert (page["total"], [one["content"] for one in page["memories"]]) == (6, ["r3", "r2"])
    page = alice.listed(limit=2, cursor=page["nextCursor"])
    assert [one["content"] for one in page["memories"]] == ["r1"]
    assert "nextCursor" not in page


def test_a_page_holds_twenty_and_one_that_ends_the_list_has_no_cursor(alice: Memory) -> None:
    for number in range(21):
        alice.made(f"r{number}")
    page = alice.listed()
    assert (len(page["memories"]), page["total"]) == (20, 21)
    assert "nextCursor" in page
    assert "nextCursor" not in alice.listed(limit=21)
    assert "nextCursor" not in alice.listed(limit=100)


def test_kind_scope_and_words_narrow_list_and_total(alice: Memory) -> None:
    alice.made("use ninja here", kind="procedural_preference", scope="client")
    alice.made("use ninja always")
    alice.made("Café opens at nine", kind="episodic_event")
    for narrowed, total in (({"kind": "episodic_event"}, 1), ({"scope": "client"}, 1), ({"scope": "shared"}, 2), ({"query": "ninja"}, 2),
                            ({"query": "cafe"}, 1), ({"query": "bazel"}, 0), ({"query": "!!!"}, 0), ({"query": " "}, 3),
                            ({"query": "ninja", "kind": "project_preference"}, 1)):
        page = alice.listed(**narrowed)
        assert (page["total"], len(page["memories"])) == (total, total), narrowed


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"limit": 0}, "limit"), ({"limit": 101}, "limit"), ({"limit": 1.5}, "limit"), ({"status": "purged!"}, "status"),
        ({"status": "suppressed"}, "status"), ({"kind": "fact"}, "kind"), ({"scope": "own"}, "scope"), ({"folderId": "x"}, "folderId"),
        ({"page": 2}, "page"), ({"cursor": "not-a-cursor"}, "cursor"), ({"cursor": "WzEsMV0"}, "cursor"), ({"cursor": "é"}, "cursor"),
        ({"cursor": "WyIxIiwiMSIsIngiXQ"}, "cursor"),
    ],
)
def test_a_list_checks_its_arguments(alice: Memory, arguments: dict[str, Any], path: str) -> None:
    error = alice.refused("list", **arguments)
    assert error["code"] == "invalid_input"
    assert path in error["message"]


def test_a_cursor_belongs_to_its_list(alice: Memory, bob: Memory) -> None:
    for number in range(3):
        alice.made(f"r{number}")
    cursor = alice.listed(limit=1)["nextCursor"]
    assert alice.refused("list", cursor=cursor, kind="project_preference")["code"] == "invalid_input"
    assert bob.refused("list", cursor=cursor)["code"] == "invalid_input"
    assert len(alice.listed(limit=2, cursor=cursor)["memories"]) == 2


def test_the_text_of_a_list_shows_each_id_and_version(alice: Memory) -> None:
    ids = [alice.made("one"), alice.made("two", kind="semantic_fact", evidenceRefs=[FILE])]
    shown = alice.agent.call("list_workspace_memory", folderId=alice.folder, limit=1).text
    assert f"[id {ids[1]}, version 1, semantic_fact, shared, evidence: 1]\ntwo" in shown
    assert "cursor" in shown
    assert f"id {ids[0]}" in alice.agent.call("read_workspace_context").text


# the context


def test_the_context_names_its_workspace_and_holds_the_records_by_kind(alice: Memory, here: Workspace, person: PersonFace) -> None:
    assert alice.context() == {
        "folderId": here.id, "name": here.name, "path": here.path, "text": f"Nothing is remembered for the workspace {here.name} yet.",
        "memories": [], "omitted": 0,
    }
    pinned = alice.made("a source", kind="source_preference")
    alice.made("old preference")
    alice.made("a fact", kind="semantic_fact", evidenceRefs=[FILE])
    alice.made("new preference")
    alice.made("a question", kind="open_question")
    person.pin(pinned)
    data = alice.context()
    order = [one["content"] for one in data["memories"]]
    assert order == ["a source", "a fact", "new preference", "old preference", "a question"]
    places = [data["text"].index(content) for content in order]
    assert places == sorted(places)


def test_only_whole_records_are_taken_and_a_later_one_that_fits_too(alice: Memory) -> None:
    alice.made("small")
    alice.made("B" * 600)
    alice.made("C" * 200)
    data = alice.context(maxChars=500)
    assert [one["content"] for one in data["memories"]] == ["C" * 200, "small"]
    assert data["omitted"] == 1
    assert len(data["text"]) <= 500
    assert "BBB" not in data["text"]
    assert data["text"].endswith("1 more did not fit; list_workspace_memory shows them.")


def test_records_that_just_fit_are_all_there(alice: Memory) -> None:
    alice.made("A" * 300)
    alice.made("B" * 300)
    whole = alice.context()
    length = len(whole["text"])
    assert alice.context(maxChars=length) == whole
    assert alice.context(maxChars=length - 1)["omitted"] == 1


def test_wide_characters_count_once_in_the_context(alice: Memory) -> None:
    alice.made("😀" * 380)
    assert alice.context(maxChars=500)["omitted"] == 0


@pytest.mark.parametrize("most", [499, 50_001, "x"])
def test_the_context_has_bounds(alice: Memory, most: object) -> None:
    assert alice.refused("context", maxChars=most)["path"] == "maxChars"
    alice.context(maxChars=500)
    alice.context(maxChars=50_000)


def test_without_folder_it_is_the_connections_workspace_or_none(alice: Memory, here: Workspace, agent: Worker) -> None:
    assert alice.agent.do("read_workspace_context")["folderId"] == here.id
    assert agent("homeless").refused("read_workspace_context")["code"] == "not_found"


# whose record it is


def test_a_client_record_is_seen_by_its_agent_alone_on_every_path(alice: Memory, bob: Memory) -> None:
    record = alice.made("alice likes rebase", kind="procedural_preference", scope="client")
    assert alice.listed()["memories"][0]["scope"] == "client"
    assert alice.context()["memories"][0]["id"] == record
    assert alice.agent.do("SearchMemory", query="rebase")["results"][0]["id"] == record
    for narrowed in ({}, {"scope": "client"}, {"query": "rebase"}, {"status": "all"}):
        assert bob.listed(**narrowed)["total"] == 0
    assert bob.context()["memories"] == []
    assert bob.agent.do("SearchMemory", query="rebase")["results"] == []
    for tool, more in (("correct", {"content": "mine now"}), ("forget", {}), ("forget", {"mode": "purge"})):
        error = bob.refused(tool, memoryId=record, **more)
        assert error["code"] == "not_found"
        assert "rebase" not in str(error)


def test_the_same_client_text_of_two_agents_is_two_records(alice: Memory, bob: Memory) -> None:
    mine = {"kind": "procedural_preference", "scope": "client"}
    first, second = alice.made("likes tabs", **mine), bob.made("likes tabs", **mine)
    assert bob.remember("likes tabs", **mine)["memory"]["id"] == second != first
    assert bob.remember("likes tabs", kind="procedural_preference")["outcome"] == "created"


def test_a_workspace_closed_to_an_agent_is_not_there_for_it(alice: Memory, bob: Memory, close: Callable[[str], None]) -> None:
    record = alice.made("use walrus")
    close("bob")
    for tool, more in (("remember", {"kind": "open_question", "content": "x"}), ("list", {}), ("context", {}),
                       ("correct", {"memoryId": record, "content": "x"}), ("forget", {"memoryId": record})):
        error = bob.refused(tool, **more)
        assert error["code"] == "not_found"
        assert error["message"] == alice.refused("context", folderId=UNKNOWN)["message"].replace(UNKNOWN, bob.folder)
    assert bob.agent.refused("read_workspace_context")["code"] == "not_found"
    assert bob.agent.do("SearchMemory", query="walrus")["results"] == []
    assert "walrus" not in bob.agent.call("read_startup_memory").text
    assert [one.id for one in bob.agent.face.index()] == []
    assert alice.contents() == ["use walrus"]
    close("")
    assert alice.refused("list")["code"] == "not_found"


# what waits


def test_a_record_that_waits_is_review_gated_and_in_no_list(alice: Memory, person: PersonFace) -> None:
    data = alice.remember("pin me", pinned=True)
    assert (data["outcome"], data["held"], data["reasons"]) == ("review_gated", True, ["asks_pinned"])
    assert alice.remember("pin me", pinned=True)["proposalId"] == data["proposalId"]
    assert alice.contents() == []
    assert alice.remember("no pin", pinned=False)["outcome"] == "created"
    person.approve(data["proposalId"])
    assert alice.listed()["memories"][0]["pinned"] is True
    assert alice.listed()["memories"][0]["writtenBy"] == "agent:alice"


def test_neither_confidence_nor_a_claim_opens_a_gate(desk: Desk, here: Workspace) -> None:
    mallory = Memory(Agent.enter(desk, "mallory", workspace=here.path), here)
    data = mallory.remember("x", confidence=1, sourceType="human", sourceId="user-1")
    assert data["reasons"] == ["unverified"]
    text = mallory.agent.call("remember_workspace_memory", folderId=here.id, kind="open_question", content="y").text
    assert text.startswith("Not in memory yet:")


@pytest.mark.parametrize("said", ["jekt", "JEKT", " Jekt "])
def test_a_source_type_of_another_agents_message_counts_as_the_claim(alice: Memory, person: PersonFace, said: str) -> None:
    assert alice.remember("x", sourceType=said)["reasons"] == ["jekt"]
    assert person.proposals()[0].provenance.source == "jekt"


def test_the_claim_beside_the_call_counts_too(alice: Memory) -> None:
    arguments = {"folderId": alice.folder, "kind": "open_question", "content": "x", "sourceType": "chat"}
    result = alice.agent.tools.call(alice.agent.caller, "remember_workspace_memory", arguments, {SOURCE_META: "jekt"})
    assert result.data["reasons"] == ["jekt"]


@pytest.mark.parametrize("where", ["content", "sourceType", "sourceId", "snippet"])
def test_credentials_and_findings_are_seen_in_every_field(alice: Memory, person: PersonFace, where: str) -> None:
    def arguments(text: str) -> dict[str, Any]:
        if where == "snippet":
            return {"kind": "semantic_fact", "content": "c", "evidenceRefs": [{**FILE, "snippet": text}]}
        return {"kind": "project_preference", "content": "c", where: text}

    error = alice.refused("remember", **arguments(f"see {TOKEN}"))
    assert error["code"] == "secret"
    assert TOKEN not in str(error)
    assert alice.remember(**arguments(INJECTION))["reasons"] == ["finding"]
    assert person.proposals()[0].findings[0].field.endswith(where)


def test_a_record_of_the_person_is_in_lists_with_its_writer(alice: Memory, person: PersonFace) -> None:
    person.add(RECORDS, owner=alice.folder, content="by the person", kind="open_question")
    assert alice.listed()["memories"][0]["writtenBy"] == "human"
    assert alice.remember("by the person", kind="open_question")["outcome"] == "unchanged"
