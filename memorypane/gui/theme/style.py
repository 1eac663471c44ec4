"""The Fusion style with our focus ring, and without what the look does not have."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleFactory, QStyleHintReturn, QStyleOption, QWidget
from typing_extensions import override

from memorypane.gui.theme.tokens import ICON, RADIUS

__all__ = ["PaneStyle"]

_FOCUS_GAP = 3


class PaneStyle(QProxyStyle):
    """Fusion, where focus is one ring of 2 px around the widget (drawn by `QFocusFrame`) instead of a dotted line inside it."""

    def __init__(self, focus_color: Callable[[], QColor]) -> None:
        super().__init__(QStyleFactory.create("Fusion"))
        self._focus_color = focus_color

    @override
    def drawControl(
        self, element: QStyle.ControlElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None, /,
    ) -> None:
        if element is QStyle.ControlElement.CE_FocusFrame:
            area = QRectF(option.rect).adjusted(1, 1, -1, -1)
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._focus_color(), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, RADIUS.control + 2, RADIUS.control + 2)
            painter.restore()
            return
        super().drawControl(element, option, painter, widget)

    @override
    def drawPrimitive(
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None, /,
    ) -> None:
        if element is not QStyle.PrimitiveElement.PE_FrameFocusRect:
            super().drawPrimitive(element, option, painter, widget)

    @override
    def pixelMetric(self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None, /) -> int:
        if metric in (QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin):
            return _FOCUS_GAP
        if metric is QStyle.PixelMetric.PM_SmallIconSize:
            return ICON.normal
        return super().pixelMetric(metric, option, widget)

    @override
    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
        /,
    ) -> int:
        if hint is QStyle.StyleHint.SH_FocusFrame_AboveWidget:
            return 1
        if hint is QStyle.StyleHint.SH_EtchDisabledText:
            return 0
        return super().styleHint(hint, option, widget, returned)
