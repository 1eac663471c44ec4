"""Asks before an entry goes to the system tier: what that means, and a name if the entry has none."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.dialogs import fit_dialog
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paragraph import Paragraph
from memorypane.gui.theme.theme import Theme
from memorypane.model import text
from memorypane.model.errors import InvalidInput
from memorypane.model.values import EntryInfo

__all__ = ["PromoteDialog"]


class PromoteDialog(QDialog):
    """`promoted` carries the name to give ("" = keep the one it has)."""

    promoted = Signal(str)

    def __init__(self, theme: Theme, info: EntryInfo, parent: QWidget) -> None:
        super().__init__(parent)
        self._info = info
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Promote to System"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(10)
        column.addWidget(Label(theme, self.tr("Promote “{name}”").format(name=info.title[:60]), "title", wrap=True))
        sentence = self.tr(
            "Every agent then reads it first, before everything else. No agent can see, change or remove it as an entry. "
            "You can move it back at any time; its history comes along."
        )
        column.addWidget(Paragraph(theme, sentence))
        self._name = QLineEdit(info.name or text.excerpt(info.excerpt, 80))
        self._name.setAccessibleName(self.tr("Name in System"))
        self._problem = Label(theme, "", "meta", "danger", wrap=True)
        if not info.name:
            column.addWidget(Label(theme, self.tr("Name in System"), "meta", "muted"))
            column.addWidget(self._name)
            column.addWidget(self._problem)
            self._name.textChanged.connect(self._on_name_changed)
        self._ok = Button(theme, self.tr("Promote"), kind="primary", icon="arrow-up-to-line")
        self._ok.setDefault(True)
        cancel = Button(theme, self.tr("Cancel"), kind="quiet")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self._ok)
        column.addSpacing(8)
        column.addLayout(row)
        fit_dialog(self, 480)
        cancel.clicked.connect(self.reject)
        self._ok.clicked.connect(self._on_promote_clicked)

    def _on_name_changed(self) -> None:
        self._problem.show_text(self._fault())
        self._ok.setEnabled(not self._fault())

    def _fault(self) -> str:
        if self._info.name:
            return ""
        try:
            text.check_name(self._name.text())
        except InvalidInput as problem:
            return problem.message
        return ""

    def _on_promote_clicked(self) -> None:
        if not self._fault():
            self.promoted.emit("" if self._info.name else self._name.text().strip())
            self.accept()
