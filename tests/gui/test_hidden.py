"""What a line looks like on screen, and offsets there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.gui.diffview.hidden import hidden_characters, show, wide_count

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=60)


def test_plain_text_is_drawn_as_it_is() -> None:
    shown = show("plain words")
    assert (shown.text, shown.starts, shown.labels) == ("plain words", (), ())


def test_a_tab_stays_a_tab() -> None:
    assert show("a\tb").text == "a\tb"


@pytest.mark.parametrize(
    ("character", "label"),
    [
        ("\u200b", "U+200B"), ("\u202e", "U+202E"), ("\u2066", "U+2066"), ("\U000e0041", "U+E0041"), ("\u00ad", "U+00AD"),
        ("\u2028", "U+2028"), ("\x85", "U+0085"), ("\x0c", "U+000C"), ("\u3164", "U+3164"),
    ],
)
def test_a_hidden_character_becomes_a_label(character: str, label: str) -> None:
    shown = show(f"a{character}b")
    start, end = shown.labels[0]
    assert label in shown.text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")
    assert (shown.position(1), shown.position(2)) == (start, end)


@pytest.mark.parametrize("text", ["👩‍👩‍👧", "👍🏽", "❤️", "می‌خواهم"])
def test_joiners_that_make_a_visible_sign_or_right_spelling_are_left_alone(text: str) -> None:
    assert show(text).labels == ()


def test_positions_count_utf16_units_and_offsets_code_points() -> None:
    shown = show("a😀b")
    assert [shown.position(offset) for offset in range(4)] == [0, 1, 3, 4]
    assert [shown.offset(position) for position in range(5)] == [0, 1, 2, 2, 3]


def test_a_label_is_never_split() -> None:
    shown = show("a\u200bb")
    start, end = shown.labels[0]
    assert {shown.offset(position) for position in range(start, end + 1)} == {1, 2}


@given(TEXT)
def test_every_offset_comes_back(text: str) -> None:
    shown = show(text)
    assert [shown.offset(shown.position(offset)) for offset in range(len(text) + 1)] == list(range(len(text) + 1))
    assert shown.position(len(text)) == len(shown.text.encode("utf-16-le")) // 2


@given(TEXT)
def test_nothing_but_labels_differs_from_the_source(text: str) -> None:
    shown = show(text)
    drawn = shown.text.encode("utf-16-le")
    rest, at = b"", 0
    for start, end in shown.labels:
        rest += drawn[2 * at : 2 * start]
        at = end
    rest += drawn[2 * at :]
    kept = "".join(character for character in text if not show(character).labels)
    assert all(character in text for character in rest.decode("utf-16-le"))
    assert len(rest.decode("utf-16-le")) >= len(kept)


def test_hidden_characters_are_named_with_their_first_line() -> None:
    assert hidden_characters("one\ntwo\u200b\nthree\u200b\u202e") == (("U+200B", 2), ("U+202E", 3))
    assert hidden_characters("nothing to see\n") == ()


def test_wide_characters_are_counted_for_sizing() -> None:
    assert wide_count("用户 ab") == 2
