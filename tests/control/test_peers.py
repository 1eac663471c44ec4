"""Who is at the other end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memorypane.control.peers import check_same_user, parent_of, peer_of, program_of
from memorypane.control.reach import connect
from memorypane.model.errors import NotAllowed, Unavailable
from tests.support import wait_until

SOMEBODY_ELSE = 65534
LISTEN = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
os.setuid(int(sys.argv[2]))
listener.listen()
print("ready", flush=True)
connection, _ = listener.accept()
print(connection.recv(100), flush=True)
"""


def test_our_own_process_is_seen_behind_a_connection() -> None:
    near, far = socket.socketpair()
    with near, far:
        assert check_same_user(near) == peer_of(far) == (os.getpid(), os.getuid())


def test_a_socket_that_tells_nothing_is_trusted_by_nobody() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as other:
        try:
            peer = peer_of(other)
        except Unavailable:
            return
        assert peer.uid != os.getuid()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a process of somebody else")
def test_a_server_of_another_user_gets_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with subprocess.Popen([sys.executable, "-c", LISTEN, str(path), str(SOMEBODY_ELSE)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        with pytest.raises(NotAllowed, match="Nothing was sent"):
            connect(str(path))
        assert child.stdout.read() == b"b''\n"


def test_nobody_there_is_no_connection(tmp_path: Path) -> None:
    assert connect(str(tmp_path / "nothing")) is None
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "dead"))
    assert connect(str(tmp_path / "dead")) is None


def test_a_full_queue_is_waited_for_and_given_up_in_time(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen(0)
        waiting = connect(str(tmp_path / "s"))
        assert waiting is not None
        with waiting, pytest.raises(Unavailable):
            connect(str(tmp_path / "s"), seconds=0.1)


def test_programs_are_named_by_what_they_run() -> None:
    with subprocess.Popen([sys.executable, "-u", "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert wait_until(lambda: program_of(child.pid).startswith("python"))
        assert parent_of(child.pid) == os.getpid()
        assert child.stdin is not None
        child.stdin.close()
        child.wait(10)
    assert program_of(0) == program_of(2**22 + 5) == ""
    assert parent_of(2**22 + 5) == 0


@pytest.mark.parametrize(("words", "name"), [(["-m", "waits"], "-m waits"), (["-B", "-u", "./waits.py"], "waits.py")])
def test_an_interpreter_is_named_with_its_script(words: list[str], name: str, tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text("input()")
    with subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, cwd=tmp_path) as child:
        assert child.stdin is not None
        assert wait_until(lambda: program_of(child.pid).endswith(name))
        child.communicate(b"\n")
