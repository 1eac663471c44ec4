"""What changed within a line, word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from memorypane.model.align import align, gaps

__all__ = ["Span", "likeness", "mark_words", "split_words", "vocabulary"]

Span = tuple[int, int]

# Han, kana, Hangul, Bopomofo and Yi: every character a word.
_DENSE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3031-\u30ff\u3100-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf"
    "\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Marks, variation selectors and skin tones stay with the character before them.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a"
    "\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef"
)
# The scripts of South and Southeast Asia, whose vowel signs are no letters to `\w`.
_INDIC = "\u0900-\u0963\u0966-\u109f\u1780-\u17d3"
WORD = re.compile(
    rf"[{_DENSE}][{_MARKS}]*"
    rf"|(?:(?![{_DENSE}_])[\w{_INDIC}][{_MARKS}\u00ad\u200b-\u200d\u2060]*)+"
    r"|\s+"
    rf"|(?:[^\w\s]|_)[{_MARKS}]*(?:\u200d[^\w\s][{_MARKS}]*)*"
)

EFFORT = 60_000
"""Steps that the exact comparison of two lines may take."""

LONG_LINE = 20_000
"""Code points of both lines together from which only their differing middles are looked at."""

LEAST_SHARED = 0.25
"""The share of the longer line that must have stayed for marks to say more than the line's own tint."""


class _Change(NamedTuple):
    """One differing place: spans in the old and in the new line."""

    old: int
    old_end: int
    new: int
    new_end: int

    @property
    def size(self) -> int:
        """The longer of both spans."""
        return max(self.old_end - self.old, self.new_end - self.new)


def split_words(line: str) -> list[str]:
    """The words, blank runs and single signs of a line; joined they are the line."""
    return WORD.findall(line)


def vocabulary(line: str) -> frozenset[str]:
    """The different words and signs of a line, of a long one those at its beginning and end."""
    if len(line) > LONG_LINE:
        line = f"{line[: LONG_LINE // 10]} {line[-LONG_LINE // 10 :]}"
    return frozenset(word for word in split_words(line) if not word.isspace())


def likeness(old: frozenset[str], new: frozenset[str]) -> float:
    """How much two lines have in common, 0 to 1, judged by their vocabularies; longer words count more."""
    shared = old & new
    return sum(map(len, shared)) / max(sum(map(len, old)), sum(map(len, new))) if shared else 0.0


def mark_words(old: str, new: str, *, rough: bool = False) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans that differ, in code points of the old and of the new line; both empty where the lines share next to nothing.

    `rough` marks one stretch in each, from the first difference to the last; so do lines that differ over tens of thousands of characters.
    """
    start, old_end, new_end = 0, len(old), len(new)
    if rough or old_end + new_end > LONG_LINE:
        start, old_end, new_end = _differing_middle(old, new)
    if rough or old_end + new_end - 2 * start > LONG_LINE:
        changes = [_Change(start, old_end, start, new_end)]
    else:
        changes = [
            _without_shared_blanks(change, old, new) for change in _joined(_changes(old[start:old_end], new[start:new_end], start), old)
        ]
    lost = sum(_ink(old[change.old : change.old_end]) for change in changes)
    if _ink(old) - lost < LEAST_SHARED * max(_ink(old), _ink(new)):
        return (), ()
    return (
        tuple((change.old, change.old_end) for change in changes if change.old < change.old_end),
        tuple((change.new, change.new_end) for change in changes if change.new < change.new_end),
    )


def _changes(old: str, new: str, offset: int) -> Iterator[_Change]:
    first, second = split_words(old), split_words(new)
    starts = list(accumulate(map(len, first), initial=offset))
    new_starts = list(accumulate(map(len, second), initial=offset))
    for start, end, new_start, new_end in gaps(align(first, second, effort=EFFORT), len(first), len(second)):
        yield _Change(starts[start], starts[end], new_starts[new_start], new_starts[new_end])


def _joined(changes: Iterable[_Change], old: str) -> list[_Change]:
    """Changes with what lies between them, where that is a blank or half as long as either: one mark reads better than crumbs."""
    done: list[_Change] = []
    for change in changes:
        while done:
            last = done[-1]
            between = old[last.old_end : change.old]
            if not between.isspace() and 2 * len(between) > min(last.size, change.size):
                break
            change = _Change(last.old, change.old_end, last.new, change.new_end)
            done.pop()
        done.append(change)
    return done


def _without_shared_blanks(change: _Change, old: str, new: str) -> _Change:
    """A change without the white space that both its sides begin or end with."""
    start, end, new_start, new_end = change
    while start < end and new_start < new_end and old[start] == new[new_start] and old[start].isspace():
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1] and old[end - 1].isspace():
        end, new_end = end - 1, new_end - 1
    return _Change(start, end, new_start, new_end)


def _differing_middle(old: str, new: str) -> tuple[int, int, int]:
    """Where two lines begin to differ and where, in each, they are equal again; set apart to the nearest blanks or signs."""
    shorter = min(len(old), len(new))
    start = _longest(shorter, lambda size: old[:size] == new[:size])
    while start and old[start - 1 : start].isalnum() and (old[start : start + 1].isalnum() or new[start : start + 1].isalnum()):
        start -= 1
    same = _longest(shorter - start, lambda size: old[len(old) - size :] == new[len(new) - size :])
    while same and old[-same].isalnum() and (old[-same - 1 : -same].isalnum() or new[-same - 1 : -same].isalnum()):
        same -= 1
    return start, len(old) - same, len(new) - same


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    """The largest size up to `most` for which `holds` is true, by halving: it is true for 0 and never again once it is false."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _ink(text: str) -> int:
    """How many characters are no white space."""
    return len("".join(text.split()))
