"""One connection of an agent, from its first line to its last."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
from mcp.server.lowlevel import NotificationOptions
from mcp_types import CLIENT_INFO_META_KEY, JSONRPCRequest, JSONRPCResponse

from memorypane.control.peers import Peer, parent_of
from memorypane.home.endpoint import PROTOCOL
from memorypane.model.errors import InvalidInput, MemoryPaneError, OverLimit
from memorypane.server.dispatch import Dispatch
from memorypane.server.door import Door
from memorypane.server.frames import BadFrame, classify, encode, encode_error
from memorypane.server.lines import CLOSING_METHOD, REFUSED
from memorypane.server.roster import MOST_CONNECTIONS, LiveCaller
from memorypane.server.traffic import Inbound, Outbound
from memorypane.server.wire import Wire
from memorypane.service.changes import Changed
from memorypane.service.identity import Caller, Hello

__all__ = ["Session", "read_hello"]

GREETING_SECONDS = 30.0


def read_hello(frame: dict[str, Any], peer: Peer) -> Hello:
    """Read the frame with which a bridge introduces its agent; `InvalidInput` names the member that is off."""
    if frame["memorypane"] != PROTOCOL or isinstance(frame["memorypane"], bool):
        raise InvalidInput(f"This server speaks version {PROTOCOL} of the hello frame. Use the same Memory Pane on both sides.")
    texts = {}
    for name in ("agent", "token", "workspace"):
        value = frame.get(name, "")
        if not isinstance(value, str):
            raise InvalidInput(f"The hello frame is off: {name!r} must be a text.")
        texts[name] = value
    if not texts["agent"].strip():
        raise InvalidInput("The hello frame is off: 'agent' must name the agent.")
    families = frame.get("families", [])
    if not isinstance(families, list) or not all(isinstance(family, str) for family in families):
        raise InvalidInput("The hello frame is off: 'families' must be a list of texts.")
    claimed = frame.get("parent", 0)
    parent = parent_of(peer.pid) or (claimed if type(claimed) is int else 0)
    return Hello(
        agent=texts["agent"], token=texts["token"], workspace=texts["workspace"], families=tuple(families), pid=peer.pid, parent_pid=parent,
    )


def name_of_client(request: JSONRPCRequest) -> str:
    """What a client without a hello frame calls itself, in either generation of the protocol; "unnamed" if it does not."""
    params = request.params or {}
    meta = params.get("_meta")
    for info in (params.get("clientInfo"), meta.get(CLIENT_INFO_META_KEY) if isinstance(meta, dict) else None):
        if isinstance(info, dict) and isinstance(info.get("name"), str) and info["name"].strip():
            return str(info["name"])
    return "unnamed"


class Session:
    """Introduces the peer, lets it in or tells it why not, and serves it until either side ends the connection."""

    def __init__(self, door: Door, wire: Wire, peer: Peer) -> None:
        self._door = door
        self._wire = wire
        self._peer = peer
        self._inbound = Inbound(wire)
        self._outbound = Outbound(wire, self._inbound)
        self._introduced = False
        self._retired = False
        self._dispatch: Dispatch | None = None

    async def run(self) -> None:
        """Serve the connection to its end."""
        roster = self._door.roster
        roster.enter(self)
        seated = roster.take_place()
        try:
            await self._serve(seated=seated)
        except anyio.BrokenResourceError:
            return  # the peer is gone
        finally:
            self._wire.close()
            if seated:
                roster.give_place_back()
            roster.leave(self)

    def retire(self, seconds: float) -> None:
        """Answer what is open within `seconds`, tell a bridge that the rest was not done, and close."""
        self._retired = True
        self._wire.stop_reading()
        self._wire.cut_off_in(seconds)

    def on_changed(self, changed: Changed) -> None:
        """Pass on what an agent asked to be told about."""
        if self._dispatch is not None:
            self._dispatch.on_changed(changed)

    async def _serve(self, *, seated: bool) -> None:
        request: JSONRPCRequest | None = None
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                first = await self._inbound.frame()
                self._introduced = first is not None and "memorypane" in first
                if first is not None and not self._introduced:
                    request = await self._first_request(first)
        except TimeoutError:
            return
        if first is None or not (self._introduced or request):
            return
        try:
            if not seated:
                raise OverLimit(f"{MOST_CONNECTIONS} agents are connected already. End one of them, then try again.")
            hello = read_hello(first, self._peer) if request is None else self._hello_of(request)
            caller = await self._door.work(lambda: self._door.desk.admit(hello))
            try:
                await self._serve_caller(caller)
            finally:
                await self._door.work(lambda: self._door.desk.leave(caller))
        except MemoryPaneError as problem:
            await self._turn_away(problem, request)

    async def _serve_caller(self, caller: Caller) -> None:
        door, record = self._door, LiveCaller(caller, self._peer, self)
        instructions = await door.work(lambda: door.toolbox.instructions(caller))
        self._dispatch = Dispatch(door, record, self._outbound)
        server = self._dispatch.server(instructions)
        record.observe()
        door.roster.admit(record)
        try:
            options = server.create_initialization_options(NotificationOptions(tools_changed=True, resources_changed=True))
            await server.run(self._inbound, self._outbound, options)
            if self._retired and self._introduced:
                await self._outbound.notify(CLOSING_METHOD)
        finally:
            ending, self._dispatch = self._dispatch, None
            await ending.close()
            door.roster.dismiss(record)

    def _hello_of(self, request: JSONRPCRequest) -> Hello:
        name = name_of_client(request)
        return Hello(agent=name, client_name=name, pid=self._peer.pid, parent_pid=parent_of(self._peer.pid))

    async def _first_request(self, first: dict[str, Any]) -> JSONRPCRequest | None:
        """The request that shows who the peer is; pings before it are answered, other messages are kept for later."""
        message = classify(first)
        while True:
            if isinstance(message, BadFrame):
                await self._inbound.answer(message)
            elif isinstance(message, JSONRPCRequest) and message.method == "ping":
                await self._wire.write(encode(JSONRPCResponse.model_construct(jsonrpc="2.0", id=message.id, result={})))
            else:
                self._inbound.put_back(message)
                if isinstance(message, JSONRPCRequest):
                    return message
            following = await self._inbound.message()
            if following is None:
                return None
            message = following

    async def _turn_away(self, problem: MemoryPaneError, request: JSONRPCRequest | None) -> None:
        """Answer the first request with the reason; the bridge repeats it on stderr."""
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                while request is None:
                    message = await self._inbound.message()
                    if message is None:
                        return
                    request = message if isinstance(message, JSONRPCRequest) else None
                await self._wire.write(encode_error(request.id, REFUSED, problem.message, {"code": problem.code, "refused": True}))
        except TimeoutError:
            return
