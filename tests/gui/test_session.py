"""What a change from elsewhere means for somebody who is writing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorypane.gui.editor.drafts import Words
from memorypane.gui.editor.session import Session, words_of
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Entry, Status
from memorypane.service.person import PersonFace


@pytest.fixture
def entry(person: PersonFace) -> Entry:
    return person.add(INSTRUCTIONS, name="Name", content="base\n")


@pytest.fixture
def session(entry: Entry) -> Session:
    return Session(INSTRUCTIONS, "", entry)


TYPED = Words("Name", "", "typed\n")


def test_nothing_typed_takes_the_new_words(session: Session, person: PersonFace, entry: Entry) -> None:
    now = person.edit(entry.id, content="theirs\n")
    assert session.arrive(now, session.before) == "reload"
    assert (session.version, session.before.content, session.theirs) == (2, "theirs\n", None)


def test_a_pin_only_moves_the_version(session: Session, person: PersonFace, entry: Entry) -> None:
    assert session.arrive(person.pin(entry.id), TYPED) == "rebased"
    assert (session.version, session.before.content) == (2, "base\n")


def test_the_same_words_from_elsewhere_are_no_conflict(session: Session, person: PersonFace, entry: Entry) -> None:
    assert session.arrive(person.edit(entry.id, content="typed\n"), TYPED) == "same"
    assert session.before == TYPED


def test_other_words_are_a_conflict_and_the_base_stays(session: Session, person: PersonFace, entry: Entry) -> None:
    assert session.arrive(person.edit(entry.id, content="theirs\n"), TYPED) == "conflict"
    assert (session.version, session.next_version, session.before.content) == (1, 3, "base\n")
    assert session.theirs is not None


def test_another_change_during_a_conflict_is_the_new_theirs(session: Session, person: PersonFace, entry: Entry) -> None:
    session.arrive(person.edit(entry.id, content="theirs\n"), TYPED)
    assert session.arrive(person.edit(entry.id, content="theirs again\n"), TYPED) == "conflict"
    assert session.theirs is not None
    assert session.theirs.content == "theirs again\n"


def test_theirs_going_back_to_the_base_ends_the_conflict(session: Session, person: PersonFace, entry: Entry) -> None:
    session.arrive(person.edit(entry.id, content="theirs\n"), TYPED)
    assert session.arrive(person.revert(entry.id, 1), TYPED) == "rebased"
    assert (session.version, session.theirs) == (3, None)


def test_old_news_are_passed_over(session: Session, person: PersonFace, entry: Entry) -> None:
    newer = person.edit(entry.id, content="theirs\n")
    session.arrive(newer, TYPED)
    assert session.arrive(entry, TYPED) == "nothing"
    assert session.arrive(newer, TYPED) == "nothing"
    assert session.arrive(replace(newer, info=replace(newer.info, id="another")), TYPED) == "nothing"


def test_a_removal_is_a_conflict_only_for_who_typed(session: Session, person: PersonFace, entry: Entry) -> None:
    gone = person.remove(entry.id)
    assert gone.info.status is Status.REMOVED
    assert session.arrive(gone, TYPED) == "conflict"
    assert session.theirs_removed


def test_a_draft_of_an_earlier_version_meets_what_stands_now(session: Session, person: PersonFace, entry: Entry) -> None:
    draft = session.draft(TYPED, 7)
    later = Session(INSTRUCTIONS, "", person.edit(entry.id, content="theirs\n"))
    later.go_back(draft)
    assert later.before == words_of(entry)
    assert later.theirs is not None
    assert later.next_version == 3


def test_a_draft_of_the_version_that_stands_meets_nothing(session: Session) -> None:
    session.go_back(session.draft(TYPED, 7))
    assert session.theirs is None
