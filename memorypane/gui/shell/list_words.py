"""What each list is called, what it says when it is empty, and what a new entry in it is called."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from memorypane.gui.entries.page import ListWords
from memorypane.gui.places import Kind, Place, shelf_icon, shelf_title
from memorypane.model.shelves import Tier

__all__ = ["list_words"]


def _tr(text: str) -> str:
    return QCoreApplication.translate("ListWords", text)


def list_words(place: Place, owners: Mapping[str, str]) -> ListWords:
    """Return the words of a list; `owners` says what workspaces are called."""
    icon, color = shelf_icon(place.tier or Tier.PERSONAL, place.shelf), f"tier_{place.tier}"
    if place.kind is Kind.REMOVED:
        empty = _tr("Nothing was removed. What you or an agent removes can be restored here.")
        return ListWords(_tr("Removed"), _tr("Search removed entries"), empty, _tr("last removed first"), "trash")
    if place.tier == Tier.WORKSPACE:
        title = owners.get(place.owner, place.owner)
        empty = _tr("No records yet. Agents that work in this folder keep decisions, facts and procedures here.")
        return ListWords(title, _tr("Search records"), empty, "", icon, color, _tr("New record"))
    if place.tier == Tier.PERSONAL:
        empty = _tr("Nothing yet. Notes and files that this agent keeps for itself stand here.")
        return ListWords(place.owner, _tr("Search notes and files"), empty, "", icon, color, _tr("New file"))
    title, new = shelf_title(place.tier, place.shelf), _tr("New entry")
    if place.tier == Tier.SYSTEM:
        empty = _tr("No rules yet. What you write here every agent reads first, and none can change it.")
        return ListWords(title, _tr("Search system rules"), empty, _tr("order: as sent to agents"), icon, color, new)
    if place.shelf == "profile":
        empty = _tr("Nothing yet. Agents keep here what they learn about you.")
        return ListWords(title, _tr("Search facts about you"), empty, "", icon, color, new)
    if place.shelf == "topics":
        empty = _tr("No topics yet. Agents keep longer texts here and read them when they need them.")
        return ListWords(title, _tr("Search topics"), empty, "", icon, color, new)
    empty = _tr("No instructions yet. Every agent inherits what stands here.")
    return ListWords(title, _tr("Search instructions"), empty, _tr("order: as sent to agents"), icon, color, new)
