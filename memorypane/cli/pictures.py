"""`sample` and `shot`: invented content, and pictures of the window's pages."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memorypane.cli.context import Context
from memorypane.cli.output import Output
from memorypane.cli.parser import Commands, Parser, command, path
from memorypane.cli.window import missing_qt

if TYPE_CHECKING:
    from memorypane.service.desk import Desk
    from memorypane.service.identity import Caller
    from memorypane.service.sample import ToolCall

__all__ = ["PAGES", "register"]

PAGES = (
    "review", "system", "global", "workspace", "agents", "removed", "activity", "startup", "history", "editor", "import", "settings",
    "welcome", "conflict",
)
SMALLEST, LARGEST = 100, 10_000


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    command(
        group, "sample", _sample, summary="Fill an empty home with invented content",
        detail="For trials and pictures. A home that holds anything is left alone.", example="--home /tmp/trial sample",
    )
    shot = command(
        group, "shot", _shot, summary="Draw one page of the window into a PNG file",
        example="shot review review.png --theme dark --size 1280x820",
    )
    shot.add_argument("page", choices=PAGES, metavar="PAGE", help=", ".join(PAGES))
    shot.add_argument("file", type=path, metavar="OUT.png", help="the file to write")
    shot.add_argument("--theme", choices=["light", "dark"], default="light", help="which colours (else light)")
    shot.add_argument("--size", type=_size, default=(1280, 820), metavar="WxH", help="in pixels (else 1280x820)")
    shot.add_argument("--scale", type=int, choices=[1, 2], default=1, help="pixels a point")


def _sample(context: Context, arguments: argparse.Namespace) -> Output:
    """Fill the home."""
    del arguments
    from memorypane.service.sample import fill_sample

    made = fill_sample(context.home, context.channel, _agents_tools)
    said = f"{made.entries} entries and {made.proposals} proposals were made up in {context.home.root}."
    return Output({"entries": made.entries, "proposals": made.proposals}, said)


def _agents_tools(desk: Desk) -> ToolCall:
    """The real tools, so that the agents of the story meet every rule."""
    from memorypane.tools.toolbox import Toolbox

    box = Toolbox(desk)

    def call(caller: Caller, tool: str, arguments: Mapping[str, Any]) -> str:
        result = box.call(caller, tool, arguments)
        return result.text if result.is_error else ""

    return call


def _shot(context: Context, arguments: argparse.Namespace) -> Output:
    """Draw a page."""
    try:
        from memorypane.gui.shot import render
    except ImportError as problem:
        raise missing_qt(problem) from problem
    file: Path = arguments.file.absolute()
    render(arguments.page, context.home, context.channel, file, theme=arguments.theme, size=arguments.size, scale=arguments.scale)
    return Output({"file": str(file), "page": arguments.page, "theme": arguments.theme}, str(file))


def _size(value: str) -> tuple[int, int]:
    """Width and height of a picture."""
    found = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", value)
    if not found or not all(SMALLEST <= int(side) <= LARGEST for side in found.groups()):
        raise argparse.ArgumentTypeError(f"{value[:80]!r} is no size such as 1280x820, with sides from {SMALLEST} to {LARGEST}")
    return int(found[1]), int(found[2])
