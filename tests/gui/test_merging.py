"""Deciding a merge: choices, their undoing, the text they make, and the rows that show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from memorypane.gui.diffview.cells import Row, Tint
from memorypane.gui.diffview.selecting import Place, Selection
from memorypane.gui.editor.merge_rows import conflict_rows, result_rows, three_way_rows
from memorypane.gui.editor.merging import Decisions, Pick
from memorypane.model.merge import merge

BASE = "## Before\n- Build twice, compare.\n- Sign.\n## After\n- Wait one hour.\n- Close.\n"
THEIRS = BASE.replace("twice,", "twice on two hosts,").replace("one hour", "one day")
MINE = BASE.replace("one hour", "two hours") + "- Thank all.\n"
ORIGINS = {"theirs": "theirs", "mine": "mine", "both": "both", "own": "own"}
LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=8).map(lambda lines: "".join(f"{line}\n" for line in lines))


def decisions() -> Decisions:
    return Decisions(merge(BASE, MINE, THEIRS))


def heights(made: Decisions) -> list[int]:
    return [40] * len(made.conflicts)


def pane_text(rows: Sequence[Row], pane: int) -> str:
    """The text of a pane as copying takes it."""
    return Selection(pane, Place(0, 0), Place(len(rows), 0)).text([row for row in rows if row.block is None])


def test_changes_that_do_not_meet_go_in_by_themselves() -> None:
    made = decisions()
    assert (made.merged_count, made.open) == (2, (0,))


def test_each_choice_makes_its_text() -> None:
    day, hours = "- Wait one day.\n", "- Wait two hours.\n"
    expected = {"theirs": day, "mine": hours, "both": day + hours, "own": "- Wait.\n- A bit.\n"}
    for pick in get_args(Pick):
        made = decisions()
        made.decide(0, pick, ("- Wait.", "- A bit."))
        assert made.open == ()
        above = "## Before\n- Build twice on two hosts, compare.\n- Sign.\n## After\n"
        assert made.text() == f"{above}{expected[pick]}- Close.\n- Thank all.\n"


def test_own_words_that_read_like_a_choice_stay_words() -> None:
    for word in ("theirs", "mine", "both", "base"):
        made = decisions()
        made.decide(0, "own", (word,))
        assert f"\n{word}\n- Close." in made.text()


def test_own_words_may_be_nothing() -> None:
    made = decisions()
    made.decide(0, "own", ())
    assert "## After\n- Close.\n" in made.text()


def test_choices_are_undone_and_done_again() -> None:
    made = decisions()
    assert not made.undo()
    made.decide(0, "theirs")
    made.decide(0, "mine")
    picks = []
    for step in (made.undo, made.undo, made.redo, made.redo):
        assert step()
        picks.append([choice.pick if choice is not None else "" for choice in made.choices])
    assert picks == [["theirs"], [""], ["theirs"], ["mine"]]
    assert not made.redo()


def test_three_texts_stand_beside_each_other_with_their_changes() -> None:
    made = three_way_rows(decisions())
    rows = made.rows
    assert made.highest == 7
    conflict = rows[made.starts[0]]
    signs = [cell.sign if cell is not None else None for cell in conflict.cells]
    assert signs == ["!", "", "!"]
    theirs, base, mine = conflict.cells
    assert theirs is not None
    assert base is not None
    assert mine is not None
    assert theirs.tint is mine.tint is Tint.CONFLICT
    assert any(mark.tint is Tint.REMOVED for mark in base.marks)
    added = rows[-1].cells
    assert [cell is None for cell in added] == [True, True, False]
    changed = rows[1].cells[0]
    assert changed is not None
    assert [changed.text[mark.start : mark.end].strip() for mark in changed.marks] == ["on two hosts"]


def test_the_result_says_where_its_lines_come_from() -> None:
    made = decisions()
    shown = result_rows(made, ORIGINS, heights(made))
    notes = [row.cells[0].note for row in shown.rows if row.cells and row.cells[0] is not None]
    assert notes == ["", "theirs", "", "", "", "mine"]
    assert [row.block is not None for row in shown.rows].index(True) == shown.blocks[0] == 4
    made.decide(0, "both")
    decided = result_rows(made, ORIGINS, heights(made))
    assert [cell.note for row in decided.rows if (cell := row.cells[0] if row.cells else None) is not None][4:6] == ["both", "both"]
    assert decided.highest == 8


def test_an_open_conflict_shows_both_answers() -> None:
    made = decisions()
    rows = conflict_rows(made.piece(0), 5, "theirs", "mine")
    cells = [row.cells[0] for row in rows if row.cells[0] is not None]
    assert [(cell.text, cell.note, cell.numbers) for cell in cells] == [
        ("- Wait one day.", "theirs", (5,)), ("- Wait two hours.", "mine", (5,)),
    ]


@given(LINES, LINES, LINES, st.data())
def test_the_rows_of_the_result_are_its_text(base: str, mine: str, theirs: str, data: st.DataObject) -> None:
    made = Decisions(merge(base, mine, theirs))
    for number in range(len(made.conflicts)):
        made.decide(number, data.draw(st.sampled_from(get_args(Pick))), ("own",))
    shown = result_rows(made, ORIGINS, heights(made))
    assert pane_text(shown.rows, 0) == made.text()


@given(LINES, LINES, LINES, st.booleans())
def test_the_three_panes_are_the_three_texts(base: str, mine: str, theirs: str, opened: bool) -> None:
    decided = Decisions(merge(base, mine, theirs))
    made = three_way_rows(decided, frozenset(range(len(decided.merged.pieces)) if opened else ()))
    assert len(made.starts) == len(decided.conflicts)
    assert [pane_text(made.rows, pane) for pane in range(3)] == [theirs, base, mine]


def test_long_unchanged_runs_are_folded_above_and_below() -> None:
    base = "".join(f"line {number}\n" for number in range(1, 101))
    made = Decisions(merge(base, base.replace("line 50\n", "my line\n"), base.replace("line 50\n", "their line\n")))
    above, below = three_way_rows(made), result_rows(made, ORIGINS, heights(made))
    assert [row.fold.count for row in above.rows if row.fold is not None] == [46, 47]
    assert [row.fold.count for row in below.rows if row.fold is not None] == [46, 47]
    last = [row.cells[0] for row in below.rows if row.cells][-1]
    assert last is not None
    assert last.numbers == (53,)
    assert len(three_way_rows(made, frozenset({0, 2})).rows) == 100


def test_a_huge_line_is_one_line_in_every_pane() -> None:
    base = "word and more " * 1000 + "\n"
    made = Decisions(merge(base, base + "mine\n", base.replace("more", "less", 1)))
    rows = three_way_rows(made).rows
    assert [pane_text(rows, pane) for pane in (1, 2)] == [base, base + "mine\n"]
