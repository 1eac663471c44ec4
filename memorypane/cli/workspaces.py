"""`workspace add|list|confirm|close|open|relink`: the folders known to the pane."""

from __future__ import annotations

import argparse
from pathlib import Path

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
    close = command(
        verbs, "close", _close, summary="Take a workspace out of agents' sight", detail="Its records stay; `open` shows it again.",
        example="workspace close ledger-app --agent night-watch",
    )
    again = command(verbs, "open", _open, summary="Show a closed workspace to agents again", example="workspace open ledger-app")
    for verb in (close, again):
        verb.add_argument("id", type=text, metavar="ID", help="its id, name or folder")
        verb.add_argument("--agent", type=text, default="", metavar="A", help="only for this agent (else for all)")
    relink = command(
        verbs, "relink", _relink, summary="Say where a workspace's folder lies now",
        example="workspace relink ledger-app ~/projects/ledger-app",
    )
    relink.add_argument("id", type=text, metavar="ID", help="its id, name or old folder")
    relink.add_argument("path", type=path, metavar="PATH", help="the folder it lies in now")


def workspace_data(workspace: Workspace) -> dict[str, object]:
    """A workspace as commands print it."""
    state = workspace.state if Path(workspace.path).is_dir() else "missing"
    return {"id": workspace.id, "path": workspace.path, "name": workspace.name, "state": state}


def _output(workspace: Workspace) -> Output:
    data = workspace_data(workspace)
    return Output(data, f"{workspace.name} ({data['state']}): {workspace.path}\n{workspace.id}")


def _add(context: Context, arguments: argparse.Namespace) -> Output:
    """Register a folder."""
    return _output(context.person.add_workspace(arguments.path, name=arguments.name))


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the workspaces."""
    del arguments
    workspaces = context.person.workspaces()
    laid = table(("ID", "NAME", "STATE", "FOLDER"), [(one.id, one.name, str(workspace_data(one)["state"]), one.path) for one in workspaces])
    return Output({"workspaces": [workspace_data(one) for one in workspaces]}, laid if workspaces else "No workspace is known yet.")


def _confirm(context: Context, arguments: argparse.Namespace) -> Output:
    """Confirm a workspace."""
    return _output(context.person.confirm_workspace(find_workspace(context.person.workspaces(), arguments.id).id))


def _named(context: Context, arguments: argparse.Namespace) -> str:
    return find_workspace(context.person.workspaces(), arguments.id).id


def _close(context: Context, arguments: argparse.Namespace) -> Output:
    """Close a workspace."""
    return _output(context.person.close_workspace(_named(context, arguments), agent=arguments.agent))


def _open(context: Context, arguments: argparse.Namespace) -> Output:
    """Open a workspace again."""
    return _output(context.person.open_workspace(_named(context, arguments), agent=arguments.agent))


def _relink(context: Context, arguments: argparse.Namespace) -> Output:
    """Point a workspace to another folder."""
    return _output(context.person.relink_workspace(_named(context, arguments), arguments.path))
