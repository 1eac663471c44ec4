"""Names for what comes from files: readable, one line, told apart where two would be equal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from memorypane.model.text import name_key
from memorypane.service.exchange.finding import is_there

__all__ = ["NAME_LIMIT", "place_label", "plain_heading", "section_name", "unique_name", "whole_name"]

NAME_LIMIT = 200
HEADING_LIMIT = 120
LABEL_LIMIT = 60
# The folders that only exist to hold a tool's file say nothing about whose instructions these are.
TOOL_FOLDERS = (".cursor", ".github", ".windsurf", ".claude", ".gemini")
MARKS = re.compile(r"(\*\*|__|`)(.+?)\1")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def place_label(path: Path) -> str:
    """Whose file this is: the name of its repository with the folders below it, else of its folder; "" at the top of the disk."""
    folder = path.parent
    for number, part in enumerate(folder.parts):
        if part in TOOL_FOLDERS and number > 1:
            folder = Path(*folder.parts[:number])
            break
    for above in (folder, *folder.parents):
        if is_there(above / ".git"):
            below = folder.relative_to(above)
            return _label(above.name if below == Path() else f"{above.name}/{below.as_posix()}")
    return _label(folder.name)


def _label(text: str) -> str:
    """A label as harmless text of bounded length; its end says most."""
    text = "".join(character if character.isprintable() else "?" for character in text)
    return text if len(text) <= LABEL_LIMIT else "…" + text[1 - LABEL_LIMIT :]


def plain_heading(heading: str) -> str:
    """A heading without Markdown's marks, on one line."""
    text = LINK.sub(r"\1", heading)
    text = MARKS.sub(r"\2", MARKS.sub(r"\2", text))
    return " ".join(text.split())


def whole_name(own: str, label: str) -> str:
    """The name of a whole file: its own with the place behind it, such as `AGENTS.md (ledger-app)`."""
    own = _cut(own, HEADING_LIMIT)
    return f"{own} ({label})" if label else own


def section_name(heading: str, number: int, own: str, label: str) -> str:
    """The name of one part of a file, such as `Testing (CLAUDE.md, ledger-app)`."""
    where = f"{_cut(own, LABEL_LIMIT)}, {label}" if label else _cut(own, LABEL_LIMIT)
    if number == 0:
        return f"Opening ({where})"
    title = _cut(plain_heading(heading), HEADING_LIMIT) or "Untitled"
    return f"{title} {number} ({where})" if number > 1 else f"{title} ({where})"


def unique_name(wanted: str, path: Path, taken: set[str]) -> str:
    """`wanted`, or the first variant of it whose key is not in `taken`; the variant's key is added."""
    for name in _variants(wanted, path):
        key = name_key(name)
        if key not in taken:
            taken.add(key)
            return name
    raise AssertionError("the variants are endless")


def _variants(wanted: str, path: Path) -> Iterator[str]:
    """The name, then with the folder above named too, then with numbers."""
    yield wanted
    above = _label(path.parent.parent.name)
    if above and wanted.endswith(")"):
        yield f"{wanted[:-1]}, in {above})"
    number = 2
    while True:
        yield f"{wanted} {number}"
        number += 1


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
