"""Writes of the editor that are more than one call."""

from __future__ import annotations

from collections.abc import Mapping

from memorypane.model.values import Entry, Status
from memorypane.service.person import PersonFace

__all__ = ["restore_and_edit"]


def restore_and_edit(person: PersonFace, entry_id: str, content: str, named: Mapping[str, str]) -> Entry:
    """Bring a removed entry back and give it new words; both are versions of their own."""
    entry = person.entry(entry_id)
    if entry.info.status is not Status.ACTIVE:
        entry = person.restore(entry_id)
    name, description = named.get("name"), named.get("description")
    return person.edit(entry_id, content=content, expected_version=entry.info.version, name=name, description=description)
