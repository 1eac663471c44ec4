"""The one place where a failure becomes a sentence and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from memorypane.cli.output import Output, harmless, write_output
from memorypane.cli.words import UsageError
from memorypane.model.errors import MemoryPaneError

__all__ = ["FAILED", "INTERRUPTED", "PIPE_CLOSED", "USAGE", "guarded", "install_hook"]

FAILED, USAGE = 1, 2
INTERRUPTED, PIPE_CLOSED = 130, 141  # what shells report for SIGINT and SIGPIPE


def guarded(work: Callable[[], int], *, as_json: bool) -> int:
    """Run `work` and return its exit code; a known failure is told on stderr, or as an object on stdout with `as_json`."""
    try:
        try:
            return _to_its_end(work)
        except UsageError as problem:
            tell({"code": "invalid_input", "message": problem.message}, as_json=as_json, usage=problem.usage)
            return USAGE
        except MemoryPaneError as problem:
            tell(problem.as_dict(), as_json=as_json)
            return FAILED
    except MemoryPaneError as problem:
        tell(problem.as_dict(), as_json=False)  # not even the failure could be printed where it belongs
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    finally:
        _drop_the_unwritable()


def _drop_the_unwritable() -> None:
    """Let go of output that nobody takes any more; Python would complain when it tries again at exit, and end with a code of its own."""
    stream = sys.__stdout__
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _to_its_end(work: Callable[[], int]) -> int:
    """Run `work`; argparse leaves by `SystemExit` after printing help, which may still wait in a buffer."""
    try:
        return work()
    except SystemExit as end:
        sys.stdout.flush()
        return end.code if isinstance(end.code, int) else 0


def tell(error: dict[str, Any], *, as_json: bool, usage: str = "") -> None:
    """Print one failure: an object on stdout, or a sentence on stderr with the usage before it."""
    if as_json:
        write_output(Output({"error": error}, ""), as_json=True)
        return
    message = harmless(f"{usage}memorypane: {error['message']}")
    encoding = sys.stderr.encoding or "utf-8"
    print(message.encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)


def install_hook(*, as_json: bool, debug: bool) -> None:
    """Let a bug end the program with one sentence; `debug` adds the traceback."""

    def hook(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
        if debug:
            import traceback

            traceback.print_exception(kind, value, trace)
        what = f"{kind.__name__}: {str(value)[:200]}"
        sentence = f"A bug stopped this command ({what}). Run it again with --debug to see where, and report it."
        tell({"code": "unavailable", "message": sentence}, as_json=as_json)

    sys.excepthook = hook
