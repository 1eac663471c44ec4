"""What every connection of one server shares: the service, the tools, the threads that run them, and who is here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from memorypane.server.roster import Roster
from memorypane.service.desk import Desk
from memorypane.tools.toolbox import Toolbox

__all__ = ["Door"]

THREADS = 32

Result = TypeVar("Result")

logger = logging.getLogger(__name__)


class Door:
    """The shared parts; made in the thread of the event loop, closed when its last connection is gone."""

    def __init__(self, desk: Desk, toolbox: Toolbox) -> None:
        self.desk = desk
        self.toolbox = toolbox
        self.roster = Roster()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="call")

    async def work(self, function: Callable[[], Result]) -> Result:
        """Run blocking work in a thread and return its result or raise what it raised; once begun it is seen through."""
        return (await self._finished(function)).result()

    async def work_or_own_up(self, function: Callable[[], Result], *expected: type[Exception]) -> Result:
        """As `work`, but a failure that is not `expected` is a fault of ours: it is logged and answered as such, without its text."""
        done = await self._finished(function)
        problem = done.exception()
        if problem is None or isinstance(problem, expected):
            return done.result()
        logger.error("a call failed", exc_info=problem)
        raise MCPError(INTERNAL_ERROR, f"Something went wrong inside Memory Pane ({type(problem).__name__}). Its log says more.")

    async def _finished(self, function: Callable[[], Result]) -> asyncio.Future[Result]:
        future = asyncio.wrap_future(self._pool.submit(function))
        # A write that began cannot be taken back, so nobody may go on as if it had not: the next one would overtake it.
        with anyio.CancelScope(shield=True):
            await asyncio.wait([future])
        return future

    def close(self) -> None:
        """Wait for the threads to end."""
        self._pool.shutdown()
