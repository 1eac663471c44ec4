"""Who wrote which line of a version."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.diffview.cells import Row
from memorypane.gui.diffview.panes import PaneStyle
from memorypane.gui.diffview.selectable import SelectableGrid
from memorypane.gui.diffview.sheets import line_rows
from memorypane.gui.history.loading import BLAMED, blame_lines
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import BusyLine, Label
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.values import Version
from memorypane.service.person import PersonFace

__all__ = ["BlameView"]

_LEAD = 190


class BlameView(QWidget):
    """A version's lines, each run with the version that wrote it and that version's author; `failed(str)` if it cannot be read."""

    failed = Signal(str)
    wanted_width = WIDTH.side_by_side_min

    def __init__(self, theme: Theme, work: Work, person: PersonFace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work, self._person = work, person
        self._versions: dict[int, Version] = {}
        self._number = 0
        self._now = 0
        self._head = _Head(theme)
        self._busy = BusyLine(theme, self)
        self.grid = SelectableGrid(theme, (PaneStyle(lead=_LEAD, sign=12),))
        self.grid.setAccessibleName(self.tr("Lines with their authors"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self.grid, 1)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._busy.setGeometry(0, self._head.height() - 1, self.width(), 2)
        self._busy.raise_()

    def show_version(self, entry_id: str, versions: Sequence[Version], number: int, now: int) -> None:
        """Follow every line of a version back to the version that wrote it."""
        self._versions = {version.number: version for version in versions}
        self._number, self._now = number, now
        note = self.tr("followed over the last {count} versions").format(count=BLAMED) if number > BLAMED else ""
        self._head.show_words(self.tr("Blame of version {number}").format(number=number), note)
        self.grid.set_rows(())
        self._busy.begin()
        self._work.run(blame_lines, self._person, entry_id, number, done=self._on_blamed, failed=self._on_failed, key="blame")

    def _on_blamed(self, found: tuple[tuple[tuple[int, str], ...], bool]) -> None:
        self._busy.end()
        lines, open_end = found
        rows: list[Row] = []
        before = 0
        for index, (number, line) in enumerate(lines, 1):
            note = self._note(number) if number != before else ""
            rows.extend(line_rows(line, index, newline=index < len(lines) or not open_end, note=note))
            before = number
        self.grid.set_rows(rows, highest=len(lines), note_lead=True)

    def _note(self, number: int) -> str:
        version = self._versions.get(number)
        if version is None:
            return str(number)
        return f"{number}  {words.actor_words(version.actor)}, {words.when(version.created_at, self._now)}"

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._busy.end()
        self.failed.emit(problem.message)


class _Head(QWidget):
    """The line above: whose lines these are."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = Label(theme, "", weight=600)
        self._note = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self._note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 24, 0)
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self._note, 1)
        self.setFixedHeight(theme.px(HEIGHT.toolbar))
        theme.changed.connect(self.update)

    def show_words(self, title: str, note: str) -> None:
        """Show the title and a quiet note."""
        self._title.show_text(title)
        self._note.show_text(note)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface_alt"))
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()
