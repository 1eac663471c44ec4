"""Sockets that only the owner can reach: in a private folder, mode 0600, a left-over one cleared away."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

from memorypane.model.errors import Unavailable

__all__ = ["bind_private"]

LONGEST_PATH = 100
BACKLOG = 128


def bind_private(path: Path) -> socket.socket:
    """Listen at `path`; to be called under the channel's lock only, since a socket that lies there is taken for a dead server's.

    Raises `Unavailable` if the folder is a link, or not ours, or the path is too long for a socket.
    """
    if len(os.fsencode(path)) >= LONGEST_PATH:
        raise Unavailable(f"The path {path} is too long for a socket. Set XDG_RUNTIME_DIR to a folder with a shorter name.")
    _check_folder(path.parent)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        # No one else may reach it between the two calls: the folder is closed to all others.
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen(BACKLOG)
        listener.settimeout(0)
    except OSError as problem:
        listener.close()
        raise Unavailable(f"The socket {path} cannot be made: {problem.strerror or problem}.") from problem
    except BaseException:
        listener.close()
        raise
    return listener


def _check_folder(folder: Path) -> None:
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise Unavailable(f"The folder {folder} is not a folder of yours alone, so no socket is put there. Remove it, then try again.")
        if found.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as problem:
        raise Unavailable(f"The folder {folder} cannot be made or used: {problem.strerror or problem}.") from problem
