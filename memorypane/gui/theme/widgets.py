"""The common widgets under one name; pages import from here."""

from memorypane.gui.theme.bars import BudgetBar, BusyLine, Hint, HintBar, InfoBar, Toast
from memorypane.gui.theme.buttons import Button, ButtonKind, IconButton, Segment, SegmentedControl, TabBar
from memorypane.gui.theme.fields import Combo, SearchField
from memorypane.gui.theme.labels import BadgeLabel, IconLabel, Label, plain_tooltip
from memorypane.gui.theme.states import EmptyState, ErrorState

__all__ = [
    "BadgeLabel", "BudgetBar", "BusyLine", "Button", "ButtonKind", "Combo", "EmptyState", "ErrorState", "Hint", "HintBar", "IconButton",
    "IconLabel", "InfoBar", "Label", "SearchField", "Segment", "SegmentedControl", "TabBar", "Toast", "plain_tooltip",
]
