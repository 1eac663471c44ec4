"""Where a channel's running server says that it listens, and the lock that makes one of many the server."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from memorypane.home.paths import Home, private_folder, write_private
from memorypane.model.errors import Unavailable

__all__ = ["PROTOCOL", "Endpoint", "FileLock", "is_older", "read_endpoint", "remove_endpoint", "same_store", "write_endpoint"]

PROTOCOL = 1
"""Number of the hello frame and the control requests; raised only when an older peer could not understand us."""


NUMBERS = frozenset({"device", "inode", "pid", "protocol", "schema", "started_at"})


class Endpoint(NamedTuple):
    """What a server writes down about itself; clients read the paths from here and never derive them.

    `started_at` is in ms UTC; `store`, `device` and `inode` name the file it serves, as the server sees it.
    """

    path: str
    control: str
    pid: int
    started_at: int
    protocol: int
    schema: int
    version: str
    store_id: str
    store: str
    device: int
    inode: int


def write_endpoint(home: Home, channel: str, endpoint: Endpoint) -> None:
    """Write `endpoint.json` atomically, mode 0600; only the holder of the channel's lock may call this."""
    write_private(home.endpoint(channel), json.dumps(endpoint._asdict(), indent=1).encode() + b"\n")


def read_endpoint(home: Home, channel: str) -> Endpoint | None:
    """Return what the last server wrote, or None if there is nothing usable: a half or foreign file is as good as none."""
    path = home.endpoint(channel)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise Unavailable(f"The file {path} cannot be read: {problem.strerror or problem}.") from problem
    try:
        found = json.loads(raw)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    values: dict[str, Any] = {name: found.get(name) for name in Endpoint._fields}
    if any(type(value) is not (int if name in NUMBERS else str) for name, value in values.items()):
        return None
    return Endpoint(**values)


def remove_endpoint(home: Home, channel: str) -> None:
    """Remove `endpoint.json`; a missing one is fine."""
    home.endpoint(channel).unlink(missing_ok=True)


def same_store(endpoint: Endpoint) -> bool:
    """Whether this process sees the very file that the server serves under its path; in some sandboxes and overlays it does not."""
    try:
        seen = Path(endpoint.store).stat()
    except OSError:
        return False
    return (seen.st_dev, seen.st_ino) == (endpoint.device, endpoint.inode)


def is_older(version: str, than: str) -> bool:
    """Whether one program version comes before another; compares the leading numbers, so `0.10.0` is newer than `0.9.1`."""
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    numbers = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)


class FileLock:
    """An advisory lock on a file of the home; the system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = -1

    def acquire(self) -> bool:
        """Take the lock if nobody holds it and say whether that worked; `Unavailable` if the file cannot be made."""
        private_folder(self._path.parent)
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as problem:
            raise Unavailable(f"The lock {self._path} cannot be opened: {problem.strerror or problem}.") from problem
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        except OSError as problem:
            os.close(handle)
            raise Unavailable(f"The lock {self._path} cannot be taken: {problem.strerror or problem}.") from problem
        self._handle = handle
        return True

    def release(self) -> None:
        """Let go of the lock; without it nothing happens."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.release()
