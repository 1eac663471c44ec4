"""A caller's own words in answers and proposals: cut short, and never with a credential in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memorypane.model.text import short
from memorypane.scan.scanner import credentials

__all__ = ["quoted", "without_credentials", "without_credentials_in", "without_credentials_of"]

HIDDEN = "(a credential)"
SHORTEST_PIECE = 8
"""So much of a credential, cut off, is still taken for a piece of it."""


def quoted(value: str) -> str:
    """The value for a message, at most 80 code points on one line; one that holds a credential is not shown at all."""
    # A credential that the cut goes through would not be known as one any more.
    return HIDDEN if credentials("", value) else short(value)


def without_credentials(text: str) -> str:
    """The text with a word in the place of every credential."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted((found.start, found.end) for found in credentials("", text)):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    for start, end in reversed(spans):
        text = text[:start] + HIDDEN + text[end:]
    return text


def without_credentials_in(value: Any) -> Any:
    """The same for every text in a JSON value, keys included."""
    if isinstance(value, str):
        return without_credentials(value)
    if isinstance(value, Mapping):
        return {without_credentials(str(key)): without_credentials_in(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_credentials_in(item) for item in value]
    return value


def without_credentials_of(message: str, call: Any) -> str:
    """A sentence about a call without the credentials of it, also where it quotes a text that was cut in the middle of one."""
    waiting = [call]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            for found in credentials("", value):
                # Of a private key the scanner names the first line; what follows is the key itself.
                secret = value[found.start :] if found.rule == "private-key" else value[found.start : found.end]
                message = _without_piece(message, secret)
        elif isinstance(value, Mapping):
            waiting += [*map(str, value.keys()), *value.values()]
        elif isinstance(value, list | tuple):
            waiting += value
    return without_credentials(message)


def _without_piece(message: str, secret: str) -> str:
    start = message.find(secret[:SHORTEST_PIECE])
    if start < 0:
        return message
    end = start + SHORTEST_PIECE
    while end < len(message) and end - start < len(secret) and message[end] == secret[end - start]:
        end += 1
    return message[:start] + HIDDEN + _without_piece(message[end:], secret)
