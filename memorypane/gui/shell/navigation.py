"""The left column's rows: which places there are, with real counts; a flat model whose rows are updated in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QPersistentModelIndex, Qt
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.places import Kind, Place, agent_place, shelf_icon, shelf_place, shelf_title, workspace_place
from memorypane.model.shelves import INSTRUCTIONS, PROFILE, SYSTEM, TOPICS, Tier
from memorypane.model.values import Agent, ShelfCount, Workspace

__all__ = ["NavFacts", "NavModel", "NavRow", "nav_rows"]

Index = QModelIndex | QPersistentModelIndex
Look = Literal["item", "heading", "section", "note", "gap"]


@dataclass(frozen=True, slots=True)
class NavFacts:
    """What the left column is built from; None stands for "could not be read", which shows as –, never as 0."""

    counts: tuple[ShelfCount, ...] | None = None
    workspaces: tuple[Workspace, ...] = ()
    agents: tuple[Agent, ...] = ()
    waiting: int | None = None
    removed: int | None = None

    @property
    def entries(self) -> int | None:
        """How many live entries there are."""
        return None if self.counts is None else sum(each.active for each in self.counts)


@dataclass(frozen=True, slots=True)
class NavRow:
    """One row. `count` is text; `pill` draws it on the accent colour; `add` names what the row's + adds."""

    look: Look
    text: str
    place: Place | None = None
    icon: str = ""
    color: str = "text_secondary"
    count: str = ""
    dot: bool = False
    pill: bool = False
    indent: int = 0
    add: str = ""
    note: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        """What stays the same while counts change."""
        return self.look, self.text if self.place is None else "", self.place.key if self.place else ""


def _tr(text: str) -> str:
    return QCoreApplication.translate("NavModel", text)


def nav_rows(facts: NavFacts) -> tuple[NavRow, ...]:
    """Return the rows for these facts (without *Removed*, which stands apart at the bottom)."""

    def counted(tier: str, shelf: str = "", owner: str | None = None) -> tuple[str, bool]:
        if facts.counts is None:
            return "–", False
        fit = [
            each for each in facts.counts
            if each.tier == tier and (not shelf or each.shelf == shelf) and (owner is None or each.owner == owner)
        ]
        return words.count(sum(each.active for each in fit)), any(each.unreviewed for each in fit)

    def shelf_row(tier: str, shelf: str, text: str, place: Place, *, owner: str | None = None, indent: int = 0) -> NavRow:
        number, dot = counted(tier, shelf, owner)
        return NavRow("item", text, place, shelf_icon(tier, shelf), f"tier_{tier}", number, dot=dot, indent=indent)

    waiting = "–" if facts.waiting is None else words.count(facts.waiting) if facts.waiting else ""
    rows = [
        NavRow("gap", ""),
        NavRow("item", _tr("Review"), Place(Kind.REVIEW), "inbox", count=waiting, pill=bool(facts.waiting)),
        NavRow("item", _tr("Activity"), Place(Kind.ACTIVITY), "activity"),
        NavRow("item", _tr("Startup text"), Place(Kind.STARTUP), "file-text"),
        NavRow("section", _tr("Memory")),
        shelf_row(Tier.SYSTEM, SYSTEM.name, _tr("System"), shelf_place(SYSTEM)),
        NavRow("heading", _tr("Global"), None, "globe", "tier_global"),
        *(
            shelf_row(Tier.GLOBAL, shelf.name, shelf_title(shelf.tier, shelf.name), shelf_place(shelf), indent=1)
            for shelf in (INSTRUCTIONS, PROFILE, TOPICS)
        ),
        NavRow("section", _tr("Workspaces"), add="workspace"),
    ]
    rows += [
        NavRow(
            "item", each.name, workspace_place(each.id), "folder", "tier_workspace", *counted(Tier.WORKSPACE, "", each.id),
            note=_tr("new") if each.state == "new" else "",
        )
        for each in facts.workspaces
    ] or [NavRow("note", _tr("none yet"))]
    rows.append(NavRow("section", _tr("Agents"), add="agent"))
    if facts.agents:
        rows.append(NavRow("item", _tr("All agents"), Place(Kind.AGENTS), "layers", count=words.count(len(facts.agents))))
        rows += [
            shelf_row(Tier.PERSONAL, "", each.name, agent_place(each.name), owner=each.name) for each in facts.agents
            if not each.revoked or counted(Tier.PERSONAL, "", each.name)[0] != "0"
        ]
    else:
        rows.append(NavRow("note", _tr("none yet")))
    return tuple(rows)


class NavModel(QAbstractListModel):
    """The rows as a Qt model; the row itself is in `UserRole`, its words for screen readers in the accessible role."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[NavRow, ...] = ()

    def show_rows(self, rows: Sequence[NavRow]) -> bool:
        """Take over new rows; repaint the ones that differ. Returns whether rows came or went, so that the selection is set anew."""
        fresh = tuple(rows)
        if [row.identity for row in fresh] == [row.identity for row in self._rows]:
            changed = [number for number, (old, new) in enumerate(zip(self._rows, fresh, strict=True)) if old != new]
            self._rows = fresh
            for number in changed:
                self.dataChanged.emit(self.index(number), self.index(number))
            return False
        self.beginResetModel()
        self._rows = fresh
        self.endResetModel()
        return True

    def row_at(self, index: Index) -> NavRow | None:
        """Return the row at an index."""
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None

    def find(self, place: Place) -> QModelIndex:
        """Return the index of a place, an invalid one if it has no row."""
        for number, row in enumerate(self._rows):
            if row.place == place:
                return self.index(number)
        return QModelIndex()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature; an invalid index is a constant
        return 0 if parent.isValid() else len(self._rows)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.UserRole:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return ", ".join(part for part in (row.text, row.count, row.note, _tr("has unreviewed entries") if row.dot else "") if part)
        return None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        if row is None or row.place is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
