"""Keeps what is typed on disk while it is unsaved, and finds it again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from memorypane.gui.editor.drafts import Draft, DraftBox
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError

__all__ = ["DraftKeeper"]

_KEEP_MS = 500


class DraftKeeper(QObject):
    """Writes the draft that `current` returns when typing pauses, and removes it once nothing is unsaved.

    `restored(Draft)` brings back what this window wrote earlier, `offered(Draft)` what an earlier session left behind, `failed(str)` says
    that the disk refused.
    """

    restored = Signal(object)
    offered = Signal(object)
    failed = Signal(str)

    def __init__(self, work: Work, box: DraftBox, current: Callable[[], Draft | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work, self._box, self._current = work, box, current
        self._unkept = False
        self._unwritten: dict[str, Draft] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_KEEP_MS)
        self._timer.timeout.connect(self._keep)

    def typed(self) -> None:
        """Something was typed: it is written when typing pauses."""
        self._unkept = True
        self._timer.start()

    def keep_now(self) -> None:
        """Write at once, before the text goes from sight; what the disk refuses is remembered as long as the window lives."""
        draft = self._current()
        if (job := self._job()) is not None and draft is not None:
            try:
                job()
            except MemoryPaneError as problem:
                self._unwritten[draft.subject] = draft
                self.failed.emit(self._words(problem))

    def look_for(self, subject: str) -> None:
        """Look for a draft of a subject; the answer is one of the signals, or nothing."""
        if (draft := self._unwritten.pop(subject, None)) is not None:
            self.restored.emit(draft)
            return
        self._work.run(self._box.find, subject, done=self._on_found, failed=self._on_failed, asker=self, key="find")

    def forget(self, subject: str) -> None:
        """The subject was saved or given up: its draft goes."""
        draft = self._current()
        if draft is None or draft.subject == subject:
            self._timer.stop()
            self._unkept = False
        self._unwritten.pop(subject, None)
        self._work.write(self._box.remove, subject, self._box.turn(), failed=self._on_failed, asker=self)

    def take_over(self, draft: Draft) -> None:
        """Go on with an offered draft."""
        self._box.take_over(draft)

    def drop(self, draft: Draft) -> None:
        """Remove an offered draft."""
        self._work.write(self._box.discard, draft, failed=self._on_failed, asker=self)

    def _keep(self) -> None:
        if (job := self._job()) is not None:
            self._work.write(job, failed=self._on_failed, asker=self)

    def _job(self) -> Callable[[], None] | None:
        self._timer.stop()
        draft = self._current()
        if draft is None or not self._unkept:
            return None
        self._unkept = False
        if draft.dirty:
            return partial(self._box.write, draft, self._box.turn())
        return partial(self._box.remove, draft.subject, self._box.turn())

    def _on_found(self, draft: Draft | None) -> None:
        if draft is None:
            return
        if self._box.wrote(draft):
            self.restored.emit(draft)
        else:
            self.offered.emit(draft)

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._unkept = True
        self.failed.emit(self._words(problem))

    def _words(self, problem: MemoryPaneError) -> str:
        return self.tr("Your draft could not be kept on disk. {reason}").format(reason=problem.message)
