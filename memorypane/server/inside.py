"""A server inside the bridge's own process, for one connection: the same sessions, tools and rules, without a socket for others."""

from __future__ import annotations

import asyncio
import socket
import threading

from memorypane.home.paths import Home
from memorypane.server.host import Host
from memorypane.server.log import log_to_stderr
from memorypane.service.desk import Desk
from memorypane.tools.toolbox import Toolbox

__all__ = ["serve_inside"]


def serve_inside(home: Home, channel: str) -> tuple[socket.socket, str]:
    """Open the channel here, serve one connection in a thread, and return its other end and the store's id.

    The thread ends in good order once that end is closed. Raises what `Desk.open` raises.
    """
    log_to_stderr()
    desk = Desk.open(home, channel, watch=True)
    ours, theirs = socket.socketpair()

    async def serve() -> None:
        await Host(desk, Toolbox(desk)).serve_connection(ours)

    def work() -> None:
        with desk, ours:
            asyncio.run(serve())

    # Not a daemon: a write that has begun is finished before the process ends.
    threading.Thread(target=work, name="inside").start()
    return theirs, desk.store_id
