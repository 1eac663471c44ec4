"""Agents' tokens: made at random, kept by the store as a hash, and handed to the agent in a file of mode 0600."""

from __future__ import annotations

import os
from pathlib import Path

from memorypane.home.paths import Home, write_private
from memorypane.model.errors import Unavailable

__all__ = ["hash_token", "make_token", "read_token", "remove_token", "token_file", "write_token"]


def make_token() -> str:
    """A new token of 256 random bits."""
    import secrets  # here and below: the bridge, which each host waits for, only reads a token

    return f"mp_{secrets.token_urlsafe(32)}"


def hash_token(token: str) -> str:
    """What the store keeps; the token has full entropy, so one round of SHA-256 is enough."""
    import hashlib

    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def token_file(home: Home, store_id: str, agent: str) -> Path:
    """Where the agent's copy lies."""
    return home.tokens(store_id) / agent


def write_token(home: Home, store_id: str, agent: str, token: str) -> Path:
    """Write the agent's copy and return its path."""
    path = token_file(home, store_id, agent)
    write_private(path, token.encode() + b"\n")
    return path


def read_token(home: Home, store_id: str, agent: str) -> str:
    """`MEMORYPANE_TOKEN`, else the agent's file, else ""; `Unavailable` if the file is there but cannot be read."""
    if token := os.environ.get("MEMORYPANE_TOKEN"):
        return token.strip()
    path = token_file(home, store_id, agent)
    try:
        return path.read_text("ascii").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as problem:
        raise Unavailable(f"The token file {path} cannot be read: {problem}.") from problem


def remove_token(home: Home, store_id: str, agent: str) -> None:
    """Remove the agent's copy; a missing one is fine."""
    token_file(home, store_id, agent).unlink(missing_ok=True)
