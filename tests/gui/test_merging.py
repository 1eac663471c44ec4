"""Deciding a merge: choices, their undoing, the text they make, and the rows that show it."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from memorypane.gui.diffview.cells import Tint
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
    rows, starts, highest = three_way_rows(decisions())
    assert highest == 7
    conflict = rows[starts[0]]
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


def test_each_pane_holds_its_whole_text() -> None:
    rows, _, _ = three_way_rows(decisions())
    for pane, text in enumerate((THEIRS, BASE, MINE)):
        assert "".join(f"{row.cells[pane].text}\n" for row in rows if row.cells[pane] is not None) == text  # type: ignore[union-attr]  # just asked


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
    lines = [cell.text for row in shown.rows if (cell := row.cells[0] if row.cells else None) is not None]
    assert "".join(f"{line}\n" for line in lines) == made.text()


@given(LINES, LINES, LINES)
def test_the_three_panes_are_the_three_texts(base: str, mine: str, theirs: str) -> None:
    rows, starts, _ = three_way_rows(made := Decisions(merge(base, mine, theirs)))
    assert len(starts) == len(made.conflicts)
    for pane, text in enumerate((theirs, base, mine)):
        lines = [cell.text for row in rows if (cell := row.cells[pane]) is not None]
        assert "".join(f"{line}\n" for line in lines) == text
