"""Stores of every schema there was, kept as files: each is brought up to date, read whole and worked on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from memorypane.home.paths import Home
from memorypane.model.shelves import INSTRUCTIONS, SHELVES
from memorypane.model.values import Action, ListQuery, Status
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from memorypane.store import tables
from memorypane.store.schema import SCHEMA_VERSION
from memorypane.store.store import Store
from tests.store.make_stored import STORED
from tests.store.support import raw, still, unsound

STORES = sorted(STORED.glob("schema-*.db"))


@pytest.fixture(params=STORES, ids=lambda path: path.stem)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """A home around a copy of a stored store."""
    home = Home(tmp_path / "home")
    home.root.mkdir()
    shutil.copy(request.param, home.shared_store)
    return home


@pytest.fixture
def person(stored: Home) -> Iterator[PersonFace]:
    with Desk.open(stored) as desk:
        yield desk.person(via="window")


def rows(store: Store, statement: str) -> list[Any]:
    return [tuple(row) for row in store.read(lambda transaction: transaction.connection.execute(text(statement)).all())]


def test_there_is_a_stored_store_of_every_schema() -> None:
    assert [path.stem for path in STORES] == [f"schema-{number}" for number in range(1, SCHEMA_VERSION + 1)]


def test_it_is_brought_up_to_date_and_is_sound(stored: Home, tmp_path: Path) -> None:
    with closing(raw(stored.shared_store)) as connection:
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
    with closing(Store(stored.shared_store, backups=stored.backups, clock=still)) as store:
        assert unsound(store) == {}
        assert rows(store, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
        made = set(rows(store, "SELECT type, name, sql FROM sqlite_schema"))
    assert stored.backups.exists() == (schema < SCHEMA_VERSION)
    with closing(Store(tmp_path / "new" / "identity.db", backups=tmp_path, clock=still)) as new:
        assert made == set(rows(new, "SELECT type, name, sql FROM sqlite_schema")), "make it anew: python -m tests.store.make_stored"


def test_it_holds_something_of_every_kind(stored: Home) -> None:
    with closing(Store(stored.shared_store, backups=stored.backups, clock=still)) as store:
        empty = [name for name in tables.__all__ if not rows(store, f"SELECT 1 FROM {name} LIMIT 1")]  # noqa: S608 - our own names
        assert empty == []
        assert {action for (action,) in rows(store, "SELECT DISTINCT action FROM version")} == {*Action}
        assert {status for (status,) in rows(store, "SELECT DISTINCT status FROM entry")} == {*Status}
        assert {state for (state,) in rows(store, "SELECT DISTINCT state FROM proposal")} == {"pending", "approved", "rejected", "replaced"}
        assert {f"{tier}/{shelf}" for tier, shelf in rows(store, "SELECT DISTINCT tier, shelf FROM entry")} == {one.key for one in SHELVES}


def test_everything_in_it_can_be_read(person: PersonFace) -> None:
    entries = [one for removed in (False, True) for one in person.page(ListQuery(removed=removed), limit=1000).entries]
    assert len(entries) > 15
    for info in entries:
        found = person.entry(info.id)
        history = person.history(info.id)
        assert [version.number for version in history] == list(range(info.version, 0, -1))
        assert person.version(info.id, info.version).state.content == found.content
    for item in person.review():
        assert person.review_item(item.id).item.id == item.id
    assert {agent.name for agent in person.agents()} == {"alice", "mallory", "carol"}
    assert len(person.workspaces()) == 2
    assert person.policy()["shelf:global/topics"] == "strict"
    assert person.settings()["quota.writes_per_minute"] == 1000
    assert person.events(limit=1000)
    assert person.startup_text("alice", person.workspaces()[0].id).text


def test_its_entries_are_found_and_can_be_changed(person: PersonFace) -> None:
    [hit] = person.search("cafe 用户").hits
    assert hit.entry.name == "Style"
    style = person.edit(hit.entry.id, content="changed")
    assert style.info.version == hit.entry.version + 1
    assert person.revert(style.id, 1).content.startswith("Use café-quality words.")
    removed = next(one for one in person.page(ListQuery(removed=True), limit=100).entries if one.name == "Removed")
    assert person.restore(removed.id).content == "Gone, and can come back."
    assert person.add(INSTRUCTIONS, name="New").info.version == 1
    assert person.search("never to be seen").total == 0


def test_what_waits_in_it_can_be_decided(person: PersonFace) -> None:
    waiting = {proposal.changes[0].state.name: proposal for proposal in person.proposals()}
    assert set(waiting) == {"Approved", "Waiting"}
    assert person.approve(waiting["Waiting"].id).entries[0].version == 1
    person.undo()
    assert person.totals().held == 2
