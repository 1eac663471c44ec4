"""`promote`, `demote`, `move`, `reorder`, `pin` and `unpin`: where an entry stands and how it stands there."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.inputs import find_place, resolve_owner
from memorypane.cli.output import Output
from memorypane.cli.parser import Commands, Parser, command, entry_id, place, text
from memorypane.cli.writing import entry_output

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    promote = command(
        group, "promote", _promote, summary="Make an entry a system rule",
        detail="Every agent inherits it and none can change it. An entry without a name needs --name.",
        example='promote 3f0c9a52-… --name "Never leave the network"',
    )
    entry_id(promote)
    promote.add_argument("--name", type=text, default="", help="its name as a system rule")

    demote = command(group, "demote", _demote, summary="Put a system rule back where it came from", example="demote 3f0c9a52-…")
    entry_id(demote)

    move = command(
        group, "move", _move, summary="Put an entry on another shelf", example="move 3f0c9a52-… --tier global --shelf instructions"
    )
    entry_id(move)
    place(move)

    reorder = command(
        group, "reorder", _reorder, summary="Put an entry before another one of its list", example="reorder 3f0c9a52-… --before 77d1e0aa-…"
    )
    entry_id(reorder)
    reorder.add_argument("--before", type=text, default="", metavar="ID2", help="the entry to stand before (else it goes to the end)")

    pin = command(group, "pin", _pin, summary="Pin an entry, so that agents' changes of it wait for you", example="pin 3f0c9a52-…")
    entry_id(pin)
    unpin = command(group, "unpin", _unpin, summary="Take the pin off an entry", example="unpin 3f0c9a52-…")
    entry_id(unpin)


def _promote(context: Context, arguments: argparse.Namespace) -> Output:
    """Lift an entry to the system tier."""
    return entry_output(context.person.promote(arguments.id, name=arguments.name))


def _demote(context: Context, arguments: argparse.Namespace) -> Output:
    """Take an entry down from the system tier."""
    return entry_output(context.person.demote(arguments.id))


def _move(context: Context, arguments: argparse.Namespace) -> Output:
    """Change an entry's shelf."""
    shelf = find_place(arguments.tier, arguments.shelf)
    owner = resolve_owner(shelf, arguments.owner, context.person.workspaces() if shelf.owner == "workspace" else ())
    return entry_output(context.person.move(arguments.id, shelf, owner=owner))


def _reorder(context: Context, arguments: argparse.Namespace) -> Output:
    """Change an entry's place in its list."""
    return entry_output(context.person.reorder(arguments.id, before=arguments.before))


def _pin(context: Context, arguments: argparse.Namespace) -> Output:
    """Pin an entry."""
    return entry_output(context.person.pin(arguments.id))


def _unpin(context: Context, arguments: argparse.Namespace) -> Output:
    """Unpin an entry."""
    return entry_output(context.person.unpin(arguments.id))
