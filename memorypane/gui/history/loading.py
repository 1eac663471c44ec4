"""What the history reads from the store, for the reader thread."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from memorypane.gui.history.facts import Pair
from memorypane.model.diff import blame, counts, rows
from memorypane.model.errors import NotFound
from memorypane.model.lines import ends_open
from memorypane.model.values import Version
from memorypane.service.person import PersonFace

__all__ = ["BLAMED", "NOT_COUNTED", "blame_lines", "count_lines", "load_pair"]

NOT_COUNTED = (-1, -1)
"""Stands for texts so long that counting their lines for one cell of a table is not worth the wait."""

_BATCH = 8
_COUNTED = 200_000
BLAMED = 100
"""How many versions back lines are followed; older lines count as the oldest of them."""


def load_pair(person: PersonFace, entry_id: str, pair: Pair) -> tuple[Version | None, Version]:
    """Both versions whole; the first is None for the state before version 1."""
    return person.version(entry_id, pair.first) if pair.first else None, person.version(entry_id, pair.second)


def count_lines(person: PersonFace, wanted: Sequence[Version]) -> dict[str, tuple[int, int]]:
    """Lines added and removed by some versions against the one before each; a few at a time, so that other reads get in between."""
    found = {each.id: NOT_COUNTED for each in wanted[:_BATCH]}
    texts: dict[int, Version] = {}

    def version(number: int) -> Version:
        if number not in texts:
            texts[number] = person.version(wanted[0].entry_id, number)
        return texts[number]

    for each in wanted[:_BATCH]:
        with suppress(NotFound):
            new = version(each.number).state.content
            old = version(each.number - 1).state.content if each.number > 1 else ""
            if len(old) + len(new) <= _COUNTED or old == new:
                found[each.id] = counts(rows(old, new))
    return found


def blame_lines(person: PersonFace, entry_id: str, number: int) -> tuple[tuple[tuple[int, str], ...], bool]:
    """For each line of a version the number of the version that wrote it, and the line; and whether the last one lacks its line break."""
    first = max(1, number - BLAMED + 1)
    texts = [(str(each), person.version(entry_id, each).state.content) for each in range(first, number + 1)]
    return tuple((int(label), line) for label, line in blame(texts)), ends_open(texts[-1][1])
