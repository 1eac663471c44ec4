"""The whole round: a host writes through the real bridge, the person sees it live, compares, goes back, and the agent reads that."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from PySide6.QtCore import Qt

from memorypane.gui.history.facts import Pair
from memorypane.gui.history.page import HistoryPage
from memorypane.gui.places import shelf_place
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.service.person import PersonFace
from tests.gui.hands import SHIFT
from tests.gui.shell.conftest import Window
from tests.support import Program

Open = Callable[..., Window]
SECONDS = 60


class Host:
    """An MCP host in a thread of its own: the official client over the bridge it starts; `call` returns a tool's data."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="host")

    def call(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        return self._pool.submit(lambda: asyncio.run(self._play(calls))).result(SECONDS)

    async def _play(self, calls: tuple[tuple[str, dict[str, Any]], ...]) -> list[dict[str, Any]]:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "memorypane", "mcp", "--agent", "build-helper"],
            env=self._program.environment({"MEMORYPANE_NO_SPAWN": None}),
        )
        answers = []
        with (self._program.home.parent / "host.err").open("w") as errors:
            async with asyncio.timeout(SECONDS), Client(stdio_client(command, errlog=errors)) as client:
                for tool, arguments in calls:
                    result = await client.call_tool(tool, arguments)
                    assert not result.is_error, result
                    assert result.structured_content is not None
                    answers.append(dict(result.structured_content))
        return answers

    def close(self) -> None:
        self._pool.shutdown()


@pytest.fixture
def host(program: Program) -> Iterator[Host]:
    made = Host(program)
    yield made
    made.close()


def test_an_agent_writes_the_person_sees_it_compares_and_goes_back(owner: PersonFace, open_window: Open, host: Host) -> None:
    owner.add_agent("build-helper")
    window = open_window()
    window.go(shelf_place(INSTRUCTIONS))
    first, second = {"name": "Build", "content": "Use the Makefile.\n"}, {"name": "Build", "content": "Use the task runner.\n"}
    (made,) = host.call(("GlobalMemoryWrite", first))
    host.call(("GlobalMemoryWrite", {**second, "id": made["id"], "expected_version": 1}))
    window.until(lambda: window.titles() == ["Build"])
    window.press("j")
    window.until(lambda: window.column.info is not None and window.column.info.version == 2)
    assert window.column.info is not None
    assert (window.column.info.actor, window.column.info.unreviewed) == ("agent:build-helper", True)

    window.press("h")
    page = window.window.findChild(HistoryPage)
    assert page is not None
    window.until(lambda: page.model.pair == Pair(1, 2) and len(page.model.versions) == 2)
    window.press(Qt.Key.Key_R, SHIFT)
    window.until(lambda: owner.entry(made["id"]).info.version == 3)

    (read, history) = host.call(("GlobalMemoryRead", {"id": made["id"]}), ("GlobalMemoryHistory", {"id": made["id"]}))
    assert (read["content"], read["version"]) == ("Use the Makefile.\n", 3)
    assert [(row["version"], row["action"], row["written_by"]) for row in history["versions"]] == [
        (3, "revert", "human"), (2, "edit", "agent:build-helper"), (1, "create", "agent:build-helper"),
    ]  # fmt: skip
