"""Saving from the editor: the one call that writes what was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from memorypane.gui.editor.drafts import Words
from memorypane.gui.editor.session import Session
from memorypane.model.shelves import TOPICS
from memorypane.model.values import Entry, Status
from memorypane.service.person import PersonFace

__all__ = ["saving_call"]


def saving_call(person: PersonFace, session: Session, words: Words, expected: int, *, kind: str) -> Callable[[], Entry]:
    """The call that writes `words`: a new entry, an edit from the version `expected`, or, if somebody removed the entry, its return."""
    named = {"name": words.name} if session.shelf.named else {}
    if session.shelf is TOPICS:
        named["description"] = words.description
    if session.base is None:
        name, description = named.get("name", ""), named.get("description", "")
        return partial(
            person.add, session.shelf, owner=session.owner, name=name, description=description, content=words.content, kind=kind,
        )
    if session.theirs_removed:
        return partial(_restore_and_edit, person, session.entry_id, words.content, named)
    return partial(person.edit, session.entry_id, content=words.content, expected_version=expected, **named)


def _restore_and_edit(person: PersonFace, entry_id: str, content: str, named: Mapping[str, str]) -> Entry:
    """Bring a removed entry back and give it new words; both are versions of their own."""
    entry = person.entry(entry_id)
    if entry.info.status is not Status.ACTIVE:
        entry = person.restore(entry_id)
    name, description = named.get("name"), named.get("description")
    return person.edit(entry_id, content=content, expected_version=entry.info.version, name=name, description=description)
