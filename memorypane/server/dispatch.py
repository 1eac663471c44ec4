"""What one connection may ask of the MCP library's server: the tools of its families and the readable resources."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ServerEvent, ToolsListChanged
from mcp.shared.exceptions import MCPError

import memorypane
from memorypane.control.client import LastCall
from memorypane.server.door import Door
from memorypane.server.resources import ENTRY_PREFIX, INDEX_URI, STARTUP_URI, Resources
from memorypane.server.roster import LiveCaller, Roster
from memorypane.server.traffic import Outbound
from memorypane.service.changes import Changed
from memorypane.tools.toolbox import ToolDefinition, ToolResult, UnknownTool

__all__ = ["Dispatch"]

MOST_SUBSCRIPTIONS = 200
TOGETHER_SECONDS = 0.1

Context = ServerRequestContext[Any, Any]


def _tool(found: ToolDefinition) -> types.Tool:
    return types.Tool(
        name=found.name, title=found.title, description=found.description, input_schema=found.input_schema,
        annotations=types.ToolAnnotations.model_validate(found.annotations),
    )


def _result(found: ToolResult) -> dict[str, Any]:
    """The answer as it goes out; the library checks and completes it."""
    content = [{"type": "text", "text": _sendable(found.text)}]
    # The newer generation demands the last member; the library takes it out for the older ones.
    return {"content": content, "structuredContent": found.data, "isError": found.is_error, "resultType": "complete"}


def _sendable(text: str) -> str:
    """Lone surrogates, as an error may quote them, have no bytes to be sent as."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


class _Bus(InMemorySubscriptionBus):
    """The library's bus, which also lets the roster know that somebody listens."""

    def __init__(self, roster: Roster) -> None:
        super().__init__()
        self._roster = roster

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a listener; the library ends each registration once."""
        end = super().subscribe(listener)
        self._roster.attend(1)

        def unsubscribe() -> None:
            end()
            self._roster.attend(-1)

        return unsubscribe


class Dispatch:
    """The handlers of one admitted connection; its tool calls run one after the other, in the order they came."""

    def __init__(self, door: Door, record: LiveCaller, outbound: Outbound) -> None:
        self._door = door
        self._record = record
        self._caller = record.caller
        self._outbound = outbound
        self._resources = Resources(door.desk, record.caller)
        self._turn = asyncio.Lock()
        self._bus = _Bus(door.roster)
        self._subscribed: set[str] = set()
        self._touched: set[str] = set()
        self._listed: tuple[str, ...] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def server(self, instructions: str) -> Server[Any]:
        """Make the library's server for this connection."""
        server: Server[Any] = Server(
            "memorypane", version=memorypane.__version__, title="Memory Pane", instructions=instructions,
            on_list_tools=self._list_tools,
            on_list_resources=self._list_resources, on_list_resource_templates=self._list_templates, on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe, on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=ListenHandler(self._bus, max_subscriptions=MOST_SUBSCRIPTIONS),
        )
        server.add_request_handler("tools/call", types.CallToolRequestParams, self._call_tool)
        # The one it brings traces spans for an exporter that never runs here.
        server.middleware.clear()
        return server

    def on_changed(self, changed: Changed) -> None:
        """Tell the agent which of the things it reads may have changed."""
        if changed.policy or changed.agents:
            self._spawn(self._check_tools())
        if changed.entries or changed.workspaces or changed.policy:
            first = not self._touched
            self._touched |= {STARTUP_URI, INDEX_URI, *(ENTRY_PREFIX + entry_id for entry_id in changed.entries)}
            if first:
                self._spawn(self._tell_resources())

    async def _call_tool(self, _: Context, params: types.CallToolRequestParams) -> dict[str, Any]:
        arguments: Mapping[str, Any] = params.arguments or {}
        meta: Mapping[str, Any] | None = params.meta if isinstance(params.meta, dict) else None
        async with self._turn:  # fair, so that a pipelining host's writes keep their order
            began = time.perf_counter()
            outcome = "failed"
            try:
                result = await self._door.work_or_own_up(
                    lambda: self._door.toolbox.call(self._caller, params.name, arguments, meta), UnknownTool
                )
                outcome = "refused" if result.is_error else "ok"
            except UnknownTool:
                sentence = f"There is no tool {params.name[:80]!r} here. tools/list names the ones there are."
                raise MCPError(types.INVALID_PARAMS, sentence) from None
            finally:
                took = (time.perf_counter() - began) * 1000
                self._door.roster.called(self._record, LastCall(params.name[:80], time.time_ns() // 1_000_000, round(took, 3), outcome))
        return _result(result)

    async def _list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        definitions = await self._door.work_or_own_up(lambda: self._door.toolbox.definitions(self._caller.families))
        self._listed = tuple(each.name for each in definitions)
        return types.ListToolsResult(tools=[_tool(each) for each in definitions])

    async def _list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=self._resources.listed())

    async def _list_templates(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=self._resources.templates())

    async def _read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await self._door.work_or_own_up(lambda: self._resources.read(params.uri), MCPError)

    async def _subscribe(self, _: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        self._resources.check(params.uri)
        if len(self._subscribed) >= MOST_SUBSCRIPTIONS:
            raise MCPError(types.INVALID_PARAMS, f"This connection has {MOST_SUBSCRIPTIONS} subscriptions already. End one first.")
        if params.uri not in self._subscribed:
            self._subscribed.add(params.uri)
            self._door.roster.attend(1)
        return types.EmptyResult()

    async def _unsubscribe(self, _: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        if params.uri in self._subscribed:
            self._subscribed.discard(params.uri)
            self._door.roster.attend(-1)
        return types.EmptyResult()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Wait until nothing more is told."""
        self._door.roster.attend(-len(self._subscribed))
        self._subscribed.clear()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _check_tools(self) -> None:
        """Tell the agent when the list of its tools is another than the one it has."""
        if self._listed is None:
            return
        definitions = await self._door.work(lambda: self._door.toolbox.definitions(self._caller.families))
        names = tuple(each.name for each in definitions)
        if names != self._listed:
            self._listed = names
            await self._bus.publish(ToolsListChanged())
            await self._outbound.notify_handshake("notifications/tools/list_changed")

    async def _tell_resources(self) -> None:
        await asyncio.sleep(TOGETHER_SECONDS)
        touched, self._touched = self._touched, set()
        for uri in touched:
            await self._bus.publish(ResourceUpdated(uri))
            if uri in self._subscribed:
                await self._outbound.notify_handshake("notifications/resources/updated", {"uri": uri})
