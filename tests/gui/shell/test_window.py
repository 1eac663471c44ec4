"""The window around the pages: places, columns, keys, what it leaves behind."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from memorypane.gui.entry.column import Tab
from memorypane.gui.pane import Pane
from memorypane.gui.places import Kind, Place, agent_place, shelf_place, workspace_place
from memorypane.gui.settings import Settings
from memorypane.gui.shell.key_map import KeyMapDialog
from memorypane.gui.theme.theme import Theme
from memorypane.home.paths import Home
from memorypane.model.shelves import INSTRUCTIONS, PROFILE, SYSTEM
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller
from memorypane.service.person import PersonFace
from tests.gui.shell.conftest import Window

Open = Callable[..., Window]


@pytest.fixture
def rule(owner: PersonFace) -> str:
    entry = owner.add(INSTRUCTIONS, name="Rule", content="One.\n")
    owner.edit(entry.id, content="Two.\n")
    return entry.id


def test_the_left_column_shows_real_counts_and_follows(rule: str, owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    model = window.window.nav_model

    def count(place: Place) -> str:
        row = model.row_at(model.find(place))
        assert row is not None
        return row.count

    assert count(shelf_place(INSTRUCTIONS)) == "1"
    assert count(shelf_place(PROFILE)) == "0"
    owner.add(PROFILE, content="Likes tea.\n")
    window.until(lambda: count(shelf_place(PROFILE)) == "1")
    owner.remove(rule)
    window.until(lambda: count(shelf_place(INSTRUCTIONS)) == "0")
    window.until(lambda: window.window.removed._count == "1")


def test_an_agents_own_entries_and_a_workspace_have_their_lists(
    rule: str, owner: PersonFace, helper: Caller, open_window: Open, tmp_path: object,
) -> None:
    workspace = owner.add_workspace(tmp_path)  # type: ignore[arg-type]  # pytest's path
    window = open_window()
    for place in (agent_place("build-helper"), workspace_place(workspace.id)):
        window.go(place)
        assert window.entries._stack.currentWidget() is window.entries._empty
        assert window.window.nav_model.find(place).isValid()


def test_clicking_a_place_moves_the_keyboard_into_its_list(rule: str, open_window: Open) -> None:
    window = open_window()
    nav = window.window.nav
    nav.setFocus()
    window.press(Qt.Key.Key_Up)
    assert nav.hasFocus()
    for place in (shelf_place(INSTRUCTIONS), shelf_place(SYSTEM)):
        row = nav.visualRect(window.window.nav_model.find(place)).center()
        QTest.mouseClick(nav.viewport(), Qt.MouseButton.LeftButton, pos=row)
        window.settle()
        assert window.pane.controller.place == place
        assert window.entries.rows_focused


def test_history_folds_the_list_away_and_escape_brings_it_back(rule: str, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("h")
    assert [window.column.tab] == [Tab.HISTORY]
    assert [window.window.folded] == [True]
    assert not window.entries.isVisible()
    window.press(Qt.Key.Key_Escape)
    assert [window.column.tab] == [Tab.READ]
    assert window.entries.isVisible()
    assert window.entries.view.hasFocus()


def test_a_wide_window_keeps_the_list_beside_the_history(rule: str, open_window: Open) -> None:
    window = open_window(Settings(width=1700, height=900))
    window.go(shelf_place(INSTRUCTIONS))
    window.press("h")
    assert window.entries.isVisible()
    window.window.resize(1200, 800)
    window.settle()
    assert not window.entries.isVisible()


def test_leaving_a_folded_page_for_another_place_unfolds(rule: str, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("h")
    window.go(shelf_place(SYSTEM))
    assert window.entries.isVisible()


def test_widths_are_remembered(rule: str, open_window: Open) -> None:
    window = open_window(Settings(sidebar=260, list=400))
    window.go(shelf_place(INSTRUCTIONS))
    settings = window.pane.controller.settings
    assert (settings.sidebar, settings.list) == (260, 400)
    assert settings.place == shelf_place(INSTRUCTIONS).key
    window.press("h")
    assert window.pane.controller.settings.list == 400


def test_the_smallest_window_shows_everything(rule: str, open_window: Open) -> None:
    window = open_window(Settings(width=900, height=600))
    window.go(shelf_place(INSTRUCTIONS))
    assert window.window.width() == 900
    assert window.column.width() >= 420
    assert window.column.geometry().right() <= window.window.width()
    for tab in Tab:
        window.column.choose_tab(tab)
        window.settle()
        assert window.window.width() == 900


def test_f6_goes_round_the_columns(rule: str, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))

    def column() -> str:
        focus = QApplication.focusWidget()
        assert focus is not None
        parts = {"nav": window.window.nav, "list": window.entries, "entry": window.column}
        return next((name for name, part in parts.items() if part is focus or part.isAncestorOf(focus)), "?")

    seen = []
    for _ in range(3):
        seen.append(column())
        window.press(Qt.Key.Key_F6)
    assert seen == ["list", "entry", "nav"]


def test_the_question_mark_shows_all_keys(rule: str, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("?")
    assert isinstance(QApplication.activeWindow(), KeyMapDialog)
    window.press(Qt.Key.Key_Escape)
    assert not isinstance(QApplication.activeWindow(), KeyMapDialog)


def test_going_to_another_entry_keeps_the_draft(owner: PersonFace, open_window: Open) -> None:
    first = owner.add(INSTRUCTIONS, name="First", content="One.\n")
    owner.add(INSTRUCTIONS, name="Second", content="Two.\n")
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("e")
    window.press("typed ")
    window.entries.view.setFocus()
    window.press("j")
    assert window.column.info is not None
    assert window.column.info.title == "Second"
    assert "draft" in window.window.toast._words.full_text
    window.press("k")
    window.press("e")
    editor = window.column.editor
    assert "typed" in editor.writing.text  # type: ignore[attr-defined]  # the page itself, behind its protocol
    assert owner.entry(first.id).content == "One.\n"


def test_closing_the_window_keeps_what_was_typed_a_moment_ago(owner: PersonFace, open_window: Open, home: Home) -> None:
    owner.add(INSTRUCTIONS, name="First", content="One.\n")
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("e")
    source = QApplication.focusWidget()
    assert source is not None
    QTest.keyClicks(source, "typed at the last moment ")
    window.pane.close()
    drafts = [file.read_text() for file in home.drafts.iterdir()]
    assert len(drafts) == 1
    assert "typed at the last moment" in drafts[0]


def test_the_window_begins_where_it_was_left(rule: str, open_window: Open) -> None:
    window = open_window(Settings(place=shelf_place(SYSTEM).key))
    assert window.pane.controller.place == shelf_place(SYSTEM)


def test_provenance_names_who_and_how(rule: str, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("i")
    page = window.column._pages.widgets[Tab.PROVENANCE]
    texts = [label.full_text for label in page.findChildren(type(window.column.head._title))]
    assert "you" in texts
    assert "the window" in texts
    assert rule in texts


def test_status_says_that_nobody_can_connect(rule: str, open_window: Open) -> None:
    window = open_window()
    window.go(Place(Kind.ACTIVITY))
    window.until(lambda: window.pane.link.problem)
    assert "Not listening" in window.window.status.accessibleName()


def test_opening_and_closing_fifty_times_leaves_nothing(watched: Desk, rule: str, theme: Theme, qapp: QApplication) -> None:
    def one() -> None:
        pane = Pane(qapp, watched, theme, Settings(), start_server=False)
        pane.window.show()
        qapp.processEvents()
        pane.close()
        qapp.sendPostedEvents(None, 52)  # deferred deletion
        qapp.processEvents()

    one()
    gc.collect()
    before = len(qapp.allWidgets()), len(qapp.topLevelWidgets()), threading.active_count()
    for _ in range(50):
        one()
    gc.collect()
    qapp.sendPostedEvents(None, 52)
    assert (len(qapp.allWidgets()), len(qapp.topLevelWidgets()), threading.active_count()) == before
