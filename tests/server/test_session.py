"""One connection, seen by a client that knows nothing but the socket."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import ListQuery
from tests.server.doors import INITIALIZE, INITIALIZED, Bare, Server, call
from tests.support import wait_until

Make = Callable[[], Bare]


def write(number: int, name: str, content: str = "text", **more: Any) -> dict[str, Any]:
    return call(number, "GlobalMemoryWrite", {"name": name, "content": content}, **more)


def hello(agent: str, **more: Any) -> dict[str, Any]:
    return {"memorypane": 1, "agent": agent, **more}


def token_of(server: Server, agent: str) -> str:
    return server.desk.person(via="command").add_agent(agent).token


def test_a_client_without_a_hello_is_unverified_and_named_by_itself(server: Server, bare: Make) -> None:
    client = bare()
    answer = client.shake_hands()
    assert answer["result"]["serverInfo"]["name"] == "memorypane"
    assert answer["result"]["capabilities"]["tools"] == {"listChanged": True}
    assert len(answer["result"]["instructions"]) <= 1900
    [found] = server.status().connections
    assert (found.agent, found.verified) == ("bare-client", False)


def test_a_ping_before_the_handshake_is_answered(bare: Make) -> None:
    client = bare()
    assert client.ask({"jsonrpc": "2.0", "id": "p", "method": "ping"})["result"] == {}
    assert "result" in client.shake_hands()


def test_a_name_is_made_fit_to_be_one(server: Server, bare: Make) -> None:
    client = bare()
    client.ask({**INITIALIZE, "params": {**INITIALIZE["params"], "clientInfo": {"name": "Claude Code (VS Code)", "version": "1"}}})  # type: ignore[dict-item]
    [found] = server.status().connections
    assert found.agent == "claude-code-vs-code"


def test_a_client_of_the_newer_generation_is_named_by_its_envelope(server: Server, bare: Make) -> None:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1"},
    }
    client = bare()
    result = client.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": envelope}})["result"]
    assert result["resultType"] == "complete"
    assert result["tools"]
    assert [found.agent for found in server.status().connections] == ["modern"]
    assert client.ask({**INITIALIZE, "id": 2})["error"]["code"] == -32022


def test_the_right_token_verifies(server: Server, bare: Make) -> None:
    client = bare()
    client.send(hello("alice", token=token_of(server, "alice"), parent=1, something="new"))
    client.shake_hands()
    [found] = server.status().connections
    assert (found.agent, found.verified) == ("alice", True)
    assert found.program.startswith("python")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (hello("alice"), "not_allowed"),
        (hello("alice", token="mp_wrong"), "not_allowed"),
        (hello("gone"), "not_allowed"),
        (hello("nobody-registered", token="mp_some"), "not_allowed"),
        (hello(" "), "invalid_input"),
        (hello(5), "invalid_input"),  # type: ignore[arg-type]
        (hello("bob", token=None), "invalid_input"),
        (hello("bob", families="global"), "invalid_input"),
        (hello("bob", families=[1]), "invalid_input"),
        (hello("bob", workspace=["/"]), "invalid_input"),
        ({"memorypane": 2, "agent": "bob"}, "invalid_input"),
        ({"memorypane": True, "agent": "bob"}, "invalid_input"),
        ({"memorypane": 1}, "invalid_input"),
    ],
)
def test_who_is_turned_away_is_told_at_the_first_request(server: Server, bare: Make, frame: dict[str, Any], code: str) -> None:
    token_of(server, "alice")
    token_of(server, "gone")
    server.desk.person(via="command").revoke_agent("gone")
    client = bare()
    client.send(frame, INITIALIZED)
    answer = client.ask(INITIALIZE)
    assert answer["error"]["code"] == -32003
    assert answer["error"]["data"] == {"code": code, "refused": True}
    assert answer["error"]["message"]
    assert client.read() is None
    assert server.status().connections == ()


def test_a_registered_name_cannot_be_claimed_without_a_hello_either(server: Server, bare: Make) -> None:
    token_of(server, "bare-client")
    client = bare()
    assert client.ask(INITIALIZE)["error"]["code"] == -32003
    assert client.read() is None


def test_a_second_hello_is_no_message(bare: Make) -> None:
    client = bare()
    client.send(hello("bob"))
    client.shake_hands()
    client.send(hello("system"))
    assert client.answer(None)["error"]["code"] == -32600
    assert client.ask({"jsonrpc": "2.0", "id": 1, "method": "ping"})["result"] == {}


def test_the_families_of_the_hello_are_the_tools_there_are(bare: Make) -> None:
    client = bare()
    client.send(hello("bob", families=["search"]))
    client.shake_hands()
    names = {tool["name"] for tool in client.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]}
    assert names == {"read_startup_memory", "SearchMemory"}
    assert client.ask(write(2, "n"))["error"]["code"] == -32602


def test_tools_are_listed_with_schema_and_hints(bare: Make) -> None:
    client = bare()
    client.shake_hands()
    tools = {tool["name"]: tool for tool in client.ask({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})["result"]["tools"]}
    assert tools["GlobalMemoryRead"]["annotations"]["readOnlyHint"] is True
    assert tools["GlobalMemoryRemove"]["annotations"]["destructiveHint"] is True
    assert tools["GlobalMemoryWrite"]["inputSchema"]["required"] == ["name", "content"]
    assert "outputSchema" not in tools["GlobalMemoryWrite"]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (call(5, "NoSuchTool"), -32602),
        ({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"arguments": {}}}, -32602),
        ({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "GlobalMemoryList", "arguments": [1]}}, -32602),
        ({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": 5}}, -32602),
        ({"jsonrpc": "2.0", "id": 5, "method": "no/such"}, -32601),
        ({"jsonrpc": "2.0", "id": 5, "method": "prompts/list"}, -32601),
        ({"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}}, -32602),
    ],
)
def test_a_malformed_request_is_a_protocol_error_and_the_connection_goes_on(bare: Make, request_: dict[str, Any], code: int) -> None:
    client = bare()
    client.shake_hands()
    assert client.ask(request_)["error"]["code"] == code
    assert client.ask({"jsonrpc": "2.0", "id": 6, "method": "ping"})["result"] == {}


def test_a_failing_tool_answers_with_a_result(bare: Make) -> None:
    client = bare()
    client.shake_hands()
    result = client.ask(call(1, "GlobalMemoryWrite", {"name": 5}))["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "invalid_input"
    assert result["content"][0]["type"] == "text"


def test_a_lone_surrogate_in_an_argument_is_refused_with_its_place(bare: Make) -> None:
    client = bare()
    client.shake_hands()
    client.send(json.dumps(write(1, "n", "ab\ud800")).encode() + b"\n")
    result = client.answer(1)["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["error"]["code"] == "invalid_input"
    assert "at position 2;" in result["content"][0]["text"]


def test_the_claimed_source_may_stand_beside_the_arguments(server: Server, bare: Make) -> None:
    client = bare()
    client.send(hello("alice", token=token_of(server, "alice")))
    client.shake_hands()
    assert client.ask(write(1, "plain"))["result"]["structuredContent"].get("held") is not True
    held = client.ask(write(2, "n", _meta={"memorypane/source": "jekt"}))["result"]
    assert held["structuredContent"]["reasons"] == ["jekt"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\xff\xfe\n", -32700),
        (b"{\n", -32700),
        (b"[]\n", -32600),
        (b'{"jsonrpc":"2.0"}\n', -32600),
        (b'{"jsonrpc":"2.0","id":[],"method":"ping"}\n', -32600),
        (b'{"a":"' + b"x" * (4 << 20) + b'"}\n', -32600),
    ],
)
@pytest.mark.parametrize("greeted", [False, True])
def test_a_bad_line_is_answered_and_the_connection_goes_on(bare: Make, line: bytes, code: int, greeted: bool) -> None:
    client = bare()
    if greeted:
        client.shake_hands()
    client.send(line)
    answer = client.answer(None)
    assert answer["error"]["code"] == code
    if not greeted:
        assert "result" in client.shake_hands()
    assert client.ask({"jsonrpc": "2.0", "id": 6, "method": "ping"})["result"] == {}


def test_arguments_nested_too_deeply_are_a_clean_error(bare: Make) -> None:
    client = bare()
    client.shake_hands()
    for number, levels in ((1, 101), (2, 900), (3, 200_000)):
        head = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"GlobalMemoryList","arguments":{"a":' % number
        client.send(head + b"[" * levels + b"]" * levels + b"}}}\n")
        assert client.answer(number)["error"]["code"] == -32600
    assert client.ask({"jsonrpc": "2.0", "id": 6, "method": "ping"})["result"] == {}


def test_a_large_message_within_the_limit_is_carried(server: Server, bare: Make) -> None:
    client = bare()
    client.send(hello("alice", token=token_of(server, "alice")))
    client.shake_hands()
    text = "é" * (512 << 10)
    written = client.ask(write(1, "large", text))["result"]["structuredContent"]
    read = client.ask(call(2, "GlobalMemoryRead", {"id": written["id"]}))["result"]
    assert read["content"][0]["text"] == text


def test_pipelined_writes_keep_their_order_and_are_answered_in_it(server: Server, bare: Make) -> None:
    client = bare()
    client.send(hello("alice", token=token_of(server, "alice")))
    client.send(INITIALIZE, INITIALIZED, *(write(number, f"entry {number}") for number in range(1, 101)))
    answers = [client.read() for _ in range(101)]
    assert [answer["id"] for answer in answers if answer] == list(range(101))
    listed = server.desk.person(via="command").page(ListQuery(tier=INSTRUCTIONS.tier, shelf=INSTRUCTIONS.name), limit=200).entries
    assert [entry.name for entry in listed] == [f"entry {number}" for number in range(1, 101)]


def test_what_was_asked_before_the_end_of_the_input_is_still_answered(server: Server, bare: Make) -> None:
    client = bare()
    client.send(hello("alice", token=token_of(server, "alice")))
    client.send(INITIALIZE, INITIALIZED, *(write(number, f"entry {number}") for number in range(1, 31)))
    client.socket.shutdown(socket.SHUT_WR)
    answers = []
    while (answer := client.read()) is not None:
        answers.append(answer)
    assert [answer["id"] for answer in answers] == list(range(31))
    assert all("result" in answer for answer in answers)


def test_a_last_line_without_an_end_counts(bare: Make) -> None:
    client = bare()
    client.send(json.dumps(INITIALIZE).encode())
    client.socket.shutdown(socket.SHUT_WR)
    assert client.answer(0)["result"]["serverInfo"]["name"] == "memorypane"
    assert client.read() is None


def test_a_cancelled_call_leaves_the_connection_usable(bare: Make) -> None:
    client = bare()
    client.shake_hands()
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    client.send(call(1, "GlobalMemoryList"), cancel, call(2, "GlobalMemoryList"))
    assert client.answer(2)["result"]["isError"] is False


def test_the_status_counts_calls_and_refusals(server: Server, bare: Make) -> None:
    client = bare()
    client.shake_hands()
    client.ask(call(1, "GlobalMemoryList"))
    client.ask(call(2, "GlobalMemoryWrite", {"name": 5}))
    [found] = server.status().connections
    assert (found.calls, found.refusals) == (2, 1)
    assert found.last_call is not None
    assert (found.last_call.tool, found.last_call.outcome) == ("GlobalMemoryWrite", "refused")
    client.close()
    assert wait_until(lambda: server.status().connections == ())


def test_a_revoked_agent_loses_its_connection(server: Server, bare: Make) -> None:
    client, other = bare(), bare()
    client.send(hello("alice", token=token_of(server, "alice")))
    client.shake_hands()
    other.shake_hands()
    server.desk.person(via="command").revoke_agent("alice")
    assert client.read() == {"jsonrpc": "2.0", "method": "notifications/memorypane/closing"}
    assert client.read() is None
    assert other.ask({"jsonrpc": "2.0", "id": 6, "method": "ping"})["result"] == {}


def test_a_name_that_gets_a_token_is_taken_from_who_only_claimed_it(server: Server, bare: Make) -> None:
    client = bare()
    client.shake_hands()
    token_of(server, "bare-client")
    assert client.read() is None
