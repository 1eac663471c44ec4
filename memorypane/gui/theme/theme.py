"""The look in force: light or dark, fonts, icons; follows the system and tells every painter when it changes."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette, QPen
from PySide6.QtWidgets import QApplication

from memorypane.gui.theme.fonts import Fonts
from memorypane.gui.theme.icons import Icons
from memorypane.gui.theme.sheet import style_sheet
from memorypane.gui.theme.style import PaneStyle
from memorypane.gui.theme.tokens import DARK, LIGHT, TYPE, Colors, TypeName

__all__ = ["Mode", "Theme"]

Mode = Literal["system", "light", "dark"]


class Theme(QObject):
    """Colours, fonts and icons of one running window; made once by the composition root and handed to every widget.

    `colors` are the tokens of the theme in force, `icons` draws with them. `changed` says that colours or sizes moved: painters
    update, widgets with fonts of their own set them anew.
    """

    changed = Signal()

    def __init__(self, app: QApplication, *, mode: Mode = "system", base: float = 0.0) -> None:
        super().__init__(app)
        self._app = app
        self._mode: Mode = mode
        self._colors: dict[str, QColor] = {}
        self._fonts_made: dict[str, QFont] = {}
        self._metrics: dict[str, QFontMetrics] = {}
        self.icons = Icons()
        self.fonts = Fonts.of_platform(app.platformName(), base)
        self.colors: Colors = DARK if self._wants_dark() else LIGHT
        app.setStyle(PaneStyle(lambda: self.color("focus")))
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        self._apply()

    @property
    def dark(self) -> bool:
        """Whether the dark colours are in force."""
        return self.colors is DARK

    @property
    def mode(self) -> Mode:
        """What was asked for: one of the two, or to follow the system."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Change to light, dark or the system's choice, and repaint."""
        self._mode = mode
        self._choose()

    def set_base(self, base: float) -> None:
        """Set all text to a base size in px (0 = the system's), and repaint."""
        self.fonts = Fonts.of_platform(self._app.platformName(), base)
        self._apply()

    def color(self, name: str) -> QColor:
        """Return the token's colour as Qt paints it; `AttributeError` for a name that is no token."""
        found = self._colors.get(name)
        if found is None:
            found = _parse(getattr(self.colors, name))
            self._colors[name] = found
        return found

    def pen(self, name: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """Return a pen in a token's colour."""
        return QPen(self.color(name), width, style)

    def font(self, name: TypeName, *, weight: int = 0) -> QFont:
        """Return the font of a style, with another weight if one is given."""
        key = f"{name}/{weight}"
        found = self._fonts_made.get(key)
        if found is None:
            found = self.fonts.make(name)
            if weight:
                found.setWeight(QFont.Weight(weight))
            self._fonts_made[key] = found
        return found

    def metrics(self, name: TypeName, *, weight: int = 0) -> QFontMetrics:
        """Return the metrics of a style's font."""
        key = f"{name}/{weight}"
        found = self._metrics.get(key)
        if found is None:
            found = QFontMetrics(self.font(name, weight=weight))
            self._metrics[key] = found
        return found

    def line(self, name: TypeName) -> int:
        """Return the line height of a style in px."""
        return self.px(TYPE[name].line)

    def px(self, value: float) -> int:
        """Scale a height that holds text from the tokens' 13 px to the size in force."""
        return round(value * max(1.0, self.fonts.factor))

    def _wants_dark(self) -> bool:
        if self._mode == "system":
            return self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._mode == "dark"

    def _on_scheme_changed(self) -> None:
        if self._mode == "system":
            self._choose()

    def _choose(self) -> None:
        wanted = DARK if self._wants_dark() else LIGHT
        if wanted is not self.colors:
            self.colors = wanted
            self._apply()

    def _apply(self) -> None:
        self._colors.clear()
        self._fonts_made.clear()
        self._metrics.clear()
        self.icons.forget()
        self._app.setFont(self.font("body"))
        self._app.setPalette(self._palette())
        self._app.setStyleSheet(style_sheet(self.colors, self.px))
        self.changed.emit()

    def _palette(self) -> QPalette:
        palette = QPalette()
        role = QPalette.ColorRole
        for target, name in (
            (role.Window, "window"), (role.WindowText, "text"), (role.Base, "surface"), (role.AlternateBase, "surface_alt"),
            (role.Text, "text"), (role.Button, "raised"), (role.ButtonText, "text"), (role.BrightText, "danger"),
            (role.Highlight, "text_selection"), (role.HighlightedText, "text"), (role.Link, "link"), (role.LinkVisited, "link"),
            (role.ToolTipBase, "tooltip_bg"), (role.ToolTipText, "tooltip_text"), (role.PlaceholderText, "muted"),
            (role.Light, "raised"), (role.Midlight, "line"), (role.Mid, "line_strong"), (role.Dark, "line_strong"),
            (role.Shadow, "line_strong"), (role.Accent, "accent"),
        ):
            palette.setColor(target, self.color(name))
        for target in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, target, self.color("disabled"))
        return palette


def _parse(text: str) -> QColor:
    """`#rrggbb` or `#rrggbbaa`; Qt itself would read the latter as `#aarrggbb`."""
    color = QColor(text[:7])
    if len(text) == 9:
        color.setAlpha(int(text[7:], 16))
    return color
