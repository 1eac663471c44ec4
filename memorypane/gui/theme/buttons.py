"""Buttons, segments and tabs; drawn by us, with the key that does the same in a cap on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget
from typing_extensions import override

from memorypane.gui.theme.paint import draw_icon, draw_keys, draw_text, keys_width
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, ICON, RADIUS, TypeName

__all__ = ["Button", "ButtonKind", "IconButton", "Segment", "SegmentedControl", "TabBar"]

ButtonKind = Literal["primary", "normal", "quiet", "danger"]

_GAP = 8


class Button(QPushButton):
    """A button with an optional icon and key caps; `small` ones are 24 high.

    `danger` is red text on a normal button, `quiet` has no border, `flush` no room around its words either. The caps only show the
    key: shortcuts belong to the page.
    """

    def __init__(
        self,
        theme: Theme,
        text: str,
        *,
        kind: ButtonKind = "normal",
        icon: str = "",
        keys: tuple[str, ...] = (),
        small: bool = False,
        flush: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._theme, self._kind, self._icon, self._keys, self._small, self._flush = theme, kind, icon, keys, small, flush
        self._hovered = False
        self._keys_shown = True
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        theme.changed.connect(self._on_theme_changed)

    def show_text(self, text: str) -> None:
        """Change the words on the button."""
        self.setText(text)
        self.updateGeometry()

    def show_keys(self, *, shown: bool) -> None:
        """Show the key caps, or leave them away where there is no room."""
        if shown != self._keys_shown:
            self._keys_shown = shown
            self.updateGeometry()
            self.update()

    @property
    def full_width(self) -> int:
        """How wide the button is with its key caps, in px."""
        return self._width(keys=True)

    def show_icon(self, icon: str) -> None:
        """Change the icon ("" = none)."""
        self._icon = icon
        self.updateGeometry()
        self.update()

    def show_kind(self, kind: ButtonKind) -> None:
        """Change how much the button stands out."""
        self._kind = kind
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._width(keys=self._keys_shown), self._theme.px(HEIGHT.control_small if self._small else HEIGHT.control))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground, border, ink = self._colors()
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(theme.pen(border) if border else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, RADIUS.control, RADIUS.control)
        middle = self.height() // 2
        content = self.sizeHint().width() - 2 * self._pad
        x = self._pad + max(0, (self.width() - content - 2 * self._pad) // 2)
        if self._icon:
            x += draw_icon(painter, theme, x, middle, self._icon, ink, self._icon_size) + (_GAP if self.text() else 0)
        text_width = theme.metrics(self._style).horizontalAdvance(self.text())
        draw_text(painter, theme, self.rect().adjusted(x, 0, 0, 0), self.text(), self._style, ink)
        if self._keys and self._keys_shown:
            plain = self._kind in ("normal", "quiet", "danger") and self.isEnabled()
            draw_keys(painter, theme, x + text_width + _GAP + 2, middle, self._keys, None if plain else ink)
        painter.end()

    def _width(self, *, keys: bool) -> int:
        width = self._theme.metrics(self._style).horizontalAdvance(self.text()) + 2 * self._pad
        if self._icon:
            width += self._icon_size + (_GAP if self.text() else 0)
        if self._keys and keys:
            width += keys_width(self._theme, self._keys) + _GAP + 2
        return width + (2 if self._flush else 0)

    @property
    def _style(self) -> TypeName:
        return "caption" if self._small else "button"

    @property
    def _pad(self) -> int:
        return 0 if self._flush else 9 if self._small else 12

    @property
    def _icon_size(self) -> int:
        return ICON.small if self._small else ICON.normal

    def _colors(self) -> tuple[str, str, QColor]:
        theme = self._theme
        if not self.isEnabled():
            return "", "" if self._kind == "quiet" else "line", theme.color("disabled")
        down = self.isDown() or self.isChecked()
        if self._kind == "primary":
            ground = "accent_pressed" if down else "accent_hover" if self._hovered else "accent"
            return ground, ground, theme.color("accent_text")
        ink = theme.color("danger" if self._kind == "danger" else "text")
        if self._kind == "quiet":
            return ("badge_bg" if down else "hover" if self._hovered else ""), "", ink
        return ("badge_bg" if down else "hover" if self._hovered else "raised"), "line_strong", ink

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


class IconButton(QToolButton):
    """A square button of 28 with an icon alone; its words are the tooltip and the accessible name."""

    def __init__(self, theme: Theme, icon: str, words: str, *, color: str = "text_secondary", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._color = theme, icon, color
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.setFixedSize(28, 28)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def show_icon(self, icon: str, words: str, color: str = "text_secondary") -> None:
        """Change what the button shows and says."""
        self._icon, self._color = icon, color
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isEnabled() and (self.underMouse() or self.isDown() or self.isChecked()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("badge_bg" if self.isDown() or self.isChecked() else "hover"))
            painter.drawRoundedRect(self.rect(), RADIUS.control, RADIUS.control)
        color = self._theme.color(self._color if self.isEnabled() else "disabled")
        draw_icon(painter, self._theme, (self.width() - ICON.normal) // 2, self.height() // 2, self._icon, color)
        painter.end()


class Segment(QToolButton):
    """One choice of a segmented control or one tab, with an optional icon and count."""

    def __init__(self, theme: Theme, text: str, *, icon: str = "", tab: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._icon, self._tab = theme, icon, tab
        self._count = ""
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def show_count(self, count: str) -> None:
        """Show a count after the words ("" = none)."""
        self._count = count
        self.setAccessibleName(f"{self.text()} {count}".strip())
        self._on_theme_changed()

    @override
    def sizeHint(self) -> QSize:
        theme, style = self._theme, self._style
        # Measured at the weight of the chosen one, so that choosing moves nothing.
        width = theme.metrics(style, weight=600 if self._tab else 0).horizontalAdvance(self.text()) + 1
        if self._count:
            width += 5 + theme.metrics(style, weight=400).horizontalAdvance(self._count)
        if self._icon:
            width += ICON.normal + 6
        if self._tab:
            return QSize(width, theme.px(HEIGHT.tab_bar))
        return QSize(width + 20, theme.px(HEIGHT.control_small))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, style = self._theme, self._style
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = self.isChecked()
        x = 0 if self._tab else 10
        if self._tab and chosen:
            painter.fillRect(0, self.height() - 2, self.width(), 2, theme.color("accent"))
        elif chosen:
            painter.setPen(theme.pen("line_strong"))
            painter.setBrush(theme.color("raised"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        ink = theme.color("disabled" if not self.isEnabled() else "text" if chosen or self.underMouse() else "muted")
        middle = self.height() // 2
        if self._icon:
            x += draw_icon(painter, theme, x, middle, self._icon, ink) + 6
        weight = 600 if self._tab and chosen else 0
        draw_text(painter, theme, self.rect().adjusted(x, 0, 0, 0), self.text(), style, ink, weight=weight)
        if self._count:
            x += theme.metrics(style, weight=weight).horizontalAdvance(self.text()) + 5
            draw_text(painter, theme, self.rect().adjusted(x, 0, 0, 0), self._count, style, theme.color("muted"), weight=400)
        painter.end()

    @property
    def _style(self) -> TypeName:
        return "button" if self._tab else "meta"

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


class _Choices(QWidget):
    """A row of segments of which exactly one is chosen; `chosen` carries the index, also when the program chose."""

    chosen = Signal(int)

    def __init__(self, theme: Theme, texts: Sequence[str], icons: Sequence[str], *, tab: bool, gap: int, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(1, 1, 1, 1)
        self._row.setSpacing(gap)
        for index, text in enumerate(texts):
            segment = Segment(theme, text, icon=icons[index] if index < len(icons) else "", tab=tab)
            self._group.addButton(segment, index)
            self._row.addWidget(segment)
        if texts:
            self._group.button(0).setChecked(True)
        self._group.idToggled.connect(self._on_segment_toggled)

    @property
    def index(self) -> int:
        """Which segment is chosen."""
        return self._group.checkedId()

    def choose(self, index: int) -> None:
        """Choose a segment."""
        self._group.button(index).setChecked(True)

    def segment(self, index: int) -> Segment:
        """Return one segment, to set its count or tooltip or to disable it."""
        button = self._group.button(index)
        if not isinstance(button, Segment):
            raise IndexError(index)
        return button

    def _on_segment_toggled(self, index: int, on: bool) -> None:  # noqa: FBT001  # the signal's own signature
        if on:
            self.chosen.emit(index)


class SegmentedControl(_Choices):
    """A few exclusive choices on a sunken track."""

    def __init__(self, theme: Theme, texts: Sequence[str], *, icons: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(theme, texts, icons, tab=False, gap=0, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.pen("line"))
        painter.setBrush(self._theme.color("sunken"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS.control, RADIUS.control)
        painter.end()


class TabBar(_Choices):
    """Tabs as words with a line under the chosen one; a hairline closes the row."""

    def __init__(self, theme: Theme, texts: Sequence[str], *, parent: QWidget | None = None) -> None:
        super().__init__(theme, texts, (), tab=True, gap=20, parent=parent)
        self._row.setContentsMargins(24, 0, 24, 0)
        self._row.addStretch(1)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.tab_bar))
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()
