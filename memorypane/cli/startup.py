"""`render`: the text that an agent reads first."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.inputs import find_workspace
from memorypane.cli.output import Output
from memorypane.cli.parser import Commands, Parser, command, text

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    render = command(
        group, "render", _render, summary="Print the startup text of an agent", detail="The same bytes that the agent reads, now.",
        example="render --agent build-helper --workspace ~/code/ledger-app",
    )
    render.add_argument("--agent", type=text, required=True, metavar="A", help="the agent that reads it")
    render.add_argument("--workspace", type=text, default="", metavar="W", help="the workspace it stands in: id, name or folder")


def _render(context: Context, arguments: argparse.Namespace) -> Output:
    """Compose and print the text."""
    workspace = find_workspace(context.person.workspaces(), arguments.workspace).id if arguments.workspace else ""
    composed = context.person.startup_text(arguments.agent, workspace)
    sections = [
        {"tier": str(one.tier), "shelf": one.shelf, "entries": len(one.entries), "bytes": one.bytes} for one in composed.sections
    ]
    data = {"text": composed.text, "bytes": composed.bytes, "tokens_estimate": composed.tokens, "sections": sections}
    return Output(data, composed.text)
