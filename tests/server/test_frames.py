"""Messages in and out: what is taken, what is answered, and with which code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_types import ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from memorypane.server.frames import BadFrame, classify, encode, parse


def nested(levels: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":9,"method":"m","params":{"arguments":' + b"[" * levels + b"]" * levels + b"}}"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\xff\xfe", -32700),
        (b'{"a": "\xc3\x28"}', -32700),
        (b"{", -32700),
        (b"not json", -32700),
        (b'{"a": NaN}', -32700),
        (b'{"a": -Infinity}', -32700),
        (b'{"a": 1e999}', -32700),
        (b'{"a": ' + b"9" * 5000 + b"}", -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
        (b"null", -32600),
        (b'"text"', -32600),
    ],
)
def test_what_is_no_json_object_is_named(line: bytes, code: int) -> None:
    found = parse(line)
    assert isinstance(found, BadFrame)
    assert (found.code, found.id) == (code, None)


def test_a_hundred_levels_of_arguments_are_taken_and_one_more_is_not() -> None:
    assert isinstance(parse(nested(100)), dict)
    assert parse(nested(101)) == BadFrame(-32600, "The message is nested too deeply; arguments may have 100 levels.", 9)


@pytest.mark.parametrize("levels", [5_000, 100_000])
def test_a_message_too_deep_to_be_read_is_answered_to_its_sender(levels: int) -> None:
    found = parse(nested(levels))
    assert isinstance(found, BadFrame)
    assert (found.code, found.id) == (-32600, 9)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert isinstance(parse(json.dumps({"a": [[], {}] * 500}).encode()), dict)


def test_brackets_inside_a_text_are_not_levels() -> None:
    assert isinstance(parse(json.dumps({"a": "[{" * 5000}).encode()), dict)


@pytest.mark.parametrize(
    ("frame", "known_id"),
    [
        ({"id": 1, "method": "ping"}, 1),
        ({"jsonrpc": "1.0", "id": "a", "method": "ping"}, "a"),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": "\ud800", "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 2, "method": 5}, 2),
        ({"jsonrpc": "2.0", "id": 2, "method": "\udfff"}, 2),
        ({"jsonrpc": "2.0", "id": 2, "method": "ping", "params": [1]}, 2),
        ({"jsonrpc": "2.0", "id": 2}, 2),
        ({"jsonrpc": "2.0", "id": 2, "result": 5}, 2),
        ({"jsonrpc": "2.0", "id": 2, "error": "no"}, 2),
        ({"jsonrpc": "2.0"}, None),
        ({}, None),
    ],
)
def test_what_is_no_message_is_an_invalid_request(frame: dict[str, Any], known_id: int | str | None) -> None:
    found = classify(frame)
    assert isinstance(found, BadFrame)
    assert (found.code, found.id) == (-32600, known_id)


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "ping"}, JSONRPCRequest),
        ({"jsonrpc": "2.0", "id": "x", "method": "ping", "params": {"a": [1]}}, JSONRPCRequest),
        ({"jsonrpc": "2.0", "method": "n"}, JSONRPCNotification),
        ({"jsonrpc": "2.0", "method": "n", "params": {"a": None}}, JSONRPCNotification),
        ({"jsonrpc": "2.0", "id": 1, "result": {"a": "ü"}}, JSONRPCResponse),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "m"}}, JSONRPCError),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": "m", "data": [1]}}, JSONRPCError),
    ],
)
def test_a_message_survives_reading_and_writing(frame: dict[str, Any], kind: type) -> None:
    message = classify(frame)
    assert isinstance(message, kind)
    assert not isinstance(message, BadFrame)
    line = encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == frame


def test_a_lone_surrogate_in_arguments_passes_through_escaped() -> None:
    found = parse(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\\ud800"}}')
    assert isinstance(found, dict)
    message = classify(found)
    assert isinstance(message, JSONRPCRequest)
    assert message.params == {"a": "\ud800"}
    assert b"\\ud800" in encode(message)


def test_text_goes_out_as_utf8_and_errors_without_data_have_none() -> None:
    assert encode(JSONRPCResponse(jsonrpc="2.0", id=1, result={"a": "é\n"})) == '{"jsonrpc":"2.0","id":1,"result":{"a":"é\\n"}}\n'.encode()
    error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=-1, message="m"))
    assert encode(error) == b'{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}\n'
