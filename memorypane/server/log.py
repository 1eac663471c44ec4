"""What the server logs: to stderr, without the words of errors, since those may quote what somebody remembers."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType

__all__ = ["log_to_stderr"]


class _Formatter(logging.Formatter):
    """Names the kind of an error and where it came from, and leaves out what it said."""

    def formatException(self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]) -> str:  # noqa: N802 - the library's name
        kind, _, trace = ei
        if kind is None:
            return ""
        frames = [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
        return "\n".join([f"{kind.__module__}.{kind.__qualname__}, raised at", *frames])


def log_to_stderr() -> None:
    """Send warnings and worse to stderr, a line with its time each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
