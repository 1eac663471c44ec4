"""Mouse and keyboard of the tests, through Qt's own test events."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

__all__ = ["CONTROL", "SHIFT", "click", "double_click", "drag", "press", "type_text"]

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
_LEFT = Qt.MouseButton.LeftButton
_NONE = Qt.KeyboardModifier.NoModifier


def press(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = _NONE) -> None:
    """Press and release a key."""
    QTest.keyClick(widget, key, modifiers)


def type_text(widget: QWidget, text: str) -> None:
    """Type letters one by one."""
    QTest.keyClicks(widget, text)


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Click with the left button, in the middle if no point is given."""
    QTest.mouseClick(widget, _LEFT, _NONE, at if at is not None else widget.rect().center())


def double_click(widget: QWidget, at: QPoint) -> None:
    """Click twice with the left button."""
    QTest.mouseDClick(widget, _LEFT, _NONE, at)


def drag(widget: QWidget, start: QPoint, end: QPoint) -> None:
    """Press at one point, move, release at another."""
    QTest.mousePress(widget, _LEFT, _NONE, start)
    QTest.mouseMove(widget, end)
    QTest.mouseRelease(widget, _LEFT, _NONE, end)
