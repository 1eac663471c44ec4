"""The list of entries as a Qt model: row keys in memory, the rows themselves in a cache that a thread fills; `data` never waits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.theme.tokens import MOTION
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.values import Agent, EntryInfo, ListQuery
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["DIM_ROLE", "FLASH_ROLE", "INFO_ROLE", "EntryListModel"]

Index = QModelIndex | QPersistentModelIndex
INFO_ROLE = Qt.ItemDataRole.UserRole
DIM_ROLE = Qt.ItemDataRole.UserRole + 1
FLASH_ROLE = Qt.ItemDataRole.UserRole + 2

_PAGE = 64
_KEPT_ROWS = 6_400
_SMALL = 200
_MIME = "application/x-memorypane-row"


@dataclass(frozen=True, slots=True)
class _Listing:
    """The answer to a query: keys in order and where each stands."""

    seqs: tuple[int, ...]
    rows: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Look:
    """What a second look at the store found: the keys that fit now, the cached rows anew, and how both differ from what is shown."""

    shown: _Listing
    listing: _Listing
    infos: Mapping[int, EntryInfo]
    same: bool
    gone: frozenset[int]
    news: int


def _list(person: PersonFace, query: ListQuery) -> _Listing:
    seqs = person.seqs(query)
    return _Listing(seqs, {seq: row for row, seq in enumerate(seqs)})


def _look(person: PersonFace, query: ListQuery, known: Sequence[int], shown: _Listing) -> _Look:
    listing, infos = _list(person, query), person.infos(known)
    if listing.seqs == shown.seqs:
        return _Look(shown, shown, infos, same=True, gone=frozenset(), news=0)
    gone = frozenset(shown.rows.keys() - listing.rows.keys())
    news = len(listing.seqs) - (len(shown.seqs) - len(gone))
    return _Look(shown, listing, infos, same=False, gone=gone, news=news)


class EntryListModel(QAbstractTableModel):
    """Rows of one query.

    While rows are shown their order and membership are frozen: `apply` repaints what changed, dims rows that no longer fit and counts
    new ones (`news_changed`); `take_news` queries again. Lists of at most 200 entries in their own order, and lists that nobody looks
    into (`settled` was told so), are queried again at once. Signals: `listed` after every query, `failed` with the error, `row_moved`
    when a row was dropped elsewhere (key, key it stands before or 0 for the end).
    """

    listed = Signal()
    failed = Signal(object)
    news_changed = Signal(int)
    row_moved = Signal(int, int)
    about_to_list = Signal()
    infos_arrived = Signal()

    def __init__(self, person: PersonFace, work: Work) -> None:
        super().__init__()
        self._person, self._work = person, work
        self._query = ListQuery()
        self._listing = _Listing((), {})
        self._cache: OrderedDict[int, EntryInfo] = OrderedDict()
        self._agents: Mapping[str, Agent] = {}
        self._dim: frozenset[int] = frozenset()
        self._flashing: set[int] = set()
        self._wanted: set[int] = set()
        self._in_flight: set[int] = set()
        self._news = 0
        self._settled = False
        self._movable = False
        self._fetch = QTimer(self)
        self._fetch.setSingleShot(True)
        self._fetch.setInterval(0)
        self._fetch.timeout.connect(self._on_fetch_due)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(MOTION.flash)
        self._calm.timeout.connect(self._on_flash_over)

    # what the page asks

    @property
    def query(self) -> ListQuery:
        """The query in force."""
        return self._query

    @property
    def news(self) -> int:
        """How many entries fit the query but are not shown yet."""
        return self._news

    def show_query(self, query: ListQuery, *, movable: bool = False) -> None:
        """Show another query; `movable` lets rows be dragged into another order."""
        self._query, self._movable = query, movable
        self._wanted.clear()
        self._work.run(_list, self._person, query, done=self._on_listed, failed=self._on_failed, key="list")

    def reload(self) -> None:
        """Query again."""
        self.show_query(self._query, movable=self._movable)

    def take_news(self) -> None:
        """Show what is new and drop what no longer fits."""
        self.reload()

    def settle(self, *, settled: bool) -> None:
        """Say whether nobody would be disturbed by a new query (at the top, nothing selected)."""
        self._settled = settled

    def show_agents(self, agents: Mapping[str, Agent]) -> None:
        """Take over which agents are verified or revoked."""
        if agents != self._agents:
            self._agents = agents
            self._repaint(0, len(self._listing.seqs) - 1)

    def agent(self, name: str) -> Agent | None:
        """Return what is known of an agent."""
        return self._agents.get(name)

    def agent_names(self) -> tuple[str, ...]:
        """Return the names of all known agents."""
        return tuple(self._agents)

    def seq_at(self, row: int) -> int:
        """Return the key of a row, 0 if there is no such row."""
        return self._listing.seqs[row] if 0 <= row < len(self._listing.seqs) else 0

    def row_of(self, seq: int) -> int:
        """Return the row of a key, -1 if it is not shown."""
        return self._listing.rows.get(seq, -1)

    def info_at(self, row: int) -> EntryInfo | None:
        """Return the entry of a row if it is loaded."""
        return self._cache.get(self.seq_at(row))

    def row_of_id(self, entry_id: str) -> int:
        """Return the row of a loaded entry, -1 if it is not among the loaded ones."""
        return next((self.row_of(seq) for seq, info in self._cache.items() if info.id == entry_id and self.row_of(seq) >= 0), -1)

    def loaded(self) -> tuple[EntryInfo, ...] | None:
        """Return all entries of the list if all are loaded and they are few, else None."""
        if len(self._listing.seqs) > _SMALL or any(seq not in self._cache for seq in self._listing.seqs):
            return None
        return tuple(self._cache[seq] for seq in self._listing.seqs)

    def patch(self, info: EntryInfo) -> None:
        """Take over one entry as it stands now."""
        self._cache[info.seq] = info
        row = self.row_of(info.seq)
        if row >= 0:
            self._repaint(row, row)

    def apply(self, changed: Changed) -> None:
        """Look at the store again after a commit."""
        if not changed.entries:
            return
        # Rows that are being read now may be read from before the commit.
        known = [seq for seq, info in self._cache.items() if info.id in changed.entries] + list(self._in_flight)
        query, flash = self._query, changed.foreign

        def looked(look: _Look) -> None:
            if query == self._query and look.shown is self._listing:
                self._on_looked(look, flash=flash)
            elif query == self._query:
                # The list was queried anew meanwhile; what this look compared with is no longer shown.
                self.apply(changed)

        self._work.run(_look, self._person, query, known, self._listing, done=looked, failed=self._on_failed, key="look", asker=self)

    # Qt's side

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature; an invalid index is a constant
        return 0 if parent.isValid() else len(self._listing.seqs)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own signature; an invalid index is a constant
        return 0 if parent.isValid() else 1

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        seq = self.seq_at(index.row())
        info = self._cache.get(seq)
        if info is None:
            self._want(index.row())
            return None
        if role == INFO_ROLE:
            return info
        if role == DIM_ROLE:
            return seq in self._dim
        if role == FLASH_ROLE:
            return seq in self._flashing
        if role == Qt.ItemDataRole.DisplayRole:
            return info.title
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            actor = info.actor.removeprefix("agent:")
            return words.row_words(info, self._agents.get(actor), words.now_ms())
        return None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._movable and index.isValid():
            return found | Qt.ItemFlag.ItemIsDragEnabled
        return found | Qt.ItemFlag.ItemIsDropEnabled if self._movable else found

    @override
    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    @override
    def mimeTypes(self) -> list[str]:
        return [_MIME]

    @override
    def mimeData(self, indexes: Sequence[QModelIndex], /) -> QMimeData:
        data = QMimeData()
        if indexes:
            data.setData(_MIME, str(self.seq_at(indexes[0].row())).encode())
        return data

    @override
    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if not self._movable or not data.hasFormat(_MIME):
            return False
        seq = int(bytes(data.data(_MIME).data()).decode())
        target = parent.row() if parent.isValid() else row
        before = self.seq_at(target) if target >= 0 else 0
        if before != seq:
            self.row_moved.emit(seq, before)
        # The store moves the entry and the list follows; the view must not remove the row it dragged.
        return False

    # answers

    def _on_listed(self, listing: _Listing) -> None:
        self.about_to_list.emit()
        self.beginResetModel()
        self._listing = listing
        self._dim = frozenset()
        self._wanted.clear()
        self.endResetModel()
        self._set_news(0)
        self.listed.emit()
        if 0 < len(listing.seqs) <= _SMALL:
            self._wanted.update(row // _PAGE for row in range(0, len(listing.seqs), _PAGE))
            self._fetch.start()

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._in_flight.clear()
        self.failed.emit(problem)

    def _on_looked(self, look: _Look, *, flash: bool) -> None:
        for seq, info in look.infos.items():
            if self._cache.get(seq) != info:
                self._cache[seq] = info
                if flash:
                    self._flashing.add(seq)
                row = self.row_of(seq)
                if row >= 0:
                    self._repaint(row, row)
        if self._flashing:
            self._calm.start()
        longest = max(len(self._listing.seqs), len(look.listing.seqs))
        small = self._query.sort == "order" and not self._query.text and longest <= _SMALL
        if small or self._settled:
            if not look.same:
                self._on_listed(look.listing)
            return
        if look.gone != self._dim:
            touched, self._dim = look.gone ^ self._dim, look.gone
            for seq in touched:
                row = self.row_of(seq)
                self._repaint(row, row)
        self._set_news(look.news)

    def _set_news(self, number: int) -> None:
        if number != self._news:
            self._news = number
            self.news_changed.emit(number)

    def _want(self, row: int) -> None:
        if row < len(self._listing.seqs):
            self._wanted.add(row // _PAGE)
            if not self._fetch.isActive():
                self._fetch.start()

    def _on_fetch_due(self) -> None:
        # What was asked for last is what the person looks at now.
        pages, self._wanted = sorted(self._wanted)[-8:], set()
        seqs = [seq for page in pages for seq in self._listing.seqs[page * _PAGE:(page + 1) * _PAGE] if seq not in self._cache]
        seqs = [seq for seq in seqs if seq not in self._in_flight]
        if seqs:
            self._in_flight.update(seqs)
            self._work.run(self._person.infos, seqs, done=self._on_infos_read, failed=self._on_failed)

    def _on_infos_read(self, infos: Mapping[int, EntryInfo]) -> None:
        self._in_flight.difference_update(infos)
        self._cache.update(infos)
        self._repaint_rows(self.row_of(seq) for seq in infos)
        while len(self._cache) > max(_KEPT_ROWS, len(infos)):
            self._cache.popitem(last=False)
        self.infos_arrived.emit()

    def _on_flash_over(self) -> None:
        rows = [self.row_of(seq) for seq in self._flashing]
        self._flashing.clear()
        self._repaint_rows(rows)

    def _repaint_rows(self, rows: Iterable[int]) -> None:
        known = [row for row in rows if row >= 0]
        if known:
            self._repaint(min(known), max(known))

    def _repaint(self, first: int, last: int) -> None:
        if 0 <= first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))
