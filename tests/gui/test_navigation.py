"""The rows of the left column."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from memorypane.gui.places import Kind, Place, agent_place, shelf_place, workspace_place
from memorypane.gui.shell.navigation import NavFacts, NavModel, NavRow, nav_rows
from memorypane.model.shelves import INSTRUCTIONS, SYSTEM, Tier
from memorypane.model.values import Agent, ShelfCount, Workspace

COUNTS = (
    ShelfCount(Tier.GLOBAL, "instructions", "", 9, 1), ShelfCount(Tier.WORKSPACE, "records", "w1", 12, 0),
    ShelfCount(Tier.PERSONAL, "notes", "bob", 2, 0), ShelfCount(Tier.PERSONAL, "files", "bob", 1_234, 1),
)
FACTS = NavFacts(
    COUNTS, (Workspace("w1", "/x/app", "app", "confirmed"), Workspace("w2", "/x/new", "new-one", "new")),
    (Agent("bob", verified=True, revoked=False, families=(), first_seen=1, last_seen=1),
     Agent("gone", verified=False, revoked=True, families=(), first_seen=1, last_seen=1)),
    3, 5,
)


def row_of(facts: NavFacts, place: Place) -> NavRow:
    return next(row for row in nav_rows(facts) if row.place == place)


def test_counts_are_real_and_add_up() -> None:
    assert row_of(FACTS, shelf_place(INSTRUCTIONS)).count == "9"
    assert row_of(FACTS, shelf_place(INSTRUCTIONS)).dot
    assert row_of(FACTS, shelf_place(SYSTEM)).count == "0"
    assert row_of(FACTS, workspace_place("w1")).count == "12"
    assert row_of(FACTS, agent_place("bob")).count == "1,236"
    assert row_of(FACTS, Place(Kind.REVIEW)).pill


def test_an_unreadable_store_shows_dashes_and_never_zero() -> None:
    facts = NavFacts()
    assert row_of(facts, shelf_place(INSTRUCTIONS)).count == "–"
    assert row_of(facts, Place(Kind.REVIEW)).count == "–"


def test_new_folders_say_so_and_revoked_agents_without_entries_are_left_out() -> None:
    assert row_of(FACTS, workspace_place("w2")).note == "new"
    assert agent_place("gone") not in [row.place for row in nav_rows(FACTS)]


def test_the_three_lists_stand_under_memory() -> None:
    texts = [row.text for row in nav_rows(FACTS)]
    assert texts[texts.index("Memory"):texts.index("Workspaces")] == ["Memory", "System", "Global", "Instructions", "About you", "Topics"]


def test_new_counts_patch_rows_and_new_rows_reset(qtbot: QtBot) -> None:
    model = NavModel()
    assert model.show_rows(nav_rows(FACTS))
    with qtbot.assertNotEmitted(model.modelReset):
        assert not model.show_rows(nav_rows(NavFacts(COUNTS, FACTS.workspaces, FACTS.agents, 4, 5)))
    with qtbot.waitSignal(model.modelReset):
        assert model.show_rows(nav_rows(NavFacts(COUNTS, (), FACTS.agents, 4, 5)))


def test_rows_speak_their_count_and_mark() -> None:
    model = NavModel()
    model.show_rows(nav_rows(FACTS))
    index = model.find(shelf_place(INSTRUCTIONS))
    assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == "Instructions, 9, has unreviewed entries"
