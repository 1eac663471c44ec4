"""Labels: plain text in one of the styles, and badges that stand in a layout."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from memorypane.gui.theme.paint import Badge, badge_width, draw_badge, draw_icon
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, TypeName

__all__ = ["BadgeLabel", "IconLabel", "Label", "plain_tooltip"]


_BREAKS: Final = re.compile(r"[\r\n\t\u2028\u2029]+")
_TONES: Final[Mapping[str, str]] = MappingProxyType({
    "": "text", "secondary": "text_secondary", "muted": "muted", "disabled": "disabled", "success": "success", "warning": "warning",
    "danger": "danger", "accent": "accent", "tooltip": "tooltip_text",
    "system": "tier_system", "global": "tier_global", "workspace": "tier_workspace", "personal": "tier_personal",
})


class Label(QLabel):
    """Plain text, never rich; `tone` is "", secondary, muted, disabled, success, warning, danger or accent.

    With `elide` the text is cut to the width there is and the whole of it becomes the tooltip; with `hug` the label is no wider than its
    text, so that what follows stands right behind it.
    """

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        style: TypeName = "body",
        tone: str = "",
        *,
        weight: int = 0,
        wrap: bool = False,
        elide: Qt.TextElideMode | None = None,
        hug: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._style, self._weight, self._elide, self._tone = theme, style, weight, elide, tone
        self._full = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if elide is not None:
            self.setSizePolicy(QSizePolicy.Policy.Maximum if hug else QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._on_theme_changed()
        self.show_text(text)
        theme.changed.connect(self._on_theme_changed)

    @property
    def full_text(self) -> str:
        """The whole text, also where only a part of it is shown."""
        return self._full

    def show_text(self, text: str) -> None:
        """Show another text."""
        self._full = text
        self.setAccessibleName(text)
        self._fit()

    def set_tone(self, tone: str) -> None:
        """Change the colour of the text."""
        self._tone = tone
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, self._theme.color(_TONES[tone]))
        self.setPalette(palette)

    @override
    def sizeHint(self) -> QSize:
        if self._elide is None:
            return super().sizeHint()
        metrics = self._theme.metrics(self._style, weight=self._weight)
        return QSize(metrics.horizontalAdvance(_BREAKS.sub(" ", self._full[:1000].strip())) + 2, metrics.height())

    @override
    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return hint if self._elide is None else QSize(min(24, hint.width()), hint.height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font(self._style, weight=self._weight))
        self.set_tone(self._tone)
        self._fit()

    def _fit(self) -> None:
        if self._elide is None:
            self.setText(self._full)
            return
        metrics = self._theme.metrics(self._style, weight=self._weight)
        one_line = _BREAKS.sub(" ", self._full[:1000].strip())
        shown = metrics.elidedText(one_line, self._elide, self.width())
        self.setText(shown)
        self.setToolTip(plain_tooltip(self._full) if shown != one_line else "")
        self.updateGeometry()


class IconLabel(QWidget):
    """One icon in a colour of the theme."""

    def __init__(self, theme: Theme, name: str, color: str = "muted", size: int = ICON.normal, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._name, self._color, self._size = theme, name, color, size
        self.setFixedSize(size, size)
        theme.changed.connect(self.update)

    def show_icon(self, name: str, color: str = "") -> None:
        """Show another icon, in another colour if one is given."""
        self._name, self._color = name, color or self._color
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_icon(painter, self._theme, 0, self.height() // 2, self._name, self._theme.color(self._color), self._size)
        painter.end()


class BadgeLabel(QWidget):
    """One badge in a layout."""

    def __init__(self, theme: Theme, badge: Badge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._badge = theme, badge
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(badge.text)
        theme.changed.connect(self._on_theme_changed)

    def show_badge(self, badge: Badge) -> None:
        """Show another badge."""
        self._badge = badge
        self.setAccessibleName(badge.text)
        self._on_theme_changed()

    @override
    def sizeHint(self) -> QSize:
        return QSize(badge_width(self._theme, self._badge), self._theme.px(HEIGHT.badge))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_badge(painter, self._theme, 0, self.height() // 2, self._badge)
        painter.end()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


def plain_tooltip(text: str) -> str:
    """Return `text` so that Qt shows it as it is: tooltips have no plain mode, so markup signs are escaped and lines kept."""
    cut = text if len(text) <= 1000 else text[:999] + "…"
    escaped = cut.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    return f"<span>{escaped}</span>"
