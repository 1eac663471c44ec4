"""Opens the window, or says in one sentence what is missing for it."""

from __future__ import annotations

import os
import sys

from memorypane.home.paths import Home
from memorypane.model.errors import Unavailable

__all__ = ["missing_qt", "open_window"]

NO_DISPLAY = (
    "There is no display to open the window on. Run it in a graphical session, or use the commands: `memorypane --help` names them."
)


def open_window(home: Home, channel: str) -> int:
    """Run the window until it is closed and return its exit code; `Unavailable` where it cannot be shown."""
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in shown):
        raise Unavailable(NO_DISPLAY)
    try:
        from memorypane.gui.app import run
    except ImportError as problem:
        raise missing_qt(problem) from problem
    return run(home, channel)


def missing_qt(problem: ImportError) -> Unavailable:
    """The failure to raise when the window's library cannot be loaded: a system library of it, or the whole."""
    library = str(problem).partition(":")[0]
    if ".so" in library:
        sentence = f"The window needs the system library {library}, which is not installed. Install it with your package manager"
    else:
        sentence = f"The window's library could not be loaded ({problem}). Install PySide6-Essentials into this Python"
    return Unavailable(f"{sentence}; the commands work without it.")
