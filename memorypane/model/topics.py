"""Topics as text: their size, their index lines, and how an edit changes body and description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorypane.model.errors import Ambiguous, InvalidInput, NotFound
from memorypane.model.spans import explain_miss, occurrences, replace_once
from memorypane.model.text import short, size_of

__all__ = ["FRAME", "Edited", "edit_topic", "index_lines", "topic_size", "with_line_end"]

FRAME = len("---\ndescription: \n---\n\n")
"""Bytes of a topic's text form around description and body."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A topic after an edit; `actions` are the contract's words, none = nothing differs."""

    description: str
    body: str
    actions: tuple[str, ...]


def topic_size(description: str, body_bytes: int) -> int:
    """UTF-8 bytes of the text form: front matter with the description, a blank line, the body."""
    return FRAME + size_of(description) + body_bytes


def with_line_end(body: str) -> str:
    """A body as topics keep it: empty, or ending with a newline."""
    return body if not body or body.endswith("\n") else body + "\n"


def edit_topic(name: str, description: str, body: str, *, old: str, new: str | None, wanted: str) -> Edited:
    """Edit an existing topic: replace or remove the one place of `old`, append `new`, refresh the description to `wanted`.

    "" for `old` and `wanted` means not given, None for `new`; `new` alone and empty asks for nothing. Raises `NotFound` and `Ambiguous`
    (with `count`) when `old` is not there exactly once, and `InvalidInput` when there is nothing to do.
    """
    after, actions = body, []
    if old:
        _check_once(name, body, old)
        after = _without(body, old) if new is None else replace_once(body, old, new)
        actions.append("removed" if new is None else "replaced")
    elif new:
        after = with_line_end(body) + new
        actions.append("appended")
    refreshed = bool(wanted) and wanted != description
    if refreshed:
        actions.append("description refreshed")
    if not actions:
        raise InvalidInput(
            f"Nothing to do: {short(name)} exists, and the call gives neither old nor new text nor a new description. Send new to append, "
            "old with new to replace, old alone to remove, or a different description."
        )
    after = with_line_end(after)
    description = wanted if refreshed else description
    return Edited(description, after, tuple(actions) if after != body or refreshed else ())


def _check_once(name: str, body: str, old: str) -> None:
    count = occurrences(body, old)
    if count > 1:
        raise Ambiguous(
            f"The text in old stands {count} times in the body of {short(name)}; nothing was written. "
            "Send a longer piece that stands there once.",
            count=count,
        )
    if not count:
        near = explain_miss(body, old) or "Open the topic and send the text as it stands there."
        raise NotFound(f"The text in old is not in the body of {short(name)}; nothing was written. {near}")


def _without(body: str, old: str) -> str:
    at = body.index(old)
    end = at + len(old)
    return body[:at] + body[end + 1 if body[end : end + 1] == "\n" else end :]


def index_lines(rows: Sequence[tuple[str, int, str]]) -> list[str]:
    """A line for each topic (name, size in bytes, description): names padded to the longest, sizes right-aligned, two spaces between."""
    name_width = max((len(name) for name, _, _ in rows), default=0)
    size_width = max((len(str(size)) for _, size, _ in rows), default=0)
    return [f"{name:<{name_width}}  {size:>{size_width}}  {description}" for name, size, description in rows]
