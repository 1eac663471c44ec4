"""Two texts compared: toolbar, heads and grid; compared and laid out off the window's thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.diffview.bar import DiffBar, Facts, PaneHeads
from memorypane.gui.diffview.panes import PaneStyle
from memorypane.gui.diffview.selectable import SelectableGrid
from memorypane.gui.diffview.selecting import Place
from memorypane.gui.diffview.sheets import CONTEXT, Layout, Sheet, Span, make_sheet
from memorypane.gui.keys import KeyAction
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import WIDTH
from memorypane.gui.theme.widgets import BusyLine
from memorypane.gui.work import Work
from memorypane.model.diff import DiffRow, counts, rows

__all__ = ["Comparison", "DiffPanel", "Preference"]

Preference = Literal["auto", "inline", "side"]
_AT_ONCE = 4000
_SIDE = (PaneStyle(), PaneStyle())
_INLINE = (PaneStyle(numbers=2, gutter=34),)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts and the words around them.

    `title` and `note` stand in the toolbar, the heads (bold, quiet) above the two sides; `facts` are sentences about what differs
    besides the text; `findings` are spans of the new text in code points.
    """

    old: str
    new: str
    title: str = ""
    note: str = ""
    old_head: tuple[str, str] = ("", "")
    new_head: tuple[str, str] = ("", "")
    facts: tuple[str, ...] = ()
    findings: tuple[Span, ...] = ()


class DiffPanel(QWidget):
    """Shows a `Comparison`.

    `shown` fires when a comparison stands on screen, `layout_chosen` carries what the person picked ("inline", "side") to be
    remembered, `room_wanted` asks for more width (true) or says that it is no longer needed (false).
    """

    shown = Signal()
    layout_chosen = Signal(str)
    room_wanted = Signal(bool)

    def __init__(self, theme: Theme, work: Work, preference: Preference = "auto", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._work = theme, work
        self._preference: Preference = preference
        self._forced = False
        self._whole = False
        self._comparison = Comparison("", "")
        self._lines: tuple[DiffRow, ...] = ()
        self._opened: frozenset[int] = frozenset()
        self._sheet = Sheet((), (), 1)
        self._layout: Layout = "inline"
        self._change = -1
        self._ready = False
        self.bar = DiffBar(theme)
        self.heads = PaneHeads(theme)
        self.grid = SelectableGrid(theme, _INLINE)
        self.grid.setAccessibleName(self.tr("Comparison"))
        self._facts = Facts(theme)
        self._busy = BusyLine(theme, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bar, self._facts, self.heads):
            column.addWidget(widget)
        column.addWidget(self.grid, 1)
        self._facts.hide()
        self.heads.hide()
        self.bar.layout_chosen.connect(self._on_layout_chosen)
        self.bar.whole_chosen.connect(self.set_whole)
        self.bar.step_asked.connect(self.step)
        self.grid.fold_asked.connect(self._on_fold_asked)
        self.grid.scrolled.connect(self._on_grid_scrolled)

    # what is shown

    def compare(self, comparison: Comparison) -> None:
        """Compare two texts and show the result when it is there; a later call replaces an earlier one."""
        self._comparison = comparison
        self._opened = frozenset()
        self._ready = False
        self.bar.show_title(comparison.title, comparison.note)
        self._busy.begin()
        self._work.compute(rows, comparison.old, comparison.new, done=self._on_compared, asker=self, key="compare")

    @property
    def ready(self) -> bool:
        """Whether what was asked for stands on screen."""
        return self._ready

    @property
    def comparison(self) -> Comparison:
        """What was asked for last."""
        return self._comparison

    @property
    def layout_shown(self) -> Layout:
        """Which layout is in force."""
        return self._layout

    @property
    def change(self) -> int:
        """Which change is looked at, from 0; -1 if there is none."""
        return self._change

    def _on_compared(self, lines: tuple[DiffRow, ...]) -> None:
        self._lines = lines
        added, removed = counts(lines)
        same = not any(line.kind != "same" for line in lines)
        self.bar.show_counts(added, removed)
        self.bar.show_whole(whole=self._whole, possible=not same and len(lines) > 2 * CONTEXT)
        self._facts.show_facts((*self._comparison.facts, *self._own_facts(same=same)))
        self._change = -1
        self._lay_out(keep_place=False)

    def _own_facts(self, *, same: bool) -> tuple[str, ...]:
        old, new = self._comparison.old, self._comparison.new
        if same:
            return (self.tr("The text is the same on both sides."),)
        if old and new and old.endswith("\n") != new.endswith("\n"):
            added = new.endswith("\n")
            return (self.tr("The line break at the end was added.") if added else self.tr("The line break at the end was removed."),)
        return ()

    def _lay_out(self, *, keep_place: bool) -> None:
        """Make the rows: at once for usual texts, in the background for long ones."""
        self._layout = self._wanted_layout()
        self.bar.show_layout(self._layout)
        texts = self._comparison
        make = partial(
            make_sheet, self._lines, self._layout, old=texts.old, new=texts.new, whole=self._whole, opened=self._opened,
            findings=texts.findings,
        )

        def show(sheet: Sheet) -> None:
            self._show_sheet(sheet, keep_place=keep_place)

        if len(self._lines) <= _AT_ONCE and len(texts.new) + len(texts.old) < 64 * _AT_ONCE:
            show(make())
        else:
            self._work.compute(make, done=show, asker=self, key="sheet")

    def _show_sheet(self, sheet: Sheet, *, keep_place: bool) -> None:
        self._busy.end()
        self._sheet = sheet
        side = self._layout == "side"
        heads = (self._comparison.old_head, self._comparison.new_head)
        self.heads.setVisible(side and any(any(head) for head in heads))
        self.heads.show_heads(heads)
        self.grid.set_rows(sheet.rows, panes=_SIDE if side else _INLINE, highest=sheet.highest, keep_place=keep_place)
        self._ready = True
        if not keep_place and sheet.changes:
            self.grid.reveal(sheet.changes[0])
        self._on_grid_scrolled()
        self.shown.emit()

    # layout

    def set_whole(self, whole: bool) -> None:  # noqa: FBT001  # a slot of the toggle
        """Show all text, or changes with a few lines around them."""
        if whole != self._whole:
            self._whole = whole
            self._opened = frozenset()
            self.bar.show_whole(whole=whole, possible=True)
            self._lay_out(keep_place=True)

    def toggle_whole(self) -> None:
        """Change between all text and changes only."""
        self.set_whole(not self._whole)

    def toggle_layout(self) -> None:
        """Change between inline and side by side."""
        self._on_layout_chosen("inline" if self._layout == "side" else "side")

    def _wanted_layout(self) -> Layout:
        if self._preference == "inline":
            return "inline"
        return "side" if self._forced or self.width() >= WIDTH.side_by_side_min else "inline"

    def _on_layout_chosen(self, layout: str) -> None:
        wanted: Layout = "side" if layout == "side" else "inline"
        narrow = self.width() < WIDTH.side_by_side_min
        was_forced, self._forced = self._forced, wanted == "side" and narrow
        self._preference = wanted
        self.layout_chosen.emit(wanted)
        if self._forced or was_forced:
            self.room_wanted.emit(self._forced)
        self._lay_out(keep_place=True)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._busy.setGeometry(0, self.bar.height() - 1, self.width(), 2)
        self._busy.raise_()
        if self.width() >= WIDTH.side_by_side_min:
            self._forced = False
        if self._ready and self._wanted_layout() != self._layout:
            self._lay_out(keep_place=True)

    # moving

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) change."""
        if not self._sheet.changes:
            return
        change = max(0, min(self._change + by, len(self._sheet.changes) - 1))
        self._go_to(change)

    def show_finding(self, index: int) -> None:
        """Scroll to a finding and select its span."""
        start, end = self._comparison.findings[index]
        before = self._comparison.new[:start]
        line = before.count("\n") + 1
        column = start - (before.rfind("\n") + 1)
        pane = 1 if self._layout == "side" else 0
        for row in range(len(self._sheet.rows)):
            cell = self.grid.cell(row, pane)
            if cell is not None and cell.sign != "−" and cell.line == line and cell.offset <= column < cell.offset + len(cell.text):
                self.grid.reveal(row, middle=True)
                stop = min(len(cell.text), end - start + column - cell.offset)
                self.grid.select(pane, Place(row, column - cell.offset), Place(row, stop))
                return

    def key_actions(self) -> tuple[KeyAction, ...]:
        """Keys of a comparison, for the page around it."""
        steps = self.tr("next, previous change")
        return (
            KeyAction("D", self.tr("inline, side by side"), self.toggle_layout),
            KeyAction("]", steps, lambda: self.step(1)),
            KeyAction("[", steps, lambda: self.step(-1)),
            KeyAction("W", self.tr("whole text"), self.toggle_whole),
        )

    def _go_to(self, change: int) -> None:
        row = self._sheet.changes[change]
        self._change = change
        self.grid.reveal(row, middle=True)
        self._change = change
        self.bar.show_place(change, len(self._sheet.changes))
        pane = next((pane for pane in range(len(self.grid.panes) - 1, -1, -1) if self.grid.cell(row, pane) is not None), 0)
        self.grid.select(pane, Place(row, 0), Place(row, 0))

    def _on_grid_scrolled(self) -> None:
        """Keep the count of changes right as the person scrolls: the current one stays while it is seen."""
        changes: Sequence[int] = self._sheet.changes
        seen = self.grid.visible_rows()
        if changes and not (self._change >= 0 and changes[min(self._change, len(changes) - 1)] in seen):
            visible = [index for index, row in enumerate(changes) if row in seen]
            above = [index for index, row in enumerate(changes) if row < seen.start]
            self._change = visible[0] if visible else above[-1] if above else 0
        self.bar.show_place(min(self._change, len(changes) - 1), len(changes))

    def _on_fold_asked(self, key: int) -> None:
        row = next((index for index, row in enumerate(self._sheet.rows) if row.fold is not None and row.fold.key == key), -1)
        self._opened |= {key}
        self._lay_out(keep_place=True)
        if row >= 0 and self.grid.rows:
            pane = self.grid.selection.pane
            self.grid.select(pane, Place(min(row, len(self.grid.rows) - 1), 0), Place(min(row, len(self.grid.rows) - 1), 0))
