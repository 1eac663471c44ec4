"""A caller's own words in answers and proposals: cut short, and never with a credential in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memorypane.model.text import short
from memorypane.scan.scanner import credentials

__all__ = ["quoted", "without_credentials", "without_credentials_in"]

HIDDEN = "(a credential)"


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
