"""What one connection may cost, and that it costs the others nothing."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable

import anyio
import pytest

from memorypane.server.roster import MOST_CONNECTIONS
from memorypane.server.wire import Wire
from tests.server.doors import INITIALIZE, Bare, Server, call
from tests.support import wait_until

Make = Callable[[], Bare]


def test_sixty_four_agents_fit_in_and_the_next_is_told_so(server: Server, bare: Make) -> None:
    clients = [bare() for _ in range(MOST_CONNECTIONS)]
    for client in clients:
        client.shake_hands()
    for number, client in enumerate(clients):
        client.send(call(number, "GlobalMemoryList"))
    for number, client in enumerate(clients):
        assert client.answer(number)["result"]["isError"] is False
    error = bare().ask(INITIALIZE)["error"]
    assert error["data"] == {"code": "over_limit", "refused": True}
    clients[0].close()
    assert wait_until(lambda: "result" in bare().ask(INITIALIZE))


def test_connections_beyond_all_measure_are_closed_at_once(server: Server, bare: Make) -> None:
    clients = [bare() for _ in range(140)]
    assert wait_until(lambda: any(_ended(client) for client in clients))
    assert "result" in next(client for client in clients if not _ended(client)).shake_hands()


def _backs_up(send: Callable[[], None]) -> bool:
    for _ in range(100_000):
        try:
            send()
        except TimeoutError:
            return True
    return False


def _ended(client: Bare) -> bool:
    client.socket.setblocking(False)
    try:
        return client.socket.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    finally:
        client.socket.settimeout(20)


def test_who_never_reads_stops_nobody_else(bare: Make) -> None:
    deaf, other = bare(), bare()
    deaf.shake_hands()
    other.shake_hands()
    deaf.socket.settimeout(0.5)
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
    assert _backs_up(lambda: deaf.socket.sendall(request))
    began = time.monotonic()
    for number in range(20):
        assert other.ask(call(number, "GlobalMemoryList"))["result"]["isError"] is False
    assert time.monotonic() - began < 10


def test_who_never_reads_does_not_keep_the_server_from_ending(server: Server, bare: Make) -> None:
    deaf = bare()
    deaf.shake_hands()
    deaf.socket.settimeout(0.5)
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
    assert _backs_up(lambda: deaf.socket.sendall(request))
    server.stop()
    assert wait_until(lambda: not server.loop.is_running(), seconds=12)


def test_a_revoked_agent_that_never_reads_is_gone_as_fast(server: Server, bare: Make) -> None:
    token = server.desk.person(via="command").add_agent("deaf").token
    deaf = bare()
    deaf.send({"memorypane": 1, "agent": "deaf", "token": token})
    deaf.shake_hands()
    deaf.socket.settimeout(0.5)
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
    assert _backs_up(lambda: deaf.socket.sendall(request))
    server.desk.person(via="command").revoke_agent("deaf")
    assert wait_until(lambda: server.status().connections == ())


class _Pair:
    """A wire with the other end of its connection."""

    def __init__(self, **limits: float) -> None:
        self.far, near = socket.socketpair()
        self.near = near
        self.limits = limits

    async def __aenter__(self) -> Wire:
        loop = asyncio.get_running_loop()
        _, self.wire = await loop.create_unix_connection(lambda: Wire(lambda _: None, **self.limits), sock=self.near)  # type: ignore[arg-type]
        return self.wire

    async def __aexit__(self, *_: object) -> None:
        self.wire.close()
        self.far.close()
        await asyncio.sleep(0)


def test_a_line_that_stops_half_way_ends_the_connection() -> None:
    async def scene() -> None:
        pair = _Pair(stall=0.1)
        async with pair as wire:
            pair.far.sendall(b"whole\nhalf")
            async with asyncio.timeout(10):
                assert await wire.read() == b"whole"
                assert await wire.read() is None

    asyncio.run(scene())


def test_a_connection_at_rest_between_lines_stays() -> None:
    async def scene() -> None:
        pair = _Pair(stall=0.05)
        async with pair as wire:
            pair.far.sendall(b"one\n")
            assert await wire.read() == b"one"
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await wire.read()
            pair.far.sendall(b"two\n")
            assert await wire.read() == b"two"

    asyncio.run(scene())


def test_a_peer_that_does_not_read_is_cut_off() -> None:
    async def scene() -> None:
        pair = _Pair(patience=0.1)
        async with pair as wire:
            async with asyncio.timeout(10):
                with pytest.raises(anyio.BrokenResourceError):
                    await _write_for_ever(wire)
            assert await wire.read() is None

    asyncio.run(scene())


async def _write_for_ever(wire: Wire) -> None:
    while True:
        await wire.write(b"x" * 65536)


def test_writers_that_wait_keep_their_order() -> None:
    async def scene() -> None:
        pair = _Pair()
        pair.far.setblocking(False)
        loop = asyncio.get_running_loop()
        async with pair as wire:
            lines = [b"%06d" % number + b"y" * 50_000 + b"\n" for number in range(60)]
            writers = [loop.create_task(wire.write(line)) for line in lines]
            await asyncio.sleep(0)
            received = b""
            async with asyncio.timeout(20):
                while len(received) < sum(map(len, lines)):
                    received += await loop.sock_recv(pair.far, 1 << 20)
            await asyncio.gather(*writers)
            assert received == b"".join(lines)

    asyncio.run(scene())


def test_more_lines_than_are_read_wait_in_the_socket() -> None:
    async def scene() -> None:
        pair = _Pair()
        pair.far.setblocking(False)
        loop = asyncio.get_running_loop()
        async with pair as wire:
            line = b"z" * 999 + b"\n"
            sender = loop.create_task(loop.sock_sendall(pair.far, line * 20_000))
            done, _ = await asyncio.wait([sender], timeout=0.3)
            assert done == set()
            async with asyncio.timeout(20):
                for _ in range(20_000):
                    assert await wire.read() == line[:-1]
            await sender

    asyncio.run(scene())
