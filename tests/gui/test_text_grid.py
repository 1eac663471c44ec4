"""The grid: laying out what is seen, scrolling, selecting and copying by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from memorypane.gui.diffview.cells import NEW, OLD
from memorypane.gui.diffview.heights import Heights
from memorypane.gui.diffview.panes import PaneStyle
from memorypane.gui.diffview.selectable import SelectableGrid
from memorypane.gui.diffview.selecting import Place
from memorypane.gui.diffview.sheets import Layout, make_sheet, plain_sheet
from memorypane.gui.theme.theme import Theme
from memorypane.model.diff import rows
from tests.gui.hands import CONTROL, SHIFT, click, double_click, drag, press

BEFORE = "# Title\n\nUse the Makefile for everything.\nLast line\n"
AFTER = "# Title\n\nUse the task runner for everything.\nOne more\nLast line\n"


@pytest.fixture
def grid(qtbot: QtBot, theme: Theme) -> SelectableGrid:
    made = SelectableGrid(theme)
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show()
    return made


def compare(grid: SelectableGrid, layout: Layout, old: str = BEFORE, new: str = AFTER) -> None:
    panes = (PaneStyle(), PaneStyle()) if layout == "side" else (PaneStyle(numbers=2, gutter=34),)
    made = make_sheet(rows(old, new), layout, old=old, new=new)
    grid.set_rows(made.rows, panes=panes, highest=made.highest)


def show(grid: SelectableGrid, text: str) -> None:
    made = plain_sheet(text)
    grid.set_rows(made.rows, panes=(PaneStyle(),), highest=made.highest)


def point(grid: SelectableGrid, row: int, pane: int, offset: int) -> QPoint:
    """Where the caret before a character stands in the viewport, in the middle of its line."""
    laid = grid.laid_out(row, pane)
    assert laid is not None
    caret = laid.caret(offset)
    return QPoint(round(grid.panes[pane].text_left + caret.x()), grid.row_rect(row).top() + 1 + round(caret.y()) + laid.pitch // 2)


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_heights_know_where_rows_begin_and_take_corrections() -> None:
    heights = Heights([20, 20, 40])
    assert (heights.total, heights.top(2), heights.row_at(39), heights.row_at(40), heights.row_at(999)) == (80, 40, 1, 2, 2)
    assert heights.correct(0, 30)
    assert not heights.correct(0, 30)
    assert (heights.total, heights.row_at(29), heights.row_at(30)) == (90, 0, 1)


def test_dragging_selects_and_copy_gives_the_plain_text(grid: SelectableGrid) -> None:
    show(grid, "first line\nsecond line\nthird line\n")
    drag(grid.viewport(), point(grid, 0, 0, 6), point(grid, 2, 0, 5))
    assert grid.selected_text == "line\nsecond line\nthird"
    press(grid, Qt.Key.Key_C, CONTROL)
    assert clipboard() == "line\nsecond line\nthird"


def test_side_by_side_selects_in_one_side_only(grid: SelectableGrid) -> None:
    compare(grid, "side")
    last = len(grid.rows) - 1
    drag(grid.viewport(), point(grid, 0, 0, 0), point(grid, last, 0, 9))
    assert grid.selected_text == BEFORE.rstrip("\n")
    drag(grid.viewport(), point(grid, 0, 1, 0), point(grid, last, 1, 9))
    assert grid.selected_text == AFTER.rstrip("\n")


def test_inline_takes_the_text_in_which_the_selection_began(grid: SelectableGrid) -> None:
    compare(grid, "inline")
    removed = next(index for index, row in enumerate(grid.rows) if row.cells[0] is not None and row.cells[0].sides == OLD)
    last = len(grid.rows) - 1
    drag(grid.viewport(), point(grid, removed, 0, 0), point(grid, last, 0, 9))
    assert grid.selected_text == "Use the Makefile for everything.\nLast line"
    drag(grid.viewport(), point(grid, removed + 1, 0, 0), point(grid, last, 0, 9))
    assert grid.selected_text == "Use the task runner for everything.\nOne more\nLast line"
    assert grid.selection.sides == NEW


def test_select_all_takes_one_whole_text(grid: SelectableGrid) -> None:
    compare(grid, "inline")
    grid.select_all()
    assert grid.selected_text == AFTER
    compare(grid, "side")
    press(grid, Qt.Key.Key_A, CONTROL)
    assert grid.selected_text == BEFORE


def test_a_double_click_takes_a_word_and_the_gutter_a_line(grid: SelectableGrid) -> None:
    show(grid, "first line\nsecond line\n")
    double_click(grid.viewport(), point(grid, 0, 0, 8))
    assert grid.selected_text == "line"
    click(grid.viewport(), QPoint(10, point(grid, 0, 0, 0).y()))
    assert grid.selected_text == "first line\n"


def test_arrows_move_and_shift_selects(grid: SelectableGrid) -> None:
    show(grid, "abc\ndef\nghi")
    press(grid, Qt.Key.Key_Right)
    press(grid, Qt.Key.Key_Down, SHIFT)
    assert grid.selected_text == "bc\nd"
    press(grid, Qt.Key.Key_End, CONTROL | SHIFT)
    assert grid.selected_text == "bc\ndef\nghi"
    press(grid, Qt.Key.Key_Home, CONTROL)
    assert grid.selection.caret == Place(0, 0)
    assert grid.selection.empty
    press(grid, Qt.Key.Key_Right, CONTROL | SHIFT)
    assert grid.selected_text == "abc"
    press(grid, Qt.Key.Key_Left)
    press(grid, Qt.Key.Key_Left)
    press(grid, Qt.Key.Key_Left)
    assert grid.selection.caret == Place(0, 0)


def test_the_keyboard_changes_the_pane(grid: SelectableGrid) -> None:
    compare(grid, "side")
    press(grid, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    press(grid, Qt.Key.Key_End, SHIFT)
    assert (grid.selection.pane, grid.selected_text) == (1, "# Title")


def test_a_fold_opens_by_click_and_by_enter(qtbot: QtBot, grid: SelectableGrid) -> None:
    old = "".join(f"line {number}\n" for number in range(1, 30))
    compare(grid, "inline", old, old + "more\n")
    fold = next(index for index, row in enumerate(grid.rows) if row.fold is not None)
    with qtbot.waitSignal(grid.fold_asked) as asked:
        click(grid.viewport(), grid.row_rect(fold).center())
    with qtbot.waitSignal(grid.fold_asked) as entered:
        press(grid, Qt.Key.Key_Return)
    assert asked.args == entered.args == [0]


def test_copying_across_a_fold_takes_what_it_hides(grid: SelectableGrid) -> None:
    old = "".join(f"line {number}\n" for number in range(1, 30))
    compare(grid, "inline", old, old + "more\n")
    grid.select_all()
    assert grid.selected_text == old + "more\n"


def test_both_cells_of_a_row_are_as_high_as_the_higher_one(grid: SelectableGrid) -> None:
    compare(grid, "side", "short\n", f"{'a much longer line that has to be wrapped ' * 3}\n")
    left, right = grid.laid_out(0, 0), grid.laid_out(0, 1)
    assert left is not None
    assert right is not None
    assert right.height > left.height
    assert grid.row_rect(0).height() == right.height + 2


def test_a_huge_line_is_laid_out_only_where_it_is_seen(grid: SelectableGrid) -> None:
    show(grid, "word and more " * 75_000)
    made = list(grid._layouts._kept)
    assert len(grid.rows) > 500
    assert len(made) < 40
    grid.select_all()
    assert len(grid.selected_text) == 14 * 75_000


def test_scrolling_up_through_unmeasured_rows_does_not_jump(grid: SelectableGrid) -> None:
    show(grid, "\n".join("wide 用户身份验证的流程 and words " * (number % 7) for number in range(400)))
    bar = grid.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    for _ in range(40):
        before = grid.visible_rows().start
        top = grid.row_rect(before).top()
        bar.setValue(bar.value() - 37)
        assert grid.row_rect(before).top() == top + 37


def test_the_end_can_be_reached_and_the_last_line_is_whole(grid: SelectableGrid) -> None:
    show(grid, "\n".join("word " * (number % 90) for number in range(300)))
    bar = grid.verticalScrollBar()
    for _ in range(3):
        bar.setValue(bar.maximum())
    last = grid.row_rect(len(grid.rows) - 1)
    assert last.bottom() + 1 == grid.viewport().height()


def test_a_theme_change_keeps_the_place(grid: SelectableGrid, theme: Theme) -> None:
    show(grid, "\n".join(f"line {number}" for number in range(300)))
    grid.reveal(200, middle=True)
    first = grid.visible_rows().start
    theme.set_mode("dark")
    theme.set_mode("light")
    assert grid.visible_rows().start == first


def test_hidden_characters_take_room_and_are_copied_as_they_are(grid: SelectableGrid) -> None:
    show(grid, "a\u200bb")
    laid = grid.laid_out(0, 0)
    assert laid is not None
    assert laid.caret(2).x() - laid.caret(1).x() > 20
    grid.select_all()
    assert grid.selected_text == "a\u200bb"


def test_rows_are_said_in_words(grid: SelectableGrid) -> None:
    compare(grid, "side")
    index = next(index for index, row in enumerate(grid.rows) if row.change == 0)
    grid.announce(index)
    removed, added = "line 3 removed: Use the Makefile for everything.", "line 3 added: Use the task runner for everything."
    assert grid.accessibleDescription() == f"{removed}; {added}"


def test_right_to_left_text_can_be_selected(grid: SelectableGrid) -> None:
    show(grid, "שלום עולם and more")
    grid.select(0, Place(0, 0), Place(0, 4))
    assert grid.selected_text == "שלום"
    assert not grid.grab().isNull()
