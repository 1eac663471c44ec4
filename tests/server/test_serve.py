"""`memorypane serve`: one of many wins, where it listens, and how it ends."""

from __future__ import annotations

import os
import signal
import stat
import threading
from pathlib import Path

import pytest

from memorypane.control.client import ControlClient
from memorypane.control.reach import reach_server
from memorypane.home.endpoint import FileLock, read_endpoint, write_endpoint
from memorypane.home.paths import Home
from memorypane.model.errors import Unavailable
from memorypane.model.values import ListQuery
from memorypane.server.listen import bind_private
from tests.server.doors import INITIALIZE, Bare, Server, call, is_alive, running_server, wait_for_server
from tests.support import Program, wait_until


def test_one_of_many_servers_wins_and_the_others_leave_quietly(home: Home, program: Program, tmp_path: Path) -> None:
    log = (tmp_path / "log").open("wb")
    with log:
        children = [program.start("serve", stderr=log) for _ in range(5)]
    endpoint = wait_for_server(home)
    losers = [child for child in children if child.pid != endpoint.pid]
    assert len(losers) == 4
    assert [child.wait(30) for child in losers] == [0] * 4
    [winner] = [child for child in children if child.pid == endpoint.pid]
    assert winner.poll() is None
    assert (tmp_path / "log").read_text() == ""
    with Bare(endpoint.path) as client:
        assert "result" in client.ask(INITIALIZE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_in_good_order(home: Home, program: Program, number: signal.Signals) -> None:
    child = program.start("serve")
    endpoint = wait_for_server(home)
    with Bare(endpoint.path) as client:
        client.shake_hands()
        child.send_signal(number)
        assert client.read() is None
    assert child.wait(20) == 0
    assert read_endpoint(home, "stable") is None
    assert not Path(endpoint.path).exists()
    assert not Path(endpoint.control).exists()
    assert not list(home.root.glob("*-wal"))


def test_what_a_killed_server_leaves_is_cleared_by_the_next(home: Home, program: Program) -> None:
    first = program.start("serve")
    endpoint = wait_for_server(home)
    first.kill()
    first.wait(20)
    assert Path(endpoint.path).exists()
    with pytest.raises(Unavailable):
        ControlClient.open(home)
    program.start("serve")
    with Bare(wait_for_server(home, lambda found: found.pid != first.pid).path) as client:
        assert "result" in client.ask(INITIALIZE)


def test_the_sockets_are_the_owners_alone(server: Server) -> None:
    for path in (server.agents, server.control):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert len(os.fsencode(path)) < 100
    assert stat.S_IMODE(server.agents.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(server.home.endpoint("stable").stat().st_mode) == 0o600


def test_a_folder_that_others_could_open_is_closed(home: Home) -> None:
    folder = home.socket("stable", "agent").parent
    folder.mkdir(mode=0o755)
    bind_private(home.socket("stable", "agent")).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_is_a_link_is_refused(home: Home, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    home.socket("stable", "agent").parent.symlink_to(elsewhere)
    with pytest.raises(Unavailable, match="not a folder of yours alone"):
        bind_private(home.socket("stable", "agent"))
    assert list(elsewhere.iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_somebody_else_is_refused(home: Home) -> None:
    folder = home.socket("stable", "agent").parent
    folder.mkdir(mode=0o700)
    os.chown(folder, 65534, 65534)
    with pytest.raises(Unavailable, match="not a folder of yours alone"):
        bind_private(home.socket("stable", "agent"))
    os.chown(folder, 0, 0)


def test_a_path_too_long_for_a_socket_is_refused_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="XDG_RUNTIME_DIR"):
        bind_private(tmp_path / ("x" * 100))


@pytest.mark.parametrize("words", [["--channel", "nowhere"], ["--channel", "Not A Name"]])
def test_a_channel_that_is_none_ends_the_server_with_a_sentence(program: Program, words: list[str]) -> None:
    ended = program.run(*words, "serve")
    assert ended.returncode in (1, 2)
    assert words[1] in ended.stderr


def test_agents_and_windows_are_company(server: Server) -> None:
    guests = server.host.roster._guests
    with Bare(server.agents), ControlClient.open(server.home):
        assert wait_until(lambda: len(guests) == 2)
    assert wait_until(lambda: len(guests) == 0)


def test_a_server_without_company_ends(home: Home) -> None:
    with running_server(home, idle_exit=0.1) as server:
        assert wait_until(lambda: not server.loop.is_running())


def test_an_idle_exit_on_the_command_line_ends_the_process(home: Home, program: Program) -> None:
    child = program.start("serve", "--idle-exit", "0.3")
    assert child.wait(30) == 0
    assert read_endpoint(home, "stable") is None


def test_an_older_server_makes_room_for_a_newer_program(home: Home) -> None:
    with running_server(home) as old:
        old.host.version = "0.0.1"
        write_endpoint(home, "stable", old.host.endpoint(old.agents, old.control)._replace(pid=1))
        lock = FileLock(home.lock("stable"))
        assert lock.acquire()

        def let_go_when_ended() -> None:
            wait_until(lambda: not old.loop.is_running())
            lock.release()

        ended = threading.Thread(target=let_go_when_ended)
        ended.start()
        endpoint, connection = reach_server(home, "stable")
        connection.close()
        ended.join()
        assert not old.loop.is_running()
    assert endpoint.pid not in (1, os.getpid())
    assert is_alive(endpoint.pid)


def test_a_server_of_a_newer_protocol_is_left_alone(server: Server) -> None:
    write_endpoint(server.home, "stable", server.host.endpoint(server.agents, server.control)._replace(protocol=2, version="9.0"))
    with pytest.raises(Unavailable, match="newer Memory Pane"):
        reach_server(server.home, "stable")
    assert server.loop.is_running()


def test_a_write_that_runs_when_the_server_is_told_to_end_is_answered(home: Home) -> None:
    with running_server(home) as server:
        token = server.desk.person(via="command").add_agent("alice").token
        with Bare(server.agents) as client:
            client.send({"memorypane": 1, "agent": "alice", "token": token})
            client.shake_hands()
            client.send(*(call(number, "GlobalMemoryWrite", {"name": f"n{number}", "content": "x"}) for number in range(1, 200)))
            client.answer(1)
            server.stop()
            last, closing = 1, False
            while (message := client.read()) is not None:
                if message.get("method") == "notifications/memorypane/closing":
                    closing = True
                else:
                    assert message["result"]["isError"] is False
                    last = message["id"]
        assert closing
        names = {entry.name for entry in server.desk.person(via="command").page(_instructions(), limit=500).entries}
    assert names == {f"n{number}" for number in range(1, last + 1)}


def _instructions() -> ListQuery:
    return ListQuery(tier="global", shelf="instructions")
