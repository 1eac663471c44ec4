"""Who is connected now: counted for the idle exit, listed for the window, turned out when revoked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from memorypane.control.client import LastCall, LiveConnection
from memorypane.control.peers import Peer, parent_of, program_of
from memorypane.service.identity import Caller

__all__ = ["MOST_CONNECTIONS", "REVOKE_SECONDS", "Guest", "LiveCaller", "Roster"]

MOST_CONNECTIONS = 64
"""Agents that may be connected at a time."""

REVOKE_SECONDS = 0.8
"""A revoked agent is gone within a second, whatever it still waits for."""

STOP_SECONDS = 5.0

Told = Callable[[str, Mapping[str, Any]], None]


class Guest(Protocol):
    """Something that keeps a server from idling and can be sent away."""

    def retire(self, seconds: float) -> None:
        """Take nothing new, end what runs within `seconds`, and close."""
        ...


@dataclass
class LiveCaller:
    """The running record of one admitted connection."""

    caller: Caller
    peer: Peer
    session: Guest
    since: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    calls: int = 0
    refusals: int = 0
    last: LastCall | None = None
    program: str = ""
    parent_pid: int = 0
    parent_program: str = ""

    def observe(self) -> None:
        """Look up the processes behind the connection while they are surely there."""
        self.program = program_of(self.peer.pid)
        self.parent_pid = parent_of(self.peer.pid)
        self.parent_program = program_of(self.parent_pid) if self.parent_pid else ""

    def as_value(self) -> LiveConnection:
        """The record as it stands now."""
        caller = self.caller
        return LiveConnection(
            id=caller.connection, agent=caller.agent, verified=caller.verified, pid=self.peer.pid, program=self.program,
            parent_pid=self.parent_pid, parent_program=self.parent_program, workspace=caller.workspace, since=self.since,
            calls=self.calls, refusals=self.refusals, last_call=self.last,
        )


class Roster:
    """The connections of one server; used by its event loop's thread only."""

    def __init__(self) -> None:
        self._guests: set[Guest] = set()
        self._agents: dict[str, LiveCaller] = {}
        self._watchers: dict[object, Told] = {}
        self._listeners = 0
        self._places_taken = 0
        self._changed = asyncio.Event()

    @property
    def watchers(self) -> int:
        """How many windows and commands are subscribed."""
        return len(self._watchers)

    @property
    def attentive(self) -> bool:
        """Whether anybody wants to hear of changes; may be asked from any thread."""
        return bool(self._watchers) or self._listeners > 0

    def attend(self, more: int) -> None:
        """Count (or with a negative number, count no more) what agents have subscribed to."""
        self._listeners += more

    def live(self) -> list[LiveCaller]:
        """The admitted connections, oldest first."""
        return list(self._agents.values())

    def take_place(self) -> bool:
        """Take a place for an agent, if one is left; to be given back by `give_place_back`."""
        if self._places_taken >= MOST_CONNECTIONS:
            return False
        self._places_taken += 1
        return True

    def give_place_back(self) -> None:
        """Let another agent have the place."""
        self._places_taken -= 1

    def enter(self, guest: Guest) -> None:
        """Count somebody who keeps the server up."""
        self._guests.add(guest)
        self._changed.set()

    def leave(self, guest: Guest) -> None:
        """Count somebody no more."""
        self._guests.discard(guest)
        self._changed.set()

    def admit(self, record: LiveCaller) -> None:
        """List an admitted connection and tell the watchers."""
        self._agents[record.caller.connection] = record
        self._tell("opened", asdict(record.as_value()))

    def dismiss(self, record: LiveCaller) -> None:
        """Take a connection off the list and tell the watchers."""
        if self._agents.pop(record.caller.connection, None) is not None:
            self._tell("closed", asdict(record.as_value()))

    def called(self, record: LiveCaller, last: LastCall) -> None:
        """Note a tool call that was answered and tell the watchers."""
        record.calls += 1
        record.refusals += last.outcome != "ok"
        record.last = last
        if self._watchers:
            self._tell("call", asdict(record.as_value()))

    def watch(self, told: Told) -> Callable[[], None]:
        """Have `told` called for everything that happens; returns what ends that."""
        key = object()
        self._watchers[key] = told

        def end() -> None:
            self._watchers.pop(key, None)

        return end

    def tell_changed(self, data: Mapping[str, Any]) -> None:
        """Tell the watchers that the store changed."""
        self._tell("changed", data)

    def revoke(self, agent: str) -> int:
        """Send away every connection of an agent and return how many there were."""
        found = [record for record in self._agents.values() if record.caller.agent == agent]
        for record in found:
            record.session.retire(REVOKE_SECONDS)
        return len(found)

    def retire_all(self) -> None:
        """Send everybody away."""
        for guest in list(self._guests):
            guest.retire(STOP_SECONDS)

    async def wait_idle(self, seconds: float) -> None:
        """Return once nobody was here for `seconds` on end."""
        while True:
            self._changed.clear()
            if self._guests:
                await self._changed.wait()
                continue
            try:
                async with asyncio.timeout(seconds):
                    await self._changed.wait()
            except TimeoutError:
                if not self._guests:
                    return

    def _tell(self, kind: str, data: Mapping[str, Any]) -> None:
        for told in list(self._watchers.values()):
            told(kind, data)
