"""The bar under an editor: save, what keeps one from saving, how much the text holds."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.editor.measures import Budget, Measure
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import BudgetBar, Button, Label

__all__ = ["EditorFooter"]

_COUNTS_WIDTH = 236
_AROUND = 80
_WITH_ALL = 800


class EditorFooter(Panel):
    """`save` and `cancel` are its buttons; the rest is told to it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, ground="surface_alt", top=True, parent=parent)
        self._theme = theme
        self._urgent = False
        self._shown: tuple[Measure, Budget | None] | None = None
        self.save = Button(theme, "", kind="primary", keys=("Ctrl S",))
        self.cancel = Button(theme, self.tr("Cancel"), kind="quiet")
        self._words = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self._amount = Label(theme, "", "meta", "muted")
        self._lines = Label(theme, "", "meta", "muted")
        self._bar = BudgetBar(theme)
        self._counts = QWidget()
        self._counts.setFixedWidth(theme.px(_COUNTS_WIDTH))
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._amount)
        top.addStretch(1)
        top.addWidget(self._lines)
        counts = QVBoxLayout(self._counts)
        counts.setContentsMargins(0, 0, 0, 0)
        counts.setSpacing(4)
        counts.addStretch(1)
        counts.addLayout(top)
        counts.addWidget(self._bar)
        counts.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 1, 24, 0)
        row.setSpacing(8)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.addWidget(self.save)
        row.addWidget(self.cancel)
        row.addWidget(self._words, 1)
        row.addWidget(self._counts)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_save(self, text: str, *, possible: bool, words: str = "", tone: str = "muted") -> None:
        """Say what saving does, whether it can be done, and beside it why not (or what to know)."""
        self.save.show_text(text)
        self.save.setEnabled(possible)
        self._urgent = tone != "muted"
        self._words.set_tone(tone)
        self._words.show_text(words)
        self._fit()

    @property
    def words(self) -> str:
        """What stands beside the button."""
        return self._words.full_text

    def show_counts(self, measured: Measure, budget: Budget | None) -> None:
        """Say how much the text holds, with a bar where there is a limit near."""
        self._shown = (measured, budget)
        self._lines.show_text(measured.line_words())
        bar = budget is not None and budget.shown
        self._bar.setVisible(bar)
        if budget is not None and bar:
            self._bar.show_budget(budget.used, budget.limit)
            self._amount.show_text(budget.sentence())
        else:
            self._amount.show_text(measured.sentence() if self.width() >= self._theme.px(_WITH_ALL) else measured.characters_words())
        self._counts.setToolTip(f"{measured.sentence()}, {measured.line_words()}")
        wide = self._amount.sizeHint().width() + self._lines.sizeHint().width() + 12
        self._counts.setFixedWidth(max(self._theme.px(_COUNTS_WIDTH), wide))
        self._fit()

    def _fit(self) -> None:
        """What one must know goes before the counts where both do not fit."""
        taken = self.save.sizeHint().width() + (0 if self.cancel.isHidden() else self.cancel.sizeHint().width()) + _AROUND
        room = self.width() - taken - self._counts.width()
        self._counts.setVisible(room > 0 and not (self._urgent and self._words.sizeHint().width() > room))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH.reader_min, self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        if self._shown is not None:
            self.show_counts(*self._shown)

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.action_bar))
