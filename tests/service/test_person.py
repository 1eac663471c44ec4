"""The person's verbs: each a version, none blind, none losing a word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorypane.model.errors import Conflict, DuplicateName, InvalidInput, MemoryPaneError, NotAllowed, NotFound
from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, RECORDS, SYSTEM, TOPICS, Shelf
from memorypane.model.values import Entry, ListQuery, Provenance
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock


def add(person: PersonFace, name: str = "One", content: str = "first", description: str = "") -> Entry:
    return person.add(INSTRUCTIONS, name=name, content=content, description=description)


def actions(person: PersonFace, entry_id: str) -> list[str]:
    """What was done to an entry, oldest first."""
    return [version.action.value for version in reversed(person.history(entry_id))]


def texts(person: PersonFace, entry_id: str) -> list[str]:
    return [person.version(entry_id, number).state.content for number in range(1, person.entry(entry_id).info.version + 1)]


def order(person: PersonFace, shelf: Shelf = INSTRUCTIONS, owner: str = "") -> list[str]:
    page = person.page(ListQuery(tier=shelf.tier, shelf=shelf.name, owner=owner))
    return [one.title for one in page.entries]


VERBS: dict[str, Callable[[PersonFace, str], Entry]] = {
    "edit": lambda person, entry_id: person.edit(entry_id, content="second"),
    "remove": lambda person, entry_id: person.remove(entry_id),
    "promote": lambda person, entry_id: person.promote(entry_id),
    "move": lambda person, entry_id: person.move(entry_id, PROFILE),
    "pin": lambda person, entry_id: person.pin(entry_id),
    "reorder": lambda person, entry_id: person.reorder(entry_id),
}


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_is_one_version_with_its_event_and_its_call(person: PersonFace, clock: Clock, verb: str) -> None:
    made = add(person)
    add(person, "Two")
    before = person.events(limit=1)[0].seq
    clock.pass_by(seconds=1)
    done = VERBS[verb](person, made.id)
    newest, first = person.history(made.id)
    [event] = [event for event in person.events(limit=10) if event.seq > before]
    assert (done.info.version, newest.number, newest.action, newest.parent) == (2, 2, verb, first.id)
    assert (event.action, event.entry_id, event.actor) == (verb, made.id, "human")
    assert (newest.actor, newest.via, newest.source, newest.created_at) == ("human", "window", "human", clock.now)
    assert newest.call_id != first.call_id
    assert person.version(made.id, 1).state.content == "first"


def test_an_entry_goes_through_all_verbs_and_nothing_of_it_is_lost(person: PersonFace, alice: Agent) -> None:
    made = add(person)
    person.edit(made.id, content="second", name="Other", description="said of it")
    person.pin(made.id)
    person.unpin(made.id)
    person.promote(made.id, name="Rule")
    person.edit(made.id, content="third")
    person.demote(made.id)
    person.remove(made.id)
    person.restore(made.id)
    person.move(made.id, NOTES, owner="alice")
    person.revert(made.id, 1)
    assert actions(person, made.id) == [
        "create", "edit", "pin", "unpin", "promote", "edit", "demote", "remove", "restore", "move", "revert",
    ]  # fmt: skip
    assert texts(person, made.id) == ["first", *["second"] * 4, *["third"] * 5, "first"]
    assert person.entry(made.id).info.place is NOTES


# edit


def test_an_edit_changes_the_given_fields_alone(person: PersonFace) -> None:
    made = add(person, description="about it")
    done = person.edit(made.id, content="second")
    assert (done.info.name, done.info.description, done.content) == ("One", "about it", "second")


@pytest.mark.parametrize("fields", [{}, {"name": "One"}, {"name": " One "}, {"content": "first"}, {"description": " about \n it "}])
def test_an_edit_that_changes_nothing_writes_nothing(person: PersonFace, fields: dict[str, Any]) -> None:
    made = add(person, description="about it")
    assert person.edit(made.id, **fields).info.version == 1


def test_an_edit_from_another_head_is_refused_with_what_stands(person: PersonFace) -> None:
    made = add(person)
    person.edit(made.id, content="second", expected_version=1)
    with pytest.raises(Conflict) as caught:
        person.edit(made.id, content="third", expected_version=1)
    assert caught.value.data == {"current_version": 2, "current": "second"}
    assert person.entry(made.id).content == "second"


def test_removal_and_revert_look_at_the_head_too(person: PersonFace) -> None:
    made = add(person)
    person.edit(made.id, content="second")
    with pytest.raises(Conflict):
        person.remove(made.id, expected_version=1)
    with pytest.raises(Conflict):
        person.revert(made.id, 1, expected_version=1)
    assert person.entry(made.id).info.version == 2


def test_a_taken_name_is_refused_with_its_holder(person: PersonFace) -> None:
    one, two = add(person), add(person, "Two")
    with pytest.raises(DuplicateName) as renamed:
        person.edit(two.id, name="ONE")
    with pytest.raises(DuplicateName) as added:
        add(person, " one ")
    assert renamed.value.data == added.value.data == {"holder": one.id}


# remove, restore, revert


def test_a_removed_entry_is_only_among_the_removed(person: PersonFace) -> None:
    made = add(person)
    person.remove(made.id)
    assert order(person) == []
    assert [one.id for one in person.page(ListQuery(removed=True)).entries] == [made.id]
    assert person.totals().removed == 1
    for ask in (person.remove, person.pin, lambda entry_id: person.edit(entry_id, content="x"), person.promote):
        with pytest.raises(NotAllowed, match="Restore it first"):
            ask(made.id)


def test_a_restored_entry_is_back_in_its_place(person: PersonFace) -> None:
    made = [add(person, name) for name in "ABC"]
    person.remove(made[1].id)
    assert person.restore(made[1].id).content == "first"
    assert order(person) == ["A", "B", "C"]
    with pytest.raises(Conflict, match="live already"):
        person.restore(made[1].id)


def test_a_name_taken_meanwhile_stands_in_the_way_of_restoring(person: PersonFace) -> None:
    made = add(person)
    person.remove(made.id)
    taker = add(person)
    with pytest.raises(DuplicateName) as caught:
        person.restore(made.id)
    assert caught.value.data == {"holder": taker.id}
    person.edit(taker.id, name="Two")
    assert person.restore(made.id).info.name == "One"


def test_reverting_a_removed_entry_brings_it_back_as_it_was_then(person: PersonFace) -> None:
    made = add(person)
    person.edit(made.id, name="Other", content="second")
    person.remove(made.id)
    done = person.revert(made.id, 1)
    assert (done.info.name, done.content, done.info.status, done.info.version) == ("One", "first", "active", 4)
    newest, *_ = person.history(made.id)
    assert (newest.source, newest.detail) == ("revert", {"reverted_to": person.version(made.id, 1).id})


def test_reverting_to_what_stands_writes_nothing(person: PersonFace) -> None:
    made = add(person)
    assert person.revert(made.id, 1).info.version == 1


def test_reverting_to_a_number_that_never_was_names_those_that_were(person: PersonFace) -> None:
    made = add(person)
    for number in (0, 2, -1):
        with pytest.raises(NotFound, match="it has 1 to 1"):
            person.revert(made.id, number)


def test_reverting_over_a_move_keeps_a_name_that_fits_the_shelf(person: PersonFace, alice: Agent) -> None:
    note = person.add(NOTES, owner="alice", content="unnamed")
    person.promote(note.id, name="Rule")
    person.edit(note.id, content="longer")
    done = person.revert(note.id, 1)
    assert (done.info.name, done.content, done.info.place) == ("Rule", "unnamed", SYSTEM)
    file = person.add(FILES, owner="alice", name="a.md", content="file")
    person.move(file.id, INSTRUCTIONS)
    person.edit(file.id, name="Two words", content="more")
    person.move(file.id, PROFILE)
    done = person.revert(file.id, 1)
    assert (done.info.name, done.content, done.info.place) == ("", "file", PROFILE)


def test_what_was_erased_cannot_be_brought_back(person: PersonFace) -> None:
    made = add(person)
    person.edit(made.id, content="second")
    person.purge(made.id)
    for ask in (person.restore, lambda entry_id: person.revert(entry_id, 1)):
        with pytest.raises(NotAllowed, match="erased"):
            ask(made.id)
    assert texts(person, made.id) == ["", "", ""]


# promote, demote, move


def test_a_promoted_entry_stands_in_the_system_tier_at_its_end(person: PersonFace) -> None:
    person.promote(add(person, "First rule").id)
    done = person.promote(add(person, "Second").id, name="Second rule")
    assert (done.info.place, done.info.name) == (SYSTEM, "Second rule")
    assert order(person, SYSTEM) == ["First rule", "Second rule"]
    with pytest.raises(Conflict, match="already"):
        person.promote(done.id)


def test_an_unnamed_entry_needs_a_name_to_be_promoted(person: PersonFace) -> None:
    made = person.add(PROFILE, content="likes tea")
    with pytest.raises(InvalidInput, match="Give it one"):
        person.promote(made.id)
    assert person.promote(made.id, name="Tea").info.name == "Tea"


def test_a_taken_system_name_stands_in_the_way_of_promoting(person: PersonFace) -> None:
    person.promote(add(person, "Rule").id)
    made = add(person, "Rule")
    with pytest.raises(DuplicateName):
        person.promote(made.id)
    assert person.entry(made.id).info.place is INSTRUCTIONS


def test_a_demoted_entry_goes_back_to_where_it_stood(person: PersonFace, alice: Agent, tmp_path: Path) -> None:
    workspace = person.add_workspace(tmp_path).id
    homes = [
        (INSTRUCTIONS, "", "Rule"), (PROFILE, "", ""), (TOPICS, "", "areas/tea"), (RECORDS, workspace, ""), (NOTES, "alice", ""),
        (FILES, "alice", "a.md"),
    ]  # fmt: skip
    for shelf, owner, name in homes:
        made = person.add(shelf, owner=owner, name=name, content=f"text of {shelf.key}", kind="semantic_fact" if shelf is RECORDS else "")
        person.promote(made.id, name=f"Rule from {shelf.key}")
        done = person.demote(made.id)
        expected = "Rule from global/instructions" if shelf is INSTRUCTIONS else name
        assert (done.info.place, done.info.owner, done.info.name, done.info.kind) == (shelf, owner, expected, made.info.kind)


def test_what_came_into_the_system_tier_by_itself_is_demoted_to_the_instructions(person: PersonFace) -> None:
    made = person.add(SYSTEM, name="Rule", content="be kind")
    assert person.demote(made.id).info.place is INSTRUCTIONS
    with pytest.raises(NotAllowed, match="cannot be demoted"):
        person.demote(made.id)


def test_a_name_taken_meanwhile_stands_in_the_way_of_demoting(person: PersonFace) -> None:
    made = add(person, "Rule")
    person.promote(made.id)
    add(person, "Rule")
    with pytest.raises(DuplicateName):
        person.demote(made.id)


def test_a_moved_entry_is_at_the_end_of_its_new_shelf_and_keeps_its_standing(person: PersonFace, alice: Agent) -> None:
    person.add(PROFILE, content="old")
    made = alice.write("One", "moved")
    done = person.move(made, PROFILE)
    assert (done.info.name, done.info.unreviewed, done.info.deciding_actor) == ("", True, "agent:alice")
    assert order(person, PROFILE) == ["old", "moved"]
    assert person.move(made, PROFILE).info.version == done.info.version


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda person, entry_id: person.move(entry_id, SYSTEM), NotAllowed),
        (lambda person, entry_id: person.move(entry_id, NOTES), NotFound),
        (lambda person, entry_id: person.move(entry_id, NOTES, owner="nobody"), NotFound),
        (lambda person, entry_id: person.move(entry_id, RECORDS, owner="nowhere"), NotFound),
        (lambda person, entry_id: person.move(entry_id, PROFILE, owner="alice"), InvalidInput),
        (lambda person, entry_id: person.move(entry_id, FILES, owner="alice"), InvalidInput),
        (lambda person, entry_id: person.move(entry_id, TOPICS), InvalidInput),
    ],
)
def test_an_entry_moves_only_where_it_fits(
    person: PersonFace, alice: Agent, ask: Callable[[PersonFace, str], Entry], kind: type[MemoryPaneError]
) -> None:
    made = add(person, "Not a file name")
    with pytest.raises(kind):
        ask(person, made.id)
    assert person.entry(made.id) == made


def test_a_system_entry_does_not_move(person: PersonFace) -> None:
    made = person.add(SYSTEM, name="Rule")
    with pytest.raises(NotAllowed, match="demote"):
        person.move(made.id, PROFILE)


def test_an_unnamed_entry_does_not_move_to_a_shelf_of_names(person: PersonFace) -> None:
    made = person.add(PROFILE, content="likes tea")
    with pytest.raises(InvalidInput, match="need one"):
        person.move(made.id, INSTRUCTIONS)


# pin


def test_pinning_twice_is_one_version(person: PersonFace) -> None:
    made = add(person)
    assert person.pin(made.id).info.pinned
    assert person.pin(made.id).info.version == 2
    assert not person.unpin(made.id).info.pinned
    assert person.unpin(made.id).info.version == 3


# who and where


def test_provenance_is_kept_as_it_was_claimed(desk: Desk) -> None:
    made = desk.person(via="command").add(INSTRUCTIONS, name="One", provenance=Provenance("letter", {"page": 3}))
    [version] = desk.person(via="window").history(made.id)
    assert (version.source, version.detail, version.via, version.actor) == ("letter", {"page": 3}, "command", "human")


def test_entries_need_an_owner_where_the_shelf_has_one(person: PersonFace) -> None:
    for shelf, owner, kind in ((NOTES, "", NotFound), (RECORDS, "x", NotFound), (INSTRUCTIONS, "alice", InvalidInput)):
        with pytest.raises(kind):
            person.add(shelf, owner=owner, name="a" if shelf.named else "", content="text")


@pytest.mark.parametrize(
    "ask",
    [
        lambda person, entry_id: person.entry(entry_id),
        lambda person, entry_id: person.history(entry_id),
        lambda person, entry_id: person.version(entry_id, 1),
        lambda person, entry_id: person.diff(entry_id, 1, 1),
        *[lambda person, entry_id, verb=verb: verb(person, entry_id) for verb in VERBS.values()],
        lambda person, entry_id: person.restore(entry_id),
        lambda person, entry_id: person.revert(entry_id, 1),
        lambda person, entry_id: person.demote(entry_id),
        lambda person, entry_id: person.purge(entry_id),
        lambda person, entry_id: person.keep(entry_id),
        lambda person, entry_id: person.approve(entry_id),
        lambda person, entry_id: person.reject(entry_id),
    ],
)
def test_an_unknown_id_is_not_found(person: PersonFace, ask: Callable[[PersonFace, str], object]) -> None:
    for entry_id in ("nothing", "", "' OR 1=1", "\0", "x" * 100_000):
        with pytest.raises(NotFound) as caught:
            ask(person, entry_id)
        assert len(caught.value.message) < 300
    with pytest.raises(InvalidInput, match="lone surrogate"):
        ask(person, "\udc80")
    assert person.events() == ()
