"""Helpers of the server's tests: a server in a thread of this process, a bare client of its socket, and a bridge as a host drives it."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from memorypane.home.endpoint import Endpoint, read_endpoint, remove_endpoint, write_endpoint
from memorypane.home.paths import Home
from memorypane.server.host import Host
from memorypane.server.listen import bind_private
from memorypane.service.desk import Desk
from memorypane.tools.toolbox import Toolbox
from tests.support import Program, wait_until

__all__ = ["INITIALIZE", "INITIALIZED", "Bare", "Bridge", "Server", "call", "is_alive", "running_server", "wait_for_server"]

SECONDS = 20.0
INITIALIZE = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bare-client", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, tool: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A tool call as a JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments or {}, **more}}


class Server:
    """A `Host` on real sockets, in a thread of the test's process."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.agents = home.socket("stable", "agent")
        self.control = home.socket("stable", "control")
        self.desk = Desk.open(home, watch=True)
        self.host: Host
        self.loop: asyncio.AbstractEventLoop

    def run(self, started: threading.Event, idle_exit: float | None) -> None:
        """Serve until stopped."""

        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            self.host = Host(self.desk, Toolbox(self.desk))
            write_endpoint(self.home, "stable", self.host.endpoint(self.agents, self.control))
            started.set()
            await self.host.serve(agents, control, idle_exit=idle_exit)

        with bind_private(self.agents) as agents, bind_private(self.control) as control:
            asyncio.run(serve())
        remove_endpoint(self.home, "stable")

    def status(self) -> Any:
        """What the server says about itself, asked in its own thread."""

        async def ask() -> Any:
            return self.host.status()

        return asyncio.run_coroutine_threadsafe(ask(), self.loop).result(SECONDS)

    def stop(self) -> None:
        """Tell it to end."""
        with suppress(RuntimeError):  # it has ended
            self.loop.call_soon_threadsafe(self.host.stop)


@contextmanager
def running_server(home: Home, *, idle_exit: float | None = None) -> Iterator[Server]:
    """Run a server for the time of the block."""
    server, started = Server(home), threading.Event()
    thread = threading.Thread(target=server.run, args=(started, idle_exit), name="server")
    with server.desk:
        thread.start()
        try:
            assert started.wait(SECONDS)
            yield server
        finally:
            server.stop()
            thread.join(SECONDS)
            assert not thread.is_alive()


class Bare:
    """A client that knows nothing of us: one socket, lines of JSON."""

    def __init__(self, path: Path | str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(SECONDS)
        assert wait_until(lambda: self._connected(str(path)), seconds=SECONDS)
        self._input = self.socket.makefile("rb")

    def _connected(self, path: str) -> bool:
        try:
            self.socket.connect(path)
        except BlockingIOError:  # its queue is full at this moment
            return False
        return True

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        """Send messages, or lines as they are."""
        self.socket.sendall(b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages))

    def read(self) -> dict[str, Any] | None:
        """The next message, or None at the end."""
        try:
            line = self._input.readline()
        except ConnectionResetError:
            return None
        return json.loads(line) if line else None

    def answer(self, number: Any) -> dict[str, Any]:
        """The answer to a request, passing over notifications."""
        while (message := self.read()) is not None:
            if "method" not in message and message.get("id") == number:
                return message
        raise AssertionError(f"the connection ended before {number} was answered")

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer."""
        self.send(message)
        return self.answer(message["id"])

    def shake_hands(self) -> dict[str, Any]:
        """The handshake of the older generation; returns its answer."""
        answer = self.ask(INITIALIZE)
        self.send(INITIALIZED)
        return answer

    def close(self) -> None:
        """Hang up."""
        self._input.close()
        self.socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Bridge:
    """A real `memorypane mcp`, spoken to over its pipes."""

    def __init__(self, program: Program, *words: str | Path, env: dict[str, str | None] | None = None, cwd: Path | None = None) -> None:
        self.errors = program.home.parent / f"bridge-{time.monotonic_ns()}.err"
        with self.errors.open("wb") as errors:
            self.process = program.start("mcp", *words, stderr=errors, env=env, cwd=cwd)
        self.lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, name="bridge-reader")
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        """Send messages, or lines as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages))
        self.process.stdin.flush()

    def read(self, seconds: float = SECONDS) -> dict[str, Any] | None:
        """The next message, or None at the end; fails after `seconds`."""
        try:
            return self.lines.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"nothing came; stderr: {self.stderr()}") from None

    def answer(self, number: Any) -> dict[str, Any]:
        """The answer to a request, passing over notifications."""
        while (message := self.read()) is not None:
            if "method" not in message and message.get("id") == number:
                return message
        raise AssertionError(f"the bridge ended before {number} was answered; stderr: {self.stderr()}")

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer."""
        self.send(message)
        return self.answer(message["id"])

    def shake_hands(self) -> dict[str, Any]:
        """The handshake of the older generation; returns its answer."""
        answer = self.ask(INITIALIZE)
        self.send(INITIALIZED)
        return answer

    def stderr(self) -> str:
        """What it has said so far."""
        return self.errors.read_text()

    def end_input(self) -> None:
        """Close its stdin, as a host does that is done."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close(self) -> int:
        """End it by its input and return its exit code."""
        with suppress(BrokenPipeError):
            self.end_input()
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self._reader.join(SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_for_server(home: Home, accept: Callable[[Endpoint], bool] = lambda _: True) -> Endpoint:
    """Wait until a server has written its endpoint, and return that."""

    def found() -> bool:
        endpoint = read_endpoint(home, "stable")
        return endpoint is not None and accept(endpoint) and Path(endpoint.path).exists()

    assert wait_until(found, seconds=SECONDS), "no server came up"
    endpoint = read_endpoint(home, "stable")
    assert endpoint is not None
    return endpoint


def is_alive(process: int) -> bool:
    """Whether a process that is not our child runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].strip().startswith("Z")
