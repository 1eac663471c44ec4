"""The versions of one entry as rows, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.history.facts import Lines, Pair, action_words, claim_words, row_words, with_words
from memorypane.gui.theme.widgets import plain_tooltip
from memorypane.model.values import EntryInfo, Version

__all__ = ["Column", "Index", "VersionModel"]

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """The columns from the left."""

    FROM = 0
    TO = 1
    VERSION = 2
    ACTION = 3
    ACTOR = 4
    CLAIM = 5
    WITH = 6
    WHEN = 7
    SIZE = 8
    LINES = 9


class VersionModel(QAbstractTableModel):
    """Rows of versions with what is picked and what was counted so far; it never waits for anything."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._versions: tuple[Version, ...] = ()
        self._numbers: dict[str, int] = {}
        self._lines: dict[str, tuple[int, int]] = {}
        self._info: EntryInfo | None = None
        self._pair = Pair(0, 0)
        self._now = words.now_ms()

    @property
    def versions(self) -> tuple[Version, ...]:
        """All versions, newest first."""
        return self._versions

    @property
    def info(self) -> EntryInfo | None:
        """The entry whose versions these are."""
        return self._info

    @property
    def pair(self) -> Pair:
        """Which two are picked."""
        return self._pair

    @property
    def now(self) -> int:
        """The time that ages are told against, ms UTC."""
        return self._now

    @property
    def numbers(self) -> Mapping[str, int]:
        """Version numbers by version id."""
        return self._numbers

    def lines(self, version: Version) -> tuple[int, int] | None:
        """Lines added and removed, once counted."""
        return self._lines.get(version.id)

    def version(self, number: int) -> Version | None:
        """The version of a number."""
        row = self.row(number)
        return self._versions[row] if row >= 0 else None

    def row(self, number: int) -> int:
        """The row of a version number, -1 if it is not there."""
        if not self._versions:
            return -1
        row = self._versions[0].number - number
        return row if 0 <= row < len(self._versions) and self._versions[row].number == number else -1

    def show(self, info: EntryInfo, versions: Sequence[Version]) -> None:
        """Show another entry, or the same one with versions added at the top, whose rows are inserted and nothing else moves."""
        self._now = words.now_ms()
        same = self._info is not None and self._info.id == info.id and bool(self._versions)
        known = self._versions[0].number if same else 0
        fresh = tuple(version for version in versions if version.number > known)
        self._info = info
        self._numbers = {version.id: version.number for version in versions}
        if same and len(fresh) + len(self._versions) == len(versions):
            if fresh:
                self.beginInsertRows(QModelIndex(), 0, len(fresh) - 1)
                self._versions = tuple(versions)
                self.endInsertRows()
            else:
                self._versions = tuple(versions)
            self._changed()
            return
        self.beginResetModel()
        self._versions = tuple(versions)
        self._lines = {}
        self.endResetModel()

    def pick(self, pair: Pair) -> None:
        """Mark two versions as picked."""
        if pair != self._pair:
            self._pair = pair
            self._changed()

    def take_lines(self, lines: Lines) -> None:
        """Note counted lines."""
        self._lines |= lines
        self._changed()

    def uncounted(self, rows: range) -> tuple[Version, ...]:
        """The versions in `rows` whose lines nobody counted yet."""
        return tuple(version for version in self._versions[rows.start : rows.stop] if version.id not in self._lines)

    def _changed(self) -> None:
        if self._versions:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._versions) - 1, len(Column) - 1))

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(self._versions)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature
        return 0 if parent.isValid() else len(Column)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return (
            self.tr("From"), self.tr("To"), self.tr("Version"), self.tr("Action"), self.tr("Written by"), self.tr("Claims"),
            self.tr("With"), self.tr("When"), self.tr("Size"), self.tr("Lines"),
        )[section]

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._versions) or self._info is None:
            return None
        version = self._versions[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return version
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row_words(version, self._info, self._numbers, self._now)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(version, Column(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == Column.CLAIM:
            return self._claim_tip(version)
        return None

    def _text(self, version: Version, column: Column) -> str:
        match column:
            case Column.VERSION:
                return str(version.number)
            case Column.ACTION:
                return action_words(version, self._numbers)
            case Column.ACTOR:
                return words.actor_words(version.actor)
            case Column.CLAIM:
                return claim_words(version)
            case Column.WITH:
                return with_words(version)
            case Column.WHEN:
                return words.when(version.created_at, self._now)
            case Column.SIZE:
                return words.size(version.size)
            case Column.LINES:
                counted = self.lines(version)
                return "" if counted is None or counted[0] < 0 else f"+{counted[0]:,} −{counted[1]:,}"
            case _:
                return ""

    def _claim_tip(self, version: Version) -> str:
        detail = "\n".join(f"{key}: {value}" for key, value in version.detail.items())
        source = claim_words(version)
        return plain_tooltip(f"{source}\n{detail}".strip()) if source else ""
