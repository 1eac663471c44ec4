"""Merging three texts: theirs, base and mine above, the result with its conflicts below."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words as wording
from memorypane.gui.diffview.bar import PaneHeads
from memorypane.gui.diffview.keyed import KeyedPage
from memorypane.gui.diffview.panes import PaneStyle
from memorypane.gui.diffview.selectable import SelectableGrid
from memorypane.gui.editor.drafts import Words
from memorypane.gui.editor.measures import Measure, measure
from memorypane.gui.editor.merge_bar import NameChoice, ResultBar
from memorypane.gui.editor.merge_block import DecidedBlock, OpenBlock, OwnBlock
from memorypane.gui.editor.merge_rows import conflict_rows, result_rows, three_way_rows
from memorypane.gui.editor.merging import Decisions, Pick
from memorypane.gui.keys import KeyAction
from memorypane.gui.reader.browser import MarkdownView
from memorypane.gui.reader.markdown import Piece as Block
from memorypane.gui.reader.markdown import Run, render
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.widgets import BusyLine
from memorypane.gui.work import Work
from memorypane.model.lines import join_lines
from memorypane.model.merge import Merge, Piece, merge
from memorypane.model.values import Entry

__all__ = ["MergeView"]

_PICKS: tuple[Pick, ...] = ("theirs", "mine", "both", "own")
_SHARE = 0.42


class MergeView(KeyedPage):
    """Decides a merge.

    `decided` fires whenever a choice was made or taken back, `taken(Words)` when the person wants to go on in the editor with the result.
    """

    decided = Signal()
    taken = Signal(object)

    def __init__(self, theme: Theme, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._work = theme, work
        self._decisions: Decisions | None = None
        self._before, self._mine, self._theirs = Words(), Words(), Words()
        self._opened_above: frozenset[int] = frozenset()
        self._opened_below: frozenset[int] = frozenset()
        self._starts: tuple[int, ...] = ()
        self._block_rows: tuple[int, ...] = ()
        self._blocks: list[OpenBlock | OwnBlock | DecidedBlock] = []
        self._current = 0
        self._writing = -1
        self._measured = measure("")
        self.heads = PaneHeads(theme, (14,))
        self.grid = SelectableGrid(theme, (PaneStyle(gutter=32, sign=14),) * 3)
        self.grid.setAccessibleName(self.tr("Theirs, base and mine"))
        self.bar = ResultBar(theme)
        self.names = NameChoice(theme)
        self.result = SelectableGrid(theme, (PaneStyle(note=72),))
        self.result.setAccessibleName(self.tr("Result"))
        self.preview = MarkdownView(theme)
        self._busy = BusyLine(theme, self)
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._build()
        self.bar.step_asked.connect(self.step)
        self.bar.preview_asked.connect(self._on_preview_asked)
        self.bar.take_asked.connect(lambda: self.taken.emit(self.words))
        self.names.chosen.connect(self.decided)
        self.result.resized.connect(self._fit_blocks)
        self.result.fold_asked.connect(self._on_fold_below)
        self.grid.fold_asked.connect(self._on_fold_above)

    def _build(self) -> None:
        upper, lower = QWidget(), QWidget()
        above = QVBoxLayout(upper)
        below = QVBoxLayout(lower)
        for column in (above, below):
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
        above.addWidget(self.heads)
        above.addWidget(self.grid, 1)
        self._stack.addWidget(self.result)
        self._stack.addWidget(self.preview)
        for widget in (self.bar, self.names):
            below.addWidget(widget)
        below.addWidget(self._stack, 1)
        self._halves.setChildrenCollapsible(False)
        self._halves.addWidget(upper)
        self._halves.addWidget(lower)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._halves)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._busy.setGeometry(0, 0, self.width(), 2)
        self._busy.raise_()

    # what is merged

    def show_texts(self, before: Words, mine: Words, theirs: Entry, base: int, base_by: str = "") -> None:
        """Merge what is typed with what stands now; `base` is the version both started from, `base_by` who wrote it, if that is known."""
        now = wording.now_ms()
        self._before, self._mine = before, mine
        self._theirs = Words(theirs.info.name, theirs.info.description, theirs.content)
        by = self.tr("version {number}, {actor}, {when}").format(
            number=theirs.info.version, actor=wording.actor_words(theirs.info.actor), when=wording.when(theirs.info.updated_at, now),
        )
        start = self.tr("version {number}").format(number=base)
        self.heads.show_heads((
            (self.tr("Theirs"), by), (self.tr("Base"), ", ".join(part for part in (start, base_by) if part)),
            (self.tr("Mine"), self.tr("your draft, not saved")),
        ))
        self.names.show_names(before.name, mine.name, self._theirs.name)
        self._decisions = None
        self._writing = -1
        self._busy.begin()
        self._work.compute(merge, before.content, mine.content, theirs.content, done=self._on_merged, asker=self, key="merge")
        self.decided.emit()

    @property
    def ready(self) -> bool:
        """Whether the merge stands on screen."""
        return self._decisions is not None

    @property
    def open_count(self) -> int:
        """How many conflicts are to be decided; one while the merge is not there yet."""
        return len(self._decisions.open) if self._decisions is not None else 1

    @property
    def measured(self) -> Measure:
        """What the result holds."""
        return self._measured

    @property
    def words(self) -> Words:
        """The merged words: where only one side changed a field, its value."""
        mine, theirs, before = self._mine, self._theirs, self._before
        description = mine.description if mine.description != before.description else theirs.description
        return Words(self.names.name, description, self._decisions.text() if self._decisions is not None else mine.content)

    def _on_merged(self, merged: Merge) -> None:
        self._busy.end()
        self._decisions = Decisions(merged)
        self._opened_above = self._opened_below = frozenset()
        self._show_three()
        height = self.height() or 1
        wanted = min(self.grid.height_at(self.width(), height) + self.heads.height() + 2, round(height * _SHARE))
        self._halves.setSizes([wanted, height - wanted])
        self._current = 0
        self._refresh(keep_place=False)
        self._go_to(0)

    def _show_three(self, *, keep_place: bool = False) -> None:
        if self._decisions is not None:
            made = three_way_rows(self._decisions, self._opened_above)
            self._starts = made.starts
            self.grid.set_rows(made.rows, highest=made.highest, keep_place=keep_place)

    def _on_fold_above(self, key: int) -> None:
        self._opened_above |= {key}
        self._show_three(keep_place=True)

    def _on_fold_below(self, key: int) -> None:
        self._opened_below |= {key}
        self._refresh()

    # the result

    def _refresh(self, *, keep_place: bool = True) -> None:
        """Show the result as it now stands."""
        decisions = self._decisions
        if decisions is None:
            return
        self._blocks = [self._block(number) for number in range(len(decisions.conflicts))]
        width = self.result.viewport().width()
        heights = [block.height_for(width) for block in self._blocks]
        origins = {"theirs": self.tr("theirs"), "mine": self.tr("mine"), "both": self.tr("both"), "own": self.tr("own")}
        made = result_rows(decisions, origins, heights, self._opened_below)
        place = self.result.verticalScrollBar().value()
        self.result.set_rows(made.rows, highest=made.highest)
        self._block_rows = made.blocks
        for row, block in zip(made.blocks, self._blocks, strict=True):
            self.result.set_block(row, block)
        if keep_place:
            self.result.verticalScrollBar().setValue(place)
        self._measured = measure(decisions.text())
        self.bar.show_counts(decisions.merged_count, len(decisions.open), self._current, len(decisions.conflicts))
        if self._stack.currentWidget() is self.preview:
            self._render()
        self.decided.emit()

    def _block(self, number: int) -> OpenBlock | OwnBlock | DecidedBlock:
        decisions, theme = self._decisions, self._theme
        if decisions is None:
            raise LookupError("there is no merge yet")
        piece, choice = decisions.piece(number), decisions.choices[number]
        title = self._title(piece)
        if choice is not None:
            said = {
                "theirs": self.tr("{title}: theirs is used"), "mine": self.tr("{title}: mine is used"),
                "both": self.tr("{title}: both are used, theirs first"), "own": self.tr("{title}: your own words are used"),
            }[choice.pick]
            decided = DecidedBlock(theme, said.format(title=title))
            decided.reopened.connect(lambda: self._reopen(number))
            return decided
        if number == self._writing:
            own = OwnBlock(theme, title, join_lines([*piece.theirs, *piece.mine], open_end=True))
            own.written.connect(lambda lines: self._decide(number, "own", lines))
            own.given_up.connect(lambda: self._write_own(-1, number))
            return own
        rows = conflict_rows(piece, self._line(number), self.tr("theirs"), self.tr("mine"))
        block = OpenBlock(theme, title, rows, self.result_highest)
        block.picked.connect(lambda pick: self.choose(pick, number))
        return block

    @property
    def result_highest(self) -> int:
        """The highest line number that the result may come to; blocks have gutters as wide as the result's."""
        texts = (self._before.content, self._mine.content, self._theirs.content)
        return max(text.count("\n") for text in texts) + 1

    def _line(self, number: int) -> int:
        """The line of the result at which a conflict stands, from 1; conflicts before it that are open count with their longer answer."""
        decisions = self._decisions
        line, conflict = 1, 0
        for piece in decisions.merged.pieces if decisions is not None else ():
            if piece.kind != "conflict":
                line += len(piece.mine if piece.kind == "mine" else piece.theirs)
                continue
            if conflict == number or decisions is None:
                break
            choice = decisions.choices[conflict]
            line += len(choice.lines) if choice is not None else max(len(piece.theirs), len(piece.mine))
            conflict += 1
        return line

    def _title(self, piece: Piece) -> str:
        first, count = piece.base_start, len(piece.base)
        if not count and first <= 1:
            return self.tr("Both added lines at the top")
        if not count:
            return self.tr("Both added lines after line {line}").format(line=first - 1)
        one, several = self.tr("line {first}"), self.tr("lines {first}–{last}")
        lines = (one if count == 1 else several).format(first=first, last=first + count - 1)
        if not piece.theirs:
            return self.tr("They removed {lines}, you changed it").format(lines=lines)
        if not piece.mine:
            return self.tr("You removed {lines}, they changed it").format(lines=lines)
        return self.tr("Both changed {lines}").format(lines=lines)

    def _fit_blocks(self) -> None:
        width = self.result.viewport().width()
        for row, block in zip(self._block_rows, self._blocks, strict=False):
            self.result.set_block_height(row, block.height_for(width))

    # deciding

    def choose(self, pick: Pick, number: int = -1) -> None:
        """Decide a conflict (the current one without `number`) by theirs, mine or both, or begin to write an own answer."""
        number = self._current if number < 0 else number
        decisions = self._decisions
        if decisions is None or not 0 <= number < len(decisions.conflicts):
            return
        self._current = number
        if pick == "own":
            if decisions.choices[number] is not None:
                decisions.reopen(number)
            self._write_own(number, number)
        else:
            self._decide(number, pick, ())

    def _decide(self, number: int, pick: Pick, lines: tuple[str, ...]) -> None:
        decisions = self._decisions
        if decisions is None:
            return
        decisions.decide(number, pick, lines)
        self._writing = -1
        after = [other for other in decisions.open if other > number] or list(decisions.open)
        self._current = after[0] if after else number
        self._refresh()
        self._go_to(self._current)
        if not after:
            self.result.setFocus()

    def _reopen(self, number: int) -> None:
        if self._decisions is not None:
            self._decisions.reopen(number)
            self._current = number
            self._refresh()
            self._go_to(number)

    def _write_own(self, number: int, current: int) -> None:
        self._writing, self._current = number, current
        self._refresh()
        self._go_to(current)

    def undo(self) -> None:
        """Take the last choice back."""
        if self._decisions is not None and self._decisions.undo():
            self._after_history()

    def redo(self) -> None:
        """Make the choice again that was taken back."""
        if self._decisions is not None and self._decisions.redo():
            self._after_history()

    def _after_history(self) -> None:
        decisions = self._decisions
        self._writing = -1
        if decisions is not None and decisions.open:
            self._current = decisions.open[0]
        self._refresh()
        self._go_to(self._current)

    # moving

    def step(self, by: int) -> None:
        """Go to the next or previous conflict."""
        if self._decisions is not None and self._decisions.conflicts:
            self._current = max(0, min(self._current + by, len(self._decisions.conflicts) - 1))
            self._go_to(self._current)

    def _go_to(self, number: int) -> None:
        decisions = self._decisions
        if decisions is None or not 0 <= number < len(self._blocks):
            return
        self.bar.show_counts(decisions.merged_count, len(decisions.open), number, len(decisions.conflicts))
        self.result.reveal(self._block_rows[number])
        if number < len(self._starts):
            self.grid.reveal(self._starts[number], middle=True)
        self._blocks[number].setFocus()

    def key_actions(self) -> tuple[KeyAction, ...]:
        """The keys of the merge."""
        choices, steps = self.tr("theirs, mine, both, own"), self.tr("next, previous conflict")
        in_block = self._in_block()
        plain = tuple(
            KeyAction(str(number), choices, partial(self.choose, pick) if in_block else _nothing) for number, pick in enumerate(_PICKS, 1)
        )
        anywhere = tuple(
            KeyAction(f"Alt+{number}", choices, partial(self.choose, pick), hint=False) for number, pick in enumerate(_PICKS, 1)
        )
        return (
            *plain,
            *anywhere,
            KeyAction("]", steps, partial(self.step, 1)),
            KeyAction("[", steps, partial(self.step, -1)),
            KeyAction("Ctrl+Z", self.tr("undo"), self.undo),
            KeyAction("Ctrl+Shift+Z", self.tr("redo"), self.redo, hint=False),
        )

    def _in_block(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and any(block is focus or block.isAncestorOf(focus) for block in self._blocks)

    # preview

    def _on_preview_asked(self, on: bool) -> None:  # noqa: FBT001  # the signal's own signature
        self._stack.setCurrentWidget(self.preview if on else self.result)
        if on:
            self._render()

    def _render(self) -> None:
        self._work.compute(render, self.words.content, done=self._on_rendered, asker=self, key="preview")

    def _on_rendered(self, pieces: tuple[Block, ...] | None) -> None:
        too_long = (Block("text", (Run(self.tr("This text is too long to be rendered."), quiet=True),)),)
        self.preview.show_pieces(too_long if pieces is None else pieces, keep_place=True)


def _nothing() -> None:
    """The digits are shown as keys, but act only while a conflict has the focus."""
