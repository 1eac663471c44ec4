"""Work off the window's thread: plain values in, a call in the window's thread out."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import MethodType
from typing import Any, Literal

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from memorypane.model.errors import MemoryPaneError

__all__ = ["Job", "Lane", "Work"]

Lane = Literal["read", "write", "compute"]
Done = Callable[[Any], None]
Failed = Callable[[MemoryPaneError], None]


@dataclass(eq=False, slots=True)
class Job:
    """One piece of work: `drop` makes its answer never arrive, and takes it out of the queue if it has not begun."""

    id: int
    key: tuple[int, str] | None
    asker: weakref.ref[QObject] | None
    done: Callable[[], Done | None]
    failed: Callable[[], Failed | None]
    dropped: bool = False
    future: Future[Any] | None = field(default=None)

    def drop(self) -> None:
        """Forget the answer."""
        self.dropped = True
        if self.future is not None:
            self.future.cancel()


class Work(QObject):
    """Three threads of one window: `read` and `write` for the store, `compute` for what costs time without it.

    Answers arrive in the thread that made this object. An answer is dropped when the widget that asked is gone, or when the same
    asker asked again with the same `key`. `idle` says that nothing is queued or running any more.
    """

    idle = Signal()
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = itertools.count(1)
        self._open: dict[int, Job] = {}
        self._latest: dict[tuple[int, str], Job] = {}
        self._lanes: dict[Lane, ThreadPoolExecutor] = {
            lane: ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"memorypane-{lane}") for lane in ("read", "write", "compute")
        }
        self._ended.connect(self._on_job_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether anything is queued or running."""
        return bool(self._open)

    def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        done: Done | None = None,
        failed: Failed | None = None,
        lane: Lane = "read",
        key: str = "",
        asker: QObject | None = None,
        **named: Any,
    ) -> Job:
        """Run `function(*args, **named)` in a lane; call `done(result)` or `failed(error)` in the window's thread.

        `asker` (by default the object that `done` or `failed` is a method of) owns the answer: when it was deleted, the answer is
        dropped. With a `key`, a later job of the same asker and key replaces an earlier one. An exception that is no
        `MemoryPaneError` is a bug of ours and is raised in the window's thread.
        """
        owner = asker if asker is not None else _owner(done) or _owner(failed)
        place = (id(owner), key) if key else None
        job = Job(next(self._numbers), place, weakref.ref(owner) if owner is not None else None, _keep(done), _keep(failed))
        if place is not None:
            if (older := self._latest.get(place)) is not None:
                older.drop()
            self._latest[place] = job
        self._open[job.id] = job
        job.future = self._lanes[lane].submit(function, *args, **named)
        job.future.add_done_callback(lambda _future: self._ended.emit(job))
        return job

    def write(
        self, function: Callable[..., Any], *args: Any, done: Done | None = None, failed: Failed | None = None, **named: Any,
    ) -> Job:
        """Run a function that changes the store; writes happen one after another, in the order they were asked for."""
        return self.run(function, *args, done=done, failed=failed, lane="write", **named)

    def compute(
        self, function: Callable[..., Any], *args: Any, done: Done | None = None, failed: Failed | None = None, **named: Any,
    ) -> Job:
        """Run a function that needs time but not the store."""
        return self.run(function, *args, done=done, failed=failed, lane="compute", **named)

    def close(self) -> None:
        """End the threads: writes that were asked for are still done, other queued work and all answers are dropped."""
        for job in self._open.values():
            job.dropped = True
        for name, lane in self._lanes.items():
            lane.shutdown(wait=name == "write", cancel_futures=name != "write")
        for lane in self._lanes.values():
            lane.shutdown(wait=True)
        self._open.clear()
        self._latest.clear()

    def _on_job_ended(self, job: Job) -> None:
        self._open.pop(job.id, None)
        if job.key is not None and self._latest.get(job.key) is job:
            del self._latest[job.key]
        try:
            self._deliver(job)
        finally:
            if not self._open:
                self.idle.emit()

    @staticmethod
    def _deliver(job: Job) -> None:
        future = job.future
        if job.dropped or future is None or future.cancelled():
            return
        if job.asker is not None:
            asker = job.asker()
            if asker is None or not isValid(asker):
                return
        done, failed = job.done(), job.failed()
        try:
            result = future.result()
        except MemoryPaneError as problem:
            if failed is not None:
                failed(problem)
            return
        if done is not None:
            done(result)


def _owner(target: Callable[..., None] | None) -> QObject | None:
    """The object a bound method belongs to, if it is one of Qt's."""
    owner = getattr(target, "__self__", None)
    return owner if isinstance(owner, QObject) else None


def _keep(target: Any) -> Callable[[], Any]:
    """Hold methods of Qt objects weakly, so that waiting for an answer keeps no widget alive."""
    if isinstance(target, MethodType) and isinstance(target.__self__, QObject):
        return weakref.WeakMethod(target)
    return lambda: target
