"""The change feed: what this process commits is told at once, what others commit within a poll.

Others' commits are noticed by `PRAGMA data_version` on one pinned connection (it moves whenever another connection commits) and named
by the audit events that came since.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memorypane.model.errors import MemoryPaneError
from memorypane.store import events
from memorypane.store.transaction import Touched, Transaction

__all__ = ["Feed"]

log = logging.getLogger(__name__)
POLL_SECONDS = 0.2
WORKSPACE, AGENT, POLICY, REVIEW = "workspace", "agent", "policy", frozenset({"keep", "propose", "approve", "reject", "replace"})


class Feed:
    """Tells listeners what changed; `foreign` marks commits of other processes.

    Listeners are called in the committing thread for our own commits and in the feed's thread for foreign ones; they must be quick.
    """

    def __init__(
        self, path: Path, read: Callable[[Callable[[Transaction], list[tuple[int, str, str]]]], list[tuple[int, str, str]]]
    ) -> None:
        self._path = path
        self._read = read
        self._lock = threading.Lock()
        self._listeners: list[Callable[[Touched, bool], None]] = []
        self._own: set[int] = set()
        self._seen = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def subscribe(self, listener: Callable[[Touched, bool], None]) -> Callable[[], None]:
        """Call `listener(touched, foreign)` after every commit until the returned function is called."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def committed(self, touched: Touched) -> None:
        """Hear of a commit of this process."""
        with self._lock:
            if self._thread is not None:
                self._own |= touched.events
        self._tell(touched, foreign=False)

    def watch(self, newest: int) -> None:
        """Start to look for commits of others after the event `newest`."""
        self._seen = newest
        self._thread = threading.Thread(target=self._poll, name="change feed", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking; no listener is called afterwards."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._listeners.clear()

    def _poll(self) -> None:
        with closing(sqlite3.connect(self._path, isolation_level=None)) as pinned:
            last = -1
            while not self._stop.wait(POLL_SECONDS):
                try:
                    (now,) = pinned.execute("PRAGMA data_version").fetchone()
                    if now != last:
                        last = now
                        self._look()
                except (sqlite3.Error, MemoryPaneError):
                    # The store is away or unreadable for the moment; whoever reads it next says so to the person.
                    log.warning("The change feed cannot read the store.", exc_info=True)

    def _look(self) -> None:
        rows = self._read(lambda transaction: events.since(transaction, self._seen))
        if not rows:
            return
        self._seen = rows[-1][0]
        with self._lock:
            foreign = [row for row in rows if row[0] not in self._own]
            self._own = {seq for seq in self._own if seq > self._seen}
        if not foreign:
            return
        touched = Touched()
        for seq, action, entry_id in foreign:
            touched.events.add(seq)
            if entry_id:
                touched.entries.add(entry_id)
            touched.agents |= action.startswith(AGENT)
            touched.workspaces |= action.startswith(WORKSPACE)
            touched.policy |= action.startswith(POLICY)
            touched.review |= bool(entry_id) or action in REVIEW
        self._tell(touched, foreign=True)

    def _tell(self, touched: Touched, *, foreign: bool) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(touched, foreign)
