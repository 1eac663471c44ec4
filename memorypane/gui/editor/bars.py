"""The bars of the editor: somebody else changed the entry, a draft was found, changes are about to be given up."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memorypane.gui import words
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.widgets import InfoBar
from memorypane.model.values import HUMAN, Entry

__all__ = ["ConflictBar", "DraftBar", "GiveUpBar"]


class ConflictBar(InfoBar):
    """Says who changed the entry meanwhile; the draft is safe whatever is clicked here, but for *Discard mine*."""

    view_asked = Signal()
    merge_asked = Signal()
    overwrite_asked = Signal()
    discard_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tone="warning", icon="git-merge", parent=parent)
        self.view = self.add_action(self.tr("View change"), self.view_asked.emit)
        self.merge = self.add_action(self.tr("Merge"), self.merge_asked.emit)
        self.overwrite = self.add_action(self.tr("Save as new version"), self.overwrite_asked.emit)
        self.discard = self.add_action(self.tr("Discard mine…"), self.discard_asked.emit, kind="danger")
        self.view.setCheckable(True)
        self.merge.setCheckable(True)

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
        self.show_message(text.format(version=theirs.info.version, base=base), lead=lead)
        self.view.setVisible(not removed)
        self.merge.setVisible(not removed)
        self.overwrite.show_text(self.tr("Restore with my text") if removed else self.tr("Save as new version"))

    def show_open(self, *, view: bool, merge: bool) -> None:
        """Draw the button of what is open as pressed."""
        self.view.setChecked(view)
        self.merge.setChecked(merge)


class DraftBar(InfoBar):
    """Offers a draft that was never saved."""

    use_asked = Signal()
    drop_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, icon="pencil", parent=parent)
        self.use = self.add_action(self.tr("Go on with it"), self.use_asked.emit)
        self.drop = self.add_action(self.tr("Discard draft"), self.drop_asked.emit, kind="danger")

    def show_draft(self, saved_at: int, now: int) -> None:
        """Say when it was written."""
        self.show_message(self.tr("There is a draft of {when} that was never saved.").format(when=words.when(saved_at, now)))


class GiveUpBar(InfoBar):
    """Asks once more before typed words go."""

    agreed = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, tone="danger", parent=parent)
        self.yes = self.add_action(self.tr("Discard"), self.agreed.emit, kind="danger")
        self.no = self.add_action(self.tr("Keep writing"), self.refused.emit)
        self.show_message(self.tr("Discard what you wrote? It was never saved, so nothing brings it back."))
