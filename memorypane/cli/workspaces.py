"""`workspace add|list|confirm`: the folders known to the pane."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.inputs import find_workspace
from memorypane.cli.output import Output, table
from memorypane.cli.parser import Commands, Parser, command, path, subcommands, text
from memorypane.model.values import Workspace

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    verbs = subcommands(group, "workspace", summary="Register, list and confirm workspaces", example="workspace add ~/code/ledger-app")
    add = command(
        verbs, "add", _add, summary="Make a folder known as a workspace",
        detail="A folder that an agent brought and you add is confirmed with it.",
        example='workspace add ~/code/ledger-app --name "Ledger"',
    )
    add.add_argument("path", type=path, metavar="PATH", help="an existing folder")
    add.add_argument("--name", type=text, default="", help="what to call it (else the folder's name)")
    command(verbs, "list", _list, summary="List the workspaces", example="workspace list")
    confirm = command(
        verbs, "confirm", _confirm, summary="Confirm a folder that an agent brought", detail="Until then what agents write there waits.",
        example="workspace confirm ledger-app",
    )
    confirm.add_argument("id", type=text, metavar="ID", help="its id, name or folder")


def workspace_data(workspace: Workspace) -> dict[str, object]:
    """A workspace as commands print it."""
    return {"id": workspace.id, "path": workspace.path, "name": workspace.name, "state": workspace.state}


def _output(workspace: Workspace) -> Output:
    return Output(workspace_data(workspace), f"{workspace.name} ({workspace.state}): {workspace.path}\n{workspace.id}")


def _add(context: Context, arguments: argparse.Namespace) -> Output:
    """Register a folder."""
    return _output(context.person.add_workspace(arguments.path, name=arguments.name))


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the workspaces."""
    del arguments
    workspaces = context.person.workspaces()
    laid = table(("ID", "NAME", "STATE", "FOLDER"), [(one.id, one.name, one.state, one.path) for one in workspaces])
    return Output({"workspaces": [workspace_data(one) for one in workspaces]}, laid if workspaces else "No workspace is known yet.")


def _confirm(context: Context, arguments: argparse.Namespace) -> Output:
    """Confirm a workspace."""
    return _output(context.person.confirm_workspace(find_workspace(context.person.workspaces(), arguments.id).id))
