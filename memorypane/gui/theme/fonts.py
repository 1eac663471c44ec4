"""The two type families and the size that everything else follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from memorypane.gui.theme.tokens import TYPE, TypeName

__all__ = ["BASE_PX", "Fonts"]

BASE_PX = 13
_UI_FALLBACKS = ("Inter", "Noto Sans", "DejaVu Sans")
_MONO_FALLBACKS = ("JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono")
_CJK_FALLBACKS = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei")


@dataclass(frozen=True, slots=True)
class Fonts:
    """Families in the order they are tried, and the base size in px (13 at 100 %); every style of `TYPE` scales with it."""

    ui: tuple[str, ...]
    mono: tuple[str, ...]
    base: float = BASE_PX

    @classmethod
    def system(cls, base: float = 0.0) -> Self:
        """The system's UI and fixed fonts; `base` 0 means the system's own size."""
        general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        size = base or float(QFontInfo(general).pixelSize()) or BASE_PX
        return cls((general.family(), *_UI_FALLBACKS, *_CJK_FALLBACKS), (fixed.family(), *_MONO_FALLBACKS, *_CJK_FALLBACKS), size)

    @classmethod
    def fixed(cls, base: float = 0.0) -> Self:
        """Inter and JetBrains Mono at 13 px where they are installed, so that pictures are equal on every machine."""
        return cls((*_UI_FALLBACKS, *_CJK_FALLBACKS), (*_MONO_FALLBACKS, *_CJK_FALLBACKS), base or BASE_PX)

    @classmethod
    def of_platform(cls, platform: str, base: float = 0.0) -> Self:
        """The system's fonts on a real screen, the fixed ones where there is none (`offscreen`, `minimal`)."""
        return cls.fixed(base) if platform in {"offscreen", "minimal"} else cls.system(base)

    @property
    def factor(self) -> float:
        """How much larger than the tokens text is set."""
        return self.base / BASE_PX

    def make(self, name: TypeName) -> QFont:
        """Return the font of one style."""
        style = TYPE[name]
        font = QFont()
        font.setFamilies(self.mono if name == "mono" else self.ui)
        font.setPixelSize(max(1, round(style.px * self.factor)))
        font.setWeight(QFont.Weight(style.weight))
        if name == "mono":
            font.setFixedPitch(True)
            # A ligature shows one sign where the text has two; here the exact characters are what is reviewed.
            for feature in ("liga", "calt"):
                font.setFeature(QFont.Tag(feature), 0)
        return font
