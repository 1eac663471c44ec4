"""What a character is to the search: a letter of which script, a digit, a mark, nothing, or a border; and its folded form."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["BORDER", "DIGIT", "FINAL", "INITIAL", "MARK", "MEDIAL", "NOTHING", "PLAIN_SCRIPTS", "SINGLE", "classify", "plain_form"]

# Classes that are no script; scripts get one character each above them.
BORDER, DIGIT, MARK, NOTHING, SINGLE = " ", "d", "m", "i", "s"
INITIAL, MEDIAL, FINAL = "x", "y", "z"
FIRST_SCRIPT = 0x100

PLAIN_SCRIPTS = {"LATIN": chr(FIRST_SCRIPT), "GREEK": chr(FIRST_SCRIPT + 1), "CYRILLIC": chr(FIRST_SCRIPT + 2)}
"""Scripts whose marks do not count in a search, and their classes."""

# Written without blanks between words, so every character (with its marks) is a word: Han, kana, Hangul, Bopomofo, Yi, and the scripts of
# Thailand, Laos, Cambodia and Myanmar. Hangul has blanks, but glues particles to its words.
SINGLE_SCRIPTS = frozenset(
    {
        "CJK",
        "IDEOGRAPHIC",
        "HIRAGANA",
        "KATAKANA",
        "KATAKANA-HIRAGANA",
        "HALFWIDTH",
        "HANGUL",
        "BOPOMOFO",
        "YI",
        "VERTICAL",
        "MASU",
        "THAI",
        "LAO",
        "KHMER",
        "MYANMAR",
    }
)
# Han, kana and Hangul syllables by range: looking up their names would take most of the time.
SINGLE_RANGES = ((0x3041, 0x3096), (0x30A1, 0x30FA), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x20000, 0x2A6DF))
JAMO = {"CHOSEONG": INITIAL, "JUNGSEONG": MEDIAL, "JONGSEONG": FINAL}

# Letters that people type without their stroke or as two letters; Unicode does not decompose them.
STROKES = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})


def classify(chars: Iterable[str]) -> tuple[dict[int, str], dict[int, str]]:
    """Two tables for `str.translate` over the given characters: to one class each, and to the folded form without marks."""
    classes: dict[int, str] = {}
    plain: dict[int, str] = {}
    scripts = dict(PLAIN_SCRIPTS)
    for char in chars:
        code = ord(char)
        if any(first <= code <= last for first, last in SINGLE_RANGES):
            classes[code] = SINGLE
            continue
        plain[code] = plain_form(char)
        kind = _kind(char, plain[code])
        classes[code] = kind if len(kind) == 1 else scripts.setdefault(kind, chr(FIRST_SCRIPT + len(scripts)))
    return classes, plain


def plain_form(char: str) -> str:
    """One character without marks, case, compatibility form and stroke; decimal digits become ASCII; "" if nothing stays."""
    category = unicodedata.category(char)
    if category[0] not in "LN" and category != "Co":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    parts = unicodedata.normalize("NFKD", char)
    if category == "No" and not parts.isalnum():
        return char
    bare = "".join(part for part in parts if part.isalnum() or category == "Co")
    folded = unicodedata.normalize("NFKD", bare.casefold()).translate(STROKES)
    return "".join(part for part in folded if part.isalnum() or category == "Co")


def _kind(char: str, plain: str) -> str:
    """The class of a character, or the name of its script (always longer than one character)."""
    category = unicodedata.category(char)
    if category in {"Mn", "Mc"}:
        return NOTHING if _is_variation(char) else MARK
    if category in {"Cf", "Me"}:
        return NOTHING
    if category == "Co":
        return "PRIVATE"
    if not plain:
        # The half-width voiced sound marks of kana are letters by category.
        return MARK if unicodedata.category(unicodedata.normalize("NFKD", char)[0]) == "Mn" else BORDER
    first = plain[0]
    if not first.isalpha():
        return DIGIT
    words = unicodedata.name(unicodedata.normalize("NFKD", char)[0], "UNNAMED LETTER").split(" ", 2)
    if words[0] == "HANGUL" and words[1] in JAMO and len(plain) == 1 and first == char:
        return JAMO[words[1]]
    if words[0] == "MODIFIER":
        # Letters by category that stand where an apostrophe stands.
        return BORDER
    return SINGLE if words[0] in SINGLE_SCRIPTS else words[0]


def _is_variation(char: str) -> bool:
    """Whether the mark only chooses a glyph or holds marks apart, so that it is no part of the text's letters."""
    return char == "\u034f" or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f"
