"""The two streams that the MCP library reads and writes, over one wire: answers what is no message, and knows what is still open."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import INVALID_REQUEST, JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from memorypane.server.frames import BadFrame, classify, encode, encode_error, parse
from memorypane.server.lines import LONGEST_MESSAGE, TooLong
from memorypane.server.wire import Wire

__all__ = ["Inbound", "Outbound"]

MOST_OPEN_REQUESTS = 128
DRAIN_SECONDS = 15.0
MOST_PUT_BACK = 8
ENDLESS_METHODS = frozenset({"subscriptions/listen"})


class Inbound:
    """The messages of one connection as the library's read stream.

    Lines that are no messages are answered here and never reach the library, which would drop them without a word. No more than a bounded
    number of requests is open at a time; the rest waits in the socket. At the end of the input what is open is still answered.
    `handshaken` is set once the peer confirmed the handshake of the older generation of the protocol.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._lead: deque[JSONRPCMessage] = deque(maxlen=MOST_PUT_BACK)
        self._open: set[int | str] = set()
        self._endless: set[int | str] = set()
        self._settled = asyncio.Event()
        self._ended = False
        self.handshaken = False

    async def frame(self) -> dict[str, Any] | None:
        """The next line as a JSON object, or None at the end; lines that are none are answered and passed over."""
        while (line := await self._wire.read()) is not None:
            if isinstance(line, TooLong):
                await self.answer(BadFrame(INVALID_REQUEST, f"The message is longer than {LONGEST_MESSAGE >> 20} MiB."))
            elif line.strip():
                found = parse(line)
                if not isinstance(found, BadFrame):
                    return found
                await self.answer(found)
        return None

    async def message(self) -> JSONRPCMessage | None:
        """The next JSON-RPC message, or None at the end."""
        while (found := await self.frame()) is not None:
            message = classify(found)
            if not isinstance(message, BadFrame):
                return message
            await self.answer(message)
        return None

    async def answer(self, bad: BadFrame) -> None:
        """Answer a line that is no message; a peer that is gone needs no answer."""
        try:
            await self._wire.write(encode_error(bad.id, bad.code, bad.message))
        except anyio.BrokenResourceError:
            return

    def put_back(self, message: JSONRPCMessage) -> None:
        """Have a message that was looked at come again, before all others; of many only the last few are kept."""
        self._lead.append(message)

    def settle(self, request: int | str | None) -> None:
        """Note that a request was answered, or never will be."""
        if request is not None:
            self._open.discard(request)
            self._endless.discard(request)
            self._settled.set()

    async def receive(self) -> SessionMessage:
        """The next message for the library; raises `anyio.EndOfStream` after the last one, once what was asked is answered."""
        message = self._lead.popleft() if self._lead else await self.message()
        if message is None:
            await self._drain()
            raise anyio.EndOfStream
        if not isinstance(message, JSONRPCRequest):
            if isinstance(message, JSONRPCNotification) and message.method == "notifications/initialized":
                self.handshaken = True
            return SessionMessage(message)
        if message.method in ENDLESS_METHODS:
            self._endless.add(message.id)
        else:
            while len(self._open) >= MOST_OPEN_REQUESTS:
                await self._wait_settled()
            self._open.add(message.id)
        return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=self._unanswered(message.id)))

    def _unanswered(self, request: int | str) -> Callable[[], Awaitable[None]]:
        async def note() -> None:
            self.settle(request)

        return note

    async def _drain(self) -> None:
        if self._ended:
            return
        self._ended = True
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                while self._open:
                    await self._wait_settled()
        except TimeoutError:
            return

    async def _wait_settled(self) -> None:
        self._settled.clear()
        await self._settled.wait()

    async def aclose(self) -> None:
        """Nothing to release: the session owns the wire."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()


class Outbound:
    """The library's write stream: each message a line, in the order given."""

    def __init__(self, wire: Wire, inbound: Inbound) -> None:
        self._wire = wire
        self._inbound = inbound

    async def send(self, item: SessionMessage) -> None:
        """Write one message; raises `anyio.BrokenResourceError` when the peer is gone or does not read."""
        message = item.message
        try:
            await self._wire.write(encode(message))
        finally:
            if isinstance(message, (JSONRPCResponse, JSONRPCError)):
                self._inbound.settle(message.id)

    async def notify_handshake(self, method: str, params: dict[str, Any] | None = None) -> None:
        """As `notify`, on connections that began with a handshake; the newer generation hears of changes on its own subscriptions only."""
        if self._inbound.handshaken:
            await self.notify(method, params)

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification of our own; a peer that is gone misses it."""
        try:
            await self._wire.write(encode(JSONRPCNotification.model_construct(jsonrpc="2.0", method=method, params=params)))
        except anyio.BrokenResourceError:
            return

    async def aclose(self) -> None:
        """Nothing to release: the session owns the wire."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()
