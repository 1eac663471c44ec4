"""The channels of a home: which exist, and which of them are isolated."""

from __future__ import annotations

import tomllib

from memorypane.home.paths import DEFAULT_CHANNEL, Home
from memorypane.model.errors import InvalidInput, NotFound, Unavailable
from memorypane.model.values import Channel

__all__ = ["find_channel", "list_channels"]


def find_channel(home: Home, name: str) -> Channel:
    """Return the channel `name`; `NotFound` if it was never added. `stable` exists always."""
    path = home.channel_config(name)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        if name != DEFAULT_CHANNEL:
            raise NotFound(f"There is no channel {name!r}. `memorypane channel list` names the ones there are.") from None
        return Channel(name, isolated=False, store=str(home.shared_store))
    except OSError as problem:
        raise Unavailable(f"The file {path} cannot be read: {problem.strerror or problem}.") from problem
    try:
        config = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise Unavailable(f"The file {path} is damaged ({problem}). Mend it, or remove it to go back to the defaults.") from problem
    isolated = config.get("isolated", False)
    if not isinstance(isolated, bool):
        raise Unavailable(f"The file {path} is damaged: `isolated` must be true or false.")
    store = home.isolated_store(name) if isolated else home.shared_store
    return Channel(name, isolated=isolated, store=str(store))


def list_channels(home: Home) -> tuple[Channel, ...]:
    """Return `stable` and every added channel, by name; folders that cannot name a channel are passed over."""
    names = {DEFAULT_CHANNEL}
    if home.channels.is_dir():
        names |= {folder.name for folder in home.channels.iterdir() if (folder / "channel.toml").is_file()}
    found = []
    for name in sorted(names):
        try:
            found.append(find_channel(home, name))
        except InvalidInput:
            continue
    return tuple(found)
