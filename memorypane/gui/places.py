"""Where one can be in the window, and how each place looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from memorypane.gui.theme.paint import Badge, Tone
from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, RECORDS, SYSTEM, TOPICS, Shelf, Tier
from memorypane.model.values import EntryInfo, ListQuery

__all__ = ["Kind", "Place", "agent_place", "place_of", "shelf_badge", "shelf_icon", "shelf_place", "shelf_title", "workspace_place"]


class Kind(StrEnum):
    """The pages."""

    REVIEW = "review"
    ACTIVITY = "activity"
    STARTUP = "startup"
    LIST = "list"
    AGENTS = "agents"
    REMOVED = "removed"
    WELCOME = "welcome"
    IMPORT = "import"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Place:
    """A page and what it shows; a list is told by tier, shelf ("" = all shelves of the tier) and owner."""

    kind: Kind
    tier: str = ""
    shelf: str = ""
    owner: str = ""

    @property
    def key(self) -> str:
        """The place as one word, to remember it."""
        return "/".join((self.kind, self.tier, self.shelf, self.owner)).rstrip("/")

    @property
    def query(self) -> ListQuery:
        """Which entries a list shows here before it is narrowed."""
        if self.kind is Kind.REMOVED:
            return ListQuery(removed=True, sort="updated", descending=True)
        return ListQuery(tier=self.tier, shelf=self.shelf, owner=self.owner or None)

    @property
    def home_shelf(self) -> Shelf | None:
        """The shelf on which a new entry of this list stands; None where a list has no one shelf to write to."""
        if self.kind is not Kind.LIST:
            return None
        for shelf in (SYSTEM, INSTRUCTIONS, PROFILE, TOPICS, RECORDS, NOTES, FILES):
            if shelf.tier == self.tier and (shelf.name == self.shelf or (not self.shelf and shelf is FILES)):
                return shelf
        return None

    @property
    def ordered(self) -> bool:
        """Whether the person sets the order of this list by hand."""
        return self.home_shelf in (SYSTEM, INSTRUCTIONS)


def shelf_place(shelf: Shelf, owner: str = "") -> Place:
    """The list of one shelf."""
    return Place(Kind.LIST, shelf.tier, shelf.name, owner)


def workspace_place(workspace_id: str) -> Place:
    """The list of one workspace."""
    return shelf_place(RECORDS, workspace_id)


def agent_place(name: str) -> Place:
    """Notes and files of one agent."""
    return Place(Kind.LIST, Tier.PERSONAL, "", name)


def place_of(info: EntryInfo) -> Place:
    """The list in which an entry stands."""
    if info.tier is Tier.PERSONAL:
        return agent_place(info.owner)
    return Place(Kind.LIST, info.tier, info.shelf, info.owner)


def shelf_icon(tier: str, shelf: str = "") -> str:
    """The icon of a shelf."""
    if tier == Tier.SYSTEM:
        return "shield"
    if tier == Tier.WORKSPACE:
        return "folder"
    if tier == Tier.PERSONAL:
        return "bot"
    return {"profile": "id-card", "topics": "bookmark"}.get(shelf, "globe")


def shelf_title(tier: str, shelf: str) -> str:
    """What a shelf is called."""
    return {
        SYSTEM.key: QCoreApplication.translate("places", "System"),
        INSTRUCTIONS.key: QCoreApplication.translate("places", "Instructions"),
        PROFILE.key: QCoreApplication.translate("places", "About you"),
        TOPICS.key: QCoreApplication.translate("places", "Topics"),
        RECORDS.key: QCoreApplication.translate("places", "Records"),
        NOTES.key: QCoreApplication.translate("places", "Notes"),
        FILES.key: QCoreApplication.translate("places", "Files"),
    }.get(f"{tier}/{shelf}", shelf)


def shelf_badge(tier: str, shelf: str, owner_name: str = "") -> Badge:
    """The badge that says where an entry lives, for lists that mix tiers; owners are named, other shelves by their title."""
    tones: dict[str, Tone] = {"system": "system", "global": "global", "workspace": "workspace", "personal": "personal"}
    icon = "globe" if tier == Tier.GLOBAL else shelf_icon(tier, shelf)
    return Badge(owner_name or shelf_title(tier, shelf), tones[tier], icon)
