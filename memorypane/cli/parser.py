"""The parser of one command line: argparse with our errors, strict options and arguments that are checked as text."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from memorypane.cli.context import Context
from memorypane.cli.output import Output
from memorypane.cli.words import UsageError
from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import SHELVES, Tier
from memorypane.model.text import short

__all__ = ["Commands", "Handler", "Parser", "command", "count", "entry_id", "path", "place", "subcommands", "text", "version_number"]

Handler = Callable[[Context, argparse.Namespace], Output]
Commands = argparse._SubParsersAction  # noqa: SLF001  argparse has no public name for what add_subparsers returns
MOST = 1_000_000_000


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help with every command on one line."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)
        self._action_max_length = 18  # argparse forgets by how much it indents the names of commands


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` and takes no shortened options."""

    def __init__(self, *args: object, **options: object) -> None:
        options.setdefault("formatter_class", Formatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(*args, **options)  # type: ignore[arg-type]  # passed through unchanged

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and leaving, so that `--json` gets its object."""
        raise UsageError(f"{message[:1].upper()}{message[1:].rstrip('.')}.", self.format_usage())


def command(
    group: Commands[Parser], name: str, handler: Handler, *, summary: str, detail: str = "", example: str,
) -> Parser:
    """Add one command with its one-line summary, its explanation and an example, and return its parser."""
    described = f"{summary}\n\n{detail}" if detail else summary
    lines = "\n".join(f"  memorypane {line}" for line in example.split("\n"))
    parser = group.add_parser(name, help=summary, description=described, epilog=f"Example:\n{lines}")
    parser.set_defaults(handler=handler)
    return parser


def text(value: str) -> str:
    """An argument that is text; `InvalidInput` if its bytes are not UTF-8."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise InvalidInput(
            f"An argument is not valid UTF-8 at character {problem.start} ({short(value)}). "
            "Use a UTF-8 terminal, or give the text with --file."
        ) from None
    return value


def path(value: str) -> Path:
    """An argument that names a file or folder, which may have any bytes but NUL in its name."""
    if not value:
        raise argparse.ArgumentTypeError("a path must not be empty")
    return Path(value)


def count(value: str) -> int:
    """A whole number from 0 up."""
    if not re.fullmatch(r"[0-9]{1,10}", value) or int(value) > MOST:
        raise argparse.ArgumentTypeError(f"{value[:80]!r} is no whole number from 0 to {MOST}")
    return int(value)


def version_number(value: str) -> int:
    """The number of a version, from 1 up."""
    number = count(value)
    if number == 0:
        raise argparse.ArgumentTypeError("versions are numbered from 1")
    return number


def entry_id(parser: Parser) -> None:
    """Add the argument that names an entry."""
    parser.add_argument("id", type=text, metavar="ID", help="the entry's id, as `list` shows it")


def place(parser: Parser, *, owner: bool = True) -> None:
    """Add `--tier`, `--shelf` and `--owner`."""
    parser.add_argument("--tier", choices=[tier.value for tier in Tier], default="", help="who inherits it")
    shelves = sorted({shelf.name for shelf in SHELVES})
    parser.add_argument("--shelf", type=text, default="", metavar="SHELF", help=f"what kind of thing it is: {', '.join(shelves)}")
    if owner:
        parser.add_argument("--owner", type=text, default=None, help="the agent's name, or the workspace's id, name or folder")


def subcommands(group: Commands[Parser], name: str, *, summary: str, example: str) -> Commands[Parser]:
    """Add a command that is followed by a verb, and return the place for its verbs."""
    parser = group.add_parser(name, help=summary, description=summary, epilog=f"Example:\n  memorypane {example}")
    return parser.add_subparsers(metavar="VERB", dest="verb", required=True, title="verbs", parser_class=Parser)
