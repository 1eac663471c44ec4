"""From compared lines to rows."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from memorypane.gui.diffview.cells import BOTH, NEW, OLD, PIECE, Row, Tint, split_line
from memorypane.gui.diffview.selecting import Place, Selection
from memorypane.gui.diffview.sheets import Layout, Sheet, line_rows, make_sheet, plain_sheet
from memorypane.model.diff import rows

OLD_TEXT = "".join(f"line {number}\n" for number in range(1, 21))
NEW_TEXT = OLD_TEXT.replace("line 10\n", "line ten\nline ten and a half\n")
TEXTS = st.lists(st.sampled_from(["a", "b", "c c", "", "long line with words"]), max_size=30).map("\n".join)


def sheet(
    old: str,
    new: str,
    layout: Layout = "inline",
    *,
    whole: bool = False,
    opened: frozenset[int] = frozenset(),
    findings: Sequence[tuple[int, int]] = (),
) -> Sheet:
    return make_sheet(rows(old, new), layout, old=old, new=new, whole=whole, opened=opened, findings=findings)


def side_text(made: Sheet, pane: int, sides: int) -> str:
    last = len(made.rows)
    return Selection(pane, Place(0, 0), Place(last, 0), sides).text(made.rows)


def signs(found: Sequence[Row]) -> list[str]:
    return [cell.sign if cell is not None else "·" for row in found for cell in row.cells]


def test_long_unchanged_runs_are_folded_to_three_lines_beside_a_change() -> None:
    made = sheet(OLD_TEXT, NEW_TEXT)
    folds = [(row.fold.key, row.fold.count) for row in made.rows if row.fold is not None]
    assert folds == [(0, 6), (14, 7)]
    assert len(made.rows) == 1 + 3 + 3 + 3 + 1


def test_whole_text_folds_nothing() -> None:
    assert all(row.fold is None for row in sheet(OLD_TEXT, NEW_TEXT, whole=True).rows)


def test_an_opened_fold_shows_its_lines_and_the_others_stay() -> None:
    made = sheet(OLD_TEXT, NEW_TEXT, opened=frozenset({0}))
    assert [row.fold.key for row in made.rows if row.fold is not None] == [14]
    first = made.rows[0].cells[0]
    assert first is not None
    assert first.text == "line 1"


def test_equal_texts_are_shown_whole() -> None:
    made = sheet(OLD_TEXT, OLD_TEXT)
    assert (len(made.rows), made.changes) == (20, ())


def test_inline_shows_removed_and_added_one_below_the_other() -> None:
    made = sheet("a\nold words here\n", "a\nnew words here\n")
    assert signs(made.rows) == ["", "−", "+"]
    assert [cell.numbers for row in made.rows for cell in row.cells if cell is not None] == [(1, 1), (2, 0), (0, 2)]


def test_side_by_side_pairs_lines_and_leaves_gaps() -> None:
    made = sheet("a\nold words here\n", "a\nnew words here\nmore\n", "side")
    assert signs(made.rows) == ["", "", "−", "+", "·", "+"]


def test_a_place_of_change_is_counted_once() -> None:
    made = sheet(OLD_TEXT, NEW_TEXT.replace("line 20", "line twenty"))
    assert len(made.changes) == 2
    assert [made.rows[row].change for row in made.changes] == [0, 1]


def test_a_finding_lies_over_the_words_of_its_line() -> None:
    start = NEW_TEXT.index("ten and")
    made = sheet(OLD_TEXT, NEW_TEXT, findings=[(start, start + 7)])
    cells = [cell for row in made.rows for cell in row.cells if cell is not None]
    marked = [cell.text[mark.start : mark.end] for cell in cells for mark in cell.marks if mark.tint is Tint.FINDING]
    assert marked == ["ten and"]


def test_a_finding_in_an_unchanged_run_keeps_it_from_being_folded() -> None:
    made = sheet(OLD_TEXT, NEW_TEXT, findings=[(0, 4)])
    assert [row.fold.key for row in made.rows if row.fold is not None] == [14]


def test_a_finding_over_several_lines_is_marked_on_each() -> None:
    made = sheet("", "one\ntwo\nthree\n", findings=[(1, 9)])
    cells = [cell for row in made.rows for cell in row.cells if cell is not None]
    found = [(cell.line, mark.start, mark.end) for cell in cells for mark in cell.marks if mark.tint is Tint.FINDING]
    assert found == [(1, 1, 3), (2, 0, 3), (3, 0, 1)]


def test_a_huge_line_becomes_pieces_with_one_number_and_one_line_break() -> None:
    line = "word and more " * 1000
    made = list(line_rows(line, 1, newline=True))
    cells = [cell for row in made for cell in row.cells if cell is not None]
    assert "".join(cell.text for cell in cells) == line
    assert all(len(cell.text) <= PIECE for cell in cells)
    assert [cell.numbers for cell in cells] == [(1,), *[()] * (len(cells) - 1)]
    assert [cell.breaks for cell in cells] == [*[0] * (len(cells) - 1), BOTH]


def test_pieces_tear_no_character_apart() -> None:
    line = "e\u0301" * 3000
    assert all(not piece.startswith("\u0301") for _, piece in split_line(line))


@given(TEXTS, TEXTS, st.booleans())
def test_each_side_copies_as_its_own_text(old: str, new: str, whole: bool) -> None:
    inline, side = sheet(old, new, whole=whole), sheet(old, new, "side", whole=whole)
    assert side_text(inline, 0, NEW) == new
    assert side_text(side, 0, OLD) == old
    assert side_text(side, 1, NEW) == new


@given(TEXTS, TEXTS, st.booleans())
def test_the_old_side_of_an_inline_comparison_copies_too(old: str, new: str, whole: bool) -> None:
    assert side_text(sheet(old, new, whole=whole), 0, OLD) == old


@given(TEXTS)
def test_a_plain_sheet_copies_as_the_text(text: str) -> None:
    made = plain_sheet(text)
    assert Selection(0, Place(0, 0), Place(len(made.rows), 0)).text(made.rows) == text
