"""`GlobalMemory*` and `Memory*` as a host calls them: what each returns."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from memorypane.model.shelves import SYSTEM
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from memorypane.tools.definition import ToolResult
from memorypane.tools.toolbox import SOURCE_META, Toolbox, UnknownTool
from tests.service.support import Agent, Clock

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
TIME = "2027-01-15T08:00:00.000Z"
VERSION_KEYS = {
    "version_id", "version", "action", "content_hash", "parent_version_id", "source", "source_detail", "written_by", "created_at",
}  # fmt: skip


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def plain(schema: Any, *, inside: str = "") -> Any:
    """A schema without descriptions and titles; a property of such a name stays."""
    if not isinstance(schema, dict):
        return schema
    dropped = set() if inside == "properties" else {"description", "title"}
    return {name: plain(value, inside=name) for name, value in schema.items() if name not in dropped}


def test_the_schema_of_a_write_is_the_contracts_with_the_expected_version(desk: Desk, shared: Path) -> None:
    contract = json.loads((shared / "contracts" / "GlobalMemoryWrite.schema.json").read_text())
    [ours] = [plain(one.input_schema) for one in Toolbox(desk).definitions() if one.name == "GlobalMemoryWrite"]
    assert ours["properties"].pop("expected_version") == {"type": "integer"}
    assert ours == contract


SCHEMAS = {
    "GlobalMemoryList": ([], []),
    "GlobalMemoryRead": (["id"], ["version_id"]),
    "GlobalMemoryRemove": (["id"], ["expected_version", "provenance"]),
    "GlobalMemoryHistory": (["id"], []),
    "GlobalMemoryDiff": (["from_version_id", "id", "to_version_id"], []),
    "GlobalMemoryRevert": (["id", "version_id"], ["expected_version"]),
    "MemoryList": ([], []),
    "MemoryRead": (["filename"], []),
    "MemoryWrite": (["content", "filename"], ["expected_version", "provenance"]),
    "MemoryRemove": (["filename"], ["expected_version"]),
    "MemoryHistory": (["filename"], []),
    "MemoryDiff": (["from_version_id", "to_version_id"], []),
    "MemoryRevert": (["filename", "target_version_id"], ["expected_version"]),
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_arguments_of_a_tool_are_those_of_the_contract(desk: Desk, name: str) -> None:
    required, optional = SCHEMAS[name]
    [schema] = [one.input_schema for one in Toolbox(desk).definitions() if one.name == name]
    assert sorted(schema.get("required", [])) == required
    assert sorted(schema["properties"]) == sorted(required + optional)
    kinds = {name: rule["type"] for name, rule in schema["properties"].items()}
    assert set(kinds.values()) <= {"string", "integer", "object"}


def line(result: ToolResult) -> str:
    """The text of a result that is one line."""
    assert "\n" not in result.text
    return result.text


# instructions


def test_a_create_returns_what_was_made(alice: Agent) -> None:
    result = alice.call("GlobalMemoryWrite", name=" One ", content="text\r\nmore")
    data = result.data
    assert UUID.fullmatch(data["id"])
    assert UUID.fullmatch(data["version_id"])
    assert data == {
        "id": data["id"], "name": "One", "version": 1, "version_id": data["version_id"], "content_hash": sha("text\nmore"), "created": True,
    }  # fmt: skip
    said = line(result)
    for word in ("One", data["id"], "version 1", "channel stable (shared)", "nothing reaches other machines"):
        assert word in said


def test_an_update_a_revert_and_no_change_return_the_same_shape(alice: Agent) -> None:
    made = alice.do("GlobalMemoryWrite", name="One", content="first")
    update = alice.call("GlobalMemoryWrite", id=made["id"], name="Two", content="second", expected_version=1)
    assert (update.data["version"], update.data["created"], update.data["name"]) == (2, False, "Two")
    same = alice.call("GlobalMemoryWrite", id=made["id"], name="Two", content="second")
    assert same.data == update.data
    assert line(same).startswith("Nothing changed")
    back = alice.call("GlobalMemoryRevert", id=made["id"], version_id=made["version_id"])
    assert (back.data["version"], back.data["name"], back.data["content_hash"]) == (3, "One", sha("first"))
    again = alice.call("GlobalMemoryRevert", id=made["id"], version_id=made["version_id"])
    assert (again.data["version"], line(again)[:15]) == (3, "Nothing changed")
    assert set(update.data) == set(back.data) == set(made)


def test_a_read_is_the_content_alone_with_its_facts_as_data(alice: Agent) -> None:
    made = alice.do("GlobalMemoryWrite", name="One", content="first\n")
    alice.do("GlobalMemoryWrite", id=made["id"], name="Two", content="")
    now, then = alice.call("GlobalMemoryRead", id=made["id"]), alice.call("GlobalMemoryRead", id=made["id"], version_id=made["version_id"])
    assert now.text == ""
    assert then.text == "first\n"
    assert then.data == {
        "id": made["id"], "name": "One", "content": "first\n", "version": 1, "version_id": made["version_id"],
        "content_hash": sha("first\n"),
    }  # fmt: skip
    assert set(now.data) == set(then.data)


def test_the_list_has_system_entries_first_then_the_order(person: PersonFace, alice: Agent) -> None:
    ids = [alice.write(name) for name in ("B", "A")]
    rule = person.add(SYSTEM, name="Rule", content="four")
    result = alice.call("GlobalMemoryList")
    assert json.loads(result.text) == result.data
    assert result.data["entries"] == [
        {"id": rule.id, "name": "Rule", "updated_at": TIME, "system": True, "version": 1, "size": 4},
        {"id": ids[0], "name": "B", "updated_at": TIME, "system": False, "version": 1, "size": 4},
        {"id": ids[1], "name": "A", "updated_at": TIME, "system": False, "version": 1, "size": 4},
    ]


def test_a_removal_says_what_went(alice: Agent) -> None:
    made = alice.write("One")
    result = alice.call("GlobalMemoryRemove", id=made, provenance={"source": "human", "detail": {"said": "drop it"}})
    assert result.data == {"id": made, "removed": True, "version": 2}
    assert "One" in line(result)
    newest = alice.do("GlobalMemoryHistory", id=made)["versions"][0]
    assert (newest["action"], newest["source"], newest["source_detail"]) == ("remove", "human", {"said": "drop it"})


def test_a_history_lists_versions_newest_first_without_bodies(alice: Agent, bob: Agent, clock: Clock) -> None:
    made = alice.do("GlobalMemoryWrite", name="One", content="unmistakable", provenance={"source": "human", "detail": {"page": 3}})
    clock.pass_by(seconds=1.5)
    bob.do("GlobalMemoryWrite", id=made["id"], name="One", content="second")
    result = alice.call("GlobalMemoryHistory", id=made["id"])
    newest, oldest = result.data["versions"]
    assert json.loads(result.text) == result.data
    assert oldest == {
        "version_id": made["version_id"], "version": 1, "action": "create", "content_hash": sha("unmistakable"), "parent_version_id": None,
        "source": "human", "source_detail": {"page": 3}, "written_by": "agent:alice", "created_at": TIME,
    }  # fmt: skip
    assert (newest["parent_version_id"], newest["source"], newest["written_by"], newest["created_at"]) == (
        made["version_id"], "agent_inferred", "agent:bob", "2027-01-15T08:00:01.500Z",
    )  # fmt: skip
    assert "unmistakable" not in result.text


def test_a_revert_names_what_it_went_back_to(alice: Agent) -> None:
    made = alice.do("GlobalMemoryWrite", name="One", content="first")
    alice.do("GlobalMemoryWrite", id=made["id"], name="One", content="second")
    alice.do("GlobalMemoryRevert", id=made["id"], version_id=made["version_id"])
    newest = alice.do("GlobalMemoryHistory", id=made["id"])["versions"][0]
    assert (newest["action"], newest["source"], newest["source_detail"]) == ("revert", "revert", {"reverted_to": made["version_id"]})


def test_a_diff_shows_lines_and_a_changed_name_first(alice: Agent) -> None:
    made = alice.do("GlobalMemoryWrite", name="One", content="a\nb\nc\n")
    later = alice.do("GlobalMemoryWrite", id=made["id"], name="Two", content="a\nB\nc\n")
    result = alice.call("GlobalMemoryDiff", id=made["id"], from_version_id=made["version_id"], to_version_id=later["version_id"])
    assert result.text == result.data["diff"]
    lines = result.text.splitlines()
    assert [found for found in lines if found.startswith(("+", "-")) and found[:3] not in ("+++", "---")] == ["-One", "+Two", "-b", "+B"]
    back = alice.do("GlobalMemoryDiff", id=made["id"], from_version_id=later["version_id"], to_version_id=made["version_id"])["diff"]
    assert "+b" in back
    same = alice.call("GlobalMemoryDiff", id=made["id"], from_version_id=made["version_id"], to_version_id=made["version_id"])
    assert same.data["diff"] == ""
    assert same.text


def test_the_content_is_kept_to_the_byte_at_its_limit(alice: Agent) -> None:
    data = alice.do("GlobalMemoryWrite", name="One", content="é" * 524_288)
    assert data["version"] == 1
    error = alice.refused("GlobalMemoryWrite", name="Two", content="é" * 524_288 + "x")
    assert (error["code"], error["size"], error["limit"]) == ("over_limit", 1_048_577, 1_048_576)
    assert "1,048,577" in error["message"]
    assert "1,048,576" in error["message"]


def test_a_name_clash_names_its_holder(alice: Agent, bob: Agent) -> None:
    made = alice.write("One")
    error = bob.refused("GlobalMemoryWrite", name="ONE", content="x")
    assert (error["code"], error["holder"]) == ("duplicate_name", made)
    assert made in error["message"]


def test_a_conflict_carries_what_stands(alice: Agent) -> None:
    made = alice.write("One", "first")
    alice.do("GlobalMemoryWrite", id=made, name="One", content="second")
    result = alice.call("GlobalMemoryWrite", id=made, name="One", content="third", expected_version=1)
    error = result.data["error"]
    assert (error["code"], error["current_version"], error["current"]) == ("conflict", 2, "second")
    assert result.text.endswith("The current text (version 2):\nsecond")
    for tool, words in (("GlobalMemoryRemove", {}), ("GlobalMemoryRevert", {"version_id": "x"})):
        assert alice.refused(tool, id=made, expected_version=1, **words)["code"] in ("conflict", "invalid_input")


def test_a_version_of_another_entry_is_bad_input(alice: Agent) -> None:
    one, two = alice.do("GlobalMemoryWrite", name="One", content="1"), alice.do("GlobalMemoryWrite", name="Two", content="2")
    for tool, words in {
        "GlobalMemoryRead": {"version_id": two["version_id"]},
        "GlobalMemoryRevert": {"version_id": two["version_id"]},
        "GlobalMemoryDiff": {"from_version_id": one["version_id"], "to_version_id": two["version_id"]},
    }.items():
        assert alice.refused(tool, id=one["id"], **words)["code"] == "invalid_input"


def test_a_held_write_says_that_it_waits_and_names_no_way_around(alice: Agent) -> None:
    result = alice.call("GlobalMemoryWrite", name="One", content="text", provenance={"source": "jekt"})
    assert set(result.data) == {"held", "proposalId", "reasons"}
    assert (result.data["held"], result.data["reasons"], result.is_error) == (True, ["jekt"], False)
    assert result.text.startswith("Not in memory yet:")
    for word in ("person", "need not be repeated", "do not look for another way", result.data["proposalId"]):
        assert word in " ".join(result.text.split())
    assert not re.search(r"review (approve|keep)|memorypane ", result.text)


# claims


@pytest.mark.parametrize(
    ("provenance", "meta", "source"),
    [
        (None, None, "agent_inferred"),
        ({"source": " human "}, None, "human"),
        ({"source": "letter"}, "jekt", "letter"),
        (None, "letter", "letter"),
    ],
)
def test_the_claim_comes_with_the_call_or_beside_it(
    alice: Agent, provenance: dict[str, Any] | None, meta: str | None, source: str
) -> None:
    words = {"name": "One", "content": "text", **({"provenance": provenance} if provenance else {})}
    result = alice.tools.call(alice.caller, "GlobalMemoryWrite", words, {SOURCE_META: meta} if meta else None)
    assert not result.is_error
    assert alice.do("GlobalMemoryHistory", id=result.data["id"])["versions"][0]["source"] == source


@pytest.mark.parametrize("meta", [5, "", " ", "x" * 81, "two\nlines", "\ud800", ["human"]])
def test_a_claim_beside_the_call_is_checked_too(alice: Agent, meta: object) -> None:
    result = alice.tools.call(alice.caller, "GlobalMemoryWrite", {"name": "One", "content": "text"}, {SOURCE_META: meta})
    assert result.data["error"]["code"] == "invalid_input"


def test_a_claim_beside_a_file_counts_as_one(alice: Agent) -> None:
    result = alice.tools.call(alice.caller, "MemoryWrite", {"filename": "a.md", "content": "text"}, {SOURCE_META: "jekt"})
    assert result.data["reasons"] == ["jekt"]


@pytest.mark.parametrize("provenance", [{}, {"source": ""}, {"source": "x" * 81}, {"source": "x", "detail": []}, "human", {"source": 5}])
def test_a_claim_must_have_its_form(alice: Agent, provenance: object) -> None:
    error = alice.refused("GlobalMemoryWrite", name="One", content="text", provenance=provenance)
    assert error["code"] == "invalid_input"


# files


def test_files_are_listed_with_the_index_first_and_their_kind(alice: Agent) -> None:
    front = "---\nmetadata:\n  type: feedback\n---\ntext"
    for name, content in (("b.md", "text"), ("MEMORY.md", "index"), ("a.md", front), ("broken.md", "---\nmetadata: [\n---\n")):
        alice.do("MemoryWrite", filename=name, content=content)
    result = alice.call("MemoryList")
    assert json.loads(result.text) == result.data
    rows = result.data["files"]
    assert [row["filename"] for row in rows] == ["MEMORY.md", "a.md", "b.md", "broken.md"]
    assert [row["is_index"] for row in rows] == [True, False, False, False]
    assert [row.get("metadata_type") for row in rows] == [None, "feedback", None, None]
    assert (rows[1]["size_bytes"], rows[1]["modified_at"], rows[1]["version"]) == (len(front), TIME, 1)


def test_a_file_goes_through_all_verbs(alice: Agent) -> None:
    made = alice.do("MemoryWrite", filename="a.md", content="first")
    assert (made["filename"], made["name"], made["created"], made["version"]) == ("a.md", "a.md", True, 1)
    later = alice.do("MemoryWrite", filename="a.md", content="second", expected_version=1)
    assert (later["id"], later["version"], later["created"]) == (made["id"], 2, False)
    read = alice.call("MemoryRead", filename="a.md")
    assert (read.text, read.data["content"], read.data["filename"], read.data["version"]) == ("second", "second", "a.md", 2)
    versions = alice.do("MemoryHistory", filename="a.md")["versions"]
    assert [set(version) for version in versions] == [VERSION_KEYS] * 2
    diff = alice.do("MemoryDiff", from_version_id=made["version_id"], to_version_id=later["version_id"])["diff"]
    assert "-first" in diff
    back = alice.do("MemoryRevert", filename="a.md", target_version_id=made["version_id"], expected_version=2)
    assert (back["version"], back["filename"]) == (3, "a.md")
    gone = alice.do("MemoryRemove", filename="a.md", expected_version=3)
    assert (gone["removed"], gone["version"], gone["filename"]) == (True, 4, "a.md")
    assert alice.do("MemoryList")["files"] == []
    assert len(alice.do("MemoryHistory", filename="a.md")["versions"]) == 4
    assert alice.do("MemoryRevert", filename="a.md", target_version_id=made["version_id"])["version"] == 5
    assert alice.do("MemoryRead", filename="a.md")["content"] == "first"


def test_a_file_name_written_again_after_a_removal_is_a_new_entry(alice: Agent) -> None:
    old = alice.do("MemoryWrite", filename="a.md", content="first")
    alice.do("MemoryRemove", filename="a.md")
    new = alice.do("MemoryWrite", filename="a.md", content="first")
    assert (new["created"], new["version"], new["id"] != old["id"]) == (True, 1, True)
    assert len(alice.do("MemoryHistory", filename="a.md")["versions"]) == 1


def test_a_create_of_a_file_may_say_that_it_expects_none(alice: Agent) -> None:
    assert alice.do("MemoryWrite", filename="a.md", content="first", expected_version=0)["version"] == 1
    error = alice.refused("MemoryWrite", filename="a.md", content="second", expected_version=0)
    assert (error["code"], error["current_version"]) == ("conflict", 1)
    assert alice.refused("MemoryWrite", filename="b.md", content="x", expected_version=1)["code"] == "conflict"


def test_a_file_name_in_other_case_is_taken(alice: Agent) -> None:
    alice.do("MemoryWrite", filename="Notes.md", content="x")
    assert alice.refused("MemoryWrite", filename="notes.md", content="y")["code"] == "duplicate_name"
    assert alice.refused("MemoryRead", filename="notes.md")["code"] == "not_found"


BAD_NAMES = [
    "", "a", "a.txt", ".md", "a/b.md", "a\\b.md", "../a.md", "..md", "a.b.md", "a%2fb.md", "C:a.md", "con.md", "LPT1.md", "a.md ", " a.md",
    "a.md\n", "a\u00a0b.md", "ä.md", "a.MD", "a" * 201 + ".md", "a\0.md", "a.md/", "~.md",
]  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_bad_file_name_is_refused_by_every_verb(alice: Agent, name: str) -> None:
    for tool in ("MemoryRead", "MemoryWrite", "MemoryRemove", "MemoryHistory", "MemoryRevert"):
        more = {"MemoryWrite": {"content": "x"}, "MemoryRevert": {"target_version_id": "x"}}.get(tool, {})
        assert alice.refused(tool, filename=name, **more)["code"] == "invalid_input", tool


# what is offered


def test_an_unknown_tool_is_no_tools_failure(alice: Agent) -> None:
    for name in ("", "Nothing", "globalmemorylist", "GlobalMemoryApprove", "\ud800"):
        with pytest.raises(UnknownTool):
            alice.call(name)


def test_a_tool_of_a_family_that_was_not_asked_for_is_unknown(desk: Desk, person: PersonFace) -> None:
    agent = Agent.enter(desk, "carol", person.add_agent("carol").token, families=("search",))
    assert agent.do("read_startup_memory")["offset"] == 0
    with pytest.raises(UnknownTool):
        agent.call("GlobalMemoryList")


def test_every_description_says_enough_and_not_too_much(desk: Desk) -> None:
    for one in Toolbox(desk).definitions():
        assert 60 <= len(one.description) <= 1_000, one.name
        assert one.title
        assert "channel stable (shared) on this machine; nothing reaches other machines" in one.description or one.family != "global"
        assert set(one.annotations) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert not one.annotations["openWorldHint"]


READERS = {
    "read_startup_memory", "GlobalMemoryList", "GlobalMemoryRead", "GlobalMemoryHistory", "GlobalMemoryDiff", "MemoryList", "MemoryRead",
    "MemoryHistory", "MemoryDiff", "SearchMemory", "memory_open", "list_workspace_memory", "read_workspace_context",
}  # fmt: skip


def test_only_tools_that_change_nothing_are_marked_as_readers(desk: Desk) -> None:
    assert {one.name for one in Toolbox(desk).definitions() if one.annotations["readOnlyHint"]} == READERS


def test_the_instructions_fit_a_host_and_count_the_rules(desk: Desk, person: PersonFace, alice: Agent) -> None:
    said = [Toolbox(desk).instructions(alice.caller)]
    for number in range(2):
        person.add(SYSTEM, name=f"Rule {number}")
        said.append(Toolbox(desk).instructions(alice.caller))
    assert all(len(text) <= 1_900 and "read_startup_memory" in text for text in said)
    assert ["No system rule is set" in said[0], "1 system rule is set" in said[1], "2 system rules are set" in said[2]] == [True] * 3
