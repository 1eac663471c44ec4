"""What a line looks like on screen: hidden characters become labels, and offsets are translated both ways."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

__all__ = ["Shown", "show", "wide_count"]

PAD = "\u00a0"

# Everything that takes no room, turns the writing direction or looks like a plain space but is a letter. U+200D and U+FE0E/F
# belong to emoji sequences and are let through there.
_HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_EMOJI = re.compile("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff#*0-9]")
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\U0001f000-\U0001faff\U00020000-\U0003fffd]"
)


def wide_count(text: str) -> int:
    """How many characters take two columns in a fixed font (an estimate for sizing, not a rule)."""
    return 0 if text.isascii() else len(_WIDE.findall(text))


def _in_emoji(text: str, at: int) -> bool:
    """Whether the joiner or variation selector at `at` belongs to an emoji sequence."""
    if at == 0 or text[at] not in "\u200d\ufe0e\ufe0f":
        return False
    before = text[at - 1]
    if before in "\ufe0e\ufe0f" and at >= 2 and text[at] == "\u200d":
        before = text[at - 2]
    if not _EMOJI.fullmatch(before):
        return False
    return text[at] != "\u200d" or (at + 1 < len(text) and _EMOJI.fullmatch(text[at + 1]) is not None)


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of text as it is laid out.

    `text` is what is drawn; `starts` gives for each code point of the source (and its end) the position in `text` counted in
    UTF-16 units, as Qt counts, or is empty where both agree; `labels` are the drawn spans of hidden characters, in UTF-16 units.
    """

    text: str
    length: int
    starts: tuple[int, ...] = ()
    labels: tuple[tuple[int, int], ...] = ()

    def position(self, offset: int) -> int:
        """The drawn position (UTF-16 units) of a source offset (code points)."""
        offset = max(0, min(offset, self.length))
        return self.starts[offset] if self.starts else offset

    def offset(self, position: int) -> int:
        """The source offset (code points) nearest to a drawn position (UTF-16 units); labels are never split."""
        if not self.starts:
            return max(0, min(position, self.length))
        after = min(bisect_left(self.starts, position), self.length)
        if after == 0 or self.starts[after] <= position:
            return after
        before = after - 1
        return before if position - self.starts[before] < self.starts[after] - position else after


def show(text: str) -> Shown:
    """Prepare one line, or a piece of one, for drawing."""
    if text.isascii() and text.isprintable():
        return Shown(text, len(text))
    hits = {match.start() for match in _HIDDEN.finditer(text) if not _in_emoji(text, match.start())}
    if not hits and max(text, default="") < "\U00010000":
        return Shown(text, len(text))
    drawn: list[str] = []
    starts: list[int] = []
    labels: list[tuple[int, int]] = []
    at = 0
    for index, character in enumerate(text):
        starts.append(at)
        if index in hits:
            label = f"{PAD}U+{ord(character):04X}{PAD}"
            labels.append((at, at + len(label)))
            drawn.append(label)
            at += len(label)
        else:
            drawn.append(character)
            at += 2 if character >= "\U00010000" else 1
    starts.append(at)
    return Shown("".join(drawn), len(text), tuple(starts), tuple(labels))
