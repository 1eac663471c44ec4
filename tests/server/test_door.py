"""Work in threads, and what happens when it fails."""

from __future__ import annotations

import asyncio
import io
import logging
import threading

import anyio
import pytest
from mcp.shared.exceptions import MCPError

from memorypane.home.paths import Home
from memorypane.model.errors import NotFound
from memorypane.server.door import Door
from memorypane.server.log import log_to_stderr
from memorypane.service.desk import Desk
from memorypane.tools.toolbox import Toolbox, UnknownTool


@pytest.fixture
def desk(home: Home) -> Desk:
    return Desk.open(home)


def fail_with(words: str) -> None:
    raise ZeroDivisionError(words)


def test_a_fault_of_ours_is_owned_up_to_without_its_words(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> MCPError:
        door = Door(desk, Toolbox(desk))
        try:
            with pytest.raises(MCPError) as caught:
                await door.work_or_own_up(lambda: fail_with("what somebody remembers"), UnknownTool)
            return caught.value
        finally:
            door.close()

    with desk:
        error = asyncio.run(scene()).error
    assert error.code == -32603
    assert "ZeroDivisionError" in error.message
    assert "what somebody remembers" not in error.message
    assert [record.message for record in caplog.records] == ["a call failed"]


def test_an_expected_failure_is_raised_as_it_is(desk: Desk) -> None:
    def work() -> None:
        raise NotFound("nothing there")

    async def scene() -> None:
        door = Door(desk, Toolbox(desk))
        try:
            with pytest.raises(NotFound, match="nothing there"):
                await door.work_or_own_up(work, NotFound)
        finally:
            door.close()

    with desk:
        asyncio.run(scene())


def test_work_that_began_is_seen_through_before_a_cancelled_caller_goes_on(desk: Desk) -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait(10)
        ended.set()

    async def scene() -> None:
        door = Door(desk, Toolbox(desk))
        try:
            with anyio.CancelScope() as scope:

                async def caller() -> None:
                    await door.work(work)

                async with anyio.create_task_group() as group:
                    group.start_soon(caller)
                    await asyncio.to_thread(begun.wait, 10)
                    asyncio.get_running_loop().call_later(0.05, may_end.set)
                    scope.cancel()
            assert scope.cancel_called
            assert ended.is_set()
        finally:
            door.close()

    with desk:
        asyncio.run(scene())


def test_the_log_names_a_failure_and_its_place_and_leaves_its_words_out(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    try:
        log_to_stderr()
        try:
            fail_with("what somebody remembers")
        except ZeroDivisionError:
            logging.getLogger("somewhere").exception("a call failed")
        logging.getLogger("somewhere").info("not worth a line")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    text = written.getvalue()
    assert "a call failed" in text
    assert "builtins.ZeroDivisionError" in text
    assert "test_door.py" in text
    assert "what somebody remembers" not in text
    assert "not worth a line" not in text
