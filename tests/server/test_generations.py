"""The official client over the real bridge, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceUpdatedNotification, TextContent, TextResourceContents

from memorypane.home.paths import Home
from memorypane.model.shelves import SYSTEM
from tests.server.doors import Server
from tests.support import Program

SECONDS = 40


@asynccontextmanager
async def connected(program: Program, mode: str, **more: Any) -> AsyncIterator[Client]:
    """The official client, with a bridge of its own."""
    words = ["-m", "memorypane", "mcp", "--agent", "alice"]
    with (program.home.parent / "client.err").open("w") as errors:
        command = StdioServerParameters(command=sys.executable, args=words, env=program.environment())
        async with Client(stdio_client(command, errlog=errors), mode=mode, read_timeout_seconds=SECONDS, **more) as client:
            yield client


def play(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(SECONDS):
            await scene()

    asyncio.run(bounded())


@pytest.fixture
def alice(server: Server) -> Server:
    server.desk.person(via="command").add_agent("alice")
    return server


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_tools_are_listed_called_and_refused(alice: Server, program: Program, mode: str) -> None:
    async def scene() -> None:
        async with connected(program, mode) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools["GlobalMemoryList"].annotations is not None
            assert tools["GlobalMemoryList"].annotations.read_only_hint
            written = await client.call_tool("GlobalMemoryWrite", {"name": "n", "content": "text\n"})
            assert not written.is_error
            assert written.structured_content is not None
            read = await client.call_tool("GlobalMemoryRead", {"id": written.structured_content["id"]})
            assert isinstance(read.content[0], TextContent)
            assert read.content[0].text == "text\n"
            refused = await client.call_tool("GlobalMemoryWrite", {"name": "n"})
            assert refused.is_error
            with pytest.raises(MCPError) as caught:
                await client.call_tool("NoSuchTool", {})
            assert caught.value.code == -32602
            if mode != "2026-07-28":  # a client that is told the version asks nobody who is there
                assert client.server_info is not None
                assert client.server_info.name == "memorypane"
                assert client.instructions
            [found] = alice.status().connections
            assert (found.agent, found.verified, found.refusals) == ("alice", True, 2)

    play(scene)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_resources_are_listed_and_read(alice: Server, program: Program, mode: str) -> None:
    person = alice.desk.person(via="command")

    async def scene() -> None:
        async with connected(program, mode) as client:
            written = await client.call_tool("GlobalMemoryWrite", {"name": "A rule", "content": "be kind"})
            assert written.structured_content is not None
            entry = f"memorypane://entry/{written.structured_content['id']}"
            assert {str(each.uri) for each in (await client.list_resources()).resources} == {"memorypane://startup", "memorypane://index"}
            [template] = (await client.list_resource_templates()).resource_templates
            assert template.uri_template == "memorypane://entry/{id}"
            assert "be kind" in await text_of(client, "memorypane://startup")
            assert f"[A rule]({entry})" in await text_of(client, "memorypane://index")
            assert await text_of(client, entry) == "be kind"
            for uri in ("memorypane://entry/no-such", "memorypane://other", f"memorypane://entry/{system}"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)

    system = person.add(SYSTEM, name="Hidden by id", content="secret rule").id
    play(scene)


async def text_of(client: Client, uri: str) -> str:
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


@pytest.mark.filterwarnings("ignore:.*removed as of:mcp.shared.exceptions.MCPDeprecationWarning")
def test_a_subscriber_of_the_older_generation_hears_of_changes(alice: Server, program: Program) -> None:
    heard: list[str] = []
    came = asyncio.Event()

    async def listen(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            heard.append(str(message.params.uri))
            came.set()

    async def scene() -> None:
        async with connected(program, "legacy", message_handler=listen) as client:
            await client.subscribe_resource("memorypane://index")
            await client.call_tool("GlobalMemoryWrite", {"name": "n", "content": "c"})
            await came.wait()
            assert heard == ["memorypane://index"]
            await client.unsubscribe_resource("memorypane://index")
            await client.call_tool("GlobalMemoryWrite", {"name": "m", "content": "c"})
            with pytest.raises(MCPError):
                await client.subscribe_resource("memorypane://entry/no-such")
            assert heard == ["memorypane://index"]

    play(scene)


def test_a_subscriber_of_the_newer_generation_hears_of_changes(alice: Server, program: Program) -> None:
    async def scene() -> None:
        startup = "memorypane://startup"
        async with connected(program, "auto") as client, client.listen(resource_subscriptions=[startup]) as subscription:
            await client.call_tool("GlobalMemoryWrite", {"name": "n", "content": "c"})
            async for event in subscription:
                assert event == ResourceUpdated(startup)
                break

    play(scene)


def test_a_token_that_is_wrong_stops_the_client_with_the_reason(alice: Server, program: Program, home: Home) -> None:
    for path in home.root.glob("agents/*/alice"):
        Path(path).write_text("mp_wrong")

    async def scene() -> None:
        async with connected(program, "auto"):
            raise AssertionError("it was let in")

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - the client wraps it in a group
        play(scene)
    assert "wrong token" in _words(caught.value)


def _words(problem: BaseException) -> str:
    inner = getattr(problem, "exceptions", ())
    return str(problem) + "".join(_words(each) for each in inner)
