"""The block before the text of a rule file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.service.exchange.header import read_header


def test_the_block_goes_beside_the_text() -> None:
    header = read_header("---\nname: Tests\ndescription: How we\n  test\nglobs: tests/**/*.py\nalwaysApply: false\n---\n# Body\n")
    assert (header.name, header.description, header.body) == ("Tests", "How we test", "# Body\n")
    assert header.fields == {"globs": "tests/**/*.py", "alwaysApply": False}
    assert header.note == ""


def test_unquoted_patterns_that_yaml_refuses_are_understood() -> None:
    header = read_header("---\ndescription: All: of it\nglobs: *.ts,*.tsx\nalwaysApply: true\n---\nbody")
    assert header.fields == {"globs": "*.ts,*.tsx", "alwaysApply": True}
    assert (header.description, header.body) == ("All: of it", "body")


def test_empty_values_are_left_out() -> None:
    header = read_header("---\ndescription: \nglobs: \nalwaysApply: true\n---\nbody")
    assert (header.description, header.fields, header.body) == ("", {"alwaysApply": True}, "body")


@pytest.mark.parametrize(
    "block",
    ["- a\n- b", "{broken", "? x\n: - y\n  b: {", "just words", "x: &a [*a]\n*b", "when: 2024-99-99\n- x", "[" * 5000],
)
def test_a_block_that_cannot_be_understood_stays_text_with_a_note(block: str) -> None:
    text = f"---\n{block}\n---\nbody\n"
    header = read_header(text)
    assert header.body == text
    assert "kept as text" in header.note
    assert header.fields == {}


def test_a_huge_block_is_not_parsed() -> None:
    header = read_header("---\n" + "a: b\n" * 5000 + "---\nbody\n")
    assert "kept as text" in header.note


def test_a_rule_at_the_top_is_no_block() -> None:
    text = "---\nFirst words without a second rule.\n"
    assert read_header(text).body == text
    assert read_header(text).note == ""


def test_escapes_cannot_bring_in_control_characters() -> None:
    header = read_header('---\nname: "a\\x1b[31mb\\ud800"\nglobs: ["x\\x07", {a: b}, 2024-01-01]\n---\nbody')
    assert header.name == "a[31mb"
    assert header.fields == {"globs": ["x", "(nested)", "2024-01-01"]}


@given(st.text(max_size=80))
def test_what_is_kept_is_plain_data(block: str) -> None:
    header = read_header(f"---\n{block}\n---\nbody")
    json.dumps([header.name, header.description, dict(header.fields)], allow_nan=False).encode()
    assert header.body.endswith("body")
