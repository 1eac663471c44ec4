"""How much a text holds and how much its place may hold; pure functions, and the one read they need from the store."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from memorypane.gui import words
from memorypane.gui.diffview.hidden import hidden_characters
from memorypane.model.shelves import Shelf
from memorypane.model.text import estimate_tokens, size_of
from memorypane.model.values import ListQuery
from memorypane.service.person import PersonFace

__all__ = ["Budget", "Measure", "Room", "budget_of", "measure", "room_of"]

_GAP = 3
"""Characters between two entries of a list: the line `§` in newlines."""

_MANY = 500
_BAR_UP_TO = 65_536
_SLOW_LINE = 50_000
_NOT_BLANK = re.compile(r"\S")


def _tr(text: str) -> str:
    return QCoreApplication.translate("editor", text)


@dataclass(frozen=True, slots=True)
class Measure:
    """What a text holds; `hidden` are the characters that do not show, with the line of the first of each; `longest` the longest line."""

    characters: int
    size: int
    tokens: int
    lines: int
    blank: bool
    hidden: tuple[tuple[str, int], ...]
    longest: int

    def sentence(self) -> str:
        """All of it in one line."""
        return f"{self.characters_words()}, {words.size(self.size)}, {words.tokens(self.tokens)}"

    def characters_words(self) -> str:
        """1 character, 546 characters."""
        return _tr("1 character") if self.characters == 1 else _tr("{count} characters").format(count=words.count(self.characters))

    def line_words(self) -> str:
        """1 line, 10 lines."""
        return _tr("1 line") if self.lines == 1 else _tr("{count} lines").format(count=words.count(self.lines))

    def long_words(self) -> str:
        """A sentence about a line so long that typing in it is slow, "" without one."""
        if self.longest < _SLOW_LINE:
            return ""
        return _tr("One line has {count} characters; typing in it is slow.").format(count=words.count(self.longest))

    def hidden_words(self) -> str:
        """A sentence about hidden characters, "" without any."""
        if not self.hidden:
            return ""
        places = ", ".join(_tr("{sign} in line {line}").format(sign=sign, line=line) for sign, line in self.hidden[:3])
        return _tr("Hidden characters: {places}.").format(places=places)


def measure(text: str) -> Measure:
    """Count a text; a text without a newline at its end has as many lines as one with it."""
    lines = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    longest = max(map(len, text.split("\n")))
    blank = not _NOT_BLANK.search(text)
    return Measure(len(text), size_of(text), estimate_tokens(text), max(lines, 1), blank, hidden_characters(text), longest)


@dataclass(frozen=True, slots=True)
class Room:
    """What a place may hold in the shelf's unit (0 = no limit), and what its other entries take of it."""

    limit: int
    others: int
    unit: str
    in_all: bool


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of the room is used with this text; `shown` says whether a bar tells anything at that size."""

    used: int
    limit: int
    unit: str
    in_all: bool

    @property
    def over(self) -> int:
        """How much too much it is; 0 if it fits."""
        return max(0, self.used - self.limit) if self.limit else 0

    @property
    def shown(self) -> bool:
        """Whether the limit is near enough to be worth a bar."""
        return self.limit > 0 and (self.limit <= _BAR_UP_TO or self.used > self.limit // 2)

    def sentence(self) -> str:
        """228 of 4,000 characters."""
        unit = _tr("characters") if self.unit == "characters" else _tr("bytes")
        text = _tr("{used} of {limit} {unit}").format(used=words.count(self.used), limit=words.count(self.limit), unit=unit)
        return _tr("{text} in all").format(text=text) if self.in_all else text

    def warning(self) -> str:
        """What being over the limit means, "" if it fits."""
        if not self.over:
            return ""
        unit = _tr("characters") if self.unit == "characters" else _tr("bytes")
        text = _tr("{over} {unit} over the limit; agents could only make it shorter.")
        return text.format(over=words.count(self.over), unit=unit)


def room_of(person: PersonFace, shelf: Shelf, owner: str, entry_id: str) -> Room:
    """Read the limit in force and, for lists that are limited as a whole, what the other entries take."""
    stored = person.settings().get(f"limit.{shelf.key}", shelf.limit)
    limit = stored if isinstance(stored, int) else shelf.limit
    others = 0
    if shelf.scope == "list":
        page = person.page(ListQuery(tier=shelf.tier, shelf=shelf.name, owner=owner), limit=_MANY)
        for info in page.entries:
            if info.id != entry_id:
                others += len(person.entry(info.id).content) + _GAP
    return Room(limit, others, shelf.unit, shelf.scope == "list")


def budget_of(room: Room, measured: Measure) -> Budget:
    """How full the room is with a text of that measure."""
    own = measured.characters if room.unit == "characters" else measured.size
    return Budget(own + room.others, room.limit, room.unit, room.in_all)
