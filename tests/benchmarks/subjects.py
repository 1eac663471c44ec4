"""What is measured: the dispatcher in this process, the real bridge against a real server, and an empty server on a pipe."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from memorypane.home.paths import Home
from memorypane.home.tokens import read_token
from memorypane.service.desk import Desk
from memorypane.service.identity import Hello
from memorypane.tools.toolbox import Toolbox
from tests.benchmarks.stores import AGENT
from tests.support import TOP

__all__ = ["Bridge", "Dispatcher", "EmptyServer"]


class Dispatcher:
    """The tools of a desk in this process, without any transport."""

    def __init__(self, home: Home) -> None:
        self._desk = Desk.open(home)
        self._tools = Toolbox(self._desk)
        self._caller = self._desk.admit(Hello(AGENT, read_token(home, self._desk.store_id, AGENT)))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must not fail, and return its data."""
        result = self._tools.call(self._caller, tool, arguments)
        if result.is_error:
            raise RuntimeError(result.text)
        return result.data

    def close(self) -> None:
        """Leave the desk."""
        self._desk.leave(self._caller)
        self._desk.close()


class _Pipe:
    """A process that speaks MCP on its input and output, one message a line."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._ids = itertools.count()
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=TOP)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.request("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps(message).encode() + b"\n")
        self._child.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result."""
        number = next(self._ids)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        assert self._child.stdout is not None
        while line := self._child.stdout.readline():
            answer = json.loads(line)
            if answer.get("id") == number:
                result: dict[str, Any] = answer["result"]
                return result
        raise RuntimeError(f"{self._child.args!r} has ended")

    def close(self) -> None:
        """Close the pipe and wait for the end of the process."""
        self._child.communicate(timeout=30)


class Bridge(_Pipe):
    """`memorypane mcp` as a host starts it, which starts the server of the home."""

    def __init__(self, home: Home) -> None:
        words = [sys.executable, "-m", "memorypane", "mcp", "--agent", AGENT]
        super().__init__(words, {**os.environ, "MEMORYPANE_HOME": str(home.root), "PYTHONPATH": str(TOP)})

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must not fail, and return its data."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        data: dict[str, Any] = result["structuredContent"]
        return data


class EmptyServer(_Pipe):
    """The floor: a server that answers everything with the same words."""

    def __init__(self) -> None:
        super().__init__([sys.executable, str(Path(__file__).with_name("empty_server.py"))], dict(os.environ))

    def call(self) -> None:
        """Call the one tool there is."""
        self.request("tools/call", {"name": "nothing", "arguments": {"content": "x" * 400}})
