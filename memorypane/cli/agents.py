"""`agent add|confirm|list|revoke`: who may connect as whom."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.output import Output, shown_time, table
from memorypane.cli.parser import Commands, Parser, command, subcommands, text
from memorypane.model.values import Agent

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    verbs = subcommands(group, "agent", summary="Register, list and revoke agents", example="agent add build-helper")
    add = command(
        verbs, "add", _add, summary="Register an agent and make its token",
        detail="The agent's bridge finds the token in the printed file; the store keeps its hash only. A known agent gets a new token.",
        example="agent add build-helper --families global,notes",
    )
    add.add_argument("name", type=text, metavar="NAME", help="1 to 64 of a-z, 0-9, ., _ and -")
    add.add_argument("--families", type=text, default="", metavar="F,…", help="the tool families it may use (else all)")
    confirm = command(
        verbs, "confirm", _confirm, summary="Confirm an agent that connected without a token",
        detail="Makes its token, as `add` does. What it wrote meanwhile stays in review.", example="agent confirm night-watch",
    )
    confirm.add_argument("name", type=text, metavar="NAME", help="the agent's name")
    confirm.add_argument("--families", type=text, default="", metavar="F,…", help="the tool families it may use (else all)")
    command(verbs, "list", _list, summary="List the agents", example="agent list")
    revoke = command(
        verbs, "revoke", _revoke, summary="Shut an agent out", detail="What it wrote stays; its connections are closed.",
        example="agent revoke night-watch",
    )
    revoke.add_argument("name", type=text, metavar="NAME", help="the agent's name")


def agent_data(agent: Agent) -> dict[str, object]:
    """An agent as commands print it."""
    return {
        "name": agent.name, "verified": agent.verified, "revoked": agent.revoked, "families": list(agent.families),
        "first_seen": agent.first_seen, "last_seen": agent.last_seen,
    }


def _add(context: Context, arguments: argparse.Namespace) -> Output:
    """Register an agent."""
    families = [part for part in arguments.families.split(",") if part]
    made = context.person.add_agent(arguments.name, families=families)
    data = {"name": made.name, "token": made.token, "token_file": str(made.token_file)}
    lines = [
        f"{made.name} is registered. Its bridge finds the token in {made.token_file}.",
        f"Let its host start: memorypane mcp --agent {made.name}",
    ]
    return Output(data, "\n".join(lines))


def _confirm(context: Context, arguments: argparse.Namespace) -> Output:
    """Confirm an unverified agent."""
    made = context.person.confirm_agent(arguments.name, families=[part for part in arguments.families.split(",") if part])
    data = {"name": made.name, "token": made.token, "token_file": str(made.token_file)}
    return Output(data, f"{made.name} is confirmed. Its bridge finds the token in {made.token_file}; let its host start it again.")


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the agents."""
    del arguments
    agents = context.person.agents()
    rows = [
        (one.name, _state(one), ",".join(one.families) or "all", shown_time(one.first_seen), shown_time(one.last_seen)) for one in agents
    ]
    laid = table(("NAME", "STATE", "FAMILIES", "FIRST SEEN", "LAST SEEN"), rows)
    return Output({"agents": [agent_data(one) for one in agents]}, laid if rows else "No agent has connected or been registered yet.")


def _state(agent: Agent) -> str:
    return "revoked" if agent.revoked else "verified" if agent.verified else "not verified"


def _revoke(context: Context, arguments: argparse.Namespace) -> Output:
    """Revoke an agent."""
    agent = context.person.revoke_agent(arguments.name)
    return Output({"name": agent.name, "revoked": agent.revoked}, f"{agent.name} is revoked. What it wrote stays.")
