"""One local connection as lines: bounded in both directions, so that a peer that sends or reads badly harms itself alone."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from typing import cast

import anyio

from memorypane.server.lines import LONGEST_MESSAGE, LineCutter, TooLong

__all__ = ["Wire"]

STALL_SECONDS = 30.0
WRITE_SECONDS = 30.0
FLUSH_SECONDS = 5.0
MOST_WAITING_LINES = 64
MOST_WAITING_BYTES = 2 * LONGEST_MESSAGE
WRITE_BUFFER_BYTES = 256 << 10


class Wire(asyncio.Protocol):
    """Reads lines of at most `longest` bytes and writes lines, each with limits of size and time (seconds).

    A peer that stops inside a line for `stall` seconds, or does not take what is written to it for `patience` seconds, is cut off.
    """

    def __init__(
        self, opened: Callable[[Wire], None], *, longest: int = LONGEST_MESSAGE,
        stall: float = STALL_SECONDS, patience: float = WRITE_SECONDS,
    ) -> None:
        self._opened = opened
        self._cutter = LineCutter(longest)
        self._stall = stall
        self._patience = patience
        self._lines: deque[bytes | TooLong] = deque()
        self._waiting_bytes = 0
        self._reading_paused = False
        self._no_more = False
        self._arrived = asyncio.Event()
        self._last_data = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._writing = asyncio.Lock()
        self._lost = False
        self._closing = False

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; the owner is told."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        self._loop = asyncio.get_running_loop()
        self._opened(self)

    def data_received(self, data: bytes) -> None:
        """Cut what arrived into lines."""
        if self._no_more:
            return
        self._last_data = self._loop.time()
        for line in self._cutter.feed(data):
            self._put(line)
        self._watch_stall()
        if not self._reading_paused and (len(self._lines) > MOST_WAITING_LINES or self._waiting_bytes > MOST_WAITING_BYTES):
            self._reading_paused = True
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """The peer sends no more; what it asked for is still answered."""
        last = self._cutter.finish()
        if last is not None and not self._no_more:
            self._put(last)
        self._end_of_input()
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """The connection is gone in both directions."""
        self._lost = True
        self._writable.set()
        self._end_of_input()

    def pause_writing(self) -> None:
        """The peer reads more slowly than we write."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """The peer caught up."""
        self._writable.set()

    # What the owner calls.

    @property
    def socket(self) -> socket.socket:
        """The socket below, to ask the kernel about the peer."""
        return cast("socket.socket", self._transport.get_extra_info("socket"))

    async def read(self) -> bytes | TooLong | None:
        """The next line without its end, or None when there are no more."""
        while not self._lines:
            if self._no_more:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        line = self._lines.popleft()
        if isinstance(line, bytes):
            self._waiting_bytes -= len(line)
        if self._reading_paused and len(self._lines) <= MOST_WAITING_LINES // 2 and self._waiting_bytes <= MOST_WAITING_BYTES // 2:
            self._reading_paused = False
            self._last_data = self._loop.time()
            if not self._transport.is_closing():
                self._transport.resume_reading()
        return line

    async def write(self, line: bytes) -> None:
        """Send a line; raises `anyio.BrokenResourceError` when the peer is gone or does not read."""
        if self._writable.is_set() and not self._writing.locked():
            self._send(line)
            return
        async with self._writing:  # asyncio's locks are fair, so lines keep their order
            try:
                async with asyncio.timeout(self._patience):
                    await self._writable.wait()
            except TimeoutError:
                self._transport.abort()
                raise anyio.BrokenResourceError from None
            self._send(line)

    def stop_reading(self) -> None:
        """Take no more lines; `read` comes back with None. What was not read yet stays undone."""
        self._lines.clear()
        self._end_of_input()
        if not self._transport.is_closing() and not self._reading_paused:
            self._reading_paused = True
            self._transport.pause_reading()

    def cut_off_in(self, seconds: float) -> None:
        """Give the peer no longer than this, whatever it has not taken by then."""
        self._loop.call_later(seconds, self._transport.abort)

    def close(self) -> None:
        """Send what is still to be sent, for a few seconds at most, and close."""
        if self._closing:
            return
        self._closing = True
        self._end_of_input()
        self._transport.close()
        if not self._lost:
            self.cut_off_in(FLUSH_SECONDS)

    def _send(self, line: bytes) -> None:
        if self._lost or self._transport.is_closing():
            raise anyio.BrokenResourceError
        self._transport.write(line)

    def _put(self, line: bytes | TooLong) -> None:
        self._lines.append(line)
        self._waiting_bytes += len(line) if isinstance(line, bytes) else 0
        self._arrived.set()

    def _end_of_input(self) -> None:
        self._no_more = True
        self._arrived.set()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _watch_stall(self) -> None:
        if self._cutter.inside and self._timer is None:
            self._timer = self._loop.call_later(self._stall, self._check_stall)

    def _check_stall(self) -> None:
        self._timer = None
        if not self._cutter.inside:
            return
        if self._reading_paused:
            self._last_data = self._loop.time()
        left = self._last_data + self._stall - self._loop.time()
        if left <= 0:
            self._transport.abort()
        else:
            self._timer = self._loop.call_later(left, self._check_stall)
