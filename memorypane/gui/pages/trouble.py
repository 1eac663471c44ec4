"""The window that stands there when the store cannot be opened: what is wrong, what to do, try again."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QMainWindow

from memorypane.gui.crash import environment
from memorypane.gui.theme.states import ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import WIDTH
from memorypane.home.paths import Home
from memorypane.model.errors import MemoryPaneError, NotFound, StoreDamaged, StoreForeign, StoreNewer

__all__ = ["TroubleWindow", "advice"]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Trouble", text)


def advice(problem: MemoryPaneError) -> tuple[str, str]:
    """Return a headline for the failure and what to do about it, beside the failure's own sentence."""
    if isinstance(problem, StoreDamaged):
        return _tr("The memory store is damaged"), _tr("Nothing was changed. Put a backup in its place, then try again.")
    if isinstance(problem, StoreNewer):
        headline = _tr("The memory store is newer than this program")
        return headline, _tr("Nothing was changed. Install the newer Memory Pane, then try again.")
    if isinstance(problem, StoreForeign):
        return _tr("This file is not a memory store"), _tr("Nothing was changed. Move the file away or choose another home folder.")
    if isinstance(problem, NotFound):
        return _tr("This channel does not exist"), _tr("Start Memory Pane without a channel, or with one of those that exist.")
    headline = _tr("The memory store cannot be opened")
    return headline, _tr("Nothing was changed. Check the folder and the free space on its disk, then try again.")


class TroubleWindow(QMainWindow):
    """Says what failed; `retry_asked` from *Try again*."""

    retry_asked = Signal()

    def __init__(self, theme: Theme, channel: str) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Memory Pane – {channel}").format(channel=channel))
        self.setMinimumSize(560, 400)
        self.resize(WIDTH.window_min, WIDTH.window_min_height)
        self._state = ErrorState(theme)
        self._state.retry_asked.connect(self.retry_asked)
        self.setCentralWidget(self._state)

    def show_problem(self, problem: MemoryPaneError, home: Home) -> None:
        """Say what failed and what to do."""
        headline, what_to_do = advice(problem)
        details = f"{environment()}\nhome {home.root}\n{type(problem).__name__} ({problem.code})\n{problem.message}"
        self._state.show_error(headline, f"{problem.message}\n{what_to_do}", details)
