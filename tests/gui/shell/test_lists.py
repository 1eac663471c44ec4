"""Lists in the real window: keys, search, filters, live changes from other processes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from memorypane.gui.entries.model import DIM_ROLE
from memorypane.gui.entry.column import Tab
from memorypane.gui.places import Kind, Place, shelf_place
from memorypane.model.shelves import INSTRUCTIONS, PROFILE, SYSTEM, TOPICS
from memorypane.model.values import Status
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.conftest import Elsewhere
from tests.gui.shell.conftest import Window

Open = Callable[..., Window]
NAMES = ["Alpha", "Beta", "Gamma"]


@pytest.fixture
def three(owner: PersonFace) -> list[str]:
    return [owner.add(INSTRUCTIONS, name=name, content=f"Text of {name}.\n").id for name in NAMES]


def test_a_list_shows_its_entries_and_the_first_one_is_read(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    assert window.titles() == NAMES
    assert window.column.info is not None
    assert window.column.info.id == three[0]


def test_j_and_k_move_and_letters_stay_with_the_search_box(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("j")
    assert window.column.info is not None
    assert window.column.info.title == "Beta"
    window.press("k")
    assert window.column.info.title == "Alpha"
    window.press("/")
    window.press("jk")
    assert window.entries.search.text == "jk"
    assert window.column.info.title == "Alpha"


def test_searching_narrows_and_escape_brings_everything_back(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("/")
    window.press("gamma")
    window.until(lambda: window.titles() == ["Gamma"])
    window.press(Qt.Key.Key_Escape)
    assert window.titles() == NAMES
    window.press(Qt.Key.Key_Escape)
    assert window.entries.view.hasFocus()


def test_a_search_without_a_hit_says_so_and_offers_the_way_back(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("/")
    window.press("nowhere")
    window.until(lambda: not window.titles())
    assert "nowhere" in window.entries._empty._words.full_text
    window.click(window.entries._empty._button)
    assert window.titles() == NAMES


def test_an_empty_list_is_a_sentence_and_an_action(owner: PersonFace, three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(SYSTEM))
    assert window.entries._stack.currentWidget() is window.entries._empty
    window.click(window.entries._empty._button)
    assert window.column.writing_new


def test_pin_and_its_undo_by_keys(three: list[str], owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("p")
    assert owner.entry(three[0]).info.pinned
    assert window.column.info is not None
    assert window.column.info.pinned
    window.press("u")
    assert not owner.entry(three[0]).info.pinned


def test_removing_leaves_the_entry_restorable(three: list[str], owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press(Qt.Key.Key_Delete)
    assert owner.entry(three[0]).info.status is Status.REMOVED
    assert window.titles() == ["Beta", "Gamma"]
    window.go(Place(Kind.REMOVED))
    assert window.titles() == ["Alpha"]
    window.press("r")
    assert owner.entry(three[0]).info.status is Status.ACTIVE


def test_alt_and_arrows_change_the_order(three: list[str], owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert window.titles() == ["Beta", "Alpha", "Gamma"]
    window.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert window.titles() == ["Beta", "Gamma", "Alpha"]
    window.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert window.titles() == ["Beta", "Alpha", "Gamma"]
    assert [owner.entry(entry_id).info.title for entry_id in three] == NAMES


def test_dropping_a_row_puts_it_before_another(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    model = window.entries.model
    data = model.mimeData([model.index(2, 0)])
    model.dropMimeData(data, Qt.DropAction.MoveAction, 0, 0, model.index(-1, -1))
    window.until(lambda: window.titles() == ["Gamma", "Alpha", "Beta"])


def test_the_dropped_place_is_where_the_line_was_drawn(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    view = window.entries.view
    row = view.visualRect(window.entries.model.index(1, 0))
    assert view._gap_at(QPoint(20, row.top() + 3)) == 1
    assert view._gap_at(QPoint(20, row.bottom() - 3)) == 2
    assert view._gap_at(QPoint(20, row.bottom() + 4000)) == 3


def test_writing_by_another_process_patches_the_row_and_keeps_the_choice(
    three: list[str], open_window: Open, elsewhere: Elsewhere,
) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("j")
    elsewhere("edit", three[0], name="Alpha the second")
    window.until(lambda: window.titles()[0] == "Alpha the second")
    assert window.column.info is not None
    assert window.column.info.id == three[1]
    assert window.entries.view.chosen == window.column.info.seq


def test_the_shown_entry_follows_a_change_from_elsewhere(three: list[str], open_window: Open, elsewhere: Elsewhere) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    elsewhere("edit", three[0], content="Other words.\n")
    window.until(lambda: window.column.info is not None and window.column.info.version == 2)


def test_short_ordered_lists_take_new_entries_at_once(three: list[str], open_window: Open, elsewhere: Elsewhere) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("j")
    elsewhere("pin", three[2])
    window.until(lambda: window.entries._pinned.text().endswith("1"))
    assert window.column.info is not None
    assert window.column.info.title == "Beta"


def test_a_sorted_list_is_frozen_counts_what_is_new_and_shows_it_when_asked(
    watched: Desk, owner: PersonFace, open_window: Open, elsewhere: Elsewhere,
) -> None:
    ids = [owner.add(TOPICS, name=f"group/topic-{number:03}", content="x\n").id for number in range(260)]
    window = open_window()
    window.go(shelf_place(TOPICS))
    window.entries.view.choose(window.entries.model.seq_at(100))
    window.settle()
    place = window.entries.view.verticalScrollBar().value()
    assert place > 0
    fresh = owner.add(TOPICS, name="group/a-new-one", content="x\n")
    owner.remove(ids[100])
    window.until(lambda: window.entries.model.news == 1)
    model = window.entries.model
    assert model.rowCount() == 260
    assert model.data(model.index(100, 0), DIM_ROLE) is True
    assert window.entries.view.verticalScrollBar().value() == place
    assert window.entries._news_bar.isVisible()
    window.click(window.entries._news)
    assert model.rowCount() == 260
    assert model.news == 0
    assert model.row_of(fresh.info.seq) >= 0
    assert not window.entries._news_bar.isVisible()


def test_a_new_entry_is_written_saved_and_chosen(three: list[str], owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("n")
    assert window.column.writing_new
    window.press("Delta")
    editor = window.column.editor
    editor.writing.source.setFocus()  # type: ignore[attr-defined]  # the page itself, behind its protocol
    window.press("Fresh words")
    window.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    window.until(lambda: window.column.info is not None and window.column.info.title == "Delta")
    assert window.titles() == [*NAMES, "Delta"]
    assert owner.entry(window.column.info.id).content == "Fresh words"  # type: ignore[union-attr]  # waited for above
    assert window.column.tab is Tab.READ


def test_giving_up_a_new_entry_leaves_nothing(three: list[str], owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("n")
    window.column.editor.cancel()  # type: ignore[attr-defined]  # the page itself, behind its protocol
    window.settle()
    assert not window.column.writing_new
    assert window.titles() == NAMES


def test_promoting_asks_once_and_can_be_undone(three: list[str], owner: PersonFace, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    window.press("P", Qt.KeyboardModifier.ShiftModifier)
    dialog = QApplication.activeWindow()
    assert dialog is not window.window
    window.press(Qt.Key.Key_Return)
    window.until(lambda: owner.entry(three[0]).info.tier == "system")
    assert window.titles() == ["Beta", "Gamma"]
    window.press("u")
    window.until(lambda: owner.entry(three[0]).info.tier == "global")


def test_a_list_that_cannot_be_read_is_an_error_and_never_empty(three: list[str], watched: Desk, open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    watched._store.close()
    window.entries.refresh()
    window.until(lambda: window.entries._stack.currentWidget() is window.entries._error)
    assert "–" in window.entries.header._count.full_text


def test_rows_speak(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    said = window.entries.model.data(window.entries.model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert isinstance(said, str)
    assert said.startswith("Alpha, by you")


def test_a_list_with_one_limit_says_how_full_it_is(owner: PersonFace, open_window: Open) -> None:
    owner.add(PROFILE, content="Likes tea.")
    owner.add(PROFILE, content="Writes at night.")
    window = open_window()
    window.go(shelf_place(PROFILE))
    window.until(lambda: window.entries._order.full_text)
    assert window.entries._order.full_text == f"{10 + 16 + 3} of 1,375 characters"
    owner.set_setting("limit.global/profile", "20")
    owner.add(INSTRUCTIONS, name="x", content="x")
    window.until(lambda: "of 20" in window.entries._order.full_text)


def test_an_empty_list_hints_at_nothing_that_needs_an_entry(three: list[str], open_window: Open) -> None:
    window = open_window()
    window.go(shelf_place(SYSTEM))
    hinted = {word for hint in window.pane.entries.hints() for word in hint.keys}
    assert hinted == {"N"}
