"""Fits what was planned to the shelf it goes to: each has its own rules for names, descriptions and bodies."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import FILES, INSTRUCTIONS, RECORDS, TOPICS, Shelf
from memorypane.model.text import content_hash, excerpt, name_key
from memorypane.service.exchange.values import Planned

__all__ = ["KIND", "TARGETS", "Fitted", "check_target", "fit"]

TARGETS = (INSTRUCTIONS, RECORDS, FILES, TOPICS)
"""Where texts from instruction files may go."""
KIND = "project_preference"
"""What such a text is as a record of a workspace."""
GROUP = "topics"
SLUG_LIMIT = 100
DESCRIPTION_LIMIT = 120


@dataclass(frozen=True, slots=True)
class Fitted:
    """Name, description and body as the shelf takes them."""

    name: str
    description: str
    content: str


def check_target(shelf: Shelf) -> None:
    """Raise `InvalidInput` unless instruction files can go to this shelf."""
    if shelf not in TARGETS:
        known = ", ".join(one.key for one in TARGETS)
        raise InvalidInput(f"Instruction files cannot be imported into {shelf.key}. They go to one of: {known}.")


def fit(item: Planned, shelf: Shelf, taken: set[str]) -> Fitted:
    """Give an item a name that its shelf allows and that is not in `taken` (name keys), to which the name is added."""
    if shelf is RECORDS:
        return Fitted("", "", item.content)
    if shelf is FILES:
        return Fitted(_free(_slug(item.name, lower=False), ".md", "", taken), item.description, item.content)
    if shelf is TOPICS:
        body = item.content if item.content.endswith("\n") else f"{item.content}\n"
        description = item.description or excerpt(item.content, DESCRIPTION_LIMIT)
        return Fitted(_free(_slug(item.name, lower=True), "", f"{GROUP}/", taken), description, body)
    return Fitted(_free(item.name, "", "", taken, gap=" "), item.description, item.content)


def _slug(name: str, *, lower: bool) -> str:
    """The name in ASCII letters, digits and dashes; a hash where nothing of it is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9]+", "-", plain)[:SLUG_LIMIT].strip("-")
    slug = slug or f"text-{content_hash(name)[:8]}"
    return slug.lower() if lower else slug


def _free(name: str, ending: str, beginning: str, taken: set[str], *, gap: str = "-") -> str:
    """The first of `name`, `name 2`, `name 3` … that is not taken."""
    number = 1
    while True:
        wanted = f"{beginning}{name}{f'{gap}{number}' if number > 1 else ''}{ending}"
        if name_key(wanted) not in taken:
            taken.add(name_key(wanted))
            return wanted
        number += 1
