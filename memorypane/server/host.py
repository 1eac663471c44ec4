"""The server of one channel while it runs: accepts, serves, keeps the roster true to the store, and ends in good order."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import memorypane
from memorypane.control.client import ServerStatus
from memorypane.control.peers import check_same_user
from memorypane.home.endpoint import PROTOCOL, Endpoint
from memorypane.model.errors import MemoryPaneError
from memorypane.server.control import ControlSession
from memorypane.server.door import Door
from memorypane.server.roster import REVOKE_SECONDS
from memorypane.server.session import Session
from memorypane.server.wire import Wire
from memorypane.service.changes import Changed
from memorypane.service.desk import Desk
from memorypane.tools.toolbox import Toolbox

__all__ = ["Host"]

MOST_SOCKETS = 128
"""Connections of all kinds, greeted or not; beyond, a connection is closed at once."""

END_SECONDS = 20.0
TURNS = 8

logger = logging.getLogger(__name__)


async def _turns() -> None:
    """Let the loop go round: connections that were accepted are made, those that were turned away are closed."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


class Host:
    """Lives in one event loop; serves what comes to two listening sockets, or a single connection that is handed in."""

    def __init__(self, desk: Desk, toolbox: Toolbox) -> None:
        self.version = memorypane.__version__
        self.door = Door(desk, toolbox)
        self.roster = self.door.roster
        self._desk = desk
        self._started = time.monotonic()
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sessions: set[Session] = set()
        self._checks: set[asyncio.Task[None]] = set()

    async def serve(self, agents: socket.socket, control: socket.socket, *, idle_exit: float | None) -> None:
        """Serve two listening sockets until told to stop, or until nobody was connected for `idle_exit` seconds."""
        loop = asyncio.get_running_loop()
        listeners = [
            await loop.create_unix_server(lambda: Wire(self._welcome_agent), sock=agents),
            await loop.create_unix_server(lambda: Wire(self._welcome_control), sock=control),
        ]
        idle = loop.create_task(self.roster.wait_idle(idle_exit)) if idle_exit is not None else None
        if idle is not None:
            idle.add_done_callback(lambda _: self.stop())
        async with self._listening():
            await self._stopping.wait()
            # What was accepted in this turn of the loop is made in the next; closing before that would leave it open and unheard.
            for each in (agents, control):
                loop.remove_reader(each)
            await _turns()
            for listener in listeners:
                listener.close()
            if idle is not None:
                idle.cancel()

    async def serve_connection(self, connection: socket.socket) -> None:
        """Serve one connected socket to its end."""
        async with self._listening():
            await asyncio.get_running_loop().create_unix_connection(lambda: Wire(self._welcome_agent), sock=connection)
            while self._tasks:
                await asyncio.wait(self._tasks)

    def endpoint(self, agents: Path, control: Path) -> Endpoint:
        """What clients have to know of a server that listens at these two paths."""
        device, inode = self._desk.store_identity
        return Endpoint(
            path=str(agents), control=str(control), pid=os.getpid(), started_at=time.time_ns() // 1_000_000, protocol=PROTOCOL,
            schema=self._desk.schema, version=self.version, store_id=self._desk.store_id, store=self._desk.channel.store,
            device=device, inode=inode,
        )

    def status(self) -> ServerStatus:
        """What the server says about itself."""
        return ServerStatus(
            pid=os.getpid(), version=self.version, protocol=PROTOCOL, schema=self._desk.schema, channel=self._desk.channel.name,
            store_id=self._desk.store_id, uptime=round((time.monotonic() - self._started) * 1000), watchers=self.roster.watchers,
            connections=tuple(record.as_value() for record in self.roster.live()),
        )

    async def reload(self) -> None:
        """Look at agents and policy again, as after a change of both."""
        await self._check_agents()
        self._pass_on(Changed(frozenset(), review=False, agents=True, workspaces=False, policy=True, foreign=False))

    def stop(self) -> None:
        """Begin to end."""
        self._stopping.set()

    @asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        """Hear of changes meanwhile; at the end, let everybody finish what runs."""
        loop = asyncio.get_running_loop()

        def heard(changed: Changed) -> None:
            # Called by every write before its caller has the answer: the loop is woken only for somebody.
            if changed.agents or changed.policy or self.roster.attentive:
                loop.call_soon_threadsafe(self._on_changed, changed)

        unsubscribe = self._desk.subscribe(heard)
        try:
            yield
        finally:
            unsubscribe()
            for check in self._checks:
                check.cancel()
            self.roster.retire_all()
            if self._tasks:
                _, late = await asyncio.wait(self._tasks, timeout=END_SECONDS)
                for task in late:
                    task.cancel()
            await asyncio.to_thread(self.door.close)
            await _turns()

    def _welcome_agent(self, wire: Wire) -> None:
        try:
            peer = check_same_user(wire.socket)
        except MemoryPaneError as problem:
            logger.warning("a connection was turned away: %s", problem.message)
            wire.close()
            return
        session = Session(self.door, wire, peer)
        self._sessions.add(session)
        self._run(session.run(), wire, lambda: self._sessions.discard(session))

    def _welcome_control(self, wire: Wire) -> None:
        try:
            check_same_user(wire.socket)
        except MemoryPaneError as problem:
            logger.warning("a control connection was turned away: %s", problem.message)
            wire.close()
            return
        self._run(ControlSession(self, wire).run(), wire, lambda: None)

    def _run(self, work: Coroutine[Any, Any, None], wire: Wire, ended: Callable[[], None]) -> None:
        """Serve a connection in a task of its own, so that whatever goes wrong in it stays in it."""
        if len(self._tasks) >= MOST_SOCKETS or self._stopping.is_set():
            work.close()
            wire.close()
            ended()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)

        def done(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            wire.close()
            ended()
            problem = None if task.cancelled() else task.exception()
            if problem is not None:
                logger.error("a connection failed", exc_info=problem)

        task.add_done_callback(done)

    def _on_changed(self, changed: Changed) -> None:
        self._pass_on(changed)
        if changed.agents:
            task = asyncio.get_running_loop().create_task(self._check_agents())
            self._checks.add(task)
            task.add_done_callback(self._checks.discard)

    def _pass_on(self, changed: Changed) -> None:
        self.roster.tell_changed({**asdict(changed), "entries": sorted(changed.entries)})
        for session in self._sessions:
            session.on_changed(changed)

    async def _check_agents(self) -> None:
        """Send away who was revoked, and who used a name that somebody has a token for now."""
        try:
            known = await self.door.work(lambda: self._desk.person(via="window").agents())
        except MemoryPaneError as problem:
            logger.warning("the agents could not be looked up: %s", problem.message)
            return
        by_name = {agent.name: agent for agent in known}
        for record in self.roster.live():
            agent = by_name.get(record.caller.agent)
            if agent is not None and (agent.revoked or (agent.verified and not record.caller.verified)):
                record.session.retire(REVOKE_SECONDS)
