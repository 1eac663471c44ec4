"""Find the running server of a channel, or start one in the background and wait until it answers; standard library only."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

import memorypane
from memorypane.control.peers import check_same_user
from memorypane.home.endpoint import PROTOCOL, Endpoint, FileLock, is_older, read_endpoint, same_store
from memorypane.home.paths import Home, private_folder
from memorypane.model.errors import Unavailable

if TYPE_CHECKING:
    import subprocess  # imported where it is used: a bridge that finds a server never needs it

__all__ = ["NoServer", "OtherStore", "connect", "find_server", "reach_server", "spawn_forbidden"]

START_SECONDS = 30.0
YIELD_SECONDS = 5.0
POLL_SECONDS = 0.02
AGAIN_SECONDS = 0.25
IDLE_SECONDS = 60
LOG_BYTES = 1 << 20
KEPT_VARIABLES = frozenset({
    "HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "SHELL", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV",
})
KEPT_PREFIXES = ("LC_", "PYTHON", "XDG_")


class NoServer(Unavailable):
    """No server runs, and this process may not start one."""


class OtherStore(Unavailable):
    """A server runs, but it serves another file than the one this process sees under the store's path."""


def spawn_forbidden() -> bool:
    """Whether `MEMORYPANE_NO_SPAWN=1` keeps this process from starting a server."""
    return os.environ.get("MEMORYPANE_NO_SPAWN", "") not in ("", "0")


def connect(path: str, *, seconds: float = 5.0) -> socket.socket | None:
    """Connect to a local socket of our own user; None if nobody listens there, `NotAllowed` if another user does."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        _connect_when_there_is_room(connection, path, time.monotonic() + seconds)
        check_same_user(connection)
        connection.settimeout(None)
    except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError, TimeoutError):
        connection.close()
        return None
    except OSError as problem:
        connection.close()
        raise Unavailable(f"The socket {path} cannot be used: {problem.strerror or problem}.") from problem
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_when_there_is_room(connection: socket.socket, path: str, deadline: float) -> None:
    """Connect, and wait while the server's queue is full, which a socket with a time limit is told at once."""
    while True:
        try:
            connection.connect(path)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return


def find_server(home: Home, channel: str) -> tuple[Endpoint, socket.socket] | None:
    """Return the running server and a connection to its agents' socket, or None if none answers.

    Raises `OtherStore` if it serves a file that is not the store this process sees, `Unavailable` if it is too new for us.
    """
    endpoint = read_endpoint(home, channel)
    if endpoint is None:
        return None
    connection = connect(endpoint.path)
    if connection is None:
        return None
    try:
        _check_fit(endpoint)
    except BaseException:
        connection.close()
        raise
    return endpoint, connection


def _check_fit(endpoint: Endpoint) -> None:
    if endpoint.protocol > PROTOCOL:
        raise Unavailable(f"A newer Memory Pane ({endpoint.version}) serves this channel. Update this program, then start it again.")
    if not same_store(endpoint):
        raise OtherStore(f"The running server serves {endpoint.store}, but this process sees another file there, or none.")


def reach_server(
    home: Home, channel: str, *, kind: Literal["agent", "control"] = "agent", seconds: float = START_SECONDS,
    given_up: Callable[[], bool] | None = None,
) -> tuple[Endpoint, socket.socket]:
    """Connect to the channel's server, to the socket for agents or the one for control, starting it in the background if none runs.

    An older server is asked to make room first. Raises `NoServer` if none runs and starting one is forbidden, `OtherStore` if it serves
    another file, `Unavailable` with the server's own last words if it does not come up within `seconds` or `given_up` says to stop waiting.
    """
    deadline = time.monotonic() + seconds
    starter = _Starter(home, channel)
    try:
        while True:
            if found := find_server(home, channel):
                endpoint, connection = found
                if is_older(endpoint.version, memorypane.__version__) and not spawn_forbidden() and _ask_to_yield(endpoint):
                    connection.close()
                    continue
                if kind == "agent":
                    return found
                connection.close()
                if control := connect(endpoint.control):
                    return endpoint, control
            elif spawn_forbidden():
                raise NoServer("No server runs for this channel, and MEMORYPANE_NO_SPAWN forbids to start one.")
            else:
                starter.step()
            if given_up is not None and given_up():
                raise Unavailable("The server is not waited for any more.")
            if time.monotonic() > deadline:
                raise Unavailable(f"The server did not answer within {seconds:.0f} s. What it said is in {home.serve_log}.")
            time.sleep(POLL_SECONDS)
    finally:
        starter.leave()


def _ask_to_yield(endpoint: Endpoint) -> bool:
    """Ask an older server to stop for us and wait until it is gone; False if it would not."""
    connection = connect(endpoint.control)
    if connection is None:
        return True
    with connection:
        connection.settimeout(YIELD_SECONDS)
        try:
            connection.sendall(json.dumps({"id": 1, "verb": "yield", "version": memorypane.__version__}).encode() + b"\n")
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
                if b'"error"' in answer:
                    return False
        except ConnectionError:
            return True
        except OSError:
            return False
    return True


class _Starter:
    """Starts at most one server at a time, and only if no other client is at it."""

    def __init__(self, home: Home, channel: str) -> None:
        self._home = home
        self._channel = channel
        self._lock = FileLock(home.spawn_lock(channel))
        self._held = False
        self._child: subprocess.Popen[bytes] | None = None
        self._log_start = 0
        self._not_before = 0.0

    def step(self) -> None:
        """Start a server, or look after the one that was started; raises `Unavailable` with its last words if it failed."""
        if self._child is not None:
            code = self._child.poll()
            if code is None:
                return
            self._child = None
            if code != 0:
                raise Unavailable(f"The server did not start: {self._last_words(code)}")
            # It lost against a server that is just starting, or was just ending.
            self._not_before = time.monotonic() + AGAIN_SECONDS
        if not self._held:
            self._held = self._lock.acquire()
        if self._held and time.monotonic() >= self._not_before:
            self._child = self._start()

    def leave(self) -> None:
        """Let others start servers again; what was started is waited for in the background, so that it leaves no zombie."""
        self._lock.release()
        if self._child is not None:
            threading.Thread(target=self._child.wait, name="server-reaper", daemon=True).start()
            self._child = None

    def _start(self) -> subprocess.Popen[bytes]:
        import subprocess

        root = private_folder(self._home.root)
        with _open_log(self._home) as log:
            self._log_start = log.seek(0, os.SEEK_END)
            command = [sys.executable, "-P", "-m", "memorypane", "--home", str(root), "--channel", self._channel]
            command += ["serve", "--idle-exit", str(IDLE_SECONDS)]
            try:
                return subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, cwd=root,
                    env=_environment(self._home), start_new_session=True,
                )
            except OSError as problem:
                raise Unavailable(f"The server cannot be started: {problem.strerror or problem}.") from problem

    def _last_words(self, code: int) -> str:
        try:
            with self._home.serve_log.open("rb") as log:
                log.seek(self._log_start)
                lines = log.read(1 << 16).decode("utf-8", "replace").strip().splitlines()
        except OSError:
            lines = []
        return lines[-1][:500] if lines else f"it ended with code {code} and said nothing."


def _open_log(home: Home) -> BinaryIO:
    """The log at its end, mode 0600; a large one is set aside first, so that at most two are kept."""
    path = home.serve_log
    private_folder(path.parent)
    try:
        if path.exists() and path.stat().st_size > LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600), "ab")
    except OSError as problem:
        raise Unavailable(f"The log {path} cannot be written: {problem.strerror or problem}.") from problem


def _environment(home: Home) -> dict[str, str]:
    """What a server in the background needs and nothing more: a host's environment is full of keys and of one agent's token."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES)}
    kept["MEMORYPANE_HOME"] = str(home.root)
    code = Path(memorypane.__file__).resolve().parents[1]
    if code.name not in ("site-packages", "dist-packages"):
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, [str(code), kept.get("PYTHONPATH", "")]))
    return kept
