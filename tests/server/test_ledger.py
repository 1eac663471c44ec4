"""What a bridge remembers for its host."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memorypane.server.ledger import Ledger, Lost, read

HANDSHAKE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"clientInfo": {"name": "n"}}}
GREETING = {"serverInfo": {"version": "1"}}


def ask(ledger: Ledger, number: int | str, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    line = json.dumps(message).encode()
    ledger.from_host(message, line)
    return line


def answer(ledger: Ledger, number: int | str, **more: Any) -> bool:
    return ledger.from_server({"jsonrpc": "2.0", "id": number, **(more or {"result": {}})})


@pytest.fixture
def ledger() -> Ledger:
    """A ledger after the host's handshake."""
    made = Ledger()
    made.from_host(HANDSHAKE, b"handshake")
    answer(made, 0, result=GREETING)
    made.from_host({"jsonrpc": "2.0", "method": "notifications/initialized"}, b"confirmed")
    return made


def test_an_answered_request_is_open_no_more(ledger: Ledger) -> None:
    ask(ledger, 1, "tools/list")
    assert (ledger.waiting, answer(ledger, 1), ledger.waiting) == (True, True, False)
    assert answer(ledger, 1)  # twice is the server's affair


def test_a_number_and_a_text_are_two_ids(ledger: Ledger) -> None:
    ask(ledger, 1, "tools/list")
    answer(ledger, "1")
    assert ledger.waiting


def test_a_cancelled_request_is_open_no_more(ledger: Ledger) -> None:
    ask(ledger, 1, "tools/call")
    ledger.from_host({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}, b"")
    assert not ledger.waiting


def test_a_call_that_may_have_run_is_lost_and_the_rest_is_asked_again(ledger: Ledger) -> None:
    ask(ledger, 1, "tools/call")
    again = ask(ledger, "two", "tools/list")
    [lost] = ledger.take_lost(None)
    assert (lost.id, lost.error["code"]) == (1, -32004)
    assert ledger.open_lines() == [again]


def test_a_call_that_certainly_did_not_run_is_made_again(ledger: Ledger) -> None:
    again = ask(ledger, 1, "tools/call")
    assert not ledger.from_server({"jsonrpc": "2.0", "method": "notifications/memorypane/closing"})
    assert ledger.take_lost(None) == []
    assert ledger.open_lines() == [again]


def test_a_request_that_takes_every_server_with_it_is_given_up(ledger: Ledger) -> None:
    ask(ledger, 1, "tools/list")
    losses = [ledger.take_lost(None) for _ in range(4)]
    assert [len(each) for each in losses] == [0, 0, 0, 1]
    assert not ledger.waiting


def test_a_reason_is_the_answer_to_everything_open(ledger: Ledger) -> None:
    ask(ledger, 1, "tools/call")
    ask(ledger, 2, "tools/list")
    assert ledger.take_lost({"code": -1, "message": "m"}) == [Lost(1, {"code": -1, "message": "m"}), Lost(2, {"code": -1, "message": "m"})]


def test_a_host_that_still_waits_for_its_handshake_gets_it_itself() -> None:
    ledger = Ledger()
    ledger.from_host(HANDSHAKE, b"handshake")
    assert ledger.own_handshake() is None
    assert ledger.open_lines() == [b"handshake"]


def test_a_repeated_handshake_is_unseen_by_the_host(ledger: Ledger) -> None:
    own = ledger.own_handshake()
    assert own == {**HANDSHAKE, "id": "memorypane-replay-1"}
    assert not answer(ledger, "memorypane-replay-1", result=GREETING)
    assert ledger.shaken_hands({"result": GREETING}) == []
    assert ledger.after_handshake() == [b"confirmed"]


def test_a_server_that_greets_otherwise_makes_the_host_list_the_tools_again(ledger: Ledger) -> None:
    news = ledger.shaken_hands({"result": {"serverInfo": {"version": "2"}}})
    assert news == [{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}]
    assert ledger.shaken_hands({"result": {"serverInfo": {"version": "2"}}}) == []


def test_subscriptions_come_along_and_are_looked_at_again(ledger: Ledger) -> None:
    for number, uri in enumerate(("a", "b", "c"), 1):
        ask(ledger, number, "resources/subscribe", uri=uri)
    answer(ledger, 1)
    answer(ledger, 2)
    answer(ledger, 3, error={"code": -32602, "message": "no"})
    ask(ledger, 4, "resources/unsubscribe", uri="a")
    answer(ledger, 4)
    ledger.own_handshake()
    assert ledger.shaken_hands({"result": GREETING}) == [
        {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "b"}}
    ]
    confirmed, again = ledger.after_handshake()
    assert confirmed == b"confirmed"
    message = read(again)
    assert (message["method"], message["params"]) == ("resources/subscribe", {"uri": "b"})
    assert not answer(ledger, message["id"])


def test_a_refused_handshake_is_forgotten_and_its_reason_kept() -> None:
    ledger = Ledger()
    ledger.from_host(HANDSHAKE, b"handshake")
    error = {"code": -32003, "message": "no", "data": {"code": "not_allowed", "refused": True}}
    assert answer(ledger, 0, error=error)
    assert ledger.refusal == error
    assert ledger.own_handshake() is None
    ask(ledger, 1, "tools/list")
    answer(ledger, 1)
    assert ledger.refusal is None


def test_a_refusal_of_the_repeated_handshake_is_noticed(ledger: Ledger) -> None:
    error = {"code": -32003, "message": "no", "data": {"code": "not_allowed", "refused": True}}
    assert ledger.shaken_hands({"error": error}) is None
    assert ledger.refusal == error
    assert ledger.own_handshake() is not None  # the host has had its greeting, so the next server needs one again


def test_a_listening_stream_outlives_its_server(ledger: Ledger) -> None:
    again = ask(ledger, "listen-1", "subscriptions/listen")
    acknowledged = {
        "method": "notifications/subscriptions/acknowledged", "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": "listen-1"}},
    }
    assert ledger.from_server(acknowledged)
    assert not answer(ledger, "listen-1", error={"code": -32000, "message": "Connection closed"})
    assert ledger.take_lost(None) == []
    assert ledger.open_lines() == [again]
    assert not ledger.from_server(acknowledged)
    assert ledger.from_server(acknowledged)


@pytest.mark.parametrize("line", [b"", b"nonsense", b"[1]", b"5", b"\xff", b"[" * 100_000])
def test_a_line_that_is_no_object_reads_as_an_empty_one(line: bytes) -> None:
    assert read(line) == {}
