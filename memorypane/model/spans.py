"""One text within another: where it stands, how often, and why one that looks the same is not found."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from memorypane.model.text import short

__all__ = ["Difference", "differences", "explain_miss", "occurrences", "replace_once"]

MOST_SHOWN = 3
"""Differences that an explanation spells out; the rest is counted."""

# What NFKD leaves apart though it looks the same, or nearly so, in most fonts; each row ends with what it is read as.
_ROWS = (
    "\u2018\u2019\u201a\u201b\u2032\u02bc'",
    '\u201c\u201d\u201e\u201f"',
    "\u2010\u2012\u2013\u2014\u2015\u2212-",
    "\u0391\u0410A",
    "\u0392\u0412B",
    "\u0421C",
    "\u0395\u0415E",
    "\u0397\u041dH",
    "\u0399\u0406\u04c0I",
    "\u0408J",
    "\u039a\u041aK",
    "\u039c\u041cM",
    "\u039dN",
    "\u039f\u041eO",
    "\u03a1\u0420P",
    "\u0405S",
    "\u03a4\u0422T",
    "\u03a7\u0425X",
    "\u03a5\u04aeY",
    "\u0396Z",
    "\u0430\u03b1a",
    "\u0441\u03f2c",
    "\u0501d",
    "\u0435e",
    "\u04bbh",
    "\u0456\u03b9\u0131i",
    "\u0458\u03f3j",
    "\u043e\u03bfo",
    "\u0440\u03c1p",
    "\u051bq",
    "\u0455s",
    "\u03bdv",
    "\u051dw",
    "\u0445x",
    "\u0443y",
)
_LOOKS_LIKE = {ord(char): row[-1] for row in _ROWS for char in row[:-1]}


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two texts that look alike differ: the characters that stand there, and those that were looked for."""

    there: str
    wanted: str


@dataclass(frozen=True, slots=True)
class _Sign:
    """One character as it looks, and the span of the text that shows it."""

    looks: str
    start: int
    end: int


def occurrences(text: str, wanted: str) -> int:
    """How often `wanted` stands in `text`; places that overlap count each (`aa` is twice in `aaa`). An empty text is nowhere."""
    count, at = 0, text.find(wanted) if wanted else -1
    while at >= 0:
        count += 1
        at = text.find(wanted, at + 1)
    return count


def replace_once(text: str, wanted: str, by: str) -> str:
    """`text` with the first place of `wanted` replaced, verbatim; unchanged where it does not occur."""
    return text.replace(wanted, by, 1) if wanted else text


def differences(text: str, wanted: str) -> tuple[Difference, ...]:
    """What keeps `wanted` from being found in `text` although it looks the same there; nothing if it does not look the same either.

    Looking the same is: equal after compatibility decomposition, without unseen characters, with quotes, dashes, spaces and the
    letters that Latin, Greek and Cyrillic share taken for one. Letter case is no look-alike.
    """
    if text.isascii() and wanted.isascii():
        return ()
    there, sought = list(_signs(text)), list(_signs(wanted))
    if not sought:
        return ()
    at = _place(there, sought)
    return tuple(_compared(text, there[at : at + len(sought)], wanted, sought)) if at >= 0 else ()


def explain_miss(text: str, wanted: str) -> str:
    """A sentence on the characters in which `wanted` differs from what looks the same in `text`; "" if nothing there does."""
    found = differences(text, wanted)
    if not found:
        return ""
    shown = "; ".join(f"it has {_named(one.there)} where you sent {_named(one.wanted)}" for one in found[:MOST_SHOWN])
    more = f", and {len(found) - MOST_SHOWN} more places differ" if len(found) > MOST_SHOWN else ""
    return f"A text that looks the same is there, but its characters differ: {shown}{more}. Send it exactly as it stands."


def _signs(text: str) -> Iterator[_Sign]:
    """Each visible character with the span of its letter and marks; all characters of one letter have the same span."""
    start = 0
    while start < len(text):
        end = start + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        for char in unicodedata.normalize("NFKD", text[start:end]):
            category = unicodedata.category(char)
            if category != "Cf" and not "\ufe00" <= char <= "\ufe0f":
                yield _Sign(_LOOKS_LIKE.get(ord(char), " " if category == "Zs" else char), start, end)
        start = end


def _place(there: list[_Sign], sought: list[_Sign]) -> int:
    """Where the sought signs stand, from the border of a letter to the border of a letter; -1 if nowhere."""
    whole, part = "".join(sign.looks for sign in there), "".join(sign.looks for sign in sought)
    at = whole.find(part)
    while at >= 0:
        end = at + len(part)
        if (at == 0 or there[at].start != there[at - 1].start) and (end == len(there) or there[end].start != there[end - 1].start):
            return at
        at = whole.find(part, at + 1)
    return -1


def _compared(text: str, there: list[_Sign], wanted: str, sought: list[_Sign]) -> Iterator[Difference]:
    """Pair the letters of both and yield the unequal ones; unseen characters go with the letter after them, the last ones before."""
    left, right = there[0].start, 0
    for number, (one, other) in enumerate(zip(there, sought, strict=True)):
        last = number == len(sought) - 1
        if not last and (there[number + 1].start == one.start or sought[number + 1].start == other.start):
            continue
        end = len(wanted) if last else other.end
        if text[left : one.end] != wanted[right:end]:
            yield Difference(text[left : one.end], wanted[right:end])
        left, right = one.end, end


def _named(chars: str) -> str:
    """Characters with their code points, as a person can look them up; long runs are cut."""
    codes = " ".join(f"U+{ord(char):04X}" for char in chars[:6])
    return f"“{short(chars, 12)}” ({codes}{' …' if len(chars) > 6 else ''})" if chars else "nothing"
