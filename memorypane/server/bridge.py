"""`memorypane mcp`: what a host starts for one agent; standard library only until it must serve in its own process."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from memorypane.control.reach import NoServer, OtherStore, reach_server
from memorypane.home.endpoint import PROTOCOL
from memorypane.home.paths import Home
from memorypane.home.tokens import read_token
from memorypane.model.errors import MemoryPaneError, Unavailable
from memorypane.server.relay import Relay

__all__ = ["run", "workspace_around"]

PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


def run(home: Home, channel: str, agent: str, workspace: str | None, families: tuple[str, ...]) -> int:
    """Carry MCP between stdin/stdout and the channel's server for `agent` until stdin ends; returns the exit code.

    `workspace` is a folder; without one it is the git root around the working folder. Failures are answered to the host's requests and
    repeated on stderr.
    """
    introduction = {
        "memorypane": PROTOCOL, "agent": agent, "families": list(families), "parent": os.getppid(),
        "workspace": os.path.realpath(workspace) if workspace else workspace_around(Path.cwd()),
    }
    name = agent if PLAIN_NAME.fullmatch(agent) else _slug(agent)

    def connect(given_up: Callable[[], bool]) -> socket.socket:
        connection, store_id = _reach(home, channel, given_up)
        try:
            # Only now is it certain that the other end is our own user's.
            hello = {**introduction, "token": read_token(home, store_id, name)}
            connection.sendall(json.dumps(hello).encode() + b"\n")
        except OSError as problem:
            connection.close()
            raise Unavailable("The server ended the connection at once.") from problem
        except MemoryPaneError:
            connection.close()
            raise
        return connection

    try:
        return Relay(connect, _say, source=0, sink=1).run()
    except KeyboardInterrupt:
        return 130


def workspace_around(folder: Path) -> str:
    """The nearest folder at or above `folder` that git keeps, or "" if there is none below the home folder and `/`."""
    home = Path.home().resolve()
    here = folder.resolve()
    for place in (here, *here.parents):
        if place in (home, Path(place.anchor)):
            return ""
        if (place / ".git").exists():
            return str(place)
    return ""


def _reach(home: Home, channel: str, given_up: Callable[[], bool]) -> tuple[socket.socket, str]:
    """A connection to the server, or to one inside this process where none may be used; with the id of its store."""
    try:
        endpoint, connection = reach_server(home, channel, given_up=given_up)
    except (NoServer, OtherStore):
        # Costs what a server costs; hosts that forbid or cannot see one have nothing else.
        from memorypane.server.inside import serve_inside

        return serve_inside(home, channel)
    return connection, endpoint.store_id


def _slug(agent: str) -> str:
    from memorypane.model.text import slug_agent

    return slug_agent(agent)


def _say(sentence: str) -> None:
    sys.stderr.write(f"memorypane: {sentence}\n")
    sys.stderr.flush()
