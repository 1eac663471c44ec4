"""`serve` and `mcp`: the two ends of the agents' door."""

from __future__ import annotations

import argparse
import math

from memorypane.cli.context import Context
from memorypane.cli.output import Output
from memorypane.cli.parser import Commands, Parser, command, text

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    serve = command(
        group, "serve", _serve, summary="Serve one channel to the agents",
        detail="Runs until it is told to end. The window and the bridges start it by themselves where none runs.",
        example="serve --channel stable",
    )
    serve.add_argument("--idle-exit", type=_seconds, default=None, metavar="S", help="end after S seconds without a connection")
    bridge = command(
        group, "mcp", _mcp, summary="Connect one agent: what an MCP host starts",
        detail="Speaks MCP on standard input and output, and needs a token from `memorypane agent add` to be a known agent.",
        example="mcp --agent build-helper --workspace ~/code/ledger-app",
    )
    bridge.add_argument("--agent", type=text, required=True, metavar="NAME", help="who connects")
    bridge.add_argument("--workspace", type=text, default=None, metavar="PATH", help="the folder it works in (else the git root here)")
    bridge.add_argument("--families", type=text, default="", metavar="F,…", help="tool families to offer (else all): global, notes, …")


def _serve(context: Context, arguments: argparse.Namespace) -> Output:
    """Be the server of the channel until told to end."""
    from memorypane.server.serve import run

    return Output(None, "", run(context.home, context.channel, idle_exit=arguments.idle_exit))


def _mcp(context: Context, arguments: argparse.Namespace) -> Output:
    """Be the bridge of one agent until its input ends."""
    from memorypane.server.bridge import run

    families = tuple(part for part in arguments.families.split(",") if part)
    return Output(None, "", run(context.home, context.channel, arguments.agent, arguments.workspace, families))


def _seconds(value: str) -> float:
    """A number of seconds from 0 up."""
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{value[:80]!r} is no number of seconds")
    return seconds
