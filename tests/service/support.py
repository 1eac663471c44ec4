"""Helpers of the service's tests: a clock in the test's hand, and agents that call tools as a host would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memorypane.service.agent import AgentFace
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller, Hello
from memorypane.store import health
from memorypane.tools.toolbox import Toolbox, ToolResult

__all__ = ["Agent", "Clock", "unsound"]


class Clock:
    """Milliseconds UTC that pass only when the test says so."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now

    def pass_by(self, *, seconds: float = 0, days: float = 0) -> None:
        """Let time pass."""
        self.now += round((seconds + days * 86_400) * 1000)


@dataclass
class Agent:
    """An agent at the door, with the tools it is offered."""

    desk: Desk
    tools: Toolbox
    caller: Caller

    @classmethod
    def enter(cls, desk: Desk, name: str, token: str = "", **more: Any) -> Agent:
        """Come in, with a token or without."""
        return cls(desk, Toolbox(desk), desk.admit(Hello(name, token, **more)))

    @property
    def face(self) -> AgentFace:
        """The service as this agent sees it."""
        return self.desk.agent(self.caller)

    def call(self, tool: str, **arguments: Any) -> ToolResult:
        """Call a tool, come of it what may."""
        return self.tools.call(self.caller, tool, arguments)

    def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must not fail, and return its data."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.text
        return result.data

    def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must fail, and return the error."""
        result = self.call(tool, **arguments)
        assert result.is_error, result.text
        error: dict[str, Any] = result.data["error"]
        return error

    def write(self, name: str, content: str = "text", **more: Any) -> str:
        """Write a shared instruction that goes live; returns its id."""
        data = self.do("GlobalMemoryWrite", name=name, content=content, **more)
        assert "held" not in data, data
        return str(data["id"])

    def reasons(self, tool: str, **arguments: Any) -> list[str]:
        """Why a call waits for the person; [] if it went live."""
        found: list[str] = self.do(tool, **arguments).get("reasons", [])
        return found


def unsound(desk: Desk) -> dict[str, str]:
    """What is wrong with the desk's store, by the names of the checks."""
    found = {name: desk._store.read(look) for name, look in health.CHECKS}
    return {name: problem for name, problem in found.items() if problem}
