"""The history of an entry: its versions, two of them compared, reverting, blame."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.diffview.keyed import KeyedPage
from memorypane.gui.diffview.panel import Comparison, DiffPanel, Preference
from memorypane.gui.history.blame import BlameView
from memorypane.gui.history.facts import Lines, Pair, between, can_revert, default_pair, differences, head_words
from memorypane.gui.history.loading import count_lines, load_pair
from memorypane.gui.history.model import VersionModel
from memorypane.gui.history.table import VersionTable
from memorypane.gui.keys import KeyAction
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, WIDTH
from memorypane.gui.theme.widgets import Button, ErrorState, Label
from memorypane.gui.work import Work
from memorypane.model.errors import Conflict, MemoryPaneError
from memorypane.model.values import Entry, Version
from memorypane.service.person import PersonFace

__all__ = ["HistoryPage"]

_COPIED_MS = 1600
_WITH_WORDS = 800


class HistoryPage(KeyedPage):
    """Versions with actor and claim; pick two, see what changed, go back to one.

    `saved(Entry)` after a revert; `failed(str)` a sentence; `count_changed(int)` how many versions there are; `back_asked` for Esc;
    `room_wanted(bool)` asks for the list's width while a wide view is open; `layout_chosen(str)` is to be remembered.
    """

    saved = Signal(object)
    failed = Signal(str)
    count_changed = Signal(int)
    back_asked = Signal()
    room_wanted = Signal(bool)
    layout_chosen = Signal(str)

    def __init__(
        self, theme: Theme, work: Work, person: PersonFace, *, preference: Preference = "auto", parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._work, self._person = theme, work, person
        self._entry: Entry | None = None
        self._busy = False
        self._picked = False
        self._compared: tuple[str, Pair] | None = None
        self.model = VersionModel(self)
        self.table = VersionTable(theme, self.model)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.panel = DiffPanel(theme, work, preference)
        self.blame = BlameView(theme, work, person)
        self._lower = QStackedWidget()
        self._lower.addWidget(self.panel)
        self._lower.addWidget(self.blame)
        self._error = ErrorState(theme)
        self.footer = _Actions(theme)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table)
        column.addWidget(self._lower, 1)
        column.addWidget(self.footer)
        self._pages = QStackedWidget()
        self._pages.addWidget(content)
        self._pages.addWidget(self._error)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.setFocusProxy(self.table)
        self._connect()

    def _connect(self) -> None:
        self.table.from_asked.connect(self._on_from_asked)
        self.table.to_asked.connect(self._on_to_asked)
        self.table.rows_seen.connect(self._count_seen)
        self.footer.revert.clicked.connect(self.revert)
        self.footer.copy.clicked.connect(self.copy_diff)
        self.footer.blame.clicked.connect(self.toggle_blame)
        self.panel.layout_chosen.connect(self.layout_chosen)
        self.panel.room_wanted.connect(self.room_wanted)
        self.blame.failed.connect(self.failed)
        self._error.retry_asked.connect(self._load)

    # the protocol of entry pages

    def show_entry(self, entry: Entry) -> None:
        """Show the versions of an entry; until the person picks two, they are the changes since it was kept, or the last change."""
        other = self._entry is None or self._entry.id != entry.id
        self._entry = entry
        if other:
            self.model.show(entry.info, ())
            self._show_blame(on=False)
        if other or not self._picked:
            self._picked = False
            self.model.pick(default_pair(entry.info))
        self._load()

    def entry_changed(self, entry: Entry) -> None:
        """Take in versions written elsewhere; what is picked stays picked."""
        if self._entry is not None and entry.id == self._entry.id:
            self._entry = entry
            self._load()

    def can_leave(self) -> bool:
        """Nothing here can be lost."""
        return True

    @override
    def key_actions(self) -> tuple[KeyAction, ...]:
        """The keys of the history."""
        rows, comparison = self.tr("next, previous version"), self.panel.key_actions()
        return (
            KeyAction("J", rows, lambda: self.table.step(1)),
            KeyAction("K", rows, lambda: self.table.step(-1)),
            KeyAction("Space", self.tr("set From"), lambda: self._on_from_asked(self.table.current_number)),
            KeyAction("Shift+Space", self.tr("set To"), lambda: self._on_to_asked(self.table.current_number), hint=False),
            *comparison[:3],
            KeyAction("B", self.tr("blame"), self.toggle_blame),
            *comparison[3:],
            KeyAction("Shift+R", self.tr("revert"), self.revert, hint=False),
            KeyAction("C", self.tr("copy diff"), self.copy_diff, hint=False),
            KeyAction("Escape", self.tr("back to the list"), self._on_escape),
        )

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.table.share_height(self.height())

    # loading

    def _load(self) -> None:
        if self._entry is not None:
            entry = self._entry
            self._work.run(self._person.history, entry.id, done=self._on_history_read, failed=self._on_history_failed, key="history")

    def _on_history_read(self, versions: tuple[Version, ...]) -> None:
        entry = self._entry
        if entry is None or (versions and versions[0].entry_id != entry.id):
            return
        first = not self.model.versions
        self._pages.setCurrentIndex(0)
        self.model.show(entry.info, versions)
        if first:
            self.table.make_current(self.model.pair.second)
        self.count_changed.emit(len(versions))
        self._compare()
        self._count_seen()

    def _on_history_failed(self, problem: MemoryPaneError) -> None:
        self._error.show_error(self.tr("The history could not be read."), problem.message)
        self._pages.setCurrentIndex(1)

    def _count_seen(self) -> None:
        """Ask for the line counts of the rows that are seen; rows never wait for them."""
        if self._entry is None or not self.model.versions:
            return
        wanted = self.model.uncounted(self.table.visible_rows())
        if wanted:
            self._work.run(count_lines, self._person, wanted, done=self._on_lines_counted, asker=self, key="lines")

    def _on_lines_counted(self, lines: Lines) -> None:
        self.model.take_lines(lines)
        if any(version_id in self.model.numbers for version_id in lines):
            self._count_seen()

    # comparing

    def _on_from_asked(self, number: int) -> None:
        pair = self.model.pair
        if number:
            self._pick(Pair(number, pair.first if number == pair.second and pair.first else pair.second))

    def _on_to_asked(self, number: int) -> None:
        pair = self.model.pair
        if number:
            self._pick(Pair(pair.second if number == pair.first else pair.first, number))

    def _pick(self, pair: Pair) -> None:
        self._picked = True
        if pair != self.model.pair:
            self.model.pick(pair)
            self._show_blame(on=False)
            self._compare()

    def _compare(self) -> None:
        entry, pair = self._entry, self.model.pair
        self._show_revert()
        if entry is None or not self.model.versions:
            return
        if self._compared == (entry.id, pair):
            return  # the same two again: a live change elsewhere in the history moves nothing here
        self._work.run(load_pair, self._person, entry.id, pair, done=self._on_pair_read, failed=self._on_work_failed, key="pair")

    def _on_pair_read(self, found: tuple[Version | None, Version]) -> None:
        old, new = found
        pair = Pair(old.number if old is not None else 0, new.number)
        if pair != self.model.pair or self._entry is None or new.entry_id != self._entry.id:
            return
        self._compared = (new.entry_id, pair)
        self.panel.compare(Comparison(
            old.state.content if old is not None else "", new.state.content, self._title(pair), between(self.model.versions, pair),
            self._head(pair.first), self._head(pair.second), differences(old, new),
        ))

    def _title(self, pair: Pair) -> str:
        if not pair.first:
            return self.tr("Version {second}").format(second=pair.second)
        return self.tr("Version {first} → {second}").format(first=pair.first, second=pair.second)

    def _head(self, number: int) -> tuple[str, str]:
        version = self.model.version(number)
        if version is None:
            return self.tr("Nothing"), self.tr("before the first version")
        return self.tr("Version {number}").format(number=number), head_words(version, self.model.now)

    # what can be done

    def _show_revert(self) -> None:
        entry, number = self._entry, self.model.pair.first
        if entry is None or not self.model.versions:
            self.footer.show_revert(0, "", possible=False)
            return
        self.footer.copy.setEnabled(number > 0)
        reason = can_revert(entry.info, self.model.version(number), self.model.version(entry.info.version))
        if self._busy:
            reason = self.tr("Reverting…")
        words = self.tr("Writes version {next} with the text of {number}. Nothing is lost.")
        shown = reason or words.format(next=entry.info.version + 1, number=number)
        self.footer.show_revert(number, shown, possible=not reason)

    def revert(self) -> None:
        """Write a new version with the text of the one under From."""
        entry, number = self._entry, self.model.pair.first
        if entry is None or not self.footer.revert.isEnabled():
            return
        self._busy = True
        self._show_revert()
        self._work.write(
            self._person.revert, entry.id, number, expected_version=entry.info.version, done=self._on_reverted,
            failed=self._on_revert_failed,
        )

    def _on_reverted(self, entry: Entry) -> None:
        self._busy = False
        if self._entry is not None and entry.id == self._entry.id:
            self._entry = entry
            self.model.pick(Pair(self.model.pair.second, entry.info.version))
            self._load()
        self.saved.emit(entry)

    def _on_revert_failed(self, problem: MemoryPaneError) -> None:
        self._busy = False
        self._show_revert()
        if isinstance(problem, Conflict):
            self.failed.emit(self.tr("It changed meanwhile, so nothing was reverted. Look at the new version, then decide again."))
            self._load()
        else:
            self.failed.emit(problem.message)

    def _on_work_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)

    def copy_diff(self) -> None:
        """Put the unified diff of the two on the clipboard."""
        entry, pair = self._entry, self.model.pair
        if entry is not None and pair.first:
            self._work.run(
                self._person.diff, entry.id, pair.first, pair.second, done=self._on_diff_made, failed=self._on_work_failed, key="copy",
            )

    def _on_diff_made(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.footer.say_copied()

    def toggle_blame(self) -> None:
        """Show who wrote each line of the version under To, or the comparison again."""
        self._show_blame(on=self._lower.currentIndex() == 0)

    def _show_blame(self, *, on: bool) -> None:
        self._lower.setCurrentIndex(1 if on else 0)
        self.footer.blame.setChecked(on)
        if on and self._entry is not None:
            self.blame.show_version(self._entry.id, self.model.versions, self.model.pair.second, self.model.now)
        self.room_wanted.emit(on and self.width() < self.blame.wanted_width)

    def _on_escape(self) -> None:
        if self._lower.currentIndex():
            self._show_blame(on=False)
        else:
            self.back_asked.emit()


class _Actions(QWidget):
    """The bar at the bottom: revert with what it will do, blame, copy."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.revert = Button(theme, "", icon="rotate-ccw", keys=("⇧R",))
        self._words = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self.blame = Button(theme, self.tr("Blame by line"), kind="quiet", icon="list")
        self.blame.setCheckable(True)
        self.copy = Button(theme, self.tr("Copy diff"), kind="quiet", icon="copy")
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 1, 12, 0)
        row.setSpacing(8)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.addWidget(self.revert)
        row.addWidget(self._words, 1)
        row.addWidget(self.blame)
        row.addWidget(self.copy)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_COPIED_MS)
        self._again.timeout.connect(self._on_copied_seen)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_revert(self, number: int, words: str, *, possible: bool) -> None:
        """Say what reverting would do, or why it cannot be done."""
        self.revert.show_text(self.tr("Revert to version {number}").format(number=number) if number else self.tr("Revert"))
        self.revert.setEnabled(possible)
        self._words.show_text(words)

    def say_copied(self) -> None:
        """Say on the button that the diff is on the clipboard, for a moment."""
        self.copy.show_text(self.tr("Copied"))
        self._again.start()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH.reader_min, self.height())

    def _on_copied_seen(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Where it is narrow the buttons at the right show their icons alone."""
        wide = self.width() >= _WITH_WORDS * max(1.0, self._theme.fonts.factor)
        for button, text in ((self.blame, self.tr("Blame by line")), (self.copy, self.tr("Copy diff"))):
            button.show_text(text if wide else "")
            button.setToolTip("" if wide else text)
            button.setAccessibleName(text)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.action_bar))
        self._fit()
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface_alt"))
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.end()
