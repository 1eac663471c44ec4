"""What the common page says of a purge: nothing of the entry is left, wherever its words or their hashes stood."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from sqlite3 import connect

import pytest

from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput, NotFound
from memorypane.model.values import Status, Workspace
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.service.support import Agent

Enter = Callable[[str], Agent]


def ask_to_erase(agent: Agent, here: Workspace, content: str) -> tuple[str, str]:
    """Let an agent remember something and ask for its erasure; returns the record's id and the proposal's."""
    made = agent.do("remember_workspace_memory", folderId=here.id, kind="open_question", content=content)
    record = made["memory"]["id"]
    asked = agent.do("forget_workspace_memory", folderId=here.id, memoryId=record, mode="purge", reason=f"not {content}")
    return record, asked["proposalId"]


def test_an_approved_erasure_leaves_no_word_in_the_file(home: Home, person: PersonFace, worker: Enter, here: Workspace) -> None:
    record, proposal = ask_to_erase(worker("alice"), here, "xylophone")
    (gone,) = person.approve(proposal).entries
    assert (gone.id, gone.status, gone.erasing, gone.actor) == (record, Status.PURGED, False, "human")
    assert person.history(record)[0].proposal_id == proposal
    assert [person.version(record, number).state.content for number in range(1, gone.version + 1)] == [""] * gone.version
    files = [path for path in home.root.iterdir() if path.name.startswith("identity.db")]
    assert files
    assert not [path for path in files if b"xylophone" in path.read_bytes()]


def test_an_approved_erasure_cannot_be_undone_and_takes_no_text(person: PersonFace, worker: Enter, here: Workspace) -> None:
    record, proposal = ask_to_erase(worker("alice"), here, "xylophone")
    with pytest.raises(InvalidInput):
        person.approve(proposal, edited="something else")
    person.approve(proposal)
    with pytest.raises(NotFound):
        person.undo()
    assert person.entry(record).info.status is Status.PURGED


def test_an_erasure_ends_what_others_asked_of_the_entry(person: PersonFace, worker: Enter, here: Workspace) -> None:
    record, proposal = ask_to_erase(worker("alice"), here, "xylophone")
    theirs = worker("bob").do("forget_workspace_memory", folderId=here.id, memoryId=record, mode="purge")["proposalId"]
    assert {item.id for item in person.review()} >= {proposal, theirs}
    person.approve(proposal)
    assert person.review() == ()


def test_a_purge_takes_the_reasons_and_rejected_texts_of_its_proposals_along(
    home: Home, desk: Desk, person: PersonFace, alice: Agent
) -> None:
    entry = alice.write("Plan", "text")
    person.keep(entry)
    person.pin(entry)
    held = alice.do("GlobalMemoryWrite", id=entry, name="Plan", content="xylophone plan")["proposalId"]
    person.reject(held, reason="no xylophone here")
    assert alice.refused("GlobalMemoryWrite", id=entry, name="Plan", content="xylophone plan")["reason"] == "rejected_before"
    person.purge(entry)
    with closing(connect(home.shared_store)) as raw:
        assert raw.execute("SELECT count(*) FROM rejected_text").fetchone() == (0,)
    for path in home.root.glob("identity.db*"):
        assert b"xylophone" not in path.read_bytes(), path


def test_after_a_purge_activity_scan_search_and_lists_hold_nothing_of_it(person: PersonFace, alice: Agent) -> None:
    entry = alice.write("Zebra rule", "zebra text", provenance={"source": "zebra source", "detail": {"at": "zebra detail"}})
    person.purge(entry)
    shown = [person.events(limit=500), person.rescan().findings, person.search("zebra"), person.history(entry), person.entry(entry)]
    assert "zebra" not in repr(shown).lower()
    assert alice.do("SearchMemory", query="zebra")["total"] == 0
    assert entry not in repr(alice.do("GlobalMemoryList"))
    told = alice.call("GlobalMemoryHistory", id=entry)
    assert "zebra" not in (told.text + repr(told.data)).lower()
    assert [row["version"] for row in told.data["versions"]] == [2, 1]
    first = told.data["versions"][1]["version_id"]
    assert alice.refused("GlobalMemoryRead", id=entry, version_id=first)["code"] == "not_found"
