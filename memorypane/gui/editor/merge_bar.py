"""The bars of a merge: how far the result is, and which name to take."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.theme.paint import Badge
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import BadgeLabel, Button, IconButton, Label, SegmentedControl

__all__ = ["NameChoice", "ResultBar"]

_WITH_PLACE = 600


class ResultBar(Panel):
    """`step_asked` 1 or -1, `preview_asked` whether the result is to be rendered, `take_asked` to go on in the editor."""

    step_asked = Signal(int)
    preview_asked = Signal(bool)
    take_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, ground="surface_alt", top=True, bottom=True, parent=parent)
        self.setFixedHeight(theme.px(HEIGHT.toolbar))
        self._merged = BadgeLabel(theme, Badge("", "success"))
        self._open = BadgeLabel(theme, Badge("", "warning"))
        self._place = Label(theme, "", "meta", "muted")
        self._up = IconButton(theme, "chevron-up", self.tr("Previous conflict"))
        self._down = IconButton(theme, "chevron-down", self.tr("Next conflict"))
        self.take = Button(theme, self.tr("Edit the result"), small=True)
        self.mode = SegmentedControl(theme, (self.tr("Source"), self.tr("Preview")))
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 24, 0)
        row.setSpacing(8)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.addWidget(Label(theme, self.tr("Result"), weight=600))
        row.addWidget(self._merged)
        row.addWidget(self._open)
        row.addStretch(1)
        row.addWidget(self._place)
        steps = QHBoxLayout()
        steps.setSpacing(0)
        steps.addWidget(self._up)
        steps.addWidget(self._down)
        row.addLayout(steps)
        row.addWidget(self.take)
        row.addWidget(self.mode)
        self._up.clicked.connect(lambda: self.step_asked.emit(-1))
        self._down.clicked.connect(lambda: self.step_asked.emit(1))
        self.take.clicked.connect(self.take_asked)
        self.mode.chosen.connect(lambda index: self.preview_asked.emit(index == 1))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH.reader_min, self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place.setVisible(self.width() >= _WITH_PLACE)

    def show_counts(self, merged: int, left: int, current: int, conflicts: int) -> None:
        """Say how many changes went in by themselves, how many are to be decided, and which conflict is looked at."""
        self._merged.show_badge(Badge(self.tr("{count} merged").format(count=merged), "success"))
        self._open.show_badge(Badge(self.tr("{count} to decide").format(count=left), "warning"))
        self._merged.setVisible(merged > 0)
        self._open.setVisible(left > 0)
        self._place.show_text(self.tr("conflict {number} of {count}").format(number=current + 1, count=conflicts) if conflicts else "")
        self._up.setVisible(conflicts > 1)
        self._down.setVisible(conflicts > 1)
        self._up.setEnabled(current > 0)
        self._down.setEnabled(current + 1 < conflicts)
        self.take.setVisible(left == 0)


class NameChoice(Panel):
    """Asks which name to take when both sides renamed the entry; hidden otherwise. `chosen` fires when the answer changes."""

    chosen = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, ground="surface", bottom=True, parent=parent)
        self._names = ("", "")
        self._only = ""
        self._asked = False
        self._words = Label(theme, "", "meta", "secondary", elide=Qt.TextElideMode.ElideRight)
        self._pick = SegmentedControl(theme, (self.tr("My name"), self.tr("Their name")))
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 6, 24, 7)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        row.addWidget(self._pick)
        self._pick.chosen.connect(lambda _index: self.chosen.emit())
        self.hide()

    def show_names(self, before: str, mine: str, theirs: str) -> None:
        """Ask if both sides have another name than before, and not the same one."""
        both = mine not in (before, theirs) and theirs != before
        self._names = (mine, theirs)
        self._only = "" if both else mine if mine != before else theirs
        self._words.show_text(self.tr("Both renamed it: mine “{mine}”, theirs “{theirs}”.").format(mine=mine[:60], theirs=theirs[:60]))
        self.setVisible(both)
        self._asked = both

    @property
    def name(self) -> str:
        """The name to write."""
        return self._names[self._pick.index] if self._asked else self._only
