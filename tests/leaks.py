"""What a test may not leave behind: threads, child processes, open files, top-level windows and running timers."""

from __future__ import annotations

import gc
import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from tests.support import wait_until

__all__ = ["Snapshot", "left_behind"]

# Kept by the libraries for the rest of the process, whoever used them first.
KEPT_FILES = ("/dev/null", "/dev/random", "/dev/urandom")
KEPT_PROGRAMS = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")
KEPT_WINDOWS = ("QTipLabel",)


@dataclass(frozen=True)
class Snapshot:
    """What is alive at one moment; windows and timers are known by the addresses of their Qt objects."""

    threads: frozenset[threading.Thread]
    children: frozenset[int]
    files: frozenset[tuple[int, str]]
    windows: frozenset[int]
    timers: frozenset[int]

    @classmethod
    def take(cls) -> Snapshot:
        """Look around; Qt is asked only where something has imported it already."""
        return cls(frozenset(_threads()), frozenset(_children()), frozenset(_files()), frozenset(_windows()), frozenset(_timers()))


def left_behind(before: Snapshot, *, seconds: float = 3.0) -> list[str]:
    """Return one line for each thing that lives now and did not before; what is still ending gets `seconds` for it."""
    found: list[str] = []

    def nothing_new() -> bool:
        found[:] = _news(before)
        return not found

    wait_until(nothing_new, seconds=seconds)
    return found


def _news(before: Snapshot) -> list[str]:
    _settle_qt()
    found = _differences(before)
    if found:
        # What only waits for the garbage collector is no leak.
        gc.collect()
        _settle_qt()
        found = _differences(before)
    return found


def _differences(before: Snapshot) -> list[str]:
    return [
        *(f"thread {thread.name}" for thread in _threads() - before.threads),
        *(f"child process {child}: {_command(child)}" for child in _children() - before.children),
        *(f"open file {number}: {target}" for number, target in _files() - before.files),
        *(f"window {name}" for address, name in _windows().items() if address not in before.windows),
        *(f"running timer of {name}" for address, name in _timers().items() if address not in before.timers),
    ]


def _threads() -> set[threading.Thread]:
    # A thread that Qt started and that once ran Python keeps a dummy entry for ever.
    return {thread for thread in threading.enumerate() if type(thread).__name__ != "_DummyThread"}


def _children() -> set[int]:
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            words = (task / "children").read_text().split()
        except OSError:
            continue
        found |= {int(word) for word in words if not any(program in _command(int(word)) for program in KEPT_PROGRAMS)}
    return found


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return "(ended)"


def _files() -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - iterdir would hold the folder open while we look
        try:
            target = str(Path(f"/proc/self/fd/{name}").readlink())
        except OSError:
            continue
        if target not in KEPT_FILES:
            found.add((int(name), target))
    return found


def _qt_runs() -> bool:
    if "PySide6.QtWidgets" not in sys.modules:
        return False
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() is not None


def _settle_qt() -> None:
    if not _qt_runs():
        return
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()


def _windows() -> dict[int, str]:
    if not _qt_runs():
        return {}
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer

    return {
        getCppPointer(window)[0]: f"{type(window).__name__} {window.windowTitle()!r}"
        for window in QApplication.topLevelWidgets()
        if window.parentWidget() is None and window.metaObject().className() not in KEPT_WINDOWS
    }


def _timers() -> dict[int, str]:
    if not _qt_runs():
        return {}
    from PySide6.QtCore import QTimer
    from shiboken6 import getCppPointer, isValid

    timers = [one for one in gc.get_objects() if isinstance(one, QTimer) and isValid(one) and one.isActive()]
    return {getCppPointer(timer)[0]: f"{type(timer.parent()).__name__} ({timer.interval()} ms)" for timer in timers}
