"""Headings of the startup text in an entry's own text: a person should see such an entry before it goes live."""

from __future__ import annotations

import re

from memorypane.model.compose import TITLES
from memorypane.model.fold import fold
from memorypane.model.shelves import INSTRUCTIONS, SYSTEM

__all__ = ["forged_headings"]

BREAKS = str.maketrans(dict.fromkeys("\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029", "\n"))
HASHED = re.compile(r"^[ \t>*+\-\d.)]*+(#{1,6})[ \t]++([^\n]++)$", re.MULTILINE)
UNDERLINED = re.compile(r"^([^\n]++)\n[ \t>]*+(=++|-++)[ \t]*+$", re.MULTILINE)
LONGEST = 200
OURS = {fold(title): shelf for shelf, title in TITLES.items()}


def forged_headings(text: str) -> tuple[tuple[int, int], ...]:
    """Spans in code points of heading lines that read like a section of the startup text, in order.

    Titles are compared folded as for a search. Those of the sections that bind every agent count on every level, the others on the
    highest, where ours stand: "About the user" further down is a heading that many an honest note has.
    """
    text = text.translate(BREAKS)
    found = [(line.span(), line[2], len(line[1])) for line in HASHED.finditer(text)]
    found += [(line.span(1), line[1], 1 if line[2][0] == "=" else 2) for line in UNDERLINED.finditer(text)]
    return tuple(sorted({span for span, title, level in found if len(title) <= LONGEST and _is_ours(title, level)}))


def _is_ours(title: str, level: int) -> bool:
    shelf = OURS.get(fold(title))
    return shelf is not None and (level == 1 or shelf in {SYSTEM, INSTRUCTIONS})
