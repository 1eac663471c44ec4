"""The line above a comparison: what is compared, how much changed, which change this is, and how to show it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.diffview.panes import DIVIDER, PaneStyle, place_panes
from memorypane.gui.diffview.sheets import Layout
from memorypane.gui.theme.paint import draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import Button, IconButton, Label, SegmentedControl

__all__ = ["DiffBar", "Facts", "PaneHeads"]

_WITH_PLACE, _WITH_NOTE, _WITH_WORDS = 600, 680, 540


class DiffBar(QWidget):
    """The toolbar of a comparison.

    `layout_chosen` carries "inline" or "side", `whole_chosen` whether unchanged text is shown, `step_asked` 1 or -1 for the next
    or previous change.
    """

    layout_chosen = Signal(str)
    whole_chosen = Signal(bool)
    step_asked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quiet = False
        self._title = Label(theme, "", weight=600)
        self._note = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self._added = Label(theme, "", "meta", "success", weight=500)
        self._removed = Label(theme, "", "meta", "danger", weight=500)
        self._place = Label(theme, "", "meta", "muted")
        self._up = IconButton(theme, "chevron-up", self.tr("Previous change"))
        self._down = IconButton(theme, "chevron-down", self.tr("Next change"))
        self._mode = SegmentedControl(theme, (self.tr("Inline"), self.tr("Side by side")), icons=("text-align-start", "columns-2"))
        self._mode.setAccessibleName(self.tr("How to compare"))
        self._whole = Button(theme, self.tr("Whole text"), small=True)
        self._whole.setCheckable(True)
        self._flip = IconButton(theme, "columns-2", self.tr("Inline or side by side"))
        self._flip.setCheckable(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 24, 0)
        row.setSpacing(8)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        for widget in (self._title, self._note, self._added, self._removed):
            row.addWidget(widget)
        self._note.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row.addStretch(1)
        steps = QHBoxLayout()
        steps.setSpacing(0)
        steps.addWidget(self._up)
        steps.addWidget(self._down)
        row.addWidget(self._place)
        row.addLayout(steps)
        for button in (self._mode, self._flip, self._whole):
            row.addWidget(button)
        self._flip.clicked.connect(lambda: self.layout_chosen.emit("side" if self._flip.isChecked() else "inline"))
        self._up.clicked.connect(lambda: self.step_asked.emit(-1))
        self._down.clicked.connect(lambda: self.step_asked.emit(1))
        self._mode.chosen.connect(self._on_mode_chosen)
        self._whole.toggled.connect(self._on_whole_toggled)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_title(self, title: str, note: str = "") -> None:
        """Say what is compared."""
        self._title.show_text(title)
        self._note.show_text(note)
        self._fit()

    def show_counts(self, added: int, removed: int) -> None:
        """Say how many lines came and went; nothing for none."""
        for label, text in ((self._added, f"+{added:,}" if added else ""), (self._removed, f"−{removed:,}" if removed else "")):
            label.show_text(text)
            label.setVisible(bool(text))

    def show_place(self, change: int, count: int) -> None:
        """Say which of the changes is looked at, from 0; -1 before the first."""
        words = self.tr("change {number} of {count}").format(number=change + 1, count=count) if change >= 0 else ""
        if change < 0 < count:
            words = self.tr("1 change") if count == 1 else self.tr("{count} changes").format(count=count)
        self._place.show_text(words)
        self._up.setVisible(count > 1)
        self._down.setVisible(count > 1)
        self._up.setEnabled(change > 0)
        self._down.setEnabled(change + 1 < count)

    def show_layout(self, layout: Layout) -> None:
        """Show which layout is in force, without asking for it."""
        self._quiet = True
        self._mode.choose(0 if layout == "inline" else 1)
        self._flip.setChecked(layout == "side")
        self._quiet = False

    def show_whole(self, *, whole: bool, possible: bool) -> None:
        """Show whether unchanged text is seen; the button goes where there is nothing to fold."""
        self._quiet = True
        self._whole.setChecked(whole)
        self._whole.setVisible(possible)
        self._quiet = False

    def _on_mode_chosen(self, index: int) -> None:
        if not self._quiet:
            self.layout_chosen.emit("side" if index else "inline")

    def _on_whole_toggled(self, on: bool) -> None:  # noqa: FBT001  # the signal's own signature
        if not self._quiet:
            self.whole_chosen.emit(on)

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.toolbar))
        self._fit()
        self.update()

    def _fit(self) -> None:
        """Leave out words where they do not fit: first the note, then the count, then the names of the layouts."""
        width = self.width() / max(1.0, self._theme.fonts.factor)
        self._note.setVisible(width >= _WITH_NOTE and bool(self._note.full_text))
        self._place.setVisible(width >= _WITH_PLACE)
        self._mode.setVisible(width >= _WITH_WORDS)
        self._flip.setVisible(width < _WITH_WORDS)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH.reader_min, self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface_alt"))
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()


class Facts(QWidget):
    """Sentences about what differs besides the lines of the text; hidden while there are none."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = Label(theme, "", "meta", "secondary", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 6, 24, 7)
        column.addWidget(self._words)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        theme.changed.connect(self.update)

    def show_facts(self, facts: tuple[str, ...]) -> None:
        """Show one sentence a line."""
        self._words.show_text("\n".join(facts))
        self.setVisible(bool(facts))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()


class PaneHeads(QWidget):
    """One head a pane: a bold word and a quiet one."""

    def __init__(self, theme: Theme, margins: tuple[int, ...] = (24, 23), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._heads: tuple[tuple[str, str], ...] = ()
        self._margins = margins
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_heads(self, heads: tuple[tuple[str, str], ...]) -> None:
        """Show one (bold, quiet) pair a pane, from the left."""
        self._heads = heads
        self.setAccessibleName("; ".join(" ".join(head) for head in heads))
        self.update()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.table_header))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface_alt"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        areas = place_panes(theme, [PaneStyle()] * max(1, len(self._heads)), self.width(), 1)
        for index, ((strong, quiet), area) in enumerate(zip(self._heads, areas, strict=True)):
            left = area.left + self._margins[min(index, len(self._margins) - 1)]
            if index:
                painter.fillRect(area.left - DIVIDER, 0, DIVIDER, self.height(), theme.color("line_strong"))
            box = QRect(left, 0, area.right - left - 8, self.height())
            draw_text(painter, theme, box, strong, "body", theme.color("text"), weight=600)
            used = theme.metrics("body", weight=600).horizontalAdvance(strong) + 9
            draw_text(painter, theme, box.adjusted(used, 0, 0, 0), quiet, "meta", theme.color("muted"))
        painter.end()
