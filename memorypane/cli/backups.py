"""`backup`: a sound copy of the store while everything runs."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.output import Output
from memorypane.cli.parser import Commands, Parser, command, path

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    backup = command(
        group, "backup", _backup, summary="Copy the store to a file, and check the copy",
        detail="May run while the window is open and agents write. An existing file is left alone.", example="backup memory-2026-12-01.db",
    )
    backup.add_argument("file", type=path, metavar="FILE", help="the file to make")


def _backup(context: Context, arguments: argparse.Namespace) -> Output:
    """Make and check a copy."""
    made = context.person.backup(arguments.file)
    data = {"file": str(made.file), "entries": made.entries, "versions": made.versions, "verified": True}
    return Output(data, f"{made.entries} entries with {made.versions} versions are in {made.file}; the copy was opened and checked.")
