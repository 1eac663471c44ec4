"""What agents cannot reach: the system tier, decisions, each other's shelves, other workspaces, what was removed."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from memorypane.model.errors import NotFound
from memorypane.model.shelves import INSTRUCTIONS, NOTES, PROFILE, RECORDS, SYSTEM, Shelf, Tier
from memorypane.service import agent as agent_module
from memorypane.service.agent import AgentFace
from memorypane.service.desk import Desk
from memorypane.service.documents import Documents
from memorypane.service.person import PersonFace
from memorypane.store import decisions as stored_decisions
from tests.service.support import Agent

DECIDING = {
    "approve", "reject", "keep", "promote", "demote", "purge", "policy", "set_policy", "set_setting", "settings", "undo", "restore", "lift",
    "add_agent", "revoke_agent", "confirm_agent", "add_workspace", "confirm_workspace", "pin", "unpin", "reorder", "move", "import_entries",
    "proposals", "review",
}  # fmt: skip


def surface(face: AgentFace) -> dict[str, Any]:
    """Every public thing that hangs on the face, and on what hangs on it."""
    found: dict[str, Any] = {}
    for name in dir(face):
        if name.startswith("_") or name == "caller":
            continue
        part = getattr(face, name)
        found[name] = part
        if not callable(part):
            found |= {f"{name}.{inner}": getattr(part, inner) for inner in dir(part) if not inner.startswith("_")}
    return found


def test_nothing_of_the_face_decides(alice: Agent) -> None:
    names = {name.split(".")[-1] for name in surface(alice.face)}
    assert {"instructions", "write", "search"} <= names
    assert names & DECIDING == set()


def test_no_method_of_the_face_takes_a_shelf_an_owner_or_an_agent(alice: Agent) -> None:
    asked = {name: set(inspect.signature(part).parameters) for name, part in surface(alice.face).items() if inspect.ismethod(part)}
    assert len(asked) > 10
    assert {name for name, words in asked.items() if words & {"shelf", "owner", "agent", "actor", "author", "tier"}} == set()


def test_no_documents_stand_for_the_system_tier(alice: Agent) -> None:
    parts = [part for part in surface(alice.face).values() if isinstance(part, Documents)]
    assert parts
    assert all(part.shelf is not SYSTEM for part in parts)
    with pytest.raises(ValueError, match="system"):
        Documents(alice.desk._store, alice.desk._pipeline, alice.caller.author, SYSTEM, "")


def test_the_face_knows_no_module_that_decides() -> None:
    known = {value.__name__ for value in vars(agent_module).values() if inspect.ismodule(value)}
    service = {f"memorypane.service.{name}" for name in ("decisions", "editing", "administration", "purging", "person")}
    assert known & {*service, stored_decisions.__name__} == set()


def test_no_tool_is_named_after_a_decision(alice: Agent) -> None:
    names = {definition.name.lower() for definition in alice.tools.definitions()}
    assert {name for name in names for word in DECIDING - {"move", "settings", "policy"} if word in name} == set()


# the system tier

ON_ID = ("GlobalMemoryRead", "GlobalMemoryWrite", "GlobalMemoryRemove", "GlobalMemoryHistory", "GlobalMemoryDiff", "GlobalMemoryRevert")


def arguments(tool: str, entry_id: str, version_id: str) -> dict[str, Any]:
    more = {
        "GlobalMemoryWrite": {"name": "Rule", "content": "changed"},
        "GlobalMemoryDiff": {"from_version_id": version_id, "to_version_id": version_id},
        "GlobalMemoryRevert": {"version_id": version_id},
    }
    return {"id": entry_id, **more.get(tool, {})}


@pytest.mark.parametrize("tool", ON_ID)
def test_a_system_entry_can_only_be_seen_in_the_list(person: PersonFace, alice: Agent, tool: str) -> None:
    made = person.add(SYSTEM, name="Rule", content="unmistakable")
    error = alice.refused(tool, **arguments(tool, made.id, made.info.version_id))
    assert error["code"] == "not_allowed"
    assert "person" in error["message"]
    assert "unmistakable" not in str(error)
    [row] = alice.do("GlobalMemoryList")["entries"]
    assert (row["id"], row["system"], set(row)) == (made.id, True, {"id", "name", "updated_at", "system", "version", "size"})
    assert person.entry(made.id) == made


def test_system_words_are_found_by_no_agent(person: PersonFace, alice: Agent) -> None:
    made = person.add(SYSTEM, name="Rule", content="unmistakable")
    assert alice.do("SearchMemory", query="unmistakable")["results"] == []
    assert alice.refused("SearchMemory", query="unmistakable", tiers=["system"])["code"] == "invalid_input"
    assert alice.face.search("unmistakable", [Tier.SYSTEM], 10).total == 0
    assert made.id not in [one.id for one in alice.face.index()]
    assert "unmistakable" in alice.do("read_startup_memory")["text"]


def test_a_demoted_entry_shows_nothing_of_its_time_in_the_system_tier(person: PersonFace, alice: Agent) -> None:
    made = alice.write("One", "before")
    person.promote(made)
    during = person.edit(made, content="unmistakable").info.version_id
    person.demote(made)
    person.edit(made, content="after")
    versions = alice.do("GlobalMemoryHistory", id=made)["versions"]
    assert [version["version"] for version in versions] == [5, 4, 1]
    calls = {
        "GlobalMemoryRead": {"version_id": during},
        "GlobalMemoryDiff": {"from_version_id": during, "to_version_id": versions[0]["version_id"]},
        "GlobalMemoryRevert": {"version_id": during},
    }
    for tool, words in calls.items():
        error = alice.refused(tool, id=made, **words)
        assert error["code"] == "not_found"
        assert "unmistakable" not in str(error)
    diff = {"from_version_id": versions[-1]["version_id"], "to_version_id": versions[0]["version_id"]}
    assert "after" in alice.do("GlobalMemoryDiff", id=made, **diff)["diff"]


def test_versions_of_an_entry_from_another_agents_shelf_are_not_shown(person: PersonFace, alice: Agent, bob: Agent) -> None:
    made = alice.do("MemoryWrite", filename="a.md", content="unmistakable")["id"]
    first = alice.do("MemoryHistory", filename="a.md")["versions"][0]["version_id"]
    person.edit(made, content="for all")
    person.move(made, INSTRUCTIONS)
    assert [version["version"] for version in bob.do("GlobalMemoryHistory", id=made)["versions"]] == [3]
    assert bob.refused("GlobalMemoryRead", id=made, version_id=first)["code"] == "not_found"
    assert bob.refused("GlobalMemoryRevert", id=made, version_id=first)["code"] == "not_found"
    assert alice.refused("MemoryHistory", filename="a.md")["code"] == "not_found"
    assert alice.refused("MemoryDiff", from_version_id=first, to_version_id=first)["code"] == "invalid_input"


# other agents

PLACES: list[tuple[Shelf, str, bool]] = [
    (INSTRUCTIONS, "", True), (PROFILE, "", True), (NOTES, "alice", True), (NOTES, "bob", False),
]  # fmt: skip


def test_an_agent_reads_what_is_shared_and_its_own(person: PersonFace, alice: Agent, bob: Agent) -> None:
    for shelf, owner, mine in PLACES:
        made = person.add(shelf, owner=owner, name=f"unmistakable {shelf.key}" if shelf.named else "", content=f"unmistakable {owner}")
        assert (made.id in [one.id for one in alice.face.index()]) is mine
        assert (made.id in [hit.entry.id for hit in alice.face.search("unmistakable", [], 50).hits]) is mine
        if mine:
            assert alice.face.entry(made.id) == made


@pytest.mark.parametrize("verb", ["MemoryRead", "MemoryHistory", "MemoryRemove"])
def test_files_of_another_agent_do_not_exist(alice: Agent, bob: Agent, verb: str) -> None:
    theirs = bob.do("MemoryWrite", filename="secret.md", content="unmistakable")
    error = alice.refused(verb, filename="secret.md")
    assert error["code"] == "not_found"
    assert alice.do("MemoryList")["files"] == []
    assert alice.refused("GlobalMemoryRead", id=theirs["id"])["code"] == "not_found"
    assert alice.refused("MemoryDiff", from_version_id=theirs["version_id"], to_version_id=theirs["version_id"])["code"] == "invalid_input"
    assert alice.refused("MemoryRevert", filename="secret.md", target_version_id=theirs["version_id"])["code"] == "not_found"
    assert alice.do("MemoryWrite", filename="secret.md", content="mine")["created"]
    assert bob.do("MemoryRead", filename="secret.md")["content"] == "unmistakable"
    with pytest.raises(NotFound):
        alice.face.files.find(alice.face.files.by_id(theirs["id"]))


def test_an_unverified_agent_has_its_own_files_and_none_of_another_name(desk: Desk, alice: Agent) -> None:
    mallory, other = Agent.enter(desk, "mallory"), Agent.enter(desk, "mallory2")
    mallory.do("MemoryWrite", filename="a.md", content="unmistakable")
    assert other.do("MemoryList")["files"] == []
    assert other.do("SearchMemory", query="unmistakable")["total"] == 0
    assert "unmistakable" not in mallory.do("read_startup_memory")["text"]


def test_an_id_of_another_shelf_is_not_found(person: PersonFace, alice: Agent) -> None:
    for shelf, owner in ((PROFILE, ""), (NOTES, "alice")):
        made = person.add(shelf, owner=owner, content="text")
        assert alice.refused("GlobalMemoryRead", id=made.id)["code"] == "not_found"
        assert alice.refused("GlobalMemoryWrite", id=made.id, name="x", content="x")["code"] == "not_found"


# removed


def test_a_removed_entry_is_reached_by_its_history_alone(person: PersonFace, alice: Agent) -> None:
    made = alice.write("One", "unmistakable")
    version = alice.do("GlobalMemoryHistory", id=made)["versions"][0]["version_id"]
    alice.do("GlobalMemoryRemove", id=made)
    assert alice.do("GlobalMemoryList")["entries"] == []
    assert alice.do("SearchMemory", query="unmistakable")["total"] == 0
    assert "unmistakable" not in alice.do("read_startup_memory")["text"]
    for tool in ("GlobalMemoryRead", "GlobalMemoryRemove"):
        assert alice.refused(tool, id=made)["code"] == "not_found"
    assert alice.refused("GlobalMemoryWrite", id=made, name="One", content="x")["code"] == "not_found"
    assert alice.do("GlobalMemoryRead", id=made, version_id=version)["content"] == "unmistakable"
    assert [row["action"] for row in alice.do("GlobalMemoryHistory", id=made)["versions"]] == ["remove", "create"]
    assert alice.do("GlobalMemoryRevert", id=made, version_id=version)["version"] == 3
    assert alice.do("GlobalMemoryRead", id=made)["content"] == "unmistakable"


# workspaces


def test_an_unknown_workspace_gets_nothing_of_others(desk: Desk, person: PersonFace, tmp_path: Path) -> None:
    known, unknown = tmp_path / "known", tmp_path / "unknown"
    known.mkdir()
    unknown.mkdir()
    workspace = person.add_workspace(known).id
    made = person.add(RECORDS, owner=workspace, content="unmistakable", kind="semantic_fact")
    token = person.add_agent("carol").token
    inside = Agent.enter(desk, "carol", token, workspace=str(known))
    outside = Agent.enter(desk, "carol", token, workspace=str(unknown))
    assert inside.do("SearchMemory", query="unmistakable")["total"] == 1
    assert inside.face.entry(made.id).content == "unmistakable"
    assert outside.do("SearchMemory", query="unmistakable")["total"] == 0
    assert outside.face.index() == []
    assert "unmistakable" not in outside.do("read_startup_memory")["text"]


# own proposals


def test_an_agent_hears_of_its_own_proposals_alone(alice: Agent, bob: Agent) -> None:
    alice.do("GlobalMemoryWrite", name="One", content="text", provenance={"source": "jekt"})
    assert (alice.face.own_proposals().waiting, bob.face.own_proposals().waiting) == (1, 0)
