from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.spans import differences, explain_miss, occurrences, replace_once


@pytest.mark.parametrize(
    ("text", "wanted", "count"),
    [("aaa", "aa", 2), ("ababa", "aba", 2), ("abab", "aba", 1), ("a", "a", 1), ("a", "b", 0), ("a", "", 0), ("", "a", 0), ("éé", "é", 2)],
)
def test_overlapping_places_count_each(text: str, wanted: str, count: int) -> None:
    assert occurrences(text, wanted) == count


@given(st.text("ab", max_size=30), st.text("ab", min_size=1, max_size=4))
def test_as_many_places_as_positions_where_the_text_stands(text: str, wanted: str) -> None:
    assert occurrences(text, wanted) == sum(text.startswith(wanted, at) for at in range(len(text)))


def test_the_first_place_is_replaced_verbatim() -> None:
    assert replace_once("a (x)* b (x)*", "(x)*", r"\1 $& \g<0>") == r"a \1 $& \g<0> b (x)*"
    assert replace_once("abc", "", "x") == "abc"


@pytest.mark.parametrize(
    ("text", "wanted", "there", "sought"),
    [
        ("a café corner", "cafe\u0301", "é", "e\u0301"),
        ("a cafe\u0301 corner", "café", "e\u0301", "é"),
        ("it’s late", "it's", "’", "'"),
        ("mode — always", "mode - always", "—", "-"),
        ("x\u00a0y", "x y", "\u00a0", " "),
        ("раура", "paypa", "р", "p"),
        ("ﬁnd", "find", "ﬁ", "fi"),
        ("ｗｉｄｅ", "wide", "ｗ", "w"),
        ("한글", "\u1112\u1161\u11ab글", "한", "\u1112\u1161\u11ab"),
        ("pa\u200bss word", "pass word", "\u200bs", "s"),
        ("pass", "pass\u200b", "s", "s\u200b"),
        ("red\ufe0f heart", "red heart", "\ufe0f ", " "),
    ],
)
def test_the_first_difference_of_texts_that_look_alike_is_named(text: str, wanted: str, there: str, sought: str) -> None:
    found = differences(text, wanted)
    assert (found[0].there, found[0].wanted) == (there, sought)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a café corner", "cafe"),  # the accent is no look-alike of nothing
        ("Prefers dark", "prefers dark"),
        ("dark mode", "dark  mode"),
        ("plain ascii", "other"),
        ("ﬁnd", "ind"),  # begins inside one sign
        ("größe", "\u200b"),
        ("", "é"),
    ],
)
def test_texts_that_do_not_look_alike_have_nothing_to_explain(text: str, wanted: str) -> None:
    assert differences(text, wanted) == ()
    assert explain_miss(text, wanted) == ""


def test_an_explanation_shows_three_differences_with_their_code_points_and_counts_the_rest() -> None:
    said = explain_miss("‘a’ “b” — c", "'a' \"b\" - c")
    assert "“‘” (U+2018) where you sent “'” (U+0027)" in said
    assert said.count("where you sent") == 3
    assert "2 more places differ" in said


def test_unseen_characters_are_shown_by_their_code() -> None:
    assert r"\u200b" in explain_miss("a\u200bb", "ab")


@given(st.text(max_size=40), st.integers(0, 40), st.integers(1, 10))
def test_a_text_that_is_there_exactly_has_no_differences_where_it_is_found(text: str, start: int, length: int) -> None:
    piece = text[start : start + length]
    for one in differences(text, piece):
        assert one.there != one.wanted
