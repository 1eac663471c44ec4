"""`activity`: what happened, without any text of the memory."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.output import Output, shown_time, table
from memorypane.cli.parser import Commands, Parser, command, count

__all__ = ["register"]

SHOWN = 100


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    activity = command(group, "activity", _activity, summary="List what happened, newest first", example="activity --limit 20")
    activity.add_argument("--limit", type=count, default=SHOWN, metavar="N", help=f"at most N events (else {SHOWN})")


def _activity(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the newest events."""
    events = context.person.events(limit=arguments.limit)
    data = [
        {
            "seq": event.seq, "at": event.at, "actor": event.actor, "action": event.action, "entry_id": event.entry_id, "tool": event.tool,
            "outcome": event.outcome, "count": event.count, "detail": dict(event.detail), "hash": event.hash,
        }
        for event in events
    ]
    rows = [
        (str(event.seq), shown_time(event.at), event.actor, event.action, event.outcome, event.tool, event.entry_id) for event in events
    ]
    laid = table(("SEQ", "AT", "ACTOR", "ACTION", "OUTCOME", "WITH", "ENTRY"), rows, right=frozenset({0}))
    return Output({"events": data}, laid if rows else "Nothing has happened yet.")
