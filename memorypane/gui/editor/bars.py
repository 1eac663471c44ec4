"""The bars of the editor: somebody else changed the entry, a draft was found, changes are about to be given up."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import Button, ButtonKind, IconLabel, Label
from memorypane.model.values import HUMAN, Entry

__all__ = ["ConflictBar", "DraftBar", "GiveUpBar"]

_NARROW = 640
_TWO_ROWS = 76


class _Bar(QWidget):
    """What interrupts, with its buttons beside the words, or below them where it is narrow."""

    def __init__(self, theme: Theme, tone: str, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._tone = theme, tone
        self._lead = Label(theme, "", weight=600)
        self._words = Label(theme, "", elide=Qt.TextElideMode.ElideRight)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lead.hide()
        said = QHBoxLayout()
        said.setSpacing(8)
        for widget in (IconLabel(theme, icon, tone), self._lead):
            said.addWidget(widget)
        said.addWidget(self._words, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._both.setContentsMargins(16, 0, 12, 1)
        self._both.setSpacing(8)
        self._both.setSizeConstraint(QBoxLayout.SizeConstraint.SetNoConstraint)
        self._both.addLayout(said, 1)
        self._both.addLayout(self._buttons)
        theme.changed.connect(self._fit)
        self._fit()

    def say(self, words: str, lead: str = "") -> None:
        """Show a sentence, with a name before it in bold."""
        self._lead.show_text(lead)
        self._lead.setVisible(bool(lead))
        self._words.show_text(words)
        self.setAccessibleName(f"{lead} {words}".strip())

    def add(self, text: str, kind: ButtonKind = "normal") -> Button:
        """Add a button at the right."""
        button = Button(self._theme, text, kind=kind, small=True)
        self._buttons.addWidget(button)
        return button

    def wanted_width(self) -> int:
        """The width below which words and buttons do not fit beside each other."""
        return _NARROW

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH.reader_min, self.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < self.wanted_width() * max(1.0, self._theme.fonts.factor)
        self._both.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._both.setContentsMargins(16, 8 if narrow else 0, 12, 9 if narrow else 1)
        self._buttons.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedHeight(self._theme.px(_TWO_ROWS if narrow else HEIGHT.info_bar))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(f"{self._tone}_soft"))
        line = "line" if self._tone == "accent" else f"{self._tone}_line"
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color(line))
        painter.end()


class ConflictBar(_Bar):
    """Says who changed the entry meanwhile; the draft is safe whatever is clicked here, but for *Discard mine*."""

    view_asked = Signal()
    merge_asked = Signal()
    overwrite_asked = Signal()
    discard_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "warning", "git-merge", parent)
        self.view = self.add(self.tr("View change"))
        self.merge = self.add(self.tr("Merge"))
        self.overwrite = self.add(self.tr("Save as new version"))
        self.discard = self.add(self.tr("Discard mine…"), "danger")
        self.view.setCheckable(True)
        self.merge.setCheckable(True)
        self.view.clicked.connect(self.view_asked)
        self.merge.clicked.connect(self.merge_asked)
        self.overwrite.clicked.connect(self.overwrite_asked)
        self.discard.clicked.connect(self.discard_asked)

    def show_conflict(self, theirs: Entry, base: int, *, removed: bool) -> None:
        """Name who wrote which version."""
        yours = theirs.info.actor == HUMAN
        lead = self.tr("You") if yours else words.actor_words(theirs.info.actor)
        if removed:
            text = self.tr("removed this entry while you were editing version {base}. Your draft is safe.").format(base=base)
        elif yours:
            text = self.tr("saved version {version} elsewhere while you were editing version {base} here. Your draft is safe.")
        else:
            text = self.tr("saved version {version} while you were editing version {base}. Your draft is safe.")
        self.say(text.format(version=theirs.info.version, base=base), lead)
        self.view.setVisible(not removed)
        self.merge.setVisible(not removed)
        self.overwrite.show_text(self.tr("Restore with my text") if removed else self.tr("Save as new version"))

    @override
    def wanted_width(self) -> int:
        return 860

    def show_open(self, *, view: bool, merge: bool) -> None:
        """Draw the button of what is open as pressed."""
        self.view.setChecked(view)
        self.merge.setChecked(merge)


class DraftBar(_Bar):
    """Offers a draft that was never saved."""

    use_asked = Signal()
    drop_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "accent", "pencil", parent)
        self.use = self.add(self.tr("Go on with it"))
        self.drop = self.add(self.tr("Discard draft"), "danger")
        self.use.clicked.connect(self.use_asked)
        self.drop.clicked.connect(self.drop_asked)

    def show_draft(self, saved_at: int, now: int) -> None:
        """Say when it was written."""
        self.say(self.tr("There is a draft of {when} that was never saved.").format(when=words.when(saved_at, now)))


class GiveUpBar(_Bar):
    """Asks once more before typed words go."""

    agreed = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "danger", "circle-alert", parent)
        self.yes = self.add(self.tr("Discard"), "danger")
        self.no = self.add(self.tr("Keep writing"))
        self.yes.clicked.connect(self.agreed)
        self.no.clicked.connect(self.refused)
        self.say(self.tr("Discard what you wrote? It was never saved, so nothing brings it back."))
