"""The person's decisions on what agents wrote, and taking them back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memorypane.home.paths import Home
from memorypane.model.errors import Conflict, DuplicateName, NotAllowed, NotFound
from memorypane.model.shelves import INSTRUCTIONS, SYSTEM
from memorypane.model.values import Status
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller, Hello
from memorypane.service.person import PersonFace
from memorypane.tools.toolbox import Toolbox, ToolResult

SEVEN = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


@dataclass
class Room:
    """A desk with the person and two verified agents at it."""

    desk: Desk
    person: PersonFace
    tools: Toolbox
    alice: Caller
    bob: Caller

    def write(self, caller: Caller, name: str, content: str, **more: Any) -> ToolResult:
        result = self.tools.call(caller, "GlobalMemoryWrite", {"name": name, "content": content, **more})
        assert not result.is_error, result.text
        return result

    def held(self, caller: Caller, name: str, content: str, **more: Any) -> str:
        """A write that the claim `jekt`, or the entry it touches, holds back; returns the proposal's id."""
        result = self.write(caller, name, content, **({"provenance": {"source": "jekt"}} | more))
        assert result.data["held"] is True
        return str(result.data["proposalId"])

    def read(self, entry_id: str) -> str:
        return str(self.tools.call(self.bob, "GlobalMemoryRead", {"id": entry_id}).data["content"])


@pytest.fixture
def room(home: Home) -> Iterator[Room]:
    with Desk.open(home) as desk:
        person = desk.person(via="window")
        alice, bob = (desk.admit(Hello(name, person.add_agent(name).token)) for name in ("alice", "bob"))
        yield Room(desk, person, Toolbox(desk), alice, bob)


def test_approving_a_create_writes_the_agents_version_as_kept(room: Room) -> None:
    proposal = room.held(room.alice, "A", "text")
    (made,) = room.person.approve(proposal).entries
    version = room.person.version(made.id, 1)
    assert (made.actor, made.reviewed, made.unreviewed, version.proposal_id, version.source) == ("agent:alice", 1, False, proposal, "jekt")
    assert room.person.review() == ()


def test_approving_with_a_text_makes_the_version_the_persons(room: Room) -> None:
    (made,) = room.person.approve(room.held(room.alice, "A", "agent text"), edited="my text\r\n").entries
    assert (made.actor, room.read(made.id)) == ("human", "my text\n")


def test_a_decided_proposal_cannot_be_decided_again(room: Room) -> None:
    proposal = room.held(room.alice, "A", "x")
    room.person.approve(proposal)
    for decide in (room.person.approve, room.person.reject):
        with pytest.raises(Conflict, match="approved already"):
            decide(proposal)


def test_unknown_ids_are_not_found(room: Room) -> None:
    for decide in (room.person.approve, room.person.reject, room.person.keep, room.person.review_item, room.person.lift):
        with pytest.raises(NotFound):
            decide("4b1c9a9e-7a55-4a0e-9a55-0d8f5a1b2c3d")


def test_changes_that_do_not_touch_merge(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content=SEVEN)
    proposal = room.held(room.alice, "A", SEVEN.replace("seven", "SEVEN"), id=entry.id)
    room.person.edit(entry.id, name="Renamed", content=SEVEN.replace("one", "ONE"))
    shown = room.person.review_item(proposal)
    assert (shown.item.stale, shown.merged, shown.conflict) == (True, True, "")
    (made,) = room.person.approve(proposal, seen=shown.seen).entries
    assert (made.version, made.name, room.read(made.id)) == (3, "Renamed", SEVEN.replace("one", "ONE").replace("seven", "SEVEN"))


def test_a_conflict_stays_until_a_text_resolves_it(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content=SEVEN)
    proposal = room.held(room.alice, "A", SEVEN.replace("four", "agent"), id=entry.id)
    room.person.edit(entry.id, content=SEVEN.replace("four", "person"))
    with pytest.raises(Conflict, match="same lines"):
        room.person.approve(proposal)
    assert [item.id for item in room.person.review()] == [proposal]
    room.person.approve(proposal, edited=SEVEN.replace("four", "both"))
    assert room.read(entry.id) == SEVEN.replace("four", "both")


def test_a_removal_is_not_applied_to_a_changed_text(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content="one")
    proposal = room.tools.call(room.alice, "GlobalMemoryRemove", {"id": entry.id}).data["proposalId"]
    room.person.edit(entry.id, content="worth keeping")
    with pytest.raises(Conflict):
        room.person.approve(proposal)
    with pytest.raises(Conflict):
        room.person.approve(proposal, edited="something")
    assert room.read(entry.id) == "worth keeping"


def test_a_proposal_does_not_bring_a_removed_entry_back(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content="one")
    proposal = room.held(room.alice, "A", "two", id=entry.id)
    room.person.remove(entry.id)
    with pytest.raises(NotFound, match="gone"):
        room.person.approve(proposal)
    with pytest.raises(NotFound, match="gone"):
        room.person.approve(proposal, edited="three")
    assert room.person.entry(entry.id).info.status is Status.REMOVED


def test_a_name_taken_meanwhile_leaves_the_proposal_waiting(room: Room) -> None:
    first, second = room.held(room.alice, "A", "from alice"), room.held(room.bob, "a", "from bob")
    room.person.approve(second)
    with pytest.raises(DuplicateName):
        room.person.approve(first)
    assert [item.id for item in room.person.review()] == [first]


def test_keep_needs_what_was_seen(room: Room) -> None:
    entry_id = room.write(room.alice, "S", "one").data["id"]
    seen = room.person.review_item(entry_id).seen
    room.write(room.alice, "S", "two", id=entry_id)
    with pytest.raises(Conflict, match="shown"):
        room.person.keep(entry_id, seen=seen)
    assert room.person.entry(entry_id).info.reviewed == 0
    room.person.keep(entry_id, seen=room.person.review_item(entry_id).seen)
    assert room.person.entry(entry_id).info.reviewed == 2


def test_a_pin_does_not_change_what_was_seen(room: Room) -> None:
    entry_id = room.write(room.alice, "S", "one").data["id"]
    seen = room.person.review_item(entry_id).seen
    room.person.pin(entry_id)
    room.person.keep(entry_id, seen=seen)
    assert room.person.review() == ()


def test_rejecting_an_unreviewed_change_brings_the_kept_version_back(room: Room) -> None:
    entry_id = room.write(room.alice, "A", "kept").data["id"]
    room.person.keep(entry_id)
    room.write(room.alice, "A9", "2", id=entry_id)
    (made,) = room.person.reject(entry_id).entries
    assert (made.name, made.actor, made.version, room.read(entry_id), room.person.review()) == ("A", "human", 3, "kept", ())


def test_rejecting_what_was_never_kept_removes_it(room: Room) -> None:
    entry_id = room.write(room.alice, "A", "1").data["id"]
    (made,) = room.person.reject(entry_id).entries
    assert (made.status, room.person.review()) == (Status.REMOVED, ())


def test_a_removal_by_an_agent_can_be_taken_back(room: Room) -> None:
    entry_id = room.write(room.alice, "G", "text").data["id"]
    room.person.keep(entry_id)
    room.tools.call(room.alice, "GlobalMemoryRemove", {"id": entry_id})
    shown = room.person.review_item(entry_id)
    assert (shown.changes[0].before_text, shown.changes[0].after_text) == ("text", "")
    (made,) = room.person.reject(entry_id).entries
    assert (made.status, made.version, room.read(entry_id)) == (Status.ACTIVE, 3, "text")


def test_rejected_text_is_refused_to_its_agent_held_for_others_and_can_be_lifted(room: Room) -> None:
    proposal = room.held(room.alice, "R", "deploy on Fridays")
    room.person.reject(proposal, reason="no")
    again = room.tools.call(room.alice, "GlobalMemoryWrite", {"name": "R2", "content": "deploy on Fridays"})
    assert (again.is_error, again.data["error"]["code"], again.data["error"]["reason"]) == (True, "not_allowed", "rejected_before")
    assert room.write(room.bob, "R3", "deploy on Fridays").data["reasons"] == ["rejected_before"]
    room.person.lift(proposal)
    assert room.write(room.alice, "R4", "deploy on Fridays").data["created"] is True


def test_undoing_an_approval_lets_the_same_proposal_wait_again(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content="mine")
    proposal = room.held(room.alice, "A", "theirs", id=entry.id)
    room.person.approve(proposal)
    undone = room.person.undo()
    assert (undone.kind, undone.id, room.read(entry.id)) == ("approve", proposal, "mine")
    assert [(item.id, item.stale) for item in room.person.review()] == [(proposal, False)]
    assert room.person.entry(entry.id).info.human_head
    (made,) = room.person.approve(proposal).entries
    assert (made.version, room.read(entry.id)) == (4, "theirs")


def test_undoing_an_approved_create_takes_it_out_and_approving_brings_the_same_entry(room: Room) -> None:
    proposal = room.held(room.alice, "A", "text")
    (made,) = room.person.approve(proposal).entries
    room.person.undo()
    assert room.person.entry(made.id).info.status is Status.REMOVED
    (again,) = room.person.approve(proposal).entries
    assert (again.id, again.version, room.read(made.id)) == (made.id, 3, "text")


def test_undoing_a_merged_approval_keeps_the_persons_change(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content=SEVEN)
    proposal = room.held(room.alice, "A", SEVEN.replace("seven", "SEVEN"), id=entry.id)
    room.person.edit(entry.id, content=SEVEN.replace("one", "ONE"))
    room.person.approve(proposal)
    room.person.undo()
    assert room.read(entry.id) == SEVEN.replace("one", "ONE")
    assert room.person.review_item(proposal).item.stale
    room.person.approve(proposal)
    assert room.read(entry.id) == SEVEN.replace("one", "ONE").replace("seven", "SEVEN")


def test_undoing_keep_reject_and_revert(room: Room) -> None:
    entry_id = room.write(room.alice, "A", "1").data["id"]
    room.person.keep(entry_id)
    room.person.undo()
    assert [item.id for item in room.person.review()] == [entry_id]
    room.person.reject(entry_id)
    assert room.person.undo().kind == "revert"
    info = room.person.entry(entry_id).info
    assert (info.status, info.unreviewed, info.deciding_actor, room.read(entry_id)) == (Status.ACTIVE, True, "agent:alice", "1")
    assert room.write(room.alice, "A2", "1").data["created"] is True  # the text is not remembered as rejected any more
    proposal = room.held(room.alice, "P", "p")
    room.person.reject(proposal)
    room.person.undo()
    assert proposal in [item.id for item in room.person.review()]


def test_undo_is_refused_when_the_entry_moved_and_when_nothing_is_left(room: Room) -> None:
    with pytest.raises(NotFound):
        room.person.undo()
    (made,) = room.person.approve(room.held(room.alice, "A", "text")).entries
    room.person.edit(made.id, content="newer")
    with pytest.raises(Conflict, match="changed since"):
        room.person.undo()
    assert room.read(made.id) == "newer"


def test_decisions_stand_in_the_audit_trail_without_texts(room: Room) -> None:
    room.person.reject(room.held(room.alice, "Secret plan", "walrus"))
    room.person.approve(room.held(room.alice, "A", "heron"))
    trail = room.person.events(limit=50)
    assert {"approve", "reject", "propose"} <= {event.action for event in trail}
    assert not any(word in repr(trail) for word in ("walrus", "heron", "Secret plan"))


def test_a_purge_leaves_no_word_in_store_or_log_and_cannot_be_undone(room: Room, home: Home) -> None:
    entry = room.person.add(INSTRUCTIONS, name="Purge me", content="xylophone one")
    room.person.edit(entry.id, content="xylophone two")
    proposal = room.held(room.alice, "Purge me", "xylophone three", id=entry.id)
    done = room.person.purge(entry.id)
    assert (done.erasing, done.copies) == (False, ())
    gone = room.person.entry(entry.id)
    assert (gone.info.status, gone.content, gone.info.name) == (Status.PURGED, "", "")
    assert [(version.number, version.state.name, version.content_hash) for version in room.person.history(entry.id)] == [
        (3, "", ""), (2, "", ""), (1, "", ""),
    ]  # fmt: skip
    for refused in (room.person.restore, room.person.purge):
        with pytest.raises(NotAllowed):
            refused(entry.id)
    with pytest.raises(Conflict):
        room.person.approve(proposal)
    files = [path for path in home.root.iterdir() if path.name.startswith("identity.db")]
    assert files
    for path in files:
        data = path.read_bytes()
        assert b"xylophone" not in data, path
        assert b"Purge me" not in data, path
    assert room.person.examine().ok
    room.write(room.alice, "Purge me", "new")


def test_a_purge_cleans_the_backups_it_knows(room: Room, home: Home) -> None:
    entry = room.person.add(SYSTEM, name="Old rule", content="zeppelin")
    home.backups.mkdir(mode=0o700)
    copy = home.backups / "daily.db"
    _copy_store(home.shared_store, copy)
    first = room.person.purge(entry.id, copies=True)
    assert [(found.where, found.cleaned) for found in first.copies] == [(str(copy), True)]
    assert not any(b"zeppelin" in path.read_bytes() for path in home.backups.iterdir())


def _copy_store(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as store, closing(sqlite3.connect(target)) as copy:
        store.backup(copy)


def test_turning_a_rename_down_leaves_the_text_free(room: Room) -> None:
    entry = room.person.add(INSTRUCTIONS, name="A", content="the text")
    room.person.reject(room.held(room.alice, "Other", "the text", id=entry.id))
    assert room.write(room.alice, "Third", "the text", id=entry.id).data["reasons"] == ["human_head"]
    mine = room.write(room.alice, "Mine", "own").data["id"]
    room.person.keep(mine)
    room.write(room.alice, "Renamed", "own", id=mine)
    room.person.reject(mine)
    assert room.write(room.alice, "Again", "own", id=mine).data["reasons"] == ["human_head"]


def test_what_an_agent_wrote_and_took_away_unseen_is_shown(room: Room) -> None:
    entry_id = room.write(room.alice, "G", "never seen").data["id"]
    room.tools.call(room.alice, "GlobalMemoryRemove", {"id": entry_id})
    (change,) = room.person.review_item(entry_id).changes
    assert (change.before_text, change.after_text) == ("never seen", "")


def test_only_the_window_decides_where_the_person_wants_it_so(room: Room, tmp_path: Path) -> None:
    proposal, entry_id = room.held(room.alice, "A", "x"), room.write(room.alice, "B", "y").data["id"]
    room.person.set_setting("decide.window_only", "1")
    command = room.desk.person(via="command")
    refused: list[Callable[[], object]] = [
        lambda: command.approve(proposal), lambda: command.reject(proposal), lambda: command.reject(entry_id),
        lambda: command.keep(entry_id),
        command.undo, lambda: command.lift(proposal), lambda: command.promote(entry_id), lambda: command.purge(entry_id),
        lambda: command.set_policy("trusting"), lambda: command.set_setting("decide.window_only", "0"), lambda: command.add_agent("carol"),
        lambda: command.revoke_agent("alice"), lambda: command.add_workspace(tmp_path),
    ]  # fmt: skip
    for decide in refused:
        with pytest.raises(NotAllowed, match="only in the window"):
            decide()
    assert len(room.person.review()) == 2
    room.person.set_setting("decide.window_only", "0")
    command.keep(entry_id)
    assert room.person.events(limit=1)[0].detail["ancestors"]
