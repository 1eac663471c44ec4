"""`tools` and `call`: the agents' tools, as definitions and by hand."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING, Any

from memorypane.cli.context import Context
from memorypane.cli.inputs import parse_object, read_stdin
from memorypane.cli.output import Output, cut, table
from memorypane.cli.parser import Commands, Parser, command, text
from memorypane.model.errors import NotFound

if TYPE_CHECKING:
    from memorypane.tools.toolbox import ToolDefinition

__all__ = ["register"]

FORMATS = ("mcp", "openai", "anthropic")
TOLD_COLUMNS = 90


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    tools = command(
        group, "tools", _tools, summary="Print the definitions of the agents' tools",
        detail="With --format they are printed as JSON for that API.",
        example="tools --format openai --families global,notes",
    )
    tools.add_argument("--format", choices=FORMATS, default="", help="mcp, openai (chat completions) or anthropic (messages)")
    tools.add_argument("--families", type=text, default="", metavar="F,…", help="only these tool families")
    call = command(
        group, "call", _call, summary="Call one tool as an agent would",
        detail="The call passes the rules of every call: it goes live, is held or is refused. ARGS is a JSON object, or - for stdin.",
        example="""call GlobalMemoryWrite '{"name": "Tabs", "content": "Use tabs."}' --agent build-helper""",
    )
    call.add_argument("tool", type=text, metavar="TOOL", help="its name; `tools` lists them")
    call.add_argument("arguments", type=text, nargs="?", default="{}", metavar="ARGS", help="its arguments as a JSON object (else {})")
    call.add_argument("--agent", type=text, required=True, metavar="NAME", help="who calls; a registered agent's token file is used")
    call.add_argument("--workspace", type=text, default="", metavar="PATH", help="the folder it works in")


def _tools(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the definitions."""
    from memorypane.service.administration import check_families
    from memorypane.tools.toolbox import Toolbox

    families = check_families([part for part in arguments.families.split(",") if part])
    definitions = Toolbox(context.desk).definitions(families)
    data = {"tools": [shaped(one, arguments.format or "mcp") for one in definitions]}
    if arguments.format:
        return Output(data, json.dumps(data, ensure_ascii=False, indent=2))
    rows = [(one.name, one.family, cut(one.description.partition(". ")[0], TOLD_COLUMNS)) for one in definitions]
    return Output(data, table(("NAME", "FAMILY", "WHAT IT IS FOR"), rows))


def shaped(definition: ToolDefinition, style: str) -> dict[str, Any]:
    """A definition in the form of one API."""
    name, description, schema = definition.name, definition.description, dict(definition.input_schema)
    if style == "openai":
        return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}
    if style == "anthropic":
        return {"name": name, "description": description, "input_schema": schema}
    return {
        "name": name, "title": definition.title, "description": description, "inputSchema": schema,
        "annotations": dict(definition.annotations),
    }


def _call(context: Context, arguments: argparse.Namespace) -> Output:
    """Call a tool in this process, as the agent."""
    from memorypane.home.tokens import read_token
    from memorypane.service.identity import Hello
    from memorypane.tools.toolbox import Toolbox, UnknownTool

    words = read_stdin() if arguments.arguments == "-" else arguments.arguments
    given = parse_object(words, "ARGS")
    desk = context.desk
    hello = Hello(
        arguments.agent, token=read_token(context.home, desk.store_id, arguments.agent), workspace=arguments.workspace, pid=os.getpid(),
        parent_pid=os.getppid(), client_name="memorypane call",
    )
    caller = desk.admit(hello)
    try:
        result = Toolbox(desk).call(caller, arguments.tool, given)
    except UnknownTool:
        raise NotFound(f"There is no tool {arguments.tool[:80]!r}. `memorypane tools` names the ones there are.") from None
    finally:
        desk.leave(caller)
    data = {"content": [{"type": "text", "text": result.text}], "structuredContent": result.data, "isError": result.is_error}
    return Output(data, result.text, int(result.is_error))
