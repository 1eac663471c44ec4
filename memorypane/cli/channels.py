"""`channel list`: the worlds of this home."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.output import Output, table
from memorypane.cli.parser import Commands, Parser, command, subcommands
from memorypane.home.channels import list_channels

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    verbs = subcommands(group, "channel", summary="List the channels", example="channel list")
    command(verbs, "list", _list, summary="List the channels and the store each one uses", example="channel list")


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the channels; no store is opened."""
    del arguments
    channels = list_channels(context.home)
    rows = [(one.name, "isolated" if one.isolated else "shared", one.store) for one in channels]
    data = [{"name": one.name, "isolated": one.isolated, "store": one.store} for one in channels]
    return Output({"channels": data}, table(("NAME", "STORE IS", "STORE"), rows))
