"""Who stands behind a local connection: the kernel's word on its user and process, and what the process table says of that process."""

from __future__ import annotations

import os
import socket
import struct
from pathlib import Path
from typing import NamedTuple

from memorypane.model.errors import NotAllowed, Unavailable

__all__ = ["Peer", "ancestors", "check_same_user", "parent_of", "peer_of", "program_of"]

PROGRAM_LENGTH = 80
GENERATIONS = 6


class Peer(NamedTuple):
    """The process at the other end as it was when it connected; `pid` is 0 when it lives in another process namespace."""

    pid: int
    uid: int


def peer_of(connection: socket.socket) -> Peer:
    """Ask the kernel who is at the other end; `Unavailable` where the system cannot tell, since then nobody may be trusted."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        raise Unavailable("This system does not tell who connects to a local socket, so agents cannot be served on it.")
    try:
        raw = connection.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    except OSError as problem:
        raise Unavailable(f"The other end of the connection is unknown: {problem.strerror or problem}.") from problem
    pid, uid, _ = struct.unpack("3i", raw)
    return Peer(pid, uid)


def check_same_user(connection: socket.socket) -> Peer:
    """Return the peer if it runs as our own user, else raise `NotAllowed`; to be called before any secret is sent."""
    peer = peer_of(connection)
    if peer.uid != os.getuid():
        raise NotAllowed(f"The other end of the connection runs as user {peer.uid}, not as yours ({os.getuid()}). Nothing was sent to it.")
    return peer


def program_of(pid: int) -> str:
    """The program a process runs, with its script or module where an interpreter runs it; "" when it cannot be seen."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return ""
    words = [word.decode("utf-8", "replace") for word in raw.split(b"\0") if word]
    if not words:
        return ""
    name = Path(words[0]).name
    if name.startswith(("python", "node", "ruby", "perl", "bash", "sh", "deno", "bun")):
        name = " ".join([name, *_script(words[1:])])
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:PROGRAM_LENGTH]


def _script(words: list[str]) -> list[str]:
    for at, word in enumerate(words):
        if word == "-m" and at + 1 < len(words):
            return ["-m", words[at + 1]]
        if not word.startswith("-"):
            return [Path(word).name]
    return []


def parent_of(pid: int) -> int:
    """The parent of a process, or 0 when it cannot be seen."""
    try:
        raw = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return 0
    # The second field is the program's name in brackets and may itself hold spaces and brackets.
    fields = raw.rpartition(")")[2].split()
    return int(fields[1]) if len(fields) > 1 and fields[1].isdigit() else 0


def ancestors() -> tuple[str, ...]:
    """The programs that this process descends from, nearest first, six at most; those that cannot be seen are left out."""
    names: list[str] = []
    pid = os.getppid()
    for _ in range(GENERATIONS):
        if pid <= 1:
            break
        if name := program_of(pid):
            names.append(name)
        pid = parent_of(pid)
    return tuple(names)
