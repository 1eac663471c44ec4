"""The rule by which a model with several families chooses where a fact belongs."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["MOST_WORDS", "routing_rule"]

MOST_WORDS = 50
SEARCH = "search"
_PLACES = (
    ("global", "Rules for every agent: GlobalMemoryWrite. Your own files: MemoryWrite."),
    ("notes", "Short facts about the user or for yourself: memory."),
    ("topics", "Lasting subjects: memory_write."),
    ("workspace", "What the user asks to remember about this workspace: remember_workspace_memory."),
)


def routing_rule(families: Collection[str]) -> str:
    """Return the rule for a connection with these families, at most 50 words and naming only their tools; "" where there is one family."""
    if len(families) < 2:
        return ""
    first = "search with SearchMemory before writing" if SEARCH in families else "look before you write"
    return " ".join([f"One fact, one place; {first}.", *(said for family, said in _PLACES if family in families)])
