"""The shelves: which tiers exist, what stands on each and which tool family owns it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from memorypane.model.errors import InvalidInput

__all__ = ["FILES", "INSTRUCTIONS", "NOTES", "PROFILE", "RECORDS", "SHELVES", "SYSTEM", "TOPICS", "Shelf", "Tier", "find_shelf"]

OwnerKind = Literal["none", "workspace", "agent"]


class Tier(StrEnum):
    """Who inherits an entry."""

    SYSTEM = "system"
    GLOBAL = "global"
    WORKSPACE = "workspace"
    PERSONAL = "personal"


@dataclass(frozen=True, slots=True)
class Shelf:
    """What kind of thing stands in one place of a tier.

    `limit` counts `unit` of one entry (`scope="entry"`) or of all entries of an owner together (`scope="list"`); it is
    the default of the setting `limit.<tier>/<name>`. `named` entries have a unique name among the live ones of an owner.
    """

    tier: Tier
    name: str
    title: str
    family: str
    owner: OwnerKind
    named: bool
    limit: int
    unit: Literal["bytes", "characters"]
    scope: Literal["entry", "list"]

    @property
    def key(self) -> str:
        """`tier/name`, as written in settings, policy and messages."""
        return f"{self.tier}/{self.name}"


SYSTEM = Shelf(Tier.SYSTEM, "instructions", "System", "", "none", named=True, limit=1_048_576, unit="bytes", scope="entry")
INSTRUCTIONS = Shelf(
    Tier.GLOBAL, "instructions", "Instructions", "global", "none", named=True, limit=1_048_576, unit="bytes", scope="entry"
)
PROFILE = Shelf(Tier.GLOBAL, "profile", "About you", "notes", "none", named=False, limit=1_375, unit="characters", scope="list")
TOPICS = Shelf(Tier.GLOBAL, "topics", "Topics", "topics", "none", named=True, limit=49_152, unit="bytes", scope="entry")
RECORDS = Shelf(Tier.WORKSPACE, "records", "Records", "workspace", "workspace", named=False, limit=4_000, unit="characters", scope="entry")
NOTES = Shelf(Tier.PERSONAL, "notes", "Notes", "notes", "agent", named=False, limit=2_200, unit="characters", scope="list")
FILES = Shelf(Tier.PERSONAL, "files", "Files", "global", "agent", named=True, limit=1_048_576, unit="bytes", scope="entry")

SHELVES = (SYSTEM, INSTRUCTIONS, PROFILE, TOPICS, RECORDS, NOTES, FILES)


def find_shelf(tier: str, name: str) -> Shelf:
    """Return the shelf `tier/name`, or raise `InvalidInput` with the ones that exist."""
    for shelf in SHELVES:
        if shelf.tier == tier and shelf.name == name:
            return shelf
    known = ", ".join(shelf.key for shelf in SHELVES)
    raise InvalidInput(f"There is no shelf {tier}/{name}. The shelves are: {known}.")
