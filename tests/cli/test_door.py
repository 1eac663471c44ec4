"""`memorypane mcp` begins without a parser, and leaves what is not plain to it."""

import pytest

from memorypane.cli.door import run_bridge
from tests.cli.inside import Inside


@pytest.mark.parametrize(
    "words",
    [
        ["mcp"], ["mcp", "--help"], ["mcp", "--agent"], ["mcp", "--agent", ""], ["mcp", "--agent", "a\udcff"],
        ["mcp", "--agent", "a", "extra"],
        ["mcp", "--agent", "a", "--moon", "b"], ["search", "mcp"], ["list", "mcp"], ["mcp", "--agent", "--workspace", "x"], ["--home"],
    ],
)
def test_words_that_are_not_plain_are_left_to_the_parser(words: list[str]) -> None:
    assert run_bridge(words) is None


def test_a_bad_channel_is_told_before_anything_starts(inside: Inside) -> None:
    code, out, err = inside.run("mcp", "--agent", "bob", "--channel", "No Name")
    assert (code, out) == (1, "")
    assert "channel name" in err
    assert not inside.home.root.exists()


@pytest.mark.parametrize("words", [("mcp",), ("mcp", "--agent"), ("mcp", "--agent", "bob", "more"), ("serve", "--idle-exit", "never")])
def test_wrong_words_are_explained(inside: Inside, words: tuple[str, ...]) -> None:
    code, out, err = inside.run(*words)
    assert (code, out) == (2, "")
    assert "usage: memorypane" in err
