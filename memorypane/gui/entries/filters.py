"""The filter menu of a list: writer, claimed source, order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from memorypane.gui.theme.theme import Theme
from memorypane.model.values import ListQuery

__all__ = ["FilterMenu"]

Sort = Literal["order", "name", "updated", "size"]
_SOURCES = ("human", "jekt", "agent_inferred")


class FilterMenu(QObject):
    """Holds what was chosen and builds its menu anew each time it is asked for; `chosen` after each choice."""

    chosen = Signal()

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._theme, self._over = theme, over
        self._agent = ""
        self._source = ""
        self._sort: Sort | Literal[""] = ""

    @property
    def active(self) -> bool:
        """Whether the list is narrowed or sorted by it."""
        return bool(self._agent or self._source or self._sort)

    def reset(self) -> None:
        """Choose nothing."""
        self._agent, self._source, self._sort = "", "", ""

    def narrow(self, query: ListQuery) -> ListQuery:
        """Return the query with what was chosen."""
        query = replace(query, agent=self._agent or query.agent, source=self._source or query.source)
        if self._sort:
            query = replace(query, sort=self._sort, descending=self._sort in ("updated", "size"))
        return query

    def ask(self, point: QPoint, agents: Sequence[str]) -> None:
        """Open the menu below a button."""
        menu = QMenu(self._over)
        menu.aboutToHide.connect(menu.deleteLater)
        self._section(menu, "sort", self.tr("Order"), self._sort, (
            (self.tr("As it stands"), ""), (self.tr("By name"), "name"), (self.tr("Last changed first"), "updated"),
            (self.tr("Largest first"), "size"),
        ))
        menu.addSeparator()
        self._section(menu, "agent", self.tr("Written by"), self._agent, ((self.tr("Anyone"), ""), *((name, name) for name in agents)))
        menu.addSeparator()
        self._section(
            menu, "source", self.tr("Claims to come from"), self._source, ((self.tr("Anything"), ""), *((name, name) for name in _SOURCES)),
        )
        menu.popup(point)

    def _section(self, menu: QMenu, kind: str, title: str, chosen: str, choices: Sequence[tuple[str, str]]) -> None:
        head = menu.addAction(title)
        head.setEnabled(False)
        group = QActionGroup(menu)
        for text, value in choices:
            action = QAction(text.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(value == chosen)
            action.setData((kind, value))
            group.addAction(action)
            menu.addAction(action)
        group.triggered.connect(self._on_action_triggered)

    def _on_action_triggered(self, action: QAction) -> None:
        kind, value = action.data()
        if kind == "agent":
            self._agent = value
        elif kind == "source":
            self._source = value
        else:
            self._sort = value
        self.chosen.emit()
