"""The settings of a store with their defaults: limits of the shelves, quotas of the agents (0 = no limit), the groups of topics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memorypane.model.errors import InvalidInput, OverLimit
from memorypane.model.shelves import SHELVES, TOPICS, Shelf
from memorypane.model.text import size_of
from memorypane.model.topics import topic_size
from memorypane.model.values import State

__all__ = ["DEFAULTS", "TOPIC_GROUPS", "WINDOW_ONLY", "Settings", "check_setting", "measure"]

WRITES_PER_MINUTE, PENDING_PROPOSALS, UNREVIEWED_ENTRIES = "quota.writes_per_minute", "quota.pending_proposals", "quota.unreviewed_entries"
WINDOW_ONLY = "decide.window_only"
"""1 = commands may not decide (approve, keep, reject, promote, purge, policy); only the window may."""
TOPIC_GROUPS = "topics.groups"
DEFAULTS: Mapping[str, int | str] = {
    **{f"limit.{shelf.key}": shelf.limit for shelf in SHELVES},
    WRITES_PER_MINUTE: 600,
    PENDING_PROPOSALS: 200,
    UNREVIEWED_ENTRIES: 5_000,
    WINDOW_ONLY: 0,
    TOPIC_GROUPS: "areas people topics",
}
GROUP = re.compile(r"[a-z0-9][a-z0-9-]{0,98}")
LARGEST = 1_000_000_000
"""What SQLite can hold of one text; no setting may promise more."""


class Settings:
    """The settings in force: what the store keeps over the defaults."""

    def __init__(self, stored: Mapping[str, Any]) -> None:
        self._values = {**DEFAULTS, **{key: value for key, value in stored.items() if key in DEFAULTS}}

    def __getitem__(self, key: str) -> int:
        return int(self._values[key])

    def as_dict(self) -> dict[str, int | str]:
        """Every setting by its key."""
        return dict(sorted(self._values.items()))

    @property
    def topic_groups(self) -> tuple[str, ...]:
        """The groups in which agents may write topics."""
        return tuple(str(self._values[TOPIC_GROUPS]).split())

    def limit(self, shelf: Shelf) -> int:
        """What one entry, or a whole list, of a shelf may hold (in the shelf's unit)."""
        return self[f"limit.{shelf.key}"]


def check_setting(key: str, value: str) -> int | str:
    """Return the value of a setting from a person's words, or raise `InvalidInput` with what would be right."""
    if key not in DEFAULTS:
        raise InvalidInput(f"There is no setting {key[:80]!r}. The settings are: {', '.join(sorted(DEFAULTS))}.")
    if key == TOPIC_GROUPS:
        return _check_groups(value)
    if key == WINDOW_ONLY and value not in {"0", "1"}:
        raise InvalidInput(f"{key} takes 1 (only the window decides) or 0; {value[:80]!r} is neither.")
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(LARGEST)) and int(value) <= LARGEST):
        raise InvalidInput(f"{key} takes a whole number from 0 (no limit) to {LARGEST}; {value[:80]!r} is none.")
    return int(value)


def _check_groups(value: str) -> str:
    groups = value.replace(",", " ").split()
    wrong = [group for group in groups if not GROUP.fullmatch(group)]
    if wrong or not groups:
        raise InvalidInput(
            f"{TOPIC_GROUPS} takes the names of groups parted by blanks, each of a-z, 0-9 and - and beginning with a letter or digit; "
            f"{value[:80]!r} is no such list."
        )
    return " ".join(dict.fromkeys(groups))


def measure(state: State) -> int:
    """How much of its shelf's limit a state takes, in the shelf's unit; of a topic, its whole text form."""
    if state.place is TOPICS:
        return topic_size(state.description, size_of(state.content))
    if state.place.unit == "bytes":
        return size_of(state.content)
    return len(state.content)


def check_entry_limit(state: State, settings: Settings) -> None:
    """Raise `OverLimit` with both numbers when one entry holds more than its shelf allows."""
    shelf = state.place
    limit = settings.limit(shelf)
    if shelf.scope == "entry" and limit and (size := measure(state)) > limit:
        raise OverLimit(
            f"The text has {size:,} {shelf.unit}; {shelf.title.lower()} hold at most {limit:,}. Shorten it or part it into several "
            "entries.",
            size=size,
            limit=limit,
        )
