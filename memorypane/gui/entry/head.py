"""The head over an entry: where it lives, its name and state, facts, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSpacerItem, QVBoxLayout, QWidget

from memorypane.gui.entry.facts import Facts, FactsLine
from memorypane.gui.theme.buttons import Button, IconButton
from memorypane.gui.theme.labels import BadgeLabel, Label
from memorypane.gui.theme.paint import Badge
from memorypane.gui.theme.theme import Theme

__all__ = ["Head", "HeadWords"]


@dataclass(frozen=True, slots=True)
class HeadWords:
    """What the head shows; `action` is the words of the main button ("" = none), `pinned` None hides the pin."""

    place: Badge
    where: str
    title: str
    states: tuple[Badge, ...]
    facts: Facts | None
    action: str = ""
    action_icon: str = ""
    pinned: bool | None = None


class Head(QWidget):
    """Three lines, or two while the list is folded away and the first one leads back to it.

    Signals: `back_asked`, `action_asked` (the main button), `pin_asked`, `menu_asked` with the place for the menu.
    """

    back_asked = Signal()
    action_asked = Signal()
    pin_asked = Signal()
    menu_asked = Signal(QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._folded = False
        self._back = Button(theme, "", kind="quiet", icon="arrow-left", small=True, flush=True)
        self._back.setFixedHeight(18)
        self._back.clicked.connect(self.back_asked)
        self._place = BadgeLabel(theme, Badge(""))
        self._where = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self._title = Label(theme, "", "title", elide=Qt.TextElideMode.ElideRight, hug=True)
        self._badges: list[BadgeLabel] = []
        self._facts = FactsLine(theme)
        self._action = Button(theme, "", small=True)
        self._action.clicked.connect(self.action_asked)
        self._pin = IconButton(theme, "pin", self.tr("Pin"))
        self._pin.clicked.connect(self.pin_asked)
        self._more = IconButton(theme, "ellipsis", self.tr("More"))
        self._more.clicked.connect(self._on_more_clicked)
        self._first = QHBoxLayout()
        self._first.setSpacing(7)
        self._first.addWidget(self._back)
        self._first.addWidget(self._place)
        self._first.addWidget(self._where, 1)
        self._first.addStretch(0)
        self._second = QHBoxLayout()
        self._second.setSpacing(8)
        self._second.addWidget(self._title)
        self._second.addStretch(1)
        self._second.addWidget(self._action)
        self._second.addWidget(self._pin)
        self._second.addWidget(self._more)
        self._second.addStrut(28)
        self._first.addStrut(18)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 14, 24, 8)
        column.setSpacing(0)
        column.addLayout(self._first)
        column.addSpacing(5)
        column.addLayout(self._second)
        self._gap = QSpacerItem(0, 7)
        column.addSpacerItem(self._gap)
        column.addWidget(self._facts)
        self._column = column
        self._back.hide()

    def show_words(self, shown: HeadWords) -> None:
        """Show another entry, or the same as it now stands."""
        self._place.show_badge(shown.place)
        self._where.show_text(shown.where)
        self._title.show_text(shown.title)
        self._show_badges(shown.states)
        self._facts.show_facts(shown.facts)
        self._action.setVisible(bool(shown.action))
        self._action.show_text(shown.action)
        self._action.show_icon(shown.action_icon)
        self._pin.setVisible(shown.pinned is not None)
        if shown.pinned:
            self._pin.show_icon("pin-off", self.tr("Take the pin off"), "accent")
        else:
            self._pin.show_icon("pin", self.tr("Pin: changes by agents then wait for you"))

    def fold(self, back: str) -> None:
        """Lead back to a list that is folded away, by its name; "" = the list is there."""
        self._folded = bool(back)
        self._back.setVisible(self._folded)
        self._back.show_text(back)
        self._where.setVisible(not self._folded)
        self._facts.setVisible(not self._folded)
        target = self._second if self._folded else self._first
        if target.indexOf(self._place) < 0:
            (self._first if self._folded else self._second).removeWidget(self._place)
            target.insertWidget(1, self._place)
        self._gap.changeSize(0, 0 if self._folded else 7)
        self._column.setContentsMargins(24, 14, 24, 5 if self._folded else 8)
        self._column.invalidate()

    def _show_badges(self, badges: Sequence[Badge]) -> None:
        for old in self._badges:
            self._second.removeWidget(old)
            old.deleteLater()
        self._badges = [BadgeLabel(self._theme, badge) for badge in badges[:3]]
        at = max(self._second.indexOf(self._title), self._second.indexOf(self._place)) + 1
        for number, label in enumerate(self._badges):
            self._second.insertWidget(at + number, label)

    def _on_more_clicked(self) -> None:
        self.menu_asked.emit(self._more.mapToGlobal(QPoint(0, self._more.height() + 2)))
