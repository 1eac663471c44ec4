"""A comparison on screen: computed elsewhere, laid out by width, walked through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from memorypane.gui.diffview.panel import Comparison, DiffPanel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from tests.gui.hands import click

OLD = "".join(f"line {number}\n" for number in range(1, 61))
NEW = OLD.replace("line 5\n", "line five\n").replace("line 30\n", "line thirty\n").replace("line 55\n", "line fifty-five\n")

Shown = Callable[[Comparison], None]


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, work: Work) -> DiffPanel:
    made = DiffPanel(theme, work)
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show()
    return made


@pytest.fixture
def shown(qtbot: QtBot, panel: DiffPanel) -> Shown:
    def compare(comparison: Comparison) -> None:
        with qtbot.waitSignal(panel.shown, timeout=20_000):
            panel.compare(comparison)

    return compare


def change_texts(panel: DiffPanel) -> list[str]:
    return [panel.bar._place.full_text]


def test_a_wide_panel_is_side_by_side_and_a_narrow_one_inline(panel: DiffPanel, shown: Shown) -> None:
    shown(Comparison(OLD, NEW))
    found = [panel.layout_shown]
    for width in (879, 880):
        panel.resize(width, 500)
        found.append(panel.layout_shown)
    assert found == ["side", "inline", "side"]


def test_choosing_the_wide_layout_where_it_is_narrow_asks_for_room(qtbot: QtBot, panel: DiffPanel, shown: Shown) -> None:
    panel.resize(700, 500)
    shown(Comparison(OLD, NEW))
    with qtbot.waitSignal(panel.room_wanted) as asked, qtbot.waitSignal(panel.layout_chosen) as chosen:
        panel.toggle_layout()
    assert (asked.args, chosen.args, panel.layout_shown) == ([True], ["side"], "side")
    with qtbot.waitSignal(panel.room_wanted) as given_back:
        panel.toggle_layout()
    assert given_back.args == [False]


def test_a_chosen_layout_stays_for_the_next_comparison(panel: DiffPanel, shown: Shown) -> None:
    shown(Comparison(OLD, NEW))
    panel.toggle_layout()
    shown(Comparison(NEW, OLD))
    assert panel.layout_shown == "inline"


def test_the_changes_are_walked_through_in_order(panel: DiffPanel, shown: Shown) -> None:
    shown(Comparison(OLD, NEW))
    assert panel.change == 0
    for expected in (1, 2, 2):
        panel.step(1)
        assert panel.change == expected
        assert panel.grid.rows[panel.grid.selection.caret.row].change == expected
        assert panel.grid.selection.caret.row in panel.grid.visible_rows()
    assert change_texts(panel) == ["change 3 of 3"]
    panel.step(-1)
    assert panel.change == 1


def test_the_count_follows_the_scroll_position(panel: DiffPanel, shown: Shown) -> None:
    panel.resize(1000, 220)
    shown(Comparison(OLD, NEW))
    panel.set_whole(True)
    panel.grid.verticalScrollBar().setValue(panel.grid.verticalScrollBar().maximum())
    assert panel.change == 2
    panel.grid.verticalScrollBar().setValue(0)
    assert panel.change == 0


def test_whole_text_and_changes_only(panel: DiffPanel, shown: Shown) -> None:
    shown(Comparison(OLD, NEW))
    assert any(row.fold is not None for row in panel.grid.rows)
    panel.toggle_whole()
    assert all(row.fold is None for row in panel.grid.rows)
    assert len(panel.grid.rows) == 60


def test_opening_a_fold_keeps_the_others(panel: DiffPanel, shown: Shown) -> None:
    shown(Comparison(OLD, NEW))
    folds = [index for index, row in enumerate(panel.grid.rows) if row.fold is not None]
    fold = panel.grid.rows[folds[1]].fold
    assert fold is not None
    click(panel.grid.viewport(), panel.grid.row_rect(folds[1]).center())
    left = [row.fold.key for row in panel.grid.rows if row.fold is not None]
    assert len(left) == len(folds) - 1
    assert fold.key not in left


def test_only_the_last_of_several_comparisons_is_shown(qtbot: QtBot, panel: DiffPanel) -> None:
    with qtbot.waitSignal(panel.shown):
        panel.compare(Comparison(OLD, OLD + "first\n"))
        panel.compare(Comparison(OLD, OLD + "second\n"))
    panel.grid.select_all()
    panel.toggle_layout()
    panel.grid.select_all()
    assert panel.grid.selected_text.endswith("second\n")


def test_equal_texts_and_line_breaks_at_the_end_are_told_in_words(panel: DiffPanel, shown: Shown) -> None:
    shown(Comparison("a\n", "a\n", facts=("Pinned.",)))
    assert panel._facts._words.full_text == "Pinned.\nThe text is the same on both sides."
    shown(Comparison("a\n", "a"))
    assert panel._facts._words.full_text == "The line break at the end was removed."
    shown(Comparison("a\n", "b\n"))
    assert panel._facts.isHidden()


def test_a_finding_is_shown_and_selected(panel: DiffPanel, shown: Shown) -> None:
    start = NEW.index("fifty-five")
    shown(Comparison(OLD, NEW, findings=((start, start + 10),)))
    for _ in range(2):
        panel.show_finding(0)
        assert panel.grid.selected_text == "fifty-five"
        panel.toggle_layout()


def test_a_long_comparison_is_laid_out_in_the_background(panel: DiffPanel, shown: Shown) -> None:
    old = "".join(f"line {number} with some words\n" for number in range(20_000))
    shown(Comparison(old, old.replace("line 10000 ", "line ten thousand ")))
    assert panel.ready
    panel.toggle_layout()
    assert panel.layout_shown == "inline"


def test_a_huge_line_is_compared_and_shown(panel: DiffPanel, shown: Shown) -> None:
    old = "word and more " * 75_000
    shown(Comparison(old, old[:500_000] + "new " + old[500_000:]))
    assert len(panel.grid.rows) > 500
    assert not panel.grab().isNull()
    panel.grid.select_all()
    assert panel.grid.selected_text == old


@pytest.mark.parametrize("width", [420, 560, 700, 1000])
def test_the_toolbar_fits_every_width(panel: DiffPanel, shown: Shown, width: int) -> None:
    panel.resize(width, 400)
    shown(Comparison(OLD, NEW, "Version 4 → 7", "across your revert in 6"))
    assert panel.width() == width
    for child in (panel.bar._mode, panel.bar._flip, panel.bar._whole, panel.bar._place):
        assert child.isHidden() or child.geometry().right() <= panel.bar.width()
