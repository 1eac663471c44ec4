"""What a name looks like: names with the same skeleton can be taken for each other by a reader.

A small selection of the characters that Unicode lists as confusable with Latin ones: those of scripts that people mix in by mistake or on
purpose (Cyrillic, Greek, Armenian, Latin letters without marks), and the digits. Compatibility forms (full width, mathematical) fold away.
"""

from __future__ import annotations

import unicodedata

__all__ = ["skeleton"]

_PAIRS = (
    "аa вb еe кk мm нh оo рp сc тt уy хx ѕs іi јj ԛq ԝw һh ӏl ԁd ɡg ոn սu օo հh ցg զq ѡw ьb гr пn",
    "αa βb εe ηn ιi κk νv οo ρp τt υu χx γy ωw σo ϲc ϳj ϱp",
    "ıi ȷj ɑa ɩi ʋu ƽs ƍg ꞌ' ł" + "l đd øo ħh ŧt",
    "0o 1l |l !l",
)
_TABLE = str.maketrans({pair[0]: pair[1] for line in _PAIRS for pair in line.split()})


def skeleton(name: str) -> str:
    """Return the form under which look-alike names are equal; "" for a name without letters or digits."""
    bare = "".join(
        character for character in unicodedata.normalize("NFKD", name) if not unicodedata.category(character).startswith(("M", "Cf"))
    )
    # A capital I is a small l to the eye; folding case first would make it an i.
    seen = bare.replace("I", "l").casefold().translate(_TABLE)
    seen = seen.replace("rn", "m").replace("vv", "w")
    return "".join(character for character in seen if character.isalnum())
