"""The window's settings: theme, text size; and what this window works on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

import memorypane
from memorypane.gui.places import Place
from memorypane.gui.shell.screen import Screen
from memorypane.gui.theme.buttons import SegmentedControl
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.theme import Mode, Theme
from memorypane.home.paths import Home
from memorypane.model.values import Channel

__all__ = ["SettingsScreen"]

_MODES: tuple[Mode, ...] = ("system", "light", "dark")
_SIZES = (0, 12, 13, 14, 16, 18, 20)


class SettingsScreen(Screen):
    """Changes act at once; `changed(int)` carries the text size in px (0 = the system's) after each."""

    changed = Signal(int)

    def __init__(self, theme: Theme, home: Home, channel: Channel) -> None:
        ground = Panel(theme, ground="surface")
        super().__init__(None, ground)
        self._theme = theme
        self._size = 0
        page = Panel(theme)
        column = QVBoxLayout(page)
        column.setContentsMargins(48, 56, 48, 48)
        column.setSpacing(12)
        column.addWidget(Label(theme, self.tr("Settings"), "hero"))
        column.addSpacing(12)
        column.addWidget(Label(theme, self.tr("Look"), "page_title"))
        self._modes = SegmentedControl(theme, (self.tr("As the system"), self.tr("Light"), self.tr("Dark")))
        self._sizes = SegmentedControl(theme, (self.tr("As the system"), *(str(size) for size in _SIZES[1:])))
        look = self._grid(column)
        self._row(look, self.tr("Theme"), self._modes)
        self._row(look, self.tr("Text size in px"), self._sizes)
        column.addSpacing(20)
        column.addWidget(Label(theme, self.tr("This window"), "page_title"))
        facts = self._grid(column)
        shared = self.tr("shared: it uses the store that all shared channels use")
        kind = self.tr("isolated: it keeps a store of its own") if channel.isolated else shared
        for name, value in (
            (self.tr("Channel"), self.tr("{name}, {kind}").format(name=channel.name, kind=kind)),
            (self.tr("Store"), channel.store),
            (self.tr("Home"), str(home.root)),
            (self.tr("Version"), memorypane.__version__),
        ):
            label = Label(theme, value, "body", wrap=True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
            self._row(facts, name, label)
        note = self.tr(
            "Limits, quotas and the review policy belong to the store; the commands “memorypane settings” and “memorypane policy” "
            "change them."
        )
        column.addSpacing(8)
        column.addWidget(Label(theme, note, "meta", "muted", wrap=True))
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        outer = QVBoxLayout(ground)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        ground.setFocusProxy(self._modes.segment(0))
        self._modes.choose(_MODES.index(theme.mode))
        self._modes.chosen.connect(self._on_mode_chosen)
        self._sizes.chosen.connect(self._on_size_chosen)

    @override
    def open(self, place: Place) -> None:
        """Show what is in force."""
        self._modes.choose(_MODES.index(self._theme.mode))

    def show_text_size(self, size: int) -> None:
        """Show the text size in force."""
        self._size = size
        if size in _SIZES:
            self._sizes.choose(_SIZES.index(size))

    def _grid(self, column: QVBoxLayout) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnMinimumWidth(0, 130)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        return grid

    def _row(self, grid: QGridLayout, name: str, widget: QWidget) -> None:
        row = grid.rowCount()
        grid.addWidget(Label(self._theme, name, "body", "muted"), row, 0)
        grid.addWidget(widget, row, 1, Qt.AlignmentFlag(0) if isinstance(widget, Label) else Qt.AlignmentFlag.AlignLeft)

    def _on_mode_chosen(self, index: int) -> None:
        if _MODES[index] != self._theme.mode:
            self._theme.set_mode(_MODES[index])
            self.changed.emit(self._size)

    def _on_size_chosen(self, index: int) -> None:
        if _SIZES[index] != self._size:
            self._size = _SIZES[index]
            self._theme.set_base(self._size)
            self.changed.emit(self._size)
