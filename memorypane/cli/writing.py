"""`add`, `edit`, `remove`, `restore` and `revert`: the person's own writes."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.inputs import content_options, find_place, given_content, resolve_owner
from memorypane.cli.output import Output
from memorypane.cli.parser import Commands, Parser, command, count, entry_id, place, text, version_number
from memorypane.cli.views import entry_data, entry_line
from memorypane.cli.words import UsageError
from memorypane.model.shelves import RECORDS
from memorypane.model.values import Entry

__all__ = ["KINDS", "entry_output", "register"]

KINDS = ("project_preference", "procedural_preference", "source_preference", "semantic_fact", "episodic_event", "open_question")
"""What a record of a workspace may be; the first is meant where nothing is said."""


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    add = command(
        group, "add", _add, summary="Write a new entry",
        detail="The text comes from --content, --file or standard input (-). Entries without a shelf's name take none.",
        example='add --tier global --shelf instructions --name "Commit style" --content "Imperative."\nadd --tier system --name Rules -',
    )
    place(add)
    add.add_argument("--name", type=text, default="", help="its name, where the shelf has names")
    add.add_argument("--description", type=text, default="", help="one line that says what it is about")
    add.add_argument("--kind", choices=KINDS, default="", metavar="K", help=f"what a record is: {', '.join(KINDS)} (else the first)")
    content_options(add)

    edit = command(
        group, "edit", _edit, summary="Change name, description or text of an entry",
        detail="Writes the next version; the older ones stay.",
        example='edit 3f0c9a52-… --file rules.md --expected-version 4',
    )
    entry_id(edit)
    edit.add_argument("--name", type=text, default=None, help="the new name")
    edit.add_argument("--description", type=text, default=None, help="the new description")
    content_options(edit)
    _expected(edit)

    remove = command(
        group, "remove", _remove, summary="Take an entry out of memory", detail="Agents no longer see it; `restore` brings it back.",
        example="remove 3f0c9a52-…",
    )
    entry_id(remove)
    _expected(remove)

    restore = command(group, "restore", _restore, summary="Bring a removed entry back", example="restore 3f0c9a52-…")
    entry_id(restore)

    revert = command(
        group, "revert", _revert, summary="Write a new version with the text of an earlier one",
        detail="Nothing is lost: the versions between stay.",
        example="revert 3f0c9a52-… 4",
    )
    entry_id(revert)
    revert.add_argument("number", type=version_number, metavar="N", help="number of the version to go back to")
    _expected(revert)


def entry_output(entry: Entry) -> Output:
    """The answer of a write: the entry as it now stands."""
    return Output(entry_data(entry.info), entry_line(entry.info))


def _expected(parser: Parser) -> None:
    parser.add_argument("--expected-version", type=count, default=None, metavar="N", help="refuse if the entry is at another version")


def _add(context: Context, arguments: argparse.Namespace) -> Output:
    """Create an entry."""
    shelf = find_place(arguments.tier, arguments.shelf)
    content = given_content(arguments, needed=True)
    if arguments.kind and shelf is not RECORDS:
        raise UsageError(f"Entries of {shelf.key} have no kind; leave --kind out.")
    kind = arguments.kind or (KINDS[0] if shelf is RECORDS else "")
    owner = resolve_owner(shelf, arguments.owner, context.person.workspaces() if shelf.owner == "workspace" else ())
    return entry_output(
        context.person.add(shelf, owner=owner, name=arguments.name, description=arguments.description, content=content or "", kind=kind)
    )


def _edit(context: Context, arguments: argparse.Namespace) -> Output:
    """Change an entry."""
    content = given_content(arguments, needed=False)
    if arguments.name is None and arguments.description is None and content is None:
        raise UsageError("Say what to change: --name, --description, --content, --file, or - for standard input.")
    return entry_output(
        context.person.edit(
            arguments.id, name=arguments.name, description=arguments.description, content=content,
            expected_version=arguments.expected_version,
        )
    )


def _remove(context: Context, arguments: argparse.Namespace) -> Output:
    """Make an entry a tombstone."""
    return entry_output(context.person.remove(arguments.id, expected_version=arguments.expected_version))


def _restore(context: Context, arguments: argparse.Namespace) -> Output:
    """Bring an entry back."""
    return entry_output(context.person.restore(arguments.id))


def _revert(context: Context, arguments: argparse.Namespace) -> Output:
    """Go back to an earlier version by writing a new one."""
    return entry_output(context.person.revert(arguments.id, arguments.number, expected_version=arguments.expected_version))
