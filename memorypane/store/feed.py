"""The change feed: what this process commits is told at once, what others commit within a poll.

Others' commits are noticed by `PRAGMA data_version` on one pinned connection (it moves whenever another connection commits) and named
by the audit events that came since. The same thread carries a long write-ahead log over into the store, so that no call pays for it.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from memorypane.model.errors import MemoryPaneError
from memorypane.store import events, journal
from memorypane.store.transaction import Touched, Transaction

__all__ = ["Feed"]

log = logging.getLogger(__name__)
POLL_SECONDS = 0.2
WORKSPACE, AGENT, POLICY, REVIEW = "workspace", "agent", "policy", frozenset({"keep", "propose", "approve", "reject", "replace"})


class Feed:
    """Tells listeners what changed; `foreign` marks commits of other processes.

    Listeners are called in the committing thread for our own commits and in the feed's thread for foreign ones; they must be quick.
    """

    def __init__(self, path: Path, read: Callable[[Callable[[Transaction], list[events.Told]]], list[events.Told]]) -> None:
        self._path = path
        self._read = read
        self._lock = threading.Lock()
        self._listeners: list[Callable[[Touched, bool], None]] = []
        self._own: set[str] = set()
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

    def expect(self, touched: Touched) -> None:
        """Hear of a commit that this process is about to make: the poll may see it before `committed` is called."""
        with self._lock:
            if self._thread is not None:
                self._own |= touched.events

    def forget(self, touched: Touched) -> None:
        """Hear that an expected commit came to nothing."""
        with self._lock:
            self._own -= touched.events

    def committed(self, touched: Touched) -> None:
        """Tell of a commit of this process."""
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
        with ExitStack() as opened:
            pinned: sqlite3.Connection | None = None
            last, failing = -1, False
            while not self._stop.wait(POLL_SECONDS):
                try:
                    if pinned is None:
                        made = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
                        pinned = opened.enter_context(closing(made))
                    (now,) = pinned.execute("PRAGMA data_version").fetchone()
                    if now != last:
                        self._look()
                        journal.carry_over(pinned, self._path)
                        last = now
                    failing = False
                except (sqlite3.Error, MemoryPaneError):
                    # The store is away or unreadable for the moment; whoever reads it next says so to the person.
                    if not failing:
                        log.warning("The change feed cannot read the store.", exc_info=True)
                    failing = True

    def _look(self) -> None:
        rows = self._read(lambda transaction: events.since(transaction, self._seen))
        if not rows:
            return
        self._seen = rows[-1].seq
        with self._lock:
            foreign = [row for row in rows if row.hash not in self._own]
            self._own -= {row.hash for row in rows}
        if not foreign:
            return
        touched = Touched()
        for _, digest, action, entry_id in foreign:
            touched.events.add(digest)
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
            try:
                listener(touched, foreign)
            except RuntimeError:
                # Its event loop or window is gone. The commit stands all the same, and the other listeners are to hear of it.
                log.warning("A listener of the change feed has gone without saying so.", exc_info=True)
