"""Splitting a text at its second-level headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.service.exchange.sections import split_sections, title_only

PIECES = [
    "## A\n", "## A ##\n", "##\n", "### b\n", "# T\n", "text\n", "```\n", "~~~~\n",
    "  ```sh\n", "<!--\n", "-->\n", "<!-- x -->\n", "\n", "    ## code\n", "end",
]


def headings(text: str) -> list[tuple[str, int]]:
    return [(part.heading, part.number) for part in split_sections(text)]


def test_sections_start_at_second_level_headings_only() -> None:
    assert headings("# T\n\nintro\n## A\na\n### B\nb\n## C\n") == [("", 0), ("A", 1), ("C", 1)]


def test_a_text_without_headings_is_one_part() -> None:
    parts = split_sections("just text\n")
    assert [(part.heading, part.number, part.text) for part in parts] == [("", 0, "just text\n")]


def test_a_text_that_begins_with_a_heading_has_no_opening() -> None:
    assert headings("## A\na\n## B\n") == [("A", 1), ("B", 1)]


@pytest.mark.parametrize("fence", ["```", "~~~", "`````", "   ```", "- x\n    ```"])
def test_headings_in_fences_are_text(fence: str) -> None:
    mark = fence.split()[-1]
    assert headings(f"## A\n{fence}\n## no\n{mark}\n## B\n") == [("A", 1), ("B", 1)]


def test_a_shorter_fence_or_one_with_words_does_not_close() -> None:
    assert headings("## A\n````\n```\n## no\n```` still\n## no\n````\n## B\n") == [("A", 1), ("B", 1)]


def test_inline_code_on_a_line_of_its_own_opens_no_fence() -> None:
    assert headings("```one` two```\n## A\n") == [("", 0), ("A", 1)]


def test_headings_in_comments_are_text() -> None:
    assert headings("## A\n<!--\n## no\n-->\n## B\n<!-- one line -->\n## C\n") == [("A", 1), ("B", 1), ("C", 1)]


def test_equal_headings_are_numbered() -> None:
    assert headings("## A\n1\n## A\n2\n## B\n## A\n") == [("A", 1), ("A", 2), ("B", 1), ("A", 3)]


def test_closing_marks_and_empty_headings() -> None:
    assert headings("## A ##\n##\n## C#\n") == [("A", 1), ("", 1), ("C#", 1)]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_the_parts_joined_are_the_text(text: str) -> None:
    parts = split_sections(text)
    assert "".join(part.text for part in parts) == text
    assert all(part.text for part in parts)
    assert len({(part.heading, part.number) for part in parts}) == len(parts)


@pytest.mark.parametrize(("text", "expected"), [("# T\n\n", True), ("", True), ("# T\nx\n", False), ("#hashtag\n", False)])
def test_a_title_alone_is_told_apart(text: str, expected: bool) -> None:
    assert title_only(text) is expected
