"""Asks before an agent loses its token, which cannot be given back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.dialogs import fit_dialog
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paragraph import Paragraph
from memorypane.gui.theme.theme import Theme

__all__ = ["RevokeDialog"]


class RevokeDialog(QDialog):
    """`agreed` carries the agent's name."""

    agreed = Signal(str)

    def __init__(self, theme: Theme, agent: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._agent = agent
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Revoke an agent"))
        sentence = self.tr(
            "Its token stops working for good and its connections end at once. What it wrote stays. "
            "To let it in again, make a new token under Connection."
        )
        self.revoke = Button(theme, self.tr("Revoke"), kind="danger")
        cancel = Button(theme, self.tr("Cancel"))
        cancel.setDefault(True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.revoke)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(10)
        column.addWidget(Label(theme, self.tr("Revoke {agent}").format(agent=agent), "title", wrap=True))
        column.addWidget(Paragraph(theme, sentence))
        column.addSpacing(8)
        column.addLayout(row)
        fit_dialog(self, 460)
        cancel.clicked.connect(self.reject)
        self.revoke.clicked.connect(self._on_revoke_clicked)

    def _on_revoke_clicked(self) -> None:
        self.agreed.emit(self._agent)
        self.accept()
