"""Merging: what only one side changed goes in, nothing is lost, and what both changed is a conflict."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.lines import split_lines
from memorypane.model.merge import Merge, merge

lines = st.lists(st.sampled_from(["", "a", "b", "c", "# d", "e e"]), max_size=7).map("\n".join)
texts = st.one_of(lines, lines.map(lambda text: f"{text}\n"), st.text(max_size=30))


def kinds(made: Merge) -> list[str]:
    return [piece.kind for piece in made.pieces]


@given(texts, texts)
def test_a_change_of_one_side_or_the_same_of_both_is_taken(base: str, changed: str) -> None:
    for made in (merge(base, changed, base), merge(base, base, changed), merge(base, changed, changed)):
        assert made.clean
        assert made.text == changed


@given(texts, texts, texts)
def test_the_sides_are_equals(base: str, mine: str, theirs: str) -> None:
    made, swapped = merge(base, mine, theirs), merge(base, theirs, mine)
    assert made.clean == swapped.clean
    assert made.text == swapped.text
    other = {"mine": "theirs", "theirs": "mine"}
    assert [other.get(kind, kind) for kind in kinds(made)] == kinds(swapped)


@given(texts, texts, texts)
def test_the_pieces_are_the_three_texts(base: str, mine: str, theirs: str) -> None:
    made = merge(base, mine, theirs)
    for name, text in (("base", base), ("mine", mine), ("theirs", theirs)):
        number = 1
        for piece in made.pieces:
            assert getattr(piece, f"{name}_start") == number
            number += len(getattr(piece, name))
        assert [line for piece in made.pieces for line in getattr(piece, name)] == split_lines(text)
    for piece in made.pieces:
        alike = {"same": piece.base == piece.mine == piece.theirs, "both": piece.mine == piece.theirs}
        changed = {"mine": piece.base == piece.theirs != piece.mine, "theirs": piece.base == piece.mine != piece.theirs}
        differs = {"conflict": piece.mine != piece.theirs and piece.base not in (piece.mine, piece.theirs)}
        assert (alike | changed | differs)[piece.kind]


@given(texts, texts, texts)
def test_choosing_one_side_everywhere_keeps_the_other_sides_lone_changes(base: str, mine: str, theirs: str) -> None:
    made = merge(base, mine, theirs)
    count = kinds(made).count("conflict")
    for side in ("mine", "theirs", "base"):
        wanted = [line for piece in made.pieces for line in (getattr(piece, side) if piece.kind == "conflict" else piece.merged)]
        assert split_lines(made.resolve([side] * count)) == wanted
    if count:
        assert made.text == ""
        with pytest.raises(ValueError, match="each conflict"):
            made.resolve(["mine"] * (count + 1))


def test_changes_apart_from_each_other_are_merged() -> None:
    base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
    assert merge(base, base.replace("one", "ONE"), base.replace("seven", "SEVEN")).text == "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n"
    assert merge(base, f"zero\n{base}", f"{base}eight\n").text == f"zero\n{base}eight\n"
    assert merge(base, base.replace("two\n", ""), base.replace("four", "FOUR")).text == "one\nthree\nFOUR\nfive\nsix\nseven\n"


def test_one_unchanged_line_between_two_changes_is_enough() -> None:
    assert merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n").text == "A\nb\nC\n"
    assert kinds(merge("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n")) == ["conflict", "same"]


def test_a_conflict_names_its_lines_and_can_be_decided_in_every_way() -> None:
    base = "before\n- Wait one hour before you announce.\nafter\n"
    made = merge(base, base.replace("one hour", "two hours"), base.replace("one hour", "one day"))
    assert kinds(made) == ["same", "conflict", "same"]
    assert (made.clean, made.text) == (False, "")
    conflict = made.pieces[1]
    assert (conflict.base_start, conflict.mine_start, conflict.theirs_start) == (2, 2, 2)
    day, hours = "- Wait one day before you announce.", "- Wait two hours before you announce."
    assert made.resolve(["theirs"]) == f"before\n{day}\nafter\n"
    assert made.resolve(["mine"]) == f"before\n{hours}\nafter\n"
    assert made.resolve(["both"]) == f"before\n{day}\n{hours}\nafter\n"
    assert made.resolve(["base"]) == base
    assert made.resolve(["- Wait.\n- mine\n"]) == "before\n- Wait.\n- mine\nafter\n"
    assert made.resolve([""]) == "before\nafter\n"


def test_the_same_addition_with_more_on_one_side_is_no_conflict() -> None:
    assert merge("a\n", "a\nx\n", "a\nx\ny\n").text == "a\nx\ny\n"
    assert kinds(merge("a\n", "a\nx\n1\nz\n", "a\nx\n2\nz\n")) == ["same", "both", "conflict", "both"]
    assert kinds(merge("o\n", "x\n", "x\ny\n")) == ["conflict"]


def test_removing_what_the_other_side_changed_is_a_conflict() -> None:
    assert not merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n").clean
    assert merge("a\nb\nc\n", "a\nc\n", "a\nc\n").text == "a\nc\n"
    assert not merge("a\n", "", "a\nb\n").clean
    assert merge("a\nb\n", "", "").text == ""


def test_two_different_lines_added_at_one_place_are_a_conflict() -> None:
    made = merge("a\n", "a\nmine\n", "a\ntheirs\n")
    assert kinds(made) == ["same", "conflict"]
    assert made.resolve(["both"]) == "a\ntheirs\nmine\n"


@pytest.mark.parametrize(("base", "mine", "theirs", "text"), [
    ("a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n"),
    ("a\nb\nc", "a\nb\nc\nd", "A\nb\nc", "A\nb\nc\nd"),
    ("a\nb\nc\n", "a\nb\nc", "A\nb\nc\n", "A\nb\nc"),
    ("a", "a\nb", "a\n", "a\nb\n"),
    ("a\nb\n", "a\nb", "x\na\nb", "x\na\nb"),
])  # fmt: skip
def test_a_missing_newline_at_the_end_is_merged_too(base: str, mine: str, theirs: str, text: str) -> None:
    assert merge(base, mine, theirs).text == text


def test_a_decided_conflict_at_the_end_brings_its_own_end() -> None:
    made = merge("a\nb\n", "a\nmine", "a\ntheirs\n")
    assert made.resolve(["mine"]) == "a\nmine"
    assert made.resolve(["theirs"]) == "a\ntheirs\n"
    assert made.resolve(["own\n"]) == "a\nown"
    assert all("\nb" not in made.resolve([choice]) for choice in ("mine", "theirs", "both"))


def test_every_merge_of_tiny_texts_keeps_lines_that_nobody_removed() -> None:
    tiny = ["".join(f"{line}\n" for line in some) for size in range(3) for some in product("ab", repeat=size)]
    for base, mine, theirs in product(tiny, repeat=3):
        made = merge(base, mine, theirs)
        if made.clean:
            for line in "ab":
                least = min(text.count(line) for text in (base, mine, theirs))
                assert made.text.count(line) >= least


@pytest.mark.timeout(60)
def test_large_texts_merge_soon() -> None:
    base = "".join(f"line {number}\n" for number in range(20_000))
    mine, theirs = base.replace("line 7\n", "mine\n"), base.replace("line 19000\n", "theirs\n")
    assert merge(base, mine, theirs).text == base.replace("line 7\n", "mine\n").replace("line 19000\n", "theirs\n")
    assert not merge(base, "".join(f"a{n}\n" for n in range(20_000)), "".join(f"b{n}\n" for n in range(20_000))).clean
