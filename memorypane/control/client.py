"""Talk to a running server about itself: who is connected, what changes, whom to turn out; one JSON object a line."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from memorypane.control.reach import connect, reach_server
from memorypane.home.endpoint import read_endpoint
from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput, MemoryPaneError, NotAllowed, NotFound, Unavailable

__all__ = ["ControlClient", "ControlEvent", "ControlWatch", "LastCall", "LiveConnection", "ServerStatus"]

ANSWER_SECONDS = 10.0
LONGEST_LINE = 16 << 20
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class LastCall:
    """The newest tool call of a connection; `at` in ms UTC, `took` in ms, `outcome` is `ok`, `refused` or `failed`."""

    tool: str
    at: int
    took: float
    outcome: str


@dataclass(frozen=True, slots=True)
class LiveConnection:
    """One agent that is connected now, with the processes behind it as the server observed them."""

    id: str
    agent: str
    verified: bool
    pid: int
    program: str
    parent_pid: int
    parent_program: str
    workspace: str
    since: int
    calls: int
    refusals: int
    last_call: LastCall | None = None


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What a server says about itself; `uptime` in ms, `watchers` counts the windows and commands that are subscribed."""

    pid: int
    version: str
    protocol: int
    schema: int
    channel: str
    store_id: str
    uptime: int
    watchers: int
    connections: tuple[LiveConnection, ...]


@dataclass(frozen=True, slots=True)
class ControlEvent:
    """Something that happened.

    `kind` is `changed` (data: entries, review, agents, workspaces, policy, foreign), `opened`, `closed` or `call` (data: the connection),
    and from `ControlWatch` also `connected` and `lost` (data: message).
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


def live_connection(found: Mapping[str, Any]) -> LiveConnection:
    """Build the value from its JSON form."""
    last = found.get("last_call")
    return LiveConnection(**{**found, "last_call": LastCall(**last) if last else None})


class ControlClient:
    """One control connection, for one thread; only `close` may be called from another, and it ends a blocked `events`."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._buffer = b""
        self._reading = threading.Lock()
        self._closed = False
        self._last_id = 0

    @classmethod
    def open(cls, home: Home, channel: str = "stable", *, start: bool = False, given_up: Callable[[], bool] | None = None) -> Self:
        """Connect to the channel's server; `Unavailable` if none runs and `start` is off, else as `reach_server`."""
        if start:
            return cls(reach_server(home, channel, kind="control", given_up=given_up)[1])
        endpoint = read_endpoint(home, channel)
        connection = connect(endpoint.control) if endpoint else None
        if connection is None:
            raise Unavailable("No server runs for this channel.")
        return cls(connection)

    def status(self) -> ServerStatus:
        """Ask who the server is and who is connected."""
        found = self._request("status")
        return ServerStatus(**{**found, "connections": tuple(live_connection(each) for each in found["connections"])})

    def revoke(self, agent: str) -> int:
        """Close the connections of an agent that was revoked and return how many there were."""
        return int(self._request("revoke", agent=agent)["closed"])

    def reload(self) -> None:
        """Have the server look at policy and agents again at once."""
        self._request("reload")

    def give_way(self, version: str) -> None:
        """Ask the server to stop for a program of a newer version; `NotAllowed` if it is none."""
        self._request("yield", version=version)

    def stop(self) -> None:
        """Ask the server to end what runs and stop."""
        self._request("stop")

    def events(self) -> Iterator[ControlEvent]:
        """Subscribe and yield what happens until either side closes; the server stays up meanwhile."""
        with self._reading:
            try:
                self._ask("subscribe", {})
                self._socket.settimeout(None)
                while (message := self._read()) is not None:
                    if "event" in message:
                        yield ControlEvent(str(message["event"]), message.get("data") or {})
            finally:
                if self._closed:
                    self._socket.close()

    def close(self) -> None:
        """End the connection."""
        self._closed = True
        with suppress(OSError):  # the server was faster
            self._socket.shutdown(socket.SHUT_RDWR)
        # While another thread reads, it is the one that closes: a number of a closed socket may be given out again under its hands.
        if self._reading.acquire(blocking=False):
            self._socket.close()
            self._reading.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _request(self, verb: str, **words: str) -> dict[str, Any]:
        with self._reading:
            try:
                return self._ask(verb, words)
            finally:
                if self._closed:
                    self._socket.close()

    def _ask(self, verb: str, words: Mapping[str, str]) -> dict[str, Any]:
        self._last_id += 1
        try:
            self._socket.settimeout(ANSWER_SECONDS)
            self._socket.sendall(json.dumps({"id": self._last_id, "verb": verb, **words}).encode() + b"\n")
        except OSError as problem:
            raise Unavailable("The server ended the connection.") from problem
        while (message := self._read()) is not None:
            if message.get("id") != self._last_id:
                continue
            if "error" in message:
                raise _failure(message["error"])
            result = message.get("result")
            return result if isinstance(result, dict) else {}
        raise Unavailable("The server ended the connection.")

    def _read(self) -> dict[str, Any] | None:
        while b"\n" not in self._buffer:
            try:
                chunk = self._socket.recv(1 << 16)
            except TimeoutError as problem:
                raise Unavailable(f"The server did not answer within {ANSWER_SECONDS:.0f} s.") from problem
            except OSError:
                return None
            if not chunk or len(self._buffer) > LONGEST_LINE:
                return None
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            message = json.loads(line)
        except ValueError:
            return None
        return message if isinstance(message, dict) else None


def _failure(problem: Mapping[str, Any]) -> MemoryPaneError:
    kinds = {kind.code: kind for kind in (NotAllowed, InvalidInput, NotFound)}
    return kinds.get(str(problem.get("code")), Unavailable)(str(problem.get("message")))


class ControlWatch:
    """What happens at a channel's server, for as long as a window is open: it starts the server and comes back when it went away.

    `events` blocks and belongs into a thread of its own; `close` may be called from any other and makes it return.
    """

    def __init__(self, home: Home, channel: str = "stable", *, start: bool = True) -> None:
        self._home = home
        self._channel = channel
        self._start = start
        self._ended = threading.Event()
        self._changing = threading.Lock()
        self._client: ControlClient | None = None

    def events(self) -> Iterator[ControlEvent]:
        """Yield `connected` (now the status is worth asking for), what happens, and `lost` with a sentence; never ends by itself."""
        pause, told = FIRST_PAUSE_SECONDS, ""
        while not self._ended.is_set():
            try:
                client = ControlClient.open(self._home, self._channel, start=self._start, given_up=self._ended.is_set)
            except MemoryPaneError as problem:
                if problem.message != told and not self._ended.is_set():
                    told = problem.message
                    yield ControlEvent("lost", {"message": told})
                self._ended.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
                continue
            if not self._take(client):
                return
            pause, told = FIRST_PAUSE_SECONDS, ""
            try:
                yield ControlEvent("connected")
                yield from client.events()
                told = "The server ended."
            except MemoryPaneError as problem:
                told = problem.message
            finally:
                client.close()
            if not self._ended.is_set():
                yield ControlEvent("lost", {"message": told})
                self._ended.wait(pause)

    def close(self) -> None:
        """Make `events` return."""
        with self._changing:
            self._ended.set()
            if self._client is not None:
                self._client.close()

    def _take(self, client: ControlClient) -> bool:
        with self._changing:
            if self._ended.is_set():
                client.close()
                return False
            self._client = client
            return True
