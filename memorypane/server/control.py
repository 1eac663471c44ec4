"""One control connection: the owner's windows and commands ask about the server and steer it; nothing here decides about memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol

import anyio

from memorypane.control.client import ServerStatus
from memorypane.home.endpoint import is_older
from memorypane.model.errors import InvalidInput, MemoryPaneError, NotAllowed, NotFound
from memorypane.server.frames import BadFrame, parse
from memorypane.server.lines import TooLong
from memorypane.server.roster import Roster
from memorypane.server.wire import Wire

__all__ = ["ControlSession", "Steered"]

MOST_EVENTS_WAITING = 1000


class Steered(Protocol):
    """The server as the control channel steers it."""

    roster: Roster
    version: str

    def status(self) -> ServerStatus:
        """What the server says about itself."""
        ...

    async def reload(self) -> None:
        """Look at agents and policy again."""
        ...

    def stop(self) -> None:
        """Begin to end."""
        ...


class ControlSession:
    """Answers requests one after the other and, once subscribed, sends events between the answers."""

    def __init__(self, server: Steered, wire: Wire) -> None:
        self._server = server
        self._wire = wire
        self._events: asyncio.Queue[bytes] = asyncio.Queue(MOST_EVENTS_WAITING)
        self._subscribed = False

    async def run(self) -> None:
        """Serve the connection to its end."""
        self._server.roster.enter(self)
        sender = asyncio.get_running_loop().create_task(self._send_events())
        end_watch = None
        try:
            while (line := await self._wire.read()) is not None:
                await self._wire.write(await self._answer(line))
                if self._subscribed and end_watch is None:
                    end_watch = self._server.roster.watch(self._tell)
        except anyio.BrokenResourceError:
            pass  # the peer is gone
        finally:
            if end_watch is not None:
                end_watch()
            sender.cancel()
            self._wire.close()
            self._server.roster.leave(self)

    def retire(self, seconds: float) -> None:
        """Close, since the server ends."""
        self._wire.stop_reading()
        self._wire.cut_off_in(seconds)

    async def _answer(self, line: bytes | TooLong) -> bytes:
        found = BadFrame(0, "The request is too long.") if isinstance(line, TooLong) else parse(line)
        request = None if isinstance(found, BadFrame) else found.get("id")
        try:
            if isinstance(found, BadFrame):
                raise InvalidInput(found.message)
            return _line({"id": request, "result": await self._do(found)})
        except MemoryPaneError as problem:
            return _line({"id": request, "error": {"code": problem.code, "message": problem.message}})

    async def _do(self, request: Mapping[str, Any]) -> dict[str, Any]:
        server = self._server
        match request.get("verb"):
            case "status":
                return asdict(server.status())
            case "subscribe":
                self._subscribed = True
            case "revoke":
                return {"closed": server.roster.revoke(_text(request, "agent"))}
            case "reload":
                await server.reload()
            case "yield":
                version = _text(request, "version")
                if not is_older(server.version, version):
                    raise NotAllowed(f"This server's version is {server.version}; it makes room for a newer one only.")
                server.stop()
            case "stop":
                server.stop()
            case other:
                raise NotFound(f"There is no control request {str(other)[:80]!r}.")
        return {}

    def _tell(self, kind: str, data: Mapping[str, Any]) -> None:
        try:
            self._events.put_nowait(_line({"event": kind, "data": data}))
        except asyncio.QueueFull:
            # A watcher that does not read would miss something without knowing; it comes back and looks at everything again.
            self._wire.close()

    async def _send_events(self) -> None:
        try:
            while True:
                await self._wire.write(await self._events.get())
        except anyio.BrokenResourceError:
            self._wire.close()


def _text(request: Mapping[str, Any], name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"The request is off: {name!r} must be a text.")
    return value


def _line(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode() + b"\n"
