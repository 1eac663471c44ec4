"""The fields above the text: name, description, kind; each error stands under its field as a sentence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from memorypane.gui.editor.drafts import Words
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.widgets import Combo, Label
from memorypane.model.shelves import RECORDS, TOPICS, Shelf

__all__ = ["EntryFields"]

KINDS = ("semantic_fact", "episodic_event", "procedural_preference", "project_preference", "open_question", "source_preference")
_LONGEST_NAME = 200


class EntryFields(Panel):
    """Shows the fields that a shelf has; hidden where it has none. `edited` fires on every change."""

    edited = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, ground="surface", bottom=True, parent=parent)
        self._shelf: Shelf | None = None
        self._useful = False
        self.name = QLineEdit()
        self.name.setMaxLength(2 * _LONGEST_NAME)
        self.description = QLineEdit()
        self.kind = Combo(theme, self.tr("Kind"))
        for kind, words in zip(KINDS, self._kind_words(), strict=True):
            self.kind.addItem(words, kind)
        self._name_label = Label(theme, self.tr("Name"), "meta", "muted")
        self._description_label = Label(theme, self.tr("Description"), "meta", "muted")
        self._kind_label = Label(theme, self.tr("Kind"), "meta", "muted")
        self._error = Label(theme, "", "meta", "danger", wrap=True)
        self._error.hide()
        grid = QGridLayout(self)
        grid.setContentsMargins(24, 10, 24, 11)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        grid.addWidget(self._name_label, 0, 0)
        grid.addWidget(self.name, 0, 1)
        grid.addWidget(self._error, 1, 1)
        grid.addWidget(self._description_label, 2, 0)
        grid.addWidget(self.description, 2, 1)
        grid.addWidget(self._kind_label, 3, 0)
        grid.addWidget(self.kind, 3, 1, Qt.AlignmentFlag.AlignLeft)
        grid.setColumnStretch(1, 1)
        for label, field in ((self._name_label, self.name), (self._description_label, self.description)):
            label.setBuddy(field)
            field.setAccessibleName(label.full_text)
        self.name.textChanged.connect(self._on_name_changed)
        self.description.textChanged.connect(self.edited)

    def show_for(self, shelf: Shelf, words: Words, *, new: bool) -> None:
        """Show the fields of a shelf with what they hold."""
        self._shelf = shelf
        self.show_words(words)
        topic, record = shelf is TOPICS, shelf is RECORDS and new
        shown: tuple[tuple[bool, tuple[QWidget, ...]], ...] = (
            (shelf.named, (self._name_label, self.name)), (topic, (self._description_label, self.description)),
            (record, (self._kind_label, self.kind)),
        )
        for on, widgets in shown:
            for widget in widgets:
                widget.setVisible(on)
        self.name.setPlaceholderText(self.tr("group/short-name") if topic else self.tr("What this is about"))
        self.description.setPlaceholderText(self.tr("One line that says when to open it"))
        self._useful = shelf.named or topic or record
        self.setVisible(self._useful)
        self.show_error("")

    def show_words(self, words: Words) -> None:
        """Fill the fields."""
        for field, text in ((self.name, words.name), (self.description, words.description)):
            if field.text() != text:
                field.setText(text)

    @property
    def useful(self) -> bool:
        """Whether the shelf has any field besides the text."""
        return self._useful

    @property
    def chosen_kind(self) -> str:
        """The kind of a new record, "" on other shelves."""
        return str(self.kind.currentData()) if self._shelf is RECORDS else ""

    def problem(self) -> str:
        """Why the fields keep one from saving, "" if they do not."""
        if self._shelf is None or not self._shelf.named:
            return ""
        name = self.name.text().strip()
        if not name:
            return self.tr("Give it a name first")
        if len(name) > _LONGEST_NAME:
            return self.tr("The name is longer than {count} characters").format(count=_LONGEST_NAME)
        return ""

    def show_error(self, sentence: str) -> None:
        """Show a sentence under the name, or none."""
        self._error.show_text(sentence)
        self._error.setVisible(bool(sentence))
        if sentence and self.name.isVisible():
            self.name.setFocus()

    def _on_name_changed(self) -> None:
        self._error.hide()
        self.edited.emit()

    def _kind_words(self) -> tuple[str, ...]:
        return (
            self.tr("Fact"), self.tr("Event"), self.tr("Way of working"), self.tr("Preference of the project"), self.tr("Open question"),
            self.tr("Preferred source"),
        )
