"""The folded form in which texts are searched, the query in the same form, and the piece of a text that a hit shows.

A text becomes words parted by single blanks: case, compatibility forms and unseen characters are gone; marks are gone in Latin, Greek and
Cyrillic and kept elsewhere; a word ends at punctuation, symbols, underscores and where the script changes; digits stay with the letters
beside them; in scripts written without blanks every character is a word, so that any stretch of them is found as a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from memorypane.model.scripts import DIGIT, FINAL, INITIAL, MARK, MEDIAL, NOTHING, PLAIN_SCRIPTS, SINGLE, classify

__all__ = ["FOLD_VERSION", "fold", "fold_stamp", "fts_query", "query_tokens", "snippet", "tokens"]

FOLD_VERSION = 1
"""Raised with every change of what `fold` returns: a store that holds another one is indexed anew."""

# How much of a text is taken apart at a time for a snippet, how much of it twice, how many matches of a phrase count in such a block, and
# in how many blocks matches are gathered.
BLOCK, OVERLAP, BLOCK_SPANS, HIT_BLOCKS = 8_192, 256, 100, 8
QUERY_LENGTH, QUERY_WORDS = 4_096, 64

ASCII_WORD = re.compile("[a-z0-9]+")

_DIGITS = f"{DIGIT}(?:{NOTHING}*+[{DIGIT}{MARK}])*+"
_MARKS = f"(?:{NOTHING}*+{MARK})*+"
WORD_CLASSES = re.compile(
    f"(?:{_DIGITS}{NOTHING}*+)?+([\u0100-\uffff])(?:{NOTHING}*+(?:\\1|[{DIGIT}{MARK}]))*+"
    f"|{_DIGITS}|{SINGLE}{_MARKS}|{INITIAL}(?:{NOTHING}*+{MEDIAL}(?:{NOTHING}*+{FINAL})?+)?+{_MARKS}|[{MEDIAL}{FINAL}]{_MARKS}"
)


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each folded word with its span in `text`, in code points."""
    if text.isascii():
        for found in ASCII_WORD.finditer(text.lower()):
            yield found[0], found.start(), found.end()
        return
    classes, plain = classify(set(text))
    plain_classes = {DIGIT, None, *PLAIN_SCRIPTS.values()}
    known: dict[str, str] = {}
    kinds = text.translate(classes)
    for found in WORD_CLASSES.finditer(kinds):
        start, end = found.span()
        raw = text[start:end]
        word = known.get(raw)
        if word is None:
            if raw.isascii():
                word = raw.lower()
            elif found[1] in plain_classes and kinds[start] in plain_classes:
                word = raw.translate(plain)
            else:
                word = _with_marks("".join([char for char in raw if classes[ord(char)] != NOTHING]))
            known[raw] = word
        if word:
            yield word, start, end


def fold(text: str) -> str:
    """The words of `text` parted by single blanks; what the full-text index holds. Folding twice changes nothing."""
    if text.isascii():
        return " ".join(ASCII_WORD.findall(text.lower()))
    return " ".join([word for word, _, _ in tokens(text)])


def fold_stamp() -> str:
    """What a stored index depends on: the version of the folding and of the Unicode tables."""
    return f"{FOLD_VERSION}-{unicodedata.unidata_version}"


def query_tokens(text: str) -> list[list[str]]:
    """For each blank-separated word of a query its folded words; words of which nothing stays are left out.

    The first 4,096 code points count; nobody types more, and a pasted page need not be searched for whole.
    """
    return [folded for word in text[:QUERY_LENGTH].split() if (folded := [token for token, _, _ in tokens(word)])]


def fts_query(text: str) -> str:
    """The query for FTS5: each word a quoted phrase, all of them needed, the last one as a prefix; "" if nothing is searchable.

    At most 64 different words count. Nothing of the user's punctuation can get in: phrases hold folded words and blanks only.
    """
    *others, last = _phrases(text) or [[]]
    return " ".join([*(f'"{" ".join(words)}"' for words in others), f'"{" ".join(last)}"*']) if last else ""


def _phrases(text: str) -> list[list[str]]:
    """The different words of a query, at most `QUERY_WORDS`; the last one, which is a prefix, stays last."""
    words = query_tokens(text)
    different = {tuple(word): word for word in words[:-1]}
    return [*list(different.values())[: QUERY_WORDS - 1], *words[-1:]]


def snippet(text: str, query: str, width: int = 160) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The piece of `text`, at most `width` code points and verbatim, that shows most of the query, with the spans of what was found.

    Spans count code points of the piece, in order, none touching another; a prefix match spans its whole word. Without a match it is the
    text's beginning.
    """
    phrases = _phrases(query)
    found = sorted(_matches(text, phrases)) if phrases else []
    first, last = _densest(found, width)
    start, end = _window(text, first, last, width)
    spans: list[tuple[int, int]] = []
    for left, right, _ in found:
        left, right = max(left, start) - start, min(right, end) - start
        if left >= right:
            continue
        if spans and left <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(right, spans[-1][1]))
        else:
            spans.append((left, right))
    return text[start:end], tuple(spans)


def _matches(text: str, phrases: list[list[str]]) -> set[tuple[int, int, int]]:
    """Spans of phrases with the phrase's number, from the first blocks of the text that hold any."""
    needles = [f" {' '.join(words)} " for words in phrases[:-1]] + [f" {' '.join(phrases[-1])}"]
    found: set[tuple[int, int, int]] = set()
    blocks = 0
    for start, end in _blocks(text):
        folded = f" {fold(text[start:end])} "
        here = [number for number, needle in enumerate(needles) if needle in folded]
        if not here:
            continue
        words = list(tokens(text[start:end]))
        for number in here:
            spans = _spans(words, phrases[number], start, number, prefix=number == len(phrases) - 1)
            found.update(islice(spans, BLOCK_SPANS))
        blocks += 1
        if blocks == HIT_BLOCKS:
            break
    return found


def _spans(
    words: list[tuple[str, int, int]], phrase: list[str], offset: int, number: int, *, prefix: bool
) -> Iterator[tuple[int, int, int]]:
    size, last = len(phrase), phrase[-1]
    for at in range(len(words) - size + 1):
        word, _, end = words[at + size - 1]
        if (word.startswith(last) if prefix else word == last) and all(words[at + n][0] == phrase[n] for n in range(size - 1)):
            yield offset + words[at][1], offset + end, number


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches that overlap a little and are cut between words, so that a long text need not be taken apart whole."""
    start = 0
    while True:
        end = start + BLOCK
        if end >= len(text):
            yield start, len(text)
            return
        end = _border_before(text, end, end - OVERLAP)
        yield start, end
        start = _border_before(text, end - OVERLAP, end - 2 * OVERLAP)


def _border_before(text: str, position: int, floor: int) -> int:
    """The last place from `floor` to `position` at which no word is cut, or `position` if there is none."""
    at = position
    while at > floor:
        if not (_joins(text[at - 1]) and _joins(text[at])):
            return at
        at -= 1
    return position


def _joins(char: str) -> bool:
    """Whether a word may run on over this character: not at white space, ASCII signs, and in the scripts of East Asia."""
    return char.isalnum() if char.isascii() else char < "\u2e80" and not char.isspace()


def _densest(found: list[tuple[int, int, int]], width: int) -> tuple[int, int]:
    """The stretch, at most `width` long, that holds most different phrases, then most matches, then comes first."""
    best = (0, 0)
    chosen = (0, 0)
    left = 0
    counts: dict[int, int] = {}
    for right, (_, end, number) in enumerate(found):
        counts[number] = counts.get(number, 0) + 1
        while left < right and end - found[left][0] > width:
            gone = found[left][2]
            counts[gone] -= 1
            if not counts[gone]:
                del counts[gone]
            left += 1
        if (score := (len(counts), right - left + 1)) > best:
            best, chosen = score, (found[left][0], end)
    return chosen


def _window(text: str, first: int, last: int, width: int) -> tuple[int, int]:
    """Where the piece begins and ends: some text before the match, whole words, no blank at either end."""
    last = min(last, first + width)
    start = max(0, first - (width - (last - first)) // 3)
    if start:
        paragraph = text.rfind("\n\n", start, first)
        start = paragraph if paragraph >= 0 else _word_start(text, start, first)
    end = min(len(text), start + width)
    if end < len(text):
        end = max(last, _border_before(text, end, max(last, start + width // 2)))
        end = _whole_character(text, end, last)
    while start < first and text[start].isspace():
        start += 1
    while end > max(last, start) and text[end - 1].isspace():
        end -= 1
    return start, end


def _word_start(text: str, start: int, first: int) -> int:
    while start < first and _joins(text[start - 1]) and _joins(text[start]):
        start += 1
    return start


def _whole_character(text: str, end: int, floor: int) -> int:
    """`end`, or the place before the character whose marks or joined parts would be cut off there."""
    while end > floor and (unicodedata.category(text[end])[0] == "M" or text[end] == "\u200d" or text[end - 1] == "\u200d"):
        end -= 1
    return end


def _with_marks(bare: str) -> str:
    """A word of a script whose marks count: composed, compatibility forms replaced, case folded, digits in ASCII."""
    word = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())
    if unicodedata.category(word[0])[0] == "M":
        # Thai and Lao have a vowel whose compatibility form begins with a mark, which would go to the letter before it.
        word = unicodedata.normalize("NFC", bare)
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in word
        if unicodedata.category(char)[0] in "LNM" or unicodedata.category(char) == "Co"
    )
