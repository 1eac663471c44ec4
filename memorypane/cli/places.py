"""Where a command works: the home folder and the channel, from the options or the defaults."""

from __future__ import annotations

from pathlib import Path

from memorypane.home.paths import DEFAULT_CHANNEL, Home, check_channel_name, default_home

__all__ = ["find_channel_name", "find_home"]


def find_home(given: str) -> Home:
    """The home of `--home`, else of `MEMORYPANE_HOME`, else the user's own; always an absolute path."""
    return Home(Path(given).expanduser().absolute() if given else default_home())


def find_channel_name(given: str) -> str:
    """The channel of `--channel`, else `stable`; `InvalidInput` if it cannot name one."""
    return check_channel_name(given or DEFAULT_CHANNEL)
