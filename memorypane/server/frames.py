"""What stands on one line of a connection: strict JSON in, JSON-RPC messages out; what is off is named, with the answer it deserves."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from memorypane.server.lines import readable_id

__all__ = ["BadFrame", "classify", "encode", "encode_error", "parse"]

DEEPEST_MESSAGE = 102
"""Nested levels of a message: the message, its params, and 100 for the arguments of a tool."""

TOO_DEEP = "The message is nested too deeply; arguments may have 100 levels."


@dataclass(frozen=True, slots=True)
class BadFrame:
    """A line that is no message: the JSON-RPC error to answer, and the id of the request if it could be told."""

    code: int
    message: str
    id: int | str | None = None


def parse(line: bytes) -> dict[str, Any] | BadFrame:
    """Read one line as a JSON object; NaN, infinities, lists of messages and more than 100 nested levels of arguments are turned down."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as problem:
        return BadFrame(PARSE_ERROR, f"The message is not UTF-8: byte {problem.start} is off.")
    try:
        found = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        return BadFrame(INVALID_REQUEST, TOO_DEEP, readable_id(text[:400], text[-400:]))
    except ValueError as problem:
        return BadFrame(PARSE_ERROR, f"The message is not JSON: {problem}.")
    if not isinstance(found, dict):
        return BadFrame(INVALID_REQUEST, "A message is one JSON object; lists of messages are not taken.")
    if text.count("[") + text.count("{") > DEEPEST_MESSAGE and _too_deep(found):
        return BadFrame(INVALID_REQUEST, TOO_DEEP, _usable_id(found.get("id")))
    return found


def classify(found: dict[str, Any]) -> JSONRPCMessage | BadFrame:
    """Tell requests, notifications and answers apart and check the members that JSON-RPC itself prescribes."""
    own_id = _usable_id(found.get("id"))
    if found.get("jsonrpc") != "2.0":
        return BadFrame(INVALID_REQUEST, 'A message must say "jsonrpc": "2.0".', own_id)
    if "id" in found and own_id is None and "error" not in found:
        return BadFrame(INVALID_REQUEST, "The id of a message must be a text or a whole number.")
    if "method" in found:
        method, params = found["method"], found.get("params")
        if not isinstance(method, str) or not _is_text(method):
            return BadFrame(INVALID_REQUEST, "The method of a message must be a text.", own_id)
        if not (params is None or isinstance(params, dict)):
            return BadFrame(INVALID_REQUEST, "The params of a message must be an object.", own_id)
        # Checked above, member by member; checking again would cost as much as the rest of the way.
        if own_id is None:
            return JSONRPCNotification.model_construct(jsonrpc="2.0", method=method, params=params)
        return JSONRPCRequest.model_construct(jsonrpc="2.0", id=own_id, method=method, params=params)
    if own_id is not None and isinstance(found.get("result"), dict):
        return JSONRPCResponse.model_construct(jsonrpc="2.0", id=own_id, result=found["result"])
    problem = found.get("error")
    if isinstance(problem, dict) and type(problem.get("code")) is int and isinstance(problem.get("message"), str):
        error = ErrorData.model_construct(code=problem["code"], message=problem["message"], data=problem.get("data"))
        return JSONRPCError.model_construct(jsonrpc="2.0", id=own_id, error=error)
    return BadFrame(INVALID_REQUEST, "The message is neither a request nor a notification nor an answer.", own_id)


def encode(message: JSONRPCMessage) -> bytes:
    """The line of a message, with its end."""
    match message:
        case JSONRPCResponse():
            return _line({"jsonrpc": "2.0", "id": message.id, "result": message.result})
        case JSONRPCError():
            return encode_error(message.id, message.error.code, message.error.message, message.error.data)
        case JSONRPCRequest():
            body: dict[str, Any] = {"jsonrpc": "2.0", "id": message.id, "method": message.method}
        case JSONRPCNotification():
            body = {"jsonrpc": "2.0", "method": message.method}
    if message.params is not None:
        body["params"] = message.params
    return _line(body)


def encode_error(to: int | str | None, code: int, message: str, data: Any = None) -> bytes:
    """The line of a JSON-RPC error, with its end."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return _line({"jsonrpc": "2.0", "id": to, "error": error})


def _line(body: dict[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate exists in escaped form only
        return json.dumps(body, separators=(",", ":")).encode() + b"\n"


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _usable_id(value: Any) -> int | str | None:
    if type(value) is int or (isinstance(value, str) and _is_text(value)):
        return value
    return None


def _too_deep(found: dict[str, Any]) -> bool:
    level: list[Any] = [found]
    for _ in range(DEEPEST_MESSAGE):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True
