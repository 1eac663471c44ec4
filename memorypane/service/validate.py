"""Checks of a resulting state against the rules of its shelf; the same for agents, the person, imports and approvals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from memorypane.model import text
from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import FILES, TOPICS
from memorypane.model.topics import with_line_end
from memorypane.model.values import Evidence, Provenance, State
from memorypane.service.quoting import quoted

__all__ = ["check_topic_name", "clean_provenance", "clean_state"]

TOPIC_NAME = re.compile(r"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*")
TOPIC_LENGTH = 200
DETAIL_BYTES = 65_536
"""A claim's detail is shown to the person; more than this nobody reads."""


def clean_state(state: State) -> State:
    """Return the state normalised, or raise `InvalidInput` naming the field and the rule."""
    shelf = state.place
    if shelf is FILES:
        name = text.check_filename(state.name)
    elif shelf is TOPICS:
        name = check_topic_name(state.name)
    elif shelf.named:
        name = text.check_name(state.name)
    elif state.name:
        raise InvalidInput(f"Entries of {shelf.key} have no name; leave it out.")
    else:
        name = ""
    description = " ".join(text.normalise(state.description, "description").split())
    content = text.normalise(state.content, "content")
    return replace(
        state,
        name=name,
        description=description,
        content=with_line_end(content) if shelf is TOPICS else content,
        extra={key: _clean(value, key) for key, value in state.extra.items()},
        evidence=tuple(
            Evidence({key: _clean(value, f"evidenceRefs.{number}.{key}") for key, value in item.fields.items()})
            for number, item in enumerate(state.evidence)
        ),
    )


def _clean(value: Any, field: str) -> Any:
    return text.normalise(value, field) if isinstance(value, str) else value


def check_topic_name(name: str) -> str:
    """Return a topic's name, or raise `InvalidInput` unless it is `group/slug`, each part `[a-z0-9][a-z0-9-]*`, 200 characters in all."""
    if len(name) > TOPIC_LENGTH or not TOPIC_NAME.fullmatch(name):
        raise InvalidInput(
            f"A topic is named group/slug in lowercase ASCII letters, digits and -, {TOPIC_LENGTH} characters at most; "
            f"{quoted(name)!r} is not."
        )
    return name


def clean_provenance(source: str | None, detail: Mapping[str, Any] | None, *, default: str) -> Provenance:
    """Return a writer's claim as it is kept, or raise `InvalidInput`; no source = `default`."""
    checked = default if source is None else text.check_source(source)
    kept = dict(detail or {})
    try:
        size = len(json.dumps(kept, ensure_ascii=False, allow_nan=False).encode("utf-8"))
    except UnicodeEncodeError as problem:
        raise InvalidInput(f"provenance.detail holds a lone surrogate at position {problem.start}; send whole characters.") from problem
    except (TypeError, ValueError, RecursionError) as problem:
        raise InvalidInput("provenance.detail is no plain JSON. Send texts, numbers, lists and objects, and none too deep.") from problem
    for words in _words_of(kept):
        text.normalise(words, "provenance.detail")
    if size > DETAIL_BYTES:
        raise InvalidInput(f"provenance.detail has {size:,} bytes; {DETAIL_BYTES:,} are allowed. Say it shorter.")
    return Provenance(checked, kept)


def _words_of(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys included; the value was checked not to be too deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _words_of(key)
            yield from _words_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words_of(item)
