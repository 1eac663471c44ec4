"""Runs one command: finds its parser, opens what it needs, prints its answer."""

from __future__ import annotations

import difflib

from memorypane import __version__
from memorypane.cli.context import Context
from memorypane.cli.groups import GROUPS, group_of
from memorypane.cli.output import Output, write_output
from memorypane.cli.parser import Parser
from memorypane.cli.places import find_channel_name, find_home
from memorypane.cli.words import UsageError, split

__all__ = ["build_parser", "run"]

SHARED = """\
options of every command, before or after its name:
  --home DIR      where everything lies (else MEMORYPANE_HOME, else the user's data folder)
  --channel NAME  the channel to work in (else stable)
  --json          print one JSON object
  --debug         show where a bug arose
"""


def run(arguments: list[str]) -> int:
    """Run the command line `arguments` and return the exit code; failures are raised."""
    words = split(arguments)
    if words.rest == ["--version"]:
        print(f"memorypane {__version__}")
        return 0
    home, channel = find_home(words.home), find_channel_name(words.channel)
    if not words.rest:
        from memorypane.cli.window import open_window

        return open_window(home, channel)
    parsed = build_parser(words.command).parse_args(words.rest)
    context = Context(home, channel, as_json=words.as_json)
    try:
        output: Output = parsed.handler(context, parsed)
        write_output(output, as_json=words.as_json)
    finally:
        context.close()
    return output.code


def build_parser(command: str = "") -> Parser:
    """The parser of one command's group, or of all where no command is named; `UsageError` for an unknown one."""
    from importlib import import_module

    chosen = group_of(command)
    if not chosen and command and not command.startswith("-"):
        known = [name for _, names in GROUPS for name in names]
        near = difflib.get_close_matches(command, known, n=1)
        hint = f"Did you mean {near[0]}?" if near else "`memorypane --help` names the ones there are."
        raise UsageError(f"There is no command {command[:80]!r}. {hint}")
    parser = Parser(
        prog="memorypane", epilog=SHARED, description="See, review and undo what AI agents remember. Without a command the window opens."
    )
    parser.add_argument("--version", action="version", version=f"memorypane {__version__}", help="print the version and end")
    group = parser.add_subparsers(metavar="COMMAND", dest="command", required=True, title="commands", parser_class=Parser)
    for module, _ in GROUPS:
        if chosen in ("", module):
            import_module(f"memorypane.cli.{module}").register(group)
    return parser
