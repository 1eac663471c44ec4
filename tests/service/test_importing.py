"""Entries from outside: added once, followed when they change there, left alone when they change here."""

from __future__ import annotations

from typing import Any

import pytest

from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, SYSTEM, TOPICS
from memorypane.model.values import EntryInfo, Provenance
from memorypane.service.importing import ImportItem, ImportOutcome
from memorypane.service.person import PersonFace
from memorypane.store import writing
from tests.service.support import Agent

TOKEN = "ghp_" + "q7Zt2LmX9vRb4KcW8nYd3HsF6jGp1QeU5aTo"


def item(origin: str = "a.md", name: str = "One", content: str = "first", **more: Any) -> ImportItem:
    return ImportItem(**{"shelf": INSTRUCTIONS, "origin": origin, "name": name, "content": content, **more})


def bring(person: PersonFace, *items: ImportItem, dry_run: bool = False) -> list[str]:
    return [outcome.outcome for outcome in person.import_entries(items, dry_run=dry_run)]


def only(person: PersonFace, one: ImportItem) -> ImportOutcome:
    [outcome] = person.import_entries([one])
    return outcome


def test_what_is_new_is_added_with_where_it_came_from(person: PersonFace) -> None:
    claim = Provenance("letter", {"page": 3})
    outcome = only(person, item(provenance=claim, description="about it"))
    found = person.entry(outcome.entry_id)
    [version] = person.history(found.id)
    assert (outcome.outcome, found.info.name, found.content, found.info.description) == ("added", "One", "first", "about it")
    assert (version.action, version.actor, version.via, version.source) == ("import", "import", "window", "letter")
    assert version.detail == {"page": 3, "origin": "a.md"}
    assert (found.info.unreviewed, found.info.reviewed) == (False, 0)


def test_a_second_run_does_nothing(person: PersonFace) -> None:
    items = [item(), item("b.md", "Two"), item("c.md", "", shelf=PROFILE)]
    assert bring(person, *items) == ["added"] * 3
    before = person.events()
    assert bring(person, *items) == ["unchanged"] * 3
    assert person.events() == before


def test_what_changed_there_is_updated_here(person: PersonFace) -> None:
    made = only(person, item()).entry_id
    assert only(person, item(content="second", description="more")) == ImportOutcome(
        item(content="second", description="more"), "updated", made
    )
    found = person.entry(made)
    assert (found.content, found.info.version, found.info.name) == ("second", 2, "One")


def test_what_changed_here_is_left_alone(person: PersonFace, alice: Agent) -> None:
    mine, theirs = only(person, item()).entry_id, only(person, item("b.md", "Two")).entry_id
    person.edit(mine, content="mine")
    alice.do("GlobalMemoryWrite", id=theirs, name="Two", content="theirs")
    outcomes = person.import_entries([item(content="second"), item("b.md", "Two", "second")])
    assert [(outcome.outcome, "was changed here" in outcome.reason) for outcome in outcomes] == [("skipped", True)] * 2
    assert (person.entry(mine).content, person.entry(theirs).content) == ("mine", "theirs")


def test_what_changed_here_and_not_there_is_no_news(person: PersonFace) -> None:
    made = only(person, item()).entry_id
    person.edit(made, content="mine")
    assert bring(person, item()) == ["unchanged"]
    assert person.entry(made).content == "mine"


def test_what_was_removed_here_does_not_come_back(person: PersonFace) -> None:
    made = only(person, item()).entry_id
    person.remove(made)
    outcome = only(person, item(content="second"))
    assert (outcome.outcome, "restore it" in outcome.reason) == ("skipped", True)
    assert person.totals().active == 0


def test_a_kept_import_stays_kept_until_it_changes_there(person: PersonFace) -> None:
    made = only(person, item()).entry_id
    person.pin(made)
    assert bring(person, item(content="second")) == ["updated"]
    assert person.entry(made).info.pinned


def test_a_dry_run_says_the_same_and_writes_nothing(person: PersonFace) -> None:
    made = only(person, item()).entry_id
    before = (person.totals(), person.events())
    items = [item(content="second"), item("b.md", "Two"), item("c.md", ""), item("d.md", "Two")]
    dry = person.import_entries(items, dry_run=True)
    assert (person.totals(), person.events()) == before
    assert [(one.outcome, one.entry_id) for one in dry] == [("updated", made), ("added", ""), ("skipped", ""), ("skipped", "")]
    assert [one.outcome for one in person.import_entries(items)] == [one.outcome for one in dry]


SKIPPED = [
    (item(content=f"use {TOKEN}"), "secret"),
    (item(name="x" * 300), "invalid_input"),
    (item(name=""), "invalid_input"),
    (item(name="One", shelf=PROFILE), "invalid_input"),
    (item(content="a\0b"), "invalid_input"),
    (item(content="\ud800"), "invalid_input"),
    (item(origin="\udcff"), "invalid_input"),
    (item(origin="a\0b"), "invalid_input"),
    (item(provenance=Provenance("", {})), "invalid_input"),
    (item(provenance=Provenance("x" * 81, {})), "invalid_input"),
    (item(provenance=Provenance("x", {"a": "\ud800"})), "invalid_input"),
    (item(provenance=Provenance("x", {"a": float("nan")})), "invalid_input"),
    (item(provenance=Provenance("x", {"a": {1, 2}})), "invalid_input"),
    (item(content="x" * 1_048_577), "over_limit"),
    (item(shelf=TOPICS, name="no topic"), "invalid_input"),
    (item(shelf=FILES, name="../a.md", owner="alice"), "invalid_input"),
    (item(shelf=NOTES, name="", owner="nobody"), "not_found"),
    (item(owner="alice"), "invalid_input"),
    (item(name="Taken"), "duplicate_name"),
]


@pytest.mark.parametrize(("bad", "code"), SKIPPED)
def test_what_cannot_be_taken_is_skipped_and_leaves_the_rest_alone(person: PersonFace, alice: Agent, bad: ImportItem, code: str) -> None:
    person.add(INSTRUCTIONS, name="Taken")
    first, skipped, last = person.import_entries([item("1", "First"), bad, item("3", "Last")])
    assert (first.outcome, skipped.outcome, last.outcome) == ("added", "skipped", "added")
    assert skipped.reason.startswith(f"{code}: ")
    assert TOKEN not in skipped.reason
    assert person.totals().active == 3


def test_all_of_an_import_is_one_transaction(person: PersonFace, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[EntryInfo] = []

    def write(*words: Any) -> EntryInfo:
        if len(written) == 2:
            raise RuntimeError("in the middle")
        written.append(real(*words))
        return written[-1]

    real = writing.write
    with monkeypatch.context() as patch:
        patch.setattr(writing, "write", write)
        with pytest.raises(RuntimeError, match="in the middle"):
            person.import_entries([item(str(number), f"Entry {number}") for number in range(5)])
    assert len(written) == 2
    assert person.totals().active == 0
    assert person.events() == ()


def test_two_items_of_one_name_in_one_import_clash(person: PersonFace) -> None:
    assert bring(person, item(), item("b.md", "ONE")) == ["added", "skipped"]


def test_two_items_of_one_origin_in_one_import_are_one_entry(person: PersonFace) -> None:
    assert bring(person, item(), item(content="second")) == ["added", "updated"]
    assert person.totals().active == 1


def test_the_person_may_bring_in_rules_of_the_system(person: PersonFace) -> None:
    made = only(person, item(shelf=SYSTEM))
    assert person.entry(made.entry_id).info.place is SYSTEM
