"""The program: `memorypane` opens the window, `memorypane COMMAND` does one thing and ends."""

from __future__ import annotations

import sys

from memorypane import __version__

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run one command line and return its exit code: 0 done, 1 refused or failed, 2 usage, 130 interrupted.

    Without `argv` the words come from the process, and a bug ends it with one sentence (`--debug` shows where).
    """
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        print(f"memorypane {__version__}")
        return 0
    if "mcp" in arguments:
        # A host waits for the bridge, so it starts before anything else is imported.
        from memorypane.cli.door import run_bridge

        code = run_bridge(arguments)
        if code is not None:
            return code
    from memorypane.cli.failures import guarded, install_hook
    from memorypane.cli.run import run

    head = arguments[: arguments.index("--")] if "--" in arguments else arguments
    as_json = "--json" in head
    if argv is None:
        install_hook(as_json=as_json, debug="--debug" in head)
    return guarded(lambda: run(arguments), as_json=as_json)
