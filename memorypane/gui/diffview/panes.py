"""Where the columns of a grid lie: gutter with numbers, sign, text, notes, for each pane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorypane.gui.theme.theme import Theme

__all__ = ["DIVIDER", "PaneArea", "PaneStyle", "place_panes"]

DIVIDER = 1
_NUMBER_PAD = 8


@dataclass(frozen=True, slots=True)
class PaneStyle:
    """How a pane is built, in px at 100 %.

    `gutter` is the least width of one number column, `numbers` how many there are, `sign` the width of the sign column, `note`
    what is kept free at the right for notes, `lead` what is kept free between sign and text; `flat` tints the gutter like the line.
    """

    numbers: int = 1
    gutter: int = 40
    sign: int = 18
    note: int = 0
    lead: int = 0
    flat: bool = False


@dataclass(frozen=True, slots=True)
class PaneArea:
    """Where one pane and its columns lie in the viewport."""

    left: int
    width: int
    gutter: int
    number_rights: tuple[int, ...]
    sign_middle: int
    lead_left: int
    text_left: int
    text_width: int
    flat: bool

    @property
    def right(self) -> int:
        """The first pixel right of the pane."""
        return self.left + self.width


def place_panes(theme: Theme, styles: Sequence[PaneStyle], width: int, highest: int) -> tuple[PaneArea, ...]:
    """Share `width` among panes of equal width; number columns grow with the `highest` line number."""
    count = len(styles)
    digits = theme.metrics("caption").horizontalAdvance("0" * len(str(max(highest, 1))))
    areas = []
    for index, style in enumerate(styles):
        left = (width - DIVIDER * (count - 1)) * index // count + DIVIDER * index
        right = (width - DIVIDER * (count - 1)) * (index + 1) // count + DIVIDER * index
        column = max(theme.px(style.gutter), digits + 2 * _NUMBER_PAD) if style.numbers else 0
        rights = tuple(left + column * (number + 1) - _NUMBER_PAD for number in range(style.numbers))
        gutter = column * style.numbers
        sign = left + gutter
        text = sign + theme.px(style.sign) + theme.px(style.lead)
        space = right - text - 16 - theme.px(style.note)
        middle, lead = sign + theme.px(style.sign) // 2, sign + theme.px(style.sign)
        areas.append(PaneArea(left, right - left, gutter, rights, middle, lead, text, max(40, space), style.flat))
    return tuple(areas)
