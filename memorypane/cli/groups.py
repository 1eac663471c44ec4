"""Which module holds which commands, so that a run imports only its own."""

from __future__ import annotations

__all__ = ["GROUPS", "group_of"]

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("serving", ("serve", "mcp")),
    ("toolcalls", ("tools", "call")),
    ("reading", ("list", "show", "history", "diff", "search")),
    ("writing", ("add", "edit", "remove", "restore", "revert")),
    ("placing", ("promote", "demote", "move", "reorder", "pin", "unpin")),
    ("review", ("review",)),
    ("care", ("purge", "doctor", "scan")),
    ("backups", ("backup",)),
    ("rules", ("policy", "settings")),
    ("agents", ("agent",)),
    ("workspaces", ("workspace",)),
    ("channels", ("channel",)),
    ("exchange", ("import",)),
    ("startup", ("render",)),
    ("activity", ("activity",)),
    ("pictures", ("sample", "shot")),
)


def group_of(command: str) -> str:
    """The module that holds a command, or ""."""
    for module, commands in GROUPS:
        if command in commands:
            return module
    return ""
