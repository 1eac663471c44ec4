"""Reads the words of `memorypane mcp` without a parser: hosts start it for every session and wait for its first answer."""

from __future__ import annotations

from memorypane.cli.words import UsageError, split
from memorypane.model.errors import MemoryPaneError

__all__ = ["run_bridge"]


def run_bridge(arguments: list[str]) -> int | None:
    """Run the bridge and return its exit code, or None where the words are not plainly `mcp --agent NAME …`.

    What is turned down here goes through the full parser, which explains it.
    """
    try:
        words = split(arguments)
    except UsageError:
        return None
    options = _read(words.rest)
    if options is None or not options.get("--agent") or not options["--agent"].isprintable():
        return None
    try:
        return start(words.home, words.channel, options)
    except (MemoryPaneError, KeyboardInterrupt) as problem:
        from memorypane.cli.failures import guarded

        failure = problem

        def again() -> int:
            raise failure

        return guarded(again, as_json=False)


def start(home: str, channel: str, options: dict[str, str]) -> int:
    """Hand over to the bridge; imports the standard library and our own light modules only."""
    from memorypane.cli.places import find_channel_name, find_home
    from memorypane.server.bridge import run

    families = tuple(part for part in options.get("--families", "").split(",") if part)
    return run(find_home(home), find_channel_name(channel), options["--agent"], options.get("--workspace"), families)


def _read(words: list[str]) -> dict[str, str] | None:
    """The options behind `mcp`, or None if anything else stands there."""
    if words[:1] != ["mcp"]:
        return None
    options: dict[str, str] = {}
    at = 1
    while at < len(words):
        name, equals, value = words[at].partition("=")
        at += 1
        if name not in ("--agent", "--workspace", "--families"):
            return None
        if not equals:
            if at == len(words) or words[at].startswith("--"):
                return None
            value = words[at]
            at += 1
        options[name] = value
    return options
