"""The parsers: every command is listed, explained and exemplified."""

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from memorypane.cli.groups import GROUPS, group_of
from memorypane.cli.parser import Parser, count, text, version_number
from memorypane.cli.run import build_parser
from memorypane.cli.words import UsageError, split
from memorypane.model.errors import InvalidInput


def commands(parser: argparse.ArgumentParser) -> dict[str, Parser]:
    [action] = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(action.choices)


def leaves() -> Iterator[tuple[str, Parser]]:
    for name, parser in commands(build_parser()).items():
        if any(isinstance(action, argparse._SubParsersAction) for action in parser._actions):
            yield from ((f"{name} {verb}", leaf) for verb, leaf in commands(parser).items())
        else:
            yield name, parser


def test_the_table_of_groups_names_exactly_the_commands_of_its_modules() -> None:
    for module, names in GROUPS:
        assert tuple(commands(build_parser(names[0]))) == names, module
    assert group_of("nothing") == ""


@pytest.mark.parametrize(("name", "parser"), list(leaves()), ids=lambda value: value if isinstance(value, str) else "")
def test_every_command_has_help_with_an_example_that_parses(name: str, parser: Parser) -> None:
    assert callable(parser.get_default("handler"))
    described = parser.format_help()
    examples = re.findall(r"^  memorypane (.+)$", described, re.MULTILINE)
    assert examples
    assert any(name in example for example in examples)
    for example in examples:
        words = split(shlex.split(example))
        assert build_parser(words.command).parse_args(words.rest).handler


def test_every_argument_says_what_it_does() -> None:
    for name, parser in leaves():
        for action in parser._actions:
            assert action.help, f"{name} {action.dest}"


@pytest.mark.parametrize("word", ["lst", "shwo", "xyzzy", "--nope", "-x"])
def test_an_unknown_command_is_a_usage_error(word: str) -> None:
    with pytest.raises(UsageError):
        build_parser(word).parse_args([word])


def test_a_near_miss_is_named() -> None:
    with pytest.raises(UsageError, match="Did you mean list"):
        build_parser("lst")


def test_options_cannot_be_shortened() -> None:
    with pytest.raises(UsageError):
        build_parser("list").parse_args(["list", "--unrev"])


@pytest.mark.parametrize("value", ["", "-1", "1.5", "x", "99999999999", "１", "1\n"])
def test_counts_are_plain_numbers(value: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        count(value)


def test_versions_begin_at_one() -> None:
    assert version_number("1") == 1
    with pytest.raises(argparse.ArgumentTypeError):
        version_number("0")


def test_bytes_that_are_no_text_are_named() -> None:
    with pytest.raises(InvalidInput, match="character 2"):
        text("ab\udcff")
