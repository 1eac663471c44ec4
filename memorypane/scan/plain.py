"""A text as the rules read it, with the way back to its own offsets."""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass

__all__ = ["HIDDEN", "Plain", "hidden_spans", "plain"]

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)
HIDDEN = re.compile(f"[{_INVISIBLE}]+")
# One visible sign each: emoji parted by joiners (with skin tones and presentation marks), and the flags that tag characters spell.
_SIGN = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]?"
_SEQUENCES = re.compile(f"{_SIGN}(?:\u200d{_SIGN})+|\U0001f3f4[\U000e0030-\U000e007a]{{1,12}}\U000e007f")
# Joiners shape letters in these scripts and are part of right spelling there.
_JOINING = re.compile(
    "(?<=[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff])[\u200c\u200d](?=[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff])"
)


@dataclass(frozen=True, slots=True)
class Plain:
    """`text` is casefolded, NFKC-normalised and without hidden characters; `offsets` maps its positions back (None: they are equal)."""

    text: str
    offsets: array[int] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original text that a span of `text` came from."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


def plain(text: str) -> Plain:
    """Return a text as the rules read it."""
    if text.isascii():
        return Plain(text.lower(), None)
    pieces: list[str] = []
    offsets = array("q")
    known: dict[str, str] = {}
    for position, character in enumerate(text):
        folded = known.get(character)
        if folded is None:
            folded = "" if HIDDEN.match(character) else unicodedata.normalize("NFKC", character).casefold()
            known[character] = folded
        pieces.append(folded)
        offsets.extend([position] * len(folded))
    return Plain("".join(pieces), offsets)


def hidden_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of hidden characters, leaving out those that make one visible sign or right spelling."""
    if text.isascii():
        return []
    allowed = {at for found in _SEQUENCES.finditer(text) for at in range(*found.span())} | {
        found.start() for found in _JOINING.finditer(text)
    }
    spans: list[tuple[int, int]] = []
    for found in HIDDEN.finditer(text):
        start = found.start()
        for at in range(found.start(), found.end() + 1):
            if at == found.end() or at in allowed:
                if at > start:
                    spans.append((start, at))
                start = at + 1
    return spans
