"""Carries lines between a host's pipes and a server that may come and go; standard library only."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from memorypane.model.errors import MemoryPaneError
from memorypane.server.ledger import Ledger, Lost, line_of, read
from memorypane.server.lines import LONGEST_MESSAGE, UNREACHABLE, LineCutter, TooLong

__all__ = ["Connect", "Relay"]

LONGEST_ANSWER = 64 << 20
CHUNK = 1 << 16
ANSWER_SECONDS = 40.0
END_SECONDS = 15.0
FIRST_PAUSE_SECONDS = 0.2
ORDERLY_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
SHORTEST_GAP_SECONDS = 0.5

Connect = Callable[[Callable[[], bool]], socket.socket]
"""Makes a connection that was introduced already, or raises a `MemoryPaneError`; its argument says when to give up."""


class Relay:
    """Pumps both ways, a thread each. When the server goes away it comes back to it, with pauses, and restores what the host had set up.

    A tool call that was running when the server died is answered with an error; everything else is sent again and the host sees nothing.
    """

    def __init__(self, connect: Connect, say: Callable[[str], None], *, source: int, sink: int) -> None:
        self._connect = connect
        self._say = say
        self._source = source
        self._sink = sink
        self._state = threading.Condition()
        self._sending = threading.Lock()
        self._writing = threading.Lock()
        # All below is touched with the state held only.
        self._ledger = Ledger()
        self._socket: socket.socket | None = None
        self._trouble = "The memory server cannot be reached."
        self._said = ""
        self._attempts = 0
        self._wanted = False
        self._ended = False
        self._broken = False

    def run(self) -> int:
        """Carry lines until the host ends its input and has its answers; returns the exit code, 1 if the door stayed shut."""
        link = threading.Thread(target=self._keep_linked, name="link", daemon=True)
        link.start()
        try:
            for line in self._host_lines():
                self._from_host(line)
        finally:
            with self._state:
                self._ended = True
                self._finish_input()
                self._state.notify_all()
        link.join(END_SECONDS)
        return 1 if self._ledger.refusal is not None else 0

    # From the host to the server.

    def _host_lines(self) -> Iterator[bytes | TooLong]:
        cutter = LineCutter(LONGEST_MESSAGE)
        while True:
            try:
                data = os.read(self._source, CHUNK)
            except BlockingIOError:  # the host set its end of the pipe so, and the flag is shared
                select.select([self._source], [], [])
                continue
            except OSError:
                data = b""
            if not data:
                break
            yield from cutter.feed(data)
        last = cutter.finish()
        if last is not None:
            yield last

    def _from_host(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            self._answer(line.id, {"code": -32600, "message": f"The message is longer than {LONGEST_MESSAGE >> 20} MiB."})
            return
        if not line.strip():
            return
        message = read(line)
        with self._state:
            connection = self._wait_ready()
            if connection is not None:
                self._ledger.from_host(message, line)
            error = self._ledger.refusal or {"code": UNREACHABLE, "message": self._trouble, "data": {"code": "unavailable"}}
        request = message.get("id")
        if connection is not None:
            self._send(connection, line)
        elif "method" in message and isinstance(request, (int, str)):
            self._answer(request, error)

    def _wait_ready(self) -> socket.socket | None:
        """Wait for a connection, or for the outcome of an attempt to make one; called and returns with the state held."""
        if self._socket is None:
            before = self._attempts
            self._wanted = True
            self._state.notify_all()
            self._state.wait_for(lambda: self._socket is not None or self._attempts > before or self._broken, ANSWER_SECONDS)
        return self._socket

    def _send(self, connection: socket.socket, line: bytes) -> None:
        # The connection is closed under this lock only, so its number cannot be another file's meanwhile.
        with self._sending, suppress(OSError):  # the other thread notices the same and settles what is open
            connection.sendall(line + b"\n")

    # From the server to the host.

    def _keep_linked(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        try:
            while not self._given_up():
                began = time.monotonic()
                connection = self._try_connect()
                if connection is not None and self._carry(connection):
                    pause = FIRST_PAUSE_SECONDS
                self._rest(pause, began)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
        finally:
            with self._state:
                self._broken = True
                self._state.notify_all()

    def _given_up(self) -> bool:
        return self._ended and not self._ledger.waiting

    def _rest(self, pause: float, began: float) -> None:
        """Wait before the next attempt: for a while, less if the host asks for something, and never so short that it spins."""
        with self._state:
            limit: float | None = pause
            if self._ledger.refusal is not None:
                limit = None  # who was turned away comes back only when the host wants something again
            elif self._ledger.closing:
                limit = ORDERLY_PAUSE_SECONDS  # somebody sent the server away, perhaps to put another one in its place
            self._state.wait_for(lambda: self._wanted or self._ended or self._ledger.waiting, limit)
            self._state.wait_for(self._given_up, max(0.0, began + SHORTEST_GAP_SECONDS - time.monotonic()))
            self._wanted = False

    def _try_connect(self) -> socket.socket | None:
        try:
            return self._connect(self._given_up)
        except MemoryPaneError as problem:
            with self._state:
                self._trouble = problem.message
                lost = self._ledger.take_lost({"code": UNREACHABLE, "message": problem.message, "data": {"code": problem.code}})
                self._attempted()
            self._complain(problem.message)
            self._answer_lost(lost)
        return None

    def _carry(self, connection: socket.socket) -> bool:
        """Restore what the host set up, then pass on what comes, until the connection ends; whether it ever worked."""
        lines = _lines_of(connection)
        worked = False
        try:
            if self._restore(connection, lines):
                with self._state:
                    self._socket, self._ledger.closing = connection, False
                    self._attempted()
                    if self._ended:
                        self._finish_input()
                for line in lines:
                    worked = True
                    self._from_server(line)
        finally:
            with self._state:
                self._socket = None
                refusal = self._ledger.refusal
                lost = self._ledger.take_lost(refusal)
                self._attempted()
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            with self._sending:
                connection.close()
        if refusal is not None:
            self._complain(str(refusal.get("message")))
        self._answer_lost(lost)
        return worked

    def _attempted(self) -> None:
        self._attempts += 1
        self._state.notify_all()

    def _finish_input(self) -> None:
        """Tell the server that nothing more comes; it answers what is open and closes."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_WR)

    def _restore(self, connection: socket.socket, lines: Iterator[bytes | TooLong]) -> bool:
        """Make a fresh connection look to the host like the old one; False if that did not work out."""
        with self._state:
            handshake = self._ledger.own_handshake()
            pending = self._ledger.open_lines()
        try:
            connection.settimeout(ANSWER_SECONDS)
            if handshake is not None and not self._shake_hands(connection, lines, handshake):
                return False
            _send_all(connection, pending)
            connection.settimeout(None)
        except OSError:
            return False
        return True

    def _shake_hands(self, connection: socket.socket, lines: Iterator[bytes | TooLong], handshake: dict[str, Any]) -> bool:
        _send_all(connection, [line_of(handshake)])
        for line in lines:
            answer = read(line) if isinstance(line, bytes) else {}
            if answer.get("id") != handshake["id"]:
                self._from_server(line)
                continue
            with self._state:
                self._ledger.from_server(answer)
                news = self._ledger.shaken_hands(answer)
                following = self._ledger.after_handshake() if news is not None else []
            _send_all(connection, following)
            for message in news or ():
                self._write(line_of(message))
            return news is not None
        return False

    def _from_server(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            with self._state:
                known = self._ledger.give_up(line.id)
            if known:
                self._answer(line.id, {"code": -32603, "message": "The answer is too large to pass on. Ask for less."})
            return
        with self._state:
            passed = self._ledger.from_server(read(line))
        if passed:
            self._write(line)

    # To the host.

    def _answer(self, request: int | str | None, error: dict[str, Any]) -> None:
        self._write(line_of({"jsonrpc": "2.0", "id": request, "error": error}))

    def _answer_lost(self, lost: Sequence[Lost]) -> None:
        for each in lost:
            self._answer(each.id, each.error)

    def _complain(self, sentence: str) -> None:
        if sentence != self._said and not self._ended:
            self._said = sentence
            self._say(sentence)

    def _write(self, line: bytes) -> None:
        with self._writing:
            left = memoryview(line + b"\n")
            while left:
                try:
                    left = left[os.write(self._sink, left) :]
                except BlockingIOError:  # as above
                    select.select([], [self._sink], [])
                except OSError:
                    # Nobody reads any more. The other thread may stand in a read that nothing but the end of the process ends.
                    os._exit(0)


def _lines_of(connection: socket.socket) -> Iterator[bytes | TooLong]:
    cutter = LineCutter(LONGEST_ANSWER)
    while True:
        try:
            data = connection.recv(CHUNK)
        except OSError:
            return
        if not data:
            return
        yield from cutter.feed(data)


def _send_all(connection: socket.socket, lines: Sequence[bytes]) -> None:
    for line in lines:
        connection.sendall(line + b"\n")
