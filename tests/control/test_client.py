"""The control channel, from the client's side, against a running server."""

from __future__ import annotations

import os
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memorypane import __version__
from memorypane.control.client import ControlClient, ControlEvent, ControlWatch
from memorypane.control.reach import NoServer, reach_server
from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput, NotAllowed, Unavailable
from memorypane.model.shelves import SYSTEM
from memorypane.service.desk import Desk
from tests.server.doors import Bare, Server, call, running_server, wait_for_server
from tests.support import Program, wait_until


@pytest.fixture
def server(home: Home) -> Iterator[Server]:
    with running_server(home) as made:
        yield made


@contextmanager
def watching(home: Home, *, start: bool = False) -> Iterator[queue.Queue[ControlEvent]]:
    """The events of a watch, read in a thread as a window does."""
    watch, found = ControlWatch(home, start=start), queue.Queue[ControlEvent]()

    def read() -> None:
        for event in watch.events():
            found.put(event)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        yield found
    finally:
        watch.close()
        reader.join(20)
        assert not reader.is_alive()


def next_of(found: queue.Queue[ControlEvent], kind: str) -> ControlEvent:
    while (event := found.get(timeout=20)).kind != kind:
        pass
    return event


def test_the_status_says_who_serves(server: Server) -> None:
    with ControlClient.open(server.home) as control:
        status = control.status()
    assert (status.pid, status.version, status.protocol, status.channel) == (os.getpid(), __version__, 1, "stable")
    assert (status.store_id, status.schema) == (server.desk.store_id, server.desk.schema)
    assert status.connections == ()
    assert status.uptime >= 0


def test_without_a_server_there_is_nobody_to_ask(home: Home) -> None:
    with pytest.raises(Unavailable, match="No server runs"):
        ControlClient.open(home)


def test_a_watch_hears_of_connections_calls_and_changes(server: Server) -> None:
    with watching(server.home) as found:
        next_of(found, "connected")
        assert wait_until(lambda: server.status().watchers == 1)
        with Bare(server.agents) as agent:
            agent.shake_hands()
            opened = next_of(found, "opened").data
            assert (opened["agent"], opened["verified"], opened["calls"]) == ("bare-client", False, 0)
            agent.ask(call(1, "GlobalMemoryWrite", {"name": 5}))
            called = next_of(found, "call").data
            assert (called["last_call"]["tool"], called["last_call"]["outcome"], called["refusals"]) == ("GlobalMemoryWrite", "refused", 1)
        assert next_of(found, "closed").data["id"] == opened["id"]
        entry = server.desk.person(via="window").add(SYSTEM, name="rule", content="text")
        while entry.id not in (changed := next_of(found, "changed").data)["entries"]:
            pass
        assert changed["foreign"] is False
    assert wait_until(lambda: server.status().watchers == 0)


def test_a_change_of_another_process_is_heard(server: Server, program: Program) -> None:
    with watching(server.home) as found:
        next_of(found, "connected")
        assert wait_until(lambda: server.status().watchers == 1)
        program.run("add", "--tier", "system", "--name", "rule", "--content", "text")
        while not (changed := next_of(found, "changed").data)["foreign"]:
            pass
        assert len(changed["entries"]) == 1


def test_revoking_closes_an_agents_connections(server: Server) -> None:
    with ControlClient.open(server.home) as control, Bare(server.agents) as agent, Bare(server.agents) as other:
        agent.shake_hands()
        other.send({"memorypane": 1, "agent": "other"})
        other.shake_hands()
        assert control.revoke("nobody") == 0
        assert control.revoke("bare-client") == 1
        assert agent.read() is None
        assert [found.agent for found in control.status().connections] == ["other"]
        with pytest.raises(InvalidInput):
            control.revoke("")


def test_a_reload_has_everything_looked_at_again(server: Server) -> None:
    with watching(server.home) as found, ControlClient.open(server.home) as control:
        next_of(found, "connected")
        assert wait_until(lambda: server.status().watchers == 1)
        control.reload()
        changed = next_of(found, "changed").data
    assert (changed["policy"], changed["agents"], changed["entries"]) == (True, True, [])


def test_a_server_makes_room_for_newer_programs_only(server: Server) -> None:
    with ControlClient.open(server.home) as control:
        for version in (__version__, "0.0.1"):
            with pytest.raises(NotAllowed):
                control.give_way(version)
        control.give_way("99.0")
    assert wait_until(lambda: not server.loop.is_running())


def test_a_server_stops_when_told(server: Server) -> None:
    with ControlClient.open(server.home) as control:
        control.stop()
    assert wait_until(lambda: not server.loop.is_running())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense", "invalid_input"),
        (b"\xff", "invalid_input"),
        (b"[]", "invalid_input"),
        (b'{"id": 5, "verb": "approve"}', "not_found"),
        (b'{"id": 5, "verb": ["status"]}', "not_found"),
        (b'{"id": 5}', "not_found"),
        (b'{"id": 5, "verb": "revoke", "agent": 5}', "invalid_input"),
        (b'{"id": 5, "verb": "yield"}', "invalid_input"),
        (b'{"verb": "status", "x": "' + b"y" * (5 << 20) + b'"}', "invalid_input"),
    ],
)
def test_what_is_no_control_request_is_answered_and_nothing_decides(server: Server, line: bytes, code: str) -> None:
    with Bare(server.control) as raw:
        raw.send(line + b"\n")
        answer = raw.read()
        assert answer is not None
        assert answer["error"]["code"] == code
        raw.send(b'{"id": 6, "verb": "status"}\n')
        assert (raw.read() or {})["id"] == 6


def test_a_watcher_that_never_reads_is_dropped_and_the_server_goes_on(server: Server) -> None:
    with Bare(server.control) as deaf, Bare(server.agents) as agent:
        deaf.send(b'{"id": 1, "verb": "subscribe"}\n')
        assert wait_until(lambda: server.status().watchers == 1)
        agent.shake_hands()
        number = 0
        while server.status().watchers:
            number += 200
            agent.send(*(call(each, "NoSuchTool") for each in range(number, number + 200)))
            assert agent.answer(number + 199)["error"]["code"] == -32602
            assert number < 40_000


def test_a_watch_starts_the_server_and_comes_back_to_a_new_one(home: Home) -> None:
    with watching(home, start=True) as found:
        next_of(found, "connected")
        first = wait_for_server(home)
        with ControlClient.open(home) as control:
            control.stop()
        assert next_of(found, "lost").data["message"]
        next_of(found, "connected")
        assert wait_for_server(home, lambda endpoint: endpoint.pid != first.pid)


def test_a_watch_without_a_server_says_so_once_and_ends_when_told(home: Home) -> None:
    with watching(home) as found:
        assert "No server runs" in next_of(found, "lost").data["message"]
        waiting = threading.Event()
        assert not waiting.wait(1.0)
        assert found.empty()


def test_where_no_server_may_be_started_that_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORYPANE_NO_SPAWN", "1")
    with pytest.raises(NoServer):
        reach_server(home, "stable")


def test_waiting_for_a_server_can_be_given_up(home: Home, program: Program) -> None:
    with Desk.open(home):
        pass
    with pytest.raises(Unavailable, match="not waited for"):
        reach_server(home, "stable", given_up=lambda: True)


def test_the_last_words_of_a_server_that_does_not_start_are_passed_on(home: Home) -> None:
    home.root.mkdir()
    home.shared_store.write_bytes(b"no database at all, but long enough to be looked at " * 100)
    with pytest.raises(Unavailable) as caught:
        reach_server(home, "stable")
    assert "did not start" in caught.value.message
    assert str(home.shared_store) in caught.value.message


def test_a_large_log_is_set_aside(home: Home) -> None:
    home.logs.mkdir(parents=True)
    home.serve_log.write_bytes(b"x" * (2 << 20))
    _, connection = reach_server(home, "stable")
    connection.close()
    assert home.serve_log.stat().st_size < 1 << 20
    assert home.serve_log.with_suffix(".log.1").stat().st_size == 2 << 20


def test_an_answer_that_is_none_ends_the_client(tmp_path: Path) -> None:
    near, far = socket.socketpair()
    with far, ControlClient(near) as control:
        far.sendall(b"not json\n")
        with pytest.raises(Unavailable):
            control.status()


def test_a_client_closed_by_another_thread_comes_back(server: Server) -> None:
    control = ControlClient.open(server.home)
    seen: list[str] = []
    reader = threading.Thread(target=lambda: seen.extend(event.kind for event in control.events()))
    reader.start()
    assert wait_until(lambda: server.status().watchers == 1)
    control.close()
    reader.join(10)
    assert not reader.is_alive()
    assert wait_until(lambda: server.status().watchers == 0)
