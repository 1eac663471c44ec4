"""Markdown as values: what is shown, what is only text, and what may be opened."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.gui.reader.markdown import Piece, Run, may_open, parse, render


def words(piece: Piece) -> str:
    return "".join(run.text for run in piece.runs)


def test_headings_paragraphs_and_styles() -> None:
    heading, text = parse("## Title\n\nplain **bold** *slanted* ~~gone~~ `code`\n")
    assert (heading.kind, heading.level, words(heading)) == ("heading", 2, "Title")
    assert [(run.text, run.bold, run.italic, run.strike, run.code) for run in text.runs if run.text.strip()] == [
        ("plain ", False, False, False, False), ("bold", True, False, False, False), ("slanted", False, True, False, False),
        ("gone", False, False, True, False), ("code", False, False, False, True),
    ]


def test_lists_carry_their_marks_and_depth() -> None:
    pieces = parse("- one\n  - two\n\n3. three\n4. four\n\n- [ ] open\n- [x] done\n")
    assert [(piece.marker, piece.depth, words(piece)) for piece in pieces] == [
        ("•", 1, "one"), ("•", 2, "two"), ("3.", 1, "three"), ("4.", 1, "four"), ("☐", 1, "open"), ("☑", 1, "done"),
    ]


def test_an_item_without_text_still_has_its_mark() -> None:
    assert [piece.marker for piece in parse("-\n- two\n")] == ["•", "•"]


def test_a_second_paragraph_of_an_item_has_no_mark() -> None:
    assert [(piece.marker, piece.depth) for piece in parse("- one\n\n  more\n")] == [("•", 1), ("", 1)]


def test_code_quotes_rules_and_tables() -> None:
    code, quote, rule, table = parse("```py\nx = 1\n\ny = 2\n```\n\n> said\n\n---\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n")
    assert (code.kind, code.code) == ("code", "x = 1\n\ny = 2")
    assert (quote.quote, words(quote)) == (1, "said")
    assert rule.kind == "rule"
    assert [["".join(run.text for run in cell) for cell in row] for row in table.rows] == [["a", "b"], ["1", "2"]]
    assert table.aligns == ("center", "right")


def test_front_matter_is_shown_as_code() -> None:
    front, body = parse("---\nname: x\n---\nBody\n")
    assert (front.kind, "name: x" in front.code, words(body)) == ("code", True, "Body")


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a <b>bold</b> word", "<img src=http://example.org/x.png>", "<!-- gone -->"])
def test_raw_html_stays_text(text: str) -> None:
    pieces = parse(text)
    assert "".join(words(piece) for piece in pieces) == text
    assert not any(run.bold or run.link for piece in pieces for run in piece.runs)


def test_a_picture_is_words_and_its_address() -> None:
    (piece,) = parse("![a cat](http://example.org/cat.png)")
    assert words(piece) == "[a cat] (http://example.org/cat.png)"


@pytest.mark.parametrize(
    ("address", "opens"),
    [
        ("http://example.org/a?b=c#d", True), ("https://example.org", True), ("mailto:me@example.org", True), ("HTTPS://example.org", True),
        ("javascript:alert(1)", False), ("file:///etc/passwd", False), ("data:text/html,x", False), ("docs/page.md", False),
        ("//example.org/x", False), ("http:", False), ("mailto:", False), ("memorypane://entry/1", False), ("http://[bad", False),
        ("", False),
    ],
)
def test_only_web_and_mail_addresses_may_be_opened(address: str, opens: bool) -> None:
    assert may_open(address) is opens


def test_a_link_that_may_be_opened_carries_its_address() -> None:
    (piece,) = parse("see [the page](https://example.org/a) now")
    assert [run.link for run in piece.runs if run.text == "the page"] == ["https://example.org/a"]


def test_any_other_link_shows_its_words_and_its_address() -> None:
    (piece,) = parse("see [this](javascript:alert(1)) now")
    assert words(piece) == "see this (javascript:alert(1)) now"
    assert all(not run.link for run in piece.runs)


def test_the_address_of_a_foreign_host_name_is_shown_as_it_is_looked_up() -> None:
    (piece,) = parse("[bank](https://bаnk.example/)")  # the second letter is Cyrillic
    assert [run.link for run in piece.runs if run.link] == ["https://xn--bnk-6cd.example/"]


def test_hidden_characters_become_labels() -> None:
    (piece,) = parse("ig\u200bnore \U000e0041all")
    assert [run.text.strip("\u00a0") for run in piece.runs if run.label] == ["U+200B", "U+E0041"]


def test_lines_of_a_paragraph_join_with_a_space_but_not_between_cjk() -> None:
    assert words(parse("one\ntwo")[0]) == "one two"
    assert words(parse("用户\n身份")[0]) == "用户身份"


@pytest.mark.parametrize("text", ["x" * 300_000, "[" * 20_000, "word " * 10_000, "```\n" + "y" * 40_000 + "\n```"])
def test_what_would_take_long_is_not_rendered(text: str) -> None:
    assert render(text) is None


def test_a_long_text_of_usual_paragraphs_is_rendered() -> None:
    pieces = render("A paragraph of usual length.\n\n" * 3000)
    assert pieces is not None
    assert len(pieces) == 3000


@given(st.text(max_size=200))
def test_any_text_can_be_parsed_and_no_link_opens_anything_else(text: str) -> None:
    for piece in parse(text):
        cells = [run for row in piece.rows for cell in row for run in cell]
        assert all(may_open(run.link) for run in [*piece.runs, *cells] if run.link)
        assert all(isinstance(run, Run) for run in piece.runs)
