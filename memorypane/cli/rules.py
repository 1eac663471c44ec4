"""`policy` and `settings`: which writes wait for the person, and how much fits where."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.output import Output, table
from memorypane.cli.parser import Commands, Parser, command, subcommands, text

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    policy = subcommands(
        group, "policy", summary="Say which agents' writes wait for you", example="policy set strict --shelf global/instructions"
    )
    command(policy, "show", _show_policy, summary="Show the preset of the store and its exceptions", example="policy show")
    choose = command(
        policy, "set", _set_policy, summary="Choose a preset: trusting, balanced or strict",
        detail="An agent's own preset beats a shelf's, which beats the store's.", example="policy set strict --agent night-watch",
    )
    choose.add_argument("preset", type=text, metavar="PRESET", help="trusting, balanced or strict")
    _scope(choose, needed=False)
    unset = command(policy, "unset", _unset_policy, summary="Take an exception back", example="policy unset --agent night-watch")
    _scope(unset, needed=True)

    settings = subcommands(group, "settings", summary="Show and change limits and quotas", example="settings show")
    command(settings, "show", _show_settings, summary="Show every setting of the store", example="settings show")
    change = command(
        settings, "set", _set_setting, summary="Change one setting of the store", detail="0 means no limit.",
        example="settings set quota.writes_per_minute 1200",
    )
    change.add_argument("key", type=text, metavar="KEY", help="which one; `settings show` lists them")
    change.add_argument("value", type=text, metavar="VALUE", help="a whole number")


def _scope(parser: Parser, *, needed: bool) -> None:
    one = parser.add_mutually_exclusive_group(required=needed)
    one.add_argument("--shelf", type=text, default="", metavar="TIER/SHELF", help="for one shelf")
    one.add_argument("--agent", type=text, default="", metavar="NAME", help="for one agent")


def _policy(context: Context) -> Output:
    """The policy as it stands."""
    overrides: list[dict[str, str]] = []
    preset = ""
    for scope, chosen in sorted(context.person.policy().items()):
        kind, _, name = scope.partition(":")
        if kind in ("shelf", "agent"):
            overrides.append({kind: name, "preset": chosen})
        else:
            preset = chosen
    rows = [("everything else", preset), *((one.get("shelf") or f"agent {one['agent']}", one["preset"]) for one in overrides)]
    return Output({"preset": preset, "overrides": overrides, "channel": context.channel}, table(("FOR", "PRESET"), rows))


def _show_policy(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the policy."""
    del arguments
    return _policy(context)


def _set_policy(context: Context, arguments: argparse.Namespace) -> Output:
    """Choose a preset and print the policy."""
    context.person.set_policy(arguments.preset, shelf=arguments.shelf, agent=arguments.agent)
    return _policy(context)


def _unset_policy(context: Context, arguments: argparse.Namespace) -> Output:
    """Lift an override and print the policy."""
    context.person.set_policy("", shelf=arguments.shelf, agent=arguments.agent)
    return _policy(context)


def _show_settings(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the settings."""
    del arguments
    settings = context.person.settings()
    rows = [(key, str(value)) for key, value in settings.items()]
    return Output({"settings": settings}, table(("SETTING", "VALUE"), rows, right=frozenset({1})))


def _set_setting(context: Context, arguments: argparse.Namespace) -> Output:
    """Change a setting."""
    value = context.person.set_setting(arguments.key, arguments.value)
    return Output({"key": arguments.key, "value": value}, f"{arguments.key} is {value} now.")
