"""What both ends of an agent's connection agree on about lines; standard library only, since the bridge stands on it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["CLOSING_METHOD", "LONGEST_MESSAGE", "REFUSED", "UNREACHABLE", "LineCutter", "TooLong", "readable_id"]

LONGEST_MESSAGE = 4 << 20
"""Bytes of one line that a server takes, without its end."""

REFUSED = -32003
"""JSON-RPC error code for a caller whom the door turns away."""

UNREACHABLE = -32004
"""JSON-RPC error code for a request that no server answered."""

CLOSING_METHOD = "notifications/memorypane/closing"
"""Sent to a bridge before the server closes in good order: what it has not answered by then, it has not done either."""

KEPT_BYTES = 400

# An id is read from a message that could not be taken apart only where it can be nothing else: right at its start or end.
FIRST_ID = re.compile(r'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,18}|"[^"\\]{1,80}")\s*,')
LAST_ID = re.compile(r',\s*"id"\s*:\s*(-?\d{1,18}|"[^"\\]{1,80}")\s*\}\s*$')


def readable_id(start: str, end: str = "") -> int | str | None:
    """The id of a request of which only the start and the end can be read, or None if it cannot be told."""
    found = FIRST_ID.match(start) or LAST_ID.search(end)
    if found is None:
        return None
    value = json.loads(found.group(1))
    return value if isinstance(value, (int, str)) else None


class TooLong(NamedTuple):
    """Stands for a line that was longer than allowed and was thrown away; `id` is the request's, where it could be told."""

    id: int | str | None


class LineCutter:
    """Cuts a stream of bytes into lines of at most `longest` bytes; of longer ones only their start and end are looked at."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._partial = bytearray()
        self._start = b""
        self._discarding = False

    @property
    def inside(self) -> bool:
        """Whether a line has begun and not ended."""
        return self._discarding or bool(self._partial)

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """Yield the lines that `data` completes, without their ends."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            if self.inside:
                self._add(data[start:end])
                yield self._take()
            elif end - start > self._longest:
                yield TooLong(readable_id(_text(data[start : start + KEPT_BYTES]), _text(data[max(start, end - KEPT_BYTES) : end])))
            else:
                yield data[start:end]
            start = end + 1
        if start < len(data):
            self._add(data[start:])

    def finish(self) -> bytes | TooLong | None:
        """What stands after the last line end, at the end of the stream."""
        return self._take() if self.inside else None

    def _add(self, data: bytes) -> None:
        self._partial += data
        if not self._discarding and len(self._partial) > self._longest:
            self._discarding = True
            self._start = bytes(self._partial[:KEPT_BYTES])
        if self._discarding:
            del self._partial[:-KEPT_BYTES]

    def _take(self) -> bytes | TooLong:
        taken = bytes(self._partial)
        self._partial.clear()
        if not self._discarding:
            return taken
        self._discarding = False
        return TooLong(readable_id(_text(self._start), _text(taken)))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
