"""Dialogs whose height follows their running text."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog

__all__ = ["fit_dialog"]


def fit_dialog(dialog: QDialog, width: int) -> None:
    """Give a finished dialog `width` px and the height that its text needs at that width; Qt's own guess is made for another one."""
    layout = dialog.layout()
    if layout is not None:
        dialog.setMinimumWidth(width)
        dialog.resize(width, layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height())
