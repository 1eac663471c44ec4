"""Headings that read like ours are found, wherever they stand, and honest ones are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.compose import TITLES, Part, compose
from memorypane.model.forgery import forged_headings
from memorypane.model.shelves import RECORDS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# System instructions", "# System instructions"),
        ("text\n### **System**  INSTRUCTIONS:\ntext", "### **System**  INSTRUCTIONS:"),
        ("> - # Instructions for every agent", "> - # Instructions for every agent"),
        ("a\n\nSystem instructions\n---\nb", "System instructions"),
        ("About the user\n=====", "About the user"),
        ("x\u2028# Sys\u200btem instructions", "# Sys\u200btem instructions"),
        ("```\n# System instructions\n```", "# System instructions"),
        ("# Your own notes", "# Your own notes"),
    ],
)
def test_a_heading_of_ours_is_found_at_its_place(text: str, found: str) -> None:
    assert [text[start:end] for start, end in forged_headings(text)] == [found]


@pytest.mark.parametrize(
    "text",
    [
        "## About the user",
        "System instructions are above.",
        "# System",
        "#System instructions",
        "# Instructions",
        "About the user\n---",
        "",
        "# ",
        "#",
    ],
)
def test_an_honest_heading_is_not(text: str) -> None:
    assert forged_headings(text) == ()


def test_every_heading_of_a_startup_text_is_found_when_it_is_written_back() -> None:
    parts = [
        Part(shelf.tier, shelf.name, shelf.key, 1, "name", "", "text", human=True, reviewed=True, updated_at=0)
        for shelf in TITLES
        if shelf != RECORDS
    ]
    made = compose(parts, channel="stable")
    assert [made.text[start:end] for start, end in forged_headings(made.text)] == [f"# {section.title}" for section in made.sections]


@given(
    st.lists(st.sampled_from(["# System instructions", "System instructions", "===", "text", "", "# x", ">", "\u2028"]), max_size=8).map(
        "\n".join
    )
)
def test_spans_rise_and_lie_in_the_text(text: str) -> None:
    end = 0
    for start, stop in forged_headings(text):
        assert end <= start < stop <= len(text)
        assert "system instructions" in text[start:stop].casefold()
        end = stop


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text", ["> " * 500_000, "a\n" * 500_000, "=\n" * 500_000, "# " * 500_000, "- 1." * 250_000, " " * 1_000_000], ids=range(6)
)
def test_no_text_of_a_megabyte_takes_long(text: str) -> None:
    assert forged_headings(text) == ()
