"""The shared options, wherever they stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.cli.words import UsageError, split


def test_shared_options_stand_before_or_after_the_command() -> None:
    for argv in (["--home", "/h", "--channel=dev", "list", "--json"], ["list", "--json", "--home=/h", "--channel", "dev"]):
        words = split(argv)
        assert (words.home, words.channel, words.as_json, words.rest) == ("/h", "dev", True, ["list"])


def test_nothing_is_taken_after_a_double_dash() -> None:
    assert split(["search", "--", "--json"]).rest == ["search", "--", "--json"]


@pytest.mark.parametrize("argv", [["--home"], ["list", "--channel"], ["--home=", "list"], ["--channel", ""]])
def test_a_missing_value_is_a_usage_error(argv: list[str]) -> None:
    with pytest.raises(UsageError):
        split(argv)


@pytest.mark.parametrize("text", ["- item", "---", "---\nname: x\n---\n", "-5", "-x", "--", "-"])
def test_texts_may_begin_with_dashes(text: str) -> None:
    assert split(["add", "--content", text, "--json"]).rest == ["add", f"--content={text}"]


def test_an_option_is_never_taken_for_a_text() -> None:
    words = split(["add", "--content", "--json"])
    assert (words.as_json, words.rest) == (True, ["add", "--content"])


@given(st.lists(st.text(max_size=8).filter(lambda word: not word.startswith("--"))))
def test_other_words_come_through_in_order(argv: list[str]) -> None:
    assert split(argv).rest == argv
