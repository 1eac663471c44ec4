"""Front matter is told apart from the body, byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.frontmatter import split


@pytest.mark.parametrize(
    ("text", "block", "body"),
    [
        ("", None, ""),
        ("plain", None, "plain"),
        ("---\na: 1\n---\nbody", "a: 1\n", "body"),
        ("---\na: 1\nb: 2\n...\n\nbody\n", "a: 1\nb: 2\n", "\nbody\n"),
        ("---\n---\n", "", ""),
        ("---\n---", "", ""),
        ("--- \t\na: 1\n--- \nbody", "a: 1\n", "body"),
        ("---\na: 1\n---", "a: 1\n", ""),
        ("---\na: 1\n", None, "---\na: 1\n"),
        ("---", None, "---"),
        ("----\na: 1\n---\n", None, "----\na: 1\n---\n"),
        ("\n---\na: 1\n---\n", None, "\n---\na: 1\n---\n"),
        (" ---\na: 1\n---\n", None, " ---\na: 1\n---\n"),
        ("---\ntext: |\n  ---\n---x\n----\n---\nbody", "text: |\n  ---\n---x\n----\n", "body"),
        ("---\na: '\u2028---\u2028'\n---\nbody", "a: '\u2028---\u2028'\n", "body"),
        ("--- # comment\na: 1\n---\n", None, "--- # comment\na: 1\n---\n"),
    ],
)
def test_the_block_ends_at_the_first_closing_line(text: str, block: str | None, body: str) -> None:
    assert split(text) == (block, body)


lines = st.text("-. \nab", max_size=30)


@given(lines, lines, st.sampled_from(["---", "..."]))
def test_block_and_body_come_back_verbatim(inner: str, body: str, closing: str) -> None:
    block = "".join(f"{line}x\n" for line in inner.split("\n"))
    assert split(f"---\n{block}{closing}\n{body}") == (block, body)


@given(st.text(max_size=60))
def test_without_an_opening_line_everything_is_body(text: str) -> None:
    assert split(f"x{text}") == (None, f"x{text}")


def test_a_huge_text_without_a_closing_line_is_body() -> None:
    text = "---\n" + "key: value\n" * 100_000
    assert split(text) == (None, text)
