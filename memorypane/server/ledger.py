"""What a host has set up and asked for over a bridge, so that a new connection can be made to look like the old one; light."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from memorypane.server.lines import CLOSING_METHOD, UNREACHABLE

__all__ = ["Ledger", "Lost", "line_of", "params_of", "read"]

OWN_IDS = "memorypane-replay-"
LISTEN_METHOD = "subscriptions/listen"
ACKNOWLEDGED_METHOD = "notifications/subscriptions/acknowledged"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"
CONNECTION_CLOSED = -32000
MOST_LOSSES = 3
LOST_CALL = (
    "The memory server went away while this call was running, so it is not known whether it was carried out. Look before you repeat it."
)

Id = int | str
Message = dict[str, Any]


def read(line: bytes) -> Message:
    """A line as a JSON object; an empty one for anything else, which is for the server to judge."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def line_of(message: Message) -> bytes:
    """A message as a line, without its end."""
    return json.dumps(message).encode()


def params_of(message: Message) -> Message:
    """The params of a message; empty where it has none."""
    params = message.get("params")
    return params if isinstance(params, dict) else {}


class _Open:
    """A request of the host that has no answer yet."""

    __slots__ = ("line", "losses", "method")

    def __init__(self, method: str, line: bytes) -> None:
        self.method = method
        self.line = line
        self.losses = 0


class Lost(NamedTuple):
    """A request that no connection will answer any more, and the JSON-RPC error its host gets instead."""

    id: Id
    error: Message


class Ledger:
    """Notes messages of both directions as they pass; has no lock of its own.

    Attributes: `refusal`, the JSON-RPC error by which the door turned the agent away, if it did; `closing`, whether the server announced
    that it ends in good order, so that what it has not answered was not done.
    """

    def __init__(self) -> None:
        self.refusal: Message | None = None
        self.closing = False
        self._open: dict[Id, _Open] = {}
        self._handshake: tuple[Id, Message] | None = None
        self._confirmed: bytes | None = None
        self._greeting: Any = None
        self._subscriptions: dict[str, Message] = {}
        self._repeated: set[Id] = set()
        self._own: set[Id] = set()
        self._last_own = 0

    @property
    def waiting(self) -> bool:
        """Whether the host waits for anything."""
        return bool(self._open)

    def from_host(self, message: Message, line: bytes) -> None:
        """Note what a message opens or sets up."""
        method, request = message.get("method"), message.get("id")
        if method == "notifications/initialized":
            self._confirmed = line
        elif method == "notifications/cancelled":
            cancelled = params_of(message).get("requestId")
            if isinstance(cancelled, Id):
                self._open.pop(cancelled, None)
        elif isinstance(method, str) and isinstance(request, Id):
            self._open[request] = _Open(method, line)
            if method == "initialize":
                self._handshake = (request, message)

    def from_server(self, message: Message) -> bool:
        """Note what a message closes or announces, and say whether it is for the host."""
        if "method" in message:
            return self._announced(message)
        request, error = message.get("id"), message.get("error")
        if request in self._own:
            self._own.discard(request)
            return False
        pending = self._open.get(request) if isinstance(request, Id) else None
        if pending is None or not isinstance(request, Id):
            return True
        if pending.method == LISTEN_METHOD and isinstance(error, dict) and error.get("code") == CONNECTION_CLOSED:
            return False  # the server's end, not the subscription's: it is asked for again
        del self._open[request]
        self.note_refusal(error)
        self._learn(pending, message)
        return True

    def give_up(self, request: Id | None) -> bool:
        """Close a request whose answer cannot be passed on, and say whether it was open."""
        return request is not None and self._open.pop(request, None) is not None

    def note_refusal(self, error: Any) -> None:
        """Remember whether the newest answer was the door's refusal."""
        data = error.get("data") if isinstance(error, dict) else None
        self.refusal = error if isinstance(data, dict) and data.get("refused") is True else None

    def open_lines(self) -> list[bytes]:
        """What to send again on a new connection."""
        self._repeated = {request for request, each in self._open.items() if each.method == LISTEN_METHOD and each.losses}
        return [each.line for each in self._open.values()]

    def own_handshake(self) -> Message | None:
        """The handshake under an id of our own, or None if the host made none or still waits for its answer."""
        if self._handshake is None or self._handshake[0] in self._open:
            return None
        return {**self._handshake[1], "id": self._own_id()}

    def after_handshake(self) -> list[bytes]:
        """What follows a repeated handshake: the confirmation and the subscriptions, these under ids of our own."""
        confirmed = [self._confirmed] if self._confirmed is not None else []
        subscribe = {"jsonrpc": "2.0", "method": "resources/subscribe"}
        return confirmed + [line_of({**subscribe, "id": self._own_id(), "params": params}) for params in self._subscriptions.values()]

    def shaken_hands(self, answer: Message) -> list[Message] | None:
        """Take the answer to a repeated handshake; what the host should look at again since it may be different now, or None if refused."""
        if "result" not in answer:
            self.note_refusal(answer.get("error"))
            return None
        news: list[Message] = []
        if answer["result"] != self._greeting:
            self._greeting = answer["result"]
            news.append({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        updated = {"jsonrpc": "2.0", "method": "notifications/resources/updated"}
        return news + [{**updated, "params": {"uri": uri}} for uri in self._subscriptions]

    def take_lost(self, error: Message | None) -> list[Lost]:
        """Take out the requests that a lost connection leaves without an answer; with an `error` all of them, for that reason.

        Else a tool call is lost if it may have been carried out, and a request if it went down with several servers; the rest stays open.
        """
        lost = []
        for request, pending in list(self._open.items()):
            pending.losses += 1
            unsure = pending.method == "tools/call" and not self.closing
            if error is not None or unsure or pending.losses > MOST_LOSSES:
                lost.append(Lost(request, error or {"code": UNREACHABLE, "message": LOST_CALL, "data": {"code": "unavailable"}}))
                del self._open[request]
        return lost

    def _announced(self, message: Message) -> bool:
        if message["method"] == CLOSING_METHOD:
            self.closing = True
            return False
        if message["method"] == ACKNOWLEDGED_METHOD:
            meta = params_of(message).get("_meta")
            request = meta.get(SUBSCRIPTION_ID) if isinstance(meta, dict) else None
            if isinstance(request, Id) and request in self._repeated:
                self._repeated.discard(request)
                return False
        return True

    def _learn(self, pending: _Open, message: Message) -> None:
        failed = "error" in message
        if pending.method == "initialize":
            self._greeting = message.get("result")
            if failed:
                self._handshake = None
        elif pending.method in ("resources/subscribe", "resources/unsubscribe") and not failed:
            params = params_of(read(pending.line))
            uri = str(params.get("uri"))
            self._subscriptions.pop(uri, None)
            if pending.method == "resources/subscribe":
                self._subscriptions[uri] = params

    def _own_id(self) -> str:
        self._last_own += 1
        own = f"{OWN_IDS}{self._last_own}"
        self._own.add(own)
        return own
