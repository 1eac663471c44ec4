"""The values the look is made of: colours of both themes, type, sizes in px at 100 %; nothing here touches Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

__all__ = ["DARK", "HEIGHT", "ICON", "LIGHT", "MOTION", "RADIUS", "TYPE", "WIDTH", "Colors", "TypeName", "TypeStyle"]


@dataclass(frozen=True, slots=True)
class Colors:
    """One theme's colours as `#rrggbb`, or `#rrggbbaa` where they are laid over others."""

    window: str
    surface: str
    surface_alt: str
    raised: str
    sunken: str
    line: str
    line_strong: str
    control_line: str
    text: str
    text_secondary: str
    muted: str
    disabled: str
    hover: str
    selection: str
    selection_inactive: str
    text_selection: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_text: str
    accent_soft: str
    link: str
    focus: str
    success: str
    success_soft: str
    success_line: str
    warning: str
    warning_soft: str
    warning_line: str
    danger: str
    danger_soft: str
    danger_line: str
    danger_text: str
    added_bg: str
    added_word_bg: str
    added_mark: str
    removed_bg: str
    removed_word_bg: str
    removed_mark: str
    finding_bg: str
    finding_line: str
    gutter: str
    gutter_text: str
    tier_system: str
    tier_system_soft: str
    tier_global: str
    tier_global_soft: str
    tier_workspace: str
    tier_workspace_soft: str
    tier_personal: str
    tier_personal_soft: str
    badge_bg: str
    badge_text: str
    claim_line: str
    keycap_bg: str
    keycap_line: str
    code_bg: str
    tooltip_bg: str
    tooltip_text: str
    scroll_handle: str
    scrim: str
    shadow: str


LIGHT: Final = Colors(
    window="#f4f4f2", surface="#ffffff", surface_alt="#fafaf8", raised="#ffffff", sunken="#f5f5f2", line="#e4e4df", line_strong="#cfcfc9",
    control_line="#85867f", text="#1d1e20", text_secondary="#3f4146", muted="#5d6066", disabled="#96989d", hover="#ecece8",
    selection="#dfe8fb", selection_inactive="#e6e6e1", text_selection="#bfd3fa", accent="#2858cc", accent_hover="#1f4bb5",
    accent_pressed="#193e99", accent_text="#ffffff", accent_soft="#e8effd", link="#2450c0", focus="#2858cc", success="#176639",
    success_soft="#e4f3e8", success_line="#9ccbab", warning="#7d4700", warning_soft="#fdf1da", warning_line="#ddb878", danger="#ab231c",
    danger_soft="#fceae8", danger_line="#e5aaa5", danger_text="#ffffff", added_bg="#e8f5eb", added_word_bg="#b5e2c2",
    added_mark="#176639", removed_bg="#fceeec", removed_word_bg="#f5c4bf", removed_mark="#ab231c", finding_bg="#ffe3a3",
    finding_line="#a65f00", gutter="#f7f7f4", gutter_text="#686b70", tier_system="#73389b", tier_system_soft="#f3e9f9",
    tier_global="#0a6376", tier_global_soft="#e0f1f4", tier_workspace="#5a5c12", tier_workspace_soft="#f0f0d8", tier_personal="#97336a",
    tier_personal_soft="#fae8f1", badge_bg="#eaeae6", badge_text="#3f4146", claim_line="#85867f", keycap_bg="#ffffff",
    keycap_line="#cfcfc9", code_bg="#f2f2ee", tooltip_bg="#2a2b2e", tooltip_text="#f2f2f0", scroll_handle="#c4c4be", scrim="#1d1e2059",
    shadow="#0000002e",
)

DARK: Final = Colors(
    window="#18191b", surface="#1f2023", surface_alt="#1c1d20", raised="#27292c", sunken="#191a1c", line="#303236", line_strong="#43464b",
    control_line="#7b7e85", text="#e9e9e7", text_secondary="#c9cacc", muted="#a0a3a9", disabled="#6c6f75", hover="#27282b",
    selection="#253653", selection_inactive="#2e3034", text_selection="#34508c", accent="#86abff", accent_hover="#9dbbff",
    accent_pressed="#b3caff", accent_text="#0f1a33", accent_soft="#222d47", link="#93b4ff", focus="#86abff", success="#7fd09a",
    success_soft="#1c2f24", success_line="#3d6b4e", warning="#edbb67", warning_soft="#35291a", warning_line="#7a5c2c", danger="#ff9a92",
    danger_soft="#3a2221", danger_line="#844742", danger_text="#2b0b08", added_bg="#1b2c22", added_word_bg="#265e3b",
    added_mark="#7fd09a", removed_bg="#352121", removed_word_bg="#74312d", removed_mark="#ff9a92", finding_bg="#65460f",
    finding_line="#f0b64a", gutter="#1c1d20", gutter_text="#8c8f96", tier_system="#c9a6e8", tier_system_soft="#322540",
    tier_global="#7cc4d4", tier_global_soft="#17313a", tier_workspace="#c4c382", tier_workspace_soft="#2d2e1c", tier_personal="#e6a0c6",
    tier_personal_soft="#3c2231", badge_bg="#303236", badge_text="#c9cacc", claim_line="#7b7e85", keycap_bg="#2c2e32",
    keycap_line="#4a4d53", code_bg="#27282c", tooltip_bg="#e9e9e7", tooltip_text="#1d1e20", scroll_handle="#46494f", scrim="#00000080",
    shadow="#00000080",
)

TypeName = Literal[
    "caption", "meta", "body", "row_name", "button", "reading", "reading_h1", "reading_h2", "title", "page_title", "hero", "mono"
]


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """One way to set text: size and line height in px at the base size of 13, weight 100 to 900."""

    px: int
    weight: int
    line: int


TYPE: Final[Mapping[TypeName, TypeStyle]] = MappingProxyType({
    "caption": TypeStyle(11, 500, 16),
    "meta": TypeStyle(12, 400, 16),
    "body": TypeStyle(13, 400, 18),
    "row_name": TypeStyle(13, 600, 18),
    "button": TypeStyle(13, 500, 18),
    "reading": TypeStyle(14, 400, 22),
    "reading_h1": TypeStyle(18, 600, 26),
    "reading_h2": TypeStyle(15, 600, 22),
    "title": TypeStyle(17, 600, 24),
    "page_title": TypeStyle(14, 600, 20),
    "hero": TypeStyle(22, 600, 30),
    "mono": TypeStyle(12, 400, 18),
})


@dataclass(frozen=True, slots=True)
class Heights:
    """Heights of rows, bars and controls."""

    sidebar_row: int = 28
    sidebar_section: int = 28
    list_row: int = 56
    group_header: int = 30
    table_row: int = 30
    table_header: int = 28
    column_header: int = 48
    filter_bar: int = 40
    tab_bar: int = 36
    toolbar: int = 40
    info_bar: int = 44
    action_bar: int = 56
    hint_bar: int = 30
    control: int = 30
    control_small: int = 24
    badge: int = 18
    keycap: int = 18
    budget_bar: int = 4


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths of columns and of what is measured against them."""

    window: int = 1280
    window_height: int = 820
    window_min: int = 900
    window_min_height: int = 600
    sidebar: int = 228
    sidebar_min: int = 196
    sidebar_max: int = 320
    list: int = 348
    list_min: int = 284
    list_max: int = 520
    reader_min: int = 420
    measure: int = 640
    side_by_side_min: int = 880
    keep_list_from: int = 1500
    splitter_grab: int = 7
    diff_gutter: int = 44
    mark_column: int = 32
    text_margin: int = 16
    reader_margin: int = 24
    box_margin: int = 12


@dataclass(frozen=True, slots=True)
class Radii:
    """Corner radii."""

    badge: int = 4
    control: int = 6
    panel: int = 8
    dialog: int = 10
    pill: int = 9


@dataclass(frozen=True, slots=True)
class IconSizes:
    """Icon sizes and the strokes they are drawn with."""

    small: int = 14
    normal: int = 16
    large: int = 20
    empty: int = 32
    stroke: float = 1.75
    stroke_small: float = 2.0


@dataclass(frozen=True, slots=True)
class Motion:
    """Durations in ms."""

    fast: int = 90
    normal: int = 140
    toast: int = 6000
    flash: int = 600
    busy_after: int = 150
    words_after: int = 1000


HEIGHT: Final = Heights()
WIDTH: Final = Widths()
RADIUS: Final = Radii()
ICON: Final = IconSizes()
MOTION: Final = Motion()
