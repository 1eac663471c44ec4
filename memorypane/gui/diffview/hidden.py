"""What a line looks like on screen: hidden characters become labels, and offsets are translated both ways."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from memorypane.scan.plain import hidden_spans

__all__ = ["Shown", "hidden_characters", "show", "wide_count"]

PAD = "\u00a0"

# Beyond what the scanner calls hidden: control characters, separators that look like a line break, selectors that pick no emoji.
_MORE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufe00-\ufe0d\ufff0-\ufff8\ud800-\udfff\U0001d173-\U0001d17a\U000e0080-\U000e0fff]"
)
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\U0001f000-\U0001faff\U00020000-\U0003fffd]"
)


def wide_count(text: str) -> int:
    """How many characters take two columns in a fixed font (an estimate for sizing, not a rule)."""
    return 0 if text.isascii() else len(_WIDE.findall(text))


def _hidden(text: str) -> set[int]:
    """The offsets of the characters that do not show, apart from those that make one visible sign or right spelling."""
    found = {match.start() for match in _MORE.finditer(text)}
    for start, end in hidden_spans(text):
        found.update(range(start, end))
    return found


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
    hits = _hidden(text)
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


def hidden_characters(text: str) -> tuple[tuple[str, int], ...]:
    """Each kind of hidden character in a text as `U+XXXX`, with the line (from 1) where it stands first."""
    if text.isascii() and text.isprintable():
        return ()
    found: dict[str, int] = {}
    for at in sorted(_hidden(text)):
        found.setdefault(f"U+{ord(text[at]):04X}", at)
    return tuple((sign, text.count("\n", 0, at) + 1) for sign, at in found.items())
