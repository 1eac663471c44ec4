"""What the processes do that write to one store at once, and what they say of it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from memorypane.home.paths import Home
from memorypane.home.tokens import read_token
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller, Hello
from memorypane.tools.toolbox import Toolbox, ToolResult

__all__ = ["AGENTS", "Written", "burst", "create_and_edit", "race_for_versions", "register"]

AGENTS = tuple(f"agent-{number}" for number in range(8))


@dataclass(frozen=True)
class Written:
    """One write that was answered for: the version's number and what stands in it (None: what it was was not said)."""

    entry_id: str
    version: int
    content: str | None


def register(home: Home) -> None:
    """Make the store with agents that may write as much as they like."""
    with Desk.open(home) as desk:
        person = desk.person(via="command")
        person.set_policy("trusting")
        for quota in ("writes_per_minute", "pending_proposals", "unreviewed_entries"):
            person.set_setting(f"quota.{quota}", "0")
        for name in AGENTS:
            person.add_agent(name)


@contextmanager
def _at_the_door(root: Path, name: str) -> Iterator[tuple[Toolbox, Caller]]:
    home = Home(root)
    with Desk.open(home) as desk:
        caller = desk.admit(Hello(name, read_token(home, desk.store_id, name)))
        yield Toolbox(desk), caller


def _write(tools: Toolbox, caller: Caller, **words: Any) -> ToolResult:
    result = tools.call(caller, "GlobalMemoryWrite", words)
    assert not result.is_error, result.text
    return result


def _written(result: ToolResult, content: str | None) -> Written:
    return Written(result.data["id"], result.data["version"], content)


def create_and_edit(connection: Connection, root: Path, name: str, shared_id: str, times: int) -> None:
    """Write new entries and, in turn, new texts of one entry that all share; say what was answered."""
    with _at_the_door(root, name) as (tools, caller):
        connection.send("ready")
        connection.recv()
        done = []
        for number in range(times):
            text = f"{name} {number} " + "word " * 20
            done.append(_written(_write(tools, caller, name=f"{name} {number}", content=text), text))
            done.append(_written(_write(tools, caller, id=shared_id, name="shared", content=text), text))
        connection.send(done)


def race_for_versions(connection: Connection, root: Path, name: str, shared_id: str, until: int) -> None:
    """Read the entry that all share and write on from what was read, until it has so many versions; say what won, and how much lost."""
    with _at_the_door(root, name) as (tools, caller):
        connection.send("ready")
        connection.recv()
        won: list[Written] = []
        lost = 0
        version = 0
        while version < until:
            seen = tools.call(caller, "GlobalMemoryRead", {"id": shared_id}).data
            version = seen["version"]
            text = f"{seen['content']}{name}\n"
            words = {"id": shared_id, "name": "shared", "content": text, "expected_version": version}
            result = tools.call(caller, "GlobalMemoryWrite", words)
            if result.is_error:
                assert result.data["error"]["code"] == "conflict", result.text
                assert result.data["error"]["current_version"] > version
                lost += 1
            else:
                won.append(_written(result, text))
        connection.send((won, lost))


def burst(connection: Connection, root: Path, name: str, seed: int) -> None:
    """Write, change and remove without end, and say each write as soon as it is answered; to be killed."""
    dice = random.Random(seed)  # noqa: S311 - which call comes next is no secret
    with _at_the_door(root, name) as (tools, caller):
        connection.send("ready")
        live: dict[str, str] = {}
        number = 0
        while True:
            number += 1
            text = f"{name} {seed} {number} " + "word " * dice.randrange(200)
            call = dice.random()
            if call < 0.5 or not live:
                result = _write(tools, caller, name=f"{name} {seed} {number} {os.getpid()}", content=text)
                live[result.data["id"]] = result.data["name"]
            elif call < 0.9:
                entry_id = dice.choice(list(live))
                result = _write(tools, caller, id=entry_id, name=live[entry_id], content=text)
            else:
                entry_id = dice.choice(list(live))
                del live[entry_id]
                result = tools.call(caller, "GlobalMemoryRemove", {"id": entry_id})
                assert not result.is_error, result.text
            connection.send(_written(result, None if "removed" in result.data else text))
