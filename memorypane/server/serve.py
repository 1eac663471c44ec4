"""`memorypane serve`: become the channel's server, or leave quietly when another already is; light until that is decided."""

from __future__ import annotations

import os
import signal
import sys

from memorypane.home.channels import find_channel
from memorypane.home.endpoint import FileLock, remove_endpoint, write_endpoint
from memorypane.home.paths import Home, private_folder
from memorypane.model.errors import MemoryPaneError

__all__ = ["run"]


def run(home: Home, channel: str, *, idle_exit: float | None = None) -> int:
    """Serve until told to stop, or until nobody was connected for `idle_exit` seconds (None = never); returns the exit code.

    One of many wins: without the channel's lock this returns 0 and does nothing. A store that cannot be used is said on stderr, code 1.
    """
    os.umask(0o077)
    try:
        find_channel(home, channel)
        private_folder(home.root)
        with FileLock(home.lock(channel)) as lock:
            if lock.acquire():
                _serve(home, channel, idle_exit)
    except MemoryPaneError as problem:
        sys.stderr.write(f"{problem.message}\n")
        return 1
    return 0


def _serve(home: Home, channel: str, idle_exit: float | None) -> None:
    # These cost a second of processor time, which those that come too late for the lock need not spend.
    import asyncio
    import gc

    from memorypane.server.host import Host
    from memorypane.server.listen import bind_private
    from memorypane.server.log import log_to_stderr
    from memorypane.service.desk import Desk
    from memorypane.tools.toolbox import Toolbox

    # What the imports made stays for good; without this each full collection looks through it again and everybody waits 80 ms.
    gc.freeze()
    log_to_stderr()
    agents_path, control_path = home.socket(channel, "agent"), home.socket(channel, "control")
    with Desk.open(home, channel, watch=True) as desk:
        toolbox = Toolbox(desk)
        with bind_private(agents_path) as agents, bind_private(control_path) as control:

            async def serve() -> None:
                host = Host(desk, toolbox)
                for number in (signal.SIGTERM, signal.SIGINT):
                    asyncio.get_running_loop().add_signal_handler(number, host.stop)
                write_endpoint(home, channel, host.endpoint(agents_path, control_path))
                await host.serve(agents, control, idle_exit=idle_exit)

            try:
                asyncio.run(serve())
            finally:
                remove_endpoint(home, channel)
                agents_path.unlink(missing_ok=True)
                control_path.unlink(missing_ok=True)
