"""A bug of ours, told to the person: what happened, a report that can be copied, and an orderly end."""

from __future__ import annotations

import platform
import sqlite3
import sys
import traceback
from pathlib import Path
from types import TracebackType

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

import memorypane
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paragraph import Paragraph
from memorypane.gui.theme.theme import Theme

__all__ = ["CrashDialog", "environment", "report"]

_LONGEST_MESSAGE = 200


def environment() -> str:
    """Versions and platform, without anything about the person."""
    return "\n".join((
        f"Memory Pane {memorypane.__version__}",
        f"Python {platform.python_version()}, Qt {PySide6.__version__}, SQLite {sqlite3.sqlite_version}",
        f"{platform.system()} {platform.release()} {platform.machine()}, platform {QApplication.platformName()}",
    ))


def report(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> str:
    """The environment and the traceback; the user's folder is written `~`, and the message is cut, since it may quote a text."""
    frames = "".join(traceback.format_tb(trace))
    message = str(problem)
    if len(message) > _LONGEST_MESSAGE:
        message = message[:_LONGEST_MESSAGE] + "…"
    text = f"{environment()}\n\n{frames}{kind.__name__}: {message}\n"
    for folder in {str(Path.home()), sys.prefix}:
        if len(folder) > 1:
            text = text.replace(folder, "~")
    return text


class CrashDialog(QDialog):
    """Says that the program found a mistake in itself; everything saved is safe."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Memory Pane"))
        self.resize(640, 420)
        self._text = QPlainTextEdit(text)
        self._text.setReadOnly(True)
        self._text.setFont(theme.font("mono"))
        self._text.setAccessibleName(self.tr("Report"))
        copy = Button(theme, self.tr("Copy report"), icon="copy")
        copy.clicked.connect(self._on_copy_clicked)
        close = Button(theme, self.tr("Close Memory Pane"), kind="primary")
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        sentence = self.tr(
            "Memory Pane ran into a mistake of its own and has to close. Saved entries and drafts are safe. "
            "The report below holds no entry; it helps to find the mistake."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.setSpacing(12)
        column.addWidget(Label(theme, self.tr("Something went wrong in the program"), "title"))
        column.addWidget(Paragraph(theme, sentence))
        column.addWidget(self._text, 1)
        column.addLayout(buttons)

    def _on_copy_clicked(self) -> None:
        QApplication.clipboard().setText(self._text.toPlainText())
