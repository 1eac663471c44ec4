"""The text being written: source, preview, or both beside each other."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.editor.source_edit import SourceEdit
from memorypane.gui.reader.browser import MarkdownView
from memorypane.gui.reader.markdown import Piece, Run, render
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import Label, SegmentedControl
from memorypane.gui.work import Work

__all__ = ["WritingArea"]

_PREVIEW_MS = 200
_SOURCE, _PREVIEW, _BOTH = 0, 1, 2


class WritingArea(QWidget):
    """`source` is the editor; the preview follows what is typed. Both side by side need 880 px."""

    def __init__(self, theme: Theme, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self.source = SourceEdit(theme)
        self.preview = MarkdownView(theme)
        self.preview.setAccessibleName(self.tr("Preview"))
        self._shown = ""
        self._bar = Panel(theme, ground="surface_alt", bottom=True)
        self._bar.setFixedHeight(theme.px(HEIGHT.toolbar))
        self.mode = SegmentedControl(theme, (self.tr("Source"), self.tr("Preview"), self.tr("Both")))
        self.mode.setAccessibleName(self.tr("How to show the text"))
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(24, 0, 24, 0)
        row.addWidget(Label(theme, self.tr("Markdown"), "meta", "muted"))
        row.addStretch(1)
        row.addWidget(self.mode)
        self._halves = QSplitter()
        self._halves.setChildrenCollapsible(False)
        self._halves.addWidget(self.source)
        self._halves.addWidget(self.preview)
        self._halves.setSizes([500, 500])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self._halves, 1)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PREVIEW_MS)
        self._timer.timeout.connect(self._render)
        self.source.edited.connect(self._on_edited)
        self.source.loaded.connect(self._on_loaded)
        self.mode.chosen.connect(self._on_mode_chosen)
        self._on_mode_chosen(_SOURCE)

    @property
    def text(self) -> str:
        """The text as it is in the editor."""
        return self.source.text

    @property
    def shown(self) -> str:
        """What the editor made of the text it was given last; equal to `text` while nothing was typed."""
        return self.source.text if self.source.loading else self._shown

    def show_text(self, text: str, *, keep_place: bool = False) -> None:
        """Edit another text."""
        self.source.show_text(text, keep_place=keep_place)
        self._render()

    def cycle(self) -> None:
        """Go to the next way to show the text."""
        count = 3 if self.mode.segment(_BOTH).isVisible() else 2
        self.mode.choose((self.mode.index + 1) % count)

    def _on_mode_chosen(self, mode: int) -> None:
        self.source.setVisible(mode != _PREVIEW)
        self.preview.setVisible(mode != _SOURCE)
        self._render()

    def _on_loaded(self) -> None:
        self._shown = self.source.text

    def _on_edited(self) -> None:
        if self.preview.isVisible():
            self._timer.start()

    def _render(self) -> None:
        self._timer.stop()
        if self.mode.index != _SOURCE:
            self._work.compute(render, self.text, done=self._on_rendered, asker=self, key="preview")

    def _on_rendered(self, pieces: tuple[Piece, ...] | None) -> None:
        if pieces is None:
            pieces = (Piece("text", (Run(self.tr("This text is too long to be rendered."), quiet=True),)),)
        self.preview.show_pieces(pieces, keep_place=True)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= WIDTH.side_by_side_min
        self.mode.segment(_BOTH).setVisible(wide)
        if not wide and self.mode.index == _BOTH:
            self.mode.choose(_SOURCE)
