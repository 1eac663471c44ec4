"""Reads what a command is given: texts from options, files and standard input, places and owners from words."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memorypane.cli.parser import Parser, path, text
from memorypane.cli.words import UsageError
from memorypane.model.errors import Ambiguous, InvalidInput, NotFound, Unavailable
from memorypane.model.shelves import SHELVES, Shelf, Tier
from memorypane.model.values import Workspace

__all__ = ["content_options", "find_place", "find_workspace", "given_content", "parse_object", "read_file", "read_stdin", "resolve_owner"]

LARGEST = 64 * 1024 * 1024
"""Most bytes that a command reads as one text; the limits of the shelves are far below."""


def content_options(parser: Parser) -> None:
    """Add the three ways to give a text: `--content`, `--file`, or `-` for standard input."""
    parser.add_argument("--content", type=text, default=None, metavar="TEXT", help="the text")
    parser.add_argument("--file", type=path, default=None, metavar="F", help="a UTF-8 file with the text")
    parser.add_argument("stdin", nargs="?", choices=["-"], default=None, metavar="-", help="read the text from standard input")


def given_content(arguments: argparse.Namespace, *, needed: bool) -> str | None:
    """The text the words ask for, or None if they name none and it is not `needed`; `UsageError` if they name several."""
    ways = [arguments.content is not None, arguments.file is not None, arguments.stdin is not None]
    if sum(ways) > 1:
        raise UsageError("Give the text once: with --content, with --file, or with - for standard input.")
    if arguments.content is not None:
        return str(arguments.content)
    if arguments.file is not None:
        return read_stdin() if arguments.file == Path("-") else read_file(arguments.file)
    if arguments.stdin is not None:
        return read_stdin()
    if needed:
        raise UsageError("Give the text with --content TEXT, with --file F, or with - for standard input.")
    return None


def read_file(file: Path) -> str:
    """The text of a UTF-8 file; `InvalidInput` names the offset of bytes that are none."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise NotFound(f"There is no file {file}. Check the path.") from None
    except OSError as problem:
        raise Unavailable(f"The file {file} cannot be read: {problem.strerror or problem}.") from problem
    return _decoded(data, f"The file {file}")


def read_stdin() -> str:
    """The text on standard input, up to its end."""
    try:
        data = sys.stdin.buffer.read(LARGEST + 1)
    except OSError as problem:
        raise Unavailable(f"Standard input cannot be read: {problem.strerror or problem}.") from problem
    return _decoded(data, "The text on standard input")


def _decoded(data: bytes, what: str) -> str:
    if len(data) > LARGEST:
        raise InvalidInput(f"{what} has more than {LARGEST} bytes. No shelf takes as much.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise InvalidInput(f"{what} is not UTF-8: byte 0x{data[problem.start]:02X} at offset {problem.start}. Save it as UTF-8.") from None


def parse_object(source: str, what: str) -> dict[str, Any]:
    """The JSON object in a text, or `InvalidInput` with the place of the mistake."""
    try:
        value = json.loads(source, parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        raise InvalidInput(f"{what} is no JSON: {problem.msg} at line {problem.lineno}, column {problem.colno}.") from None
    except RecursionError:
        raise InvalidInput(f"{what} is nested too deeply.") from None
    except ValueError as problem:
        raise InvalidInput(f"{what} is no JSON: {problem}.") from None
    if not isinstance(value, dict):
        raise InvalidInput(f'{what} must be a JSON object, such as {{"name": "value"}}.')
    return value


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON value")


def find_place(tier: str, shelf: str) -> Shelf:
    """The shelf that `--tier` and `--shelf` name, either as two words or as `tier/shelf`; one word is enough where it is clear."""
    if "/" in shelf:
        named, _, shelf = shelf.partition("/")
        if tier not in ("", named):
            raise UsageError(f"--tier {tier} and --shelf {named}/{shelf} name two tiers.")
        tier = named
    fitting = [one for one in SHELVES if tier in ("", one.tier) and shelf in ("", one.name)]
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(one.key for one in fitting or SHELVES)
    raise UsageError(f"Name one shelf with --tier and --shelf. {'These fit' if fitting else 'There are'}: {known}.")


def find_workspace(workspaces: Sequence[Workspace], named: str) -> Workspace:
    """The workspace of an id, a folder or a name; `NotFound` or `Ambiguous` if that is not exactly one."""
    for one in workspaces:
        if one.id == named:
            return one
    try:
        real = str(Path(named).expanduser().resolve())
    except (OSError, RuntimeError, ValueError):
        real = ""
    by_path = [one for one in workspaces if one.path == real]
    fitting = by_path or [one for one in workspaces if one.name == named]
    if not fitting:
        raise NotFound(f"No workspace has the id, folder or name {named[:80]!r}. `memorypane workspace list` names the ones there are.")
    if len(fitting) > 1:
        raise Ambiguous(f"Several workspaces are called {named[:80]!r}; use an id: {', '.join(one.id for one in fitting)}.")
    return fitting[0]


def resolve_owner(shelf: Shelf, owner: str | None, workspaces: Sequence[Workspace]) -> str:
    """The owner as the store knows it; `UsageError` where the shelf needs one and none is named, or takes none and one is."""
    if shelf.owner == "none":
        if owner:
            raise UsageError(f"Entries of {shelf.key} have no owner; leave --owner out.")
        return ""
    if not owner:
        kind = "the workspace's id, name or folder" if shelf.tier is Tier.WORKSPACE else "the agent's name"
        raise UsageError(f"Entries of {shelf.key} belong to somebody: add --owner with {kind}.")
    return find_workspace(workspaces, owner).id if shelf.tier is Tier.WORKSPACE else owner
