"""One channel, opened: its store, its rules, and the two faces; every entry point makes exactly one."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from memorypane.home.channels import find_channel
from memorypane.home.paths import DEFAULT_CHANNEL, Home, private_folder
from memorypane.model.errors import MemoryPaneError
from memorypane.model.values import Channel
from memorypane.service import identity
from memorypane.service.agent import AgentFace
from memorypane.service.author import Author
from memorypane.service.changes import Changed, changed
from memorypane.service.identity import Caller, Hello
from memorypane.service.person import PersonFace
from memorypane.service.pipeline import Pipeline
from memorypane.service.purging import finish_pending
from memorypane.service.refusals import RefusalLog
from memorypane.store import agents
from memorypane.store.store import Store

__all__ = ["Desk", "wall_clock"]


def wall_clock() -> int:
    """Milliseconds UTC."""
    return time.time_ns() // 1_000_000


class Desk:
    """A channel's store with the rules over it; a context manager.

    Attributes: `home`, `channel`, `store_id`, `schema`, `store_identity` (device and inode of the store's file).
    """

    def __init__(self, home: Home, channel: Channel, store: Store, clock: Callable[[], int]) -> None:
        self.home = home
        self.channel = channel
        self.store_id = store.store_id
        self.schema = store.schema
        self.store_identity = store.identity
        self._store = store
        self._pipeline = Pipeline(store)
        self._refusals = RefusalLog(store, clock)
        finish_pending(store)

    @classmethod
    def open(cls, home: Home, channel: str = DEFAULT_CHANNEL, *, watch: bool = False, clock: Callable[[], int] = wall_clock) -> Self:
        """Open a channel, making home and store where they are missing; `watch` also hears of other processes' commits.

        Raises `NotFound` for a channel that was never added, and `Unavailable` or one of its kinds when the store cannot be used.
        """
        private_folder(home.root)
        found = find_channel(home, channel)
        path = home.isolated_store(channel) if found.isolated else home.shared_store
        store = Store(path, backups=home.backups, clock=clock, watch=watch)
        try:
            return cls(home, found, store, clock)
        except BaseException:
            store.close()
            raise

    def person(self, *, via: str) -> PersonFace:
        """Return the person's face; `via` is `window` or `command`."""
        return PersonFace(self._store, self._pipeline, self.home, Author.person(via=via, channel=self.channel.name))

    def admit(self, hello: Hello, *, via: str = "mcp") -> Caller:
        """Let a connection in, or raise `NotAllowed`; it is to be ended by `leave`."""
        return self._store.write(
            lambda transaction: identity.admit(transaction, hello, channel=self.channel.name, isolated=self.channel.isolated, via=via)
        )

    def agent(self, caller: Caller) -> AgentFace:
        """Return the face of an admitted agent."""
        return AgentFace(self._store, self._pipeline, caller)

    def leave(self, caller: Caller) -> None:
        """Note that a connection ended."""
        self._store.write(lambda transaction: agents.disconnected(transaction, caller.connection))

    def refused(self, caller: Caller, tool: str, problem: MemoryPaneError) -> None:
        """Note in the audit trail that an agent's write was refused, without its words."""
        self._refusals.note(caller.author.trace(tool), problem)

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Call `listener` after each commit, from the committing thread or the feed's; returns what ends it."""
        return self._store.feed.subscribe(lambda touched, foreign: listener(changed(touched, foreign=foreign)))

    def close(self) -> None:
        """Write what waits and let go of the store."""
        self._refusals.flush()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
