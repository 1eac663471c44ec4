"""The text of an entry, rendered, or as it is when it is too long for that."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.diffview.keyed import KeyedPage
from memorypane.gui.diffview.selectable import SelectableGrid
from memorypane.gui.diffview.sheets import Sheet, plain_sheet
from memorypane.gui.reader.browser import MarkdownView
from memorypane.gui.reader.markdown import Piece, may_open, render
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT
from memorypane.gui.theme.widgets import EmptyState, InfoBar, Label
from memorypane.gui.work import Work
from memorypane.model.values import Entry
from memorypane.service.person import PersonFace

__all__ = ["ReaderPage"]


class ReaderPage(KeyedPage):
    """Shows one entry's text.

    `link_opened(str)` carries the address that the person agreed to open; `edit_asked` comes from the empty page. `saved` and
    `failed` belong to the protocol of entry pages; reading never writes. `ready` fires when the text stands whole.
    """

    saved = Signal(object)
    failed = Signal(str)
    link_opened = Signal(str)
    edit_asked = Signal()
    ready = Signal()

    def __init__(
        self,
        theme: Theme,
        work: Work,
        person: PersonFace,  # noqa: ARG002  # every entry page is made with it; this one only reads what it is given
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._work = work
        self._entry: Entry | None = None
        self._link = ""
        self.view = MarkdownView(theme)
        self.plain = SelectableGrid(theme)
        self.plain.setAccessibleName(self.tr("Text"))
        self._notice = InfoBar(theme)
        self._notice.hide()
        self._ask = InfoBar(theme, icon="external-link")
        self._open = self._ask.add_action(self.tr("Open in the browser"), self._on_open_clicked)
        self._ask.add_action(self.tr("Cancel"), self._hide_ask, kind="quiet")
        self._ask.hide()
        self._empty = EmptyState(theme)
        self._target = _Target(theme)
        self._target.hide()
        self._stack = QStackedWidget()
        for widget in (self.view, self.plain, self._empty):
            self._stack.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for bar in (self._notice, self._ask):
            column.addWidget(bar)
        column.addWidget(self._stack, 1)
        column.addWidget(self._target)
        self.view.link_asked.connect(self._on_link_asked)
        self.view.link_seen.connect(self._on_link_seen)
        self.view.built.connect(self.ready)
        self.setFocusProxy(self.view)

    def show_entry(self, entry: Entry) -> None:
        """Show another entry's text, from its beginning."""
        self._take(entry, keep_place=self._entry is not None and self._entry.id == entry.id)

    def entry_changed(self, entry: Entry) -> None:
        """Show the text as it now stands, at the place where the person reads."""
        if self._entry is not None and self._entry.id == entry.id and entry.content != self._entry.content:
            self._take(entry, keep_place=True)

    def can_leave(self) -> bool:
        """Reading loses nothing."""
        return True

    def _take(self, entry: Entry, *, keep_place: bool) -> None:
        self._entry = entry
        self._hide_ask()
        self._on_link_seen("")
        if not entry.content.strip():
            self._notice.hide()
            self._empty.show_words(self.tr("This entry has no text yet."), self.tr("Write it"), self.edit_asked.emit)
            self._stack.setCurrentWidget(self._empty)
            self.ready.emit()
            return

        def show(pieces: tuple[Piece, ...] | None) -> None:
            self._show(pieces, keep_place=keep_place)

        self._work.compute(render, entry.content, done=show, asker=self, key="text")

    def _show(self, pieces: tuple[Piece, ...] | None, *, keep_place: bool) -> None:
        entry = self._entry
        if entry is None:
            return
        if pieces is not None:
            self._notice.hide()
            self._stack.setCurrentWidget(self.view)
            self.view.show_pieces(pieces, keep_place=keep_place)
            return

        def show(sheet: Sheet) -> None:
            self._show_plain(sheet, keep_place=keep_place)

        self._work.compute(plain_sheet, entry.content, done=show, asker=self, key="text")

    def _show_plain(self, sheet: Sheet, *, keep_place: bool) -> None:
        if self._entry is not None:
            size = words.size(self._entry.info.size)
            self._notice.show_message(self.tr("Shown as written: at {size} it is too long to be rendered.").format(size=size))
            self._notice.show()
        self._stack.setCurrentWidget(self.plain)
        self.plain.set_rows(sheet.rows, highest=sheet.highest, keep_place=keep_place)
        self.ready.emit()

    # links

    def _on_link_asked(self, address: str) -> None:
        if may_open(address):
            self._link = address
            self._ask.show_message(address, lead=self.tr("Leave the window for"))
            self._ask.show()
            self._open.setFocus()

    def _on_open_clicked(self) -> None:
        address, self._link = self._link, ""
        self._hide_ask()
        if address:
            self.link_opened.emit(address)

    def _hide_ask(self) -> None:
        self._link = ""
        self._ask.hide()

    def _on_link_seen(self, address: str) -> None:
        self._target.show_address(address)


class _Target(QWidget):
    """Where the link under the pointer leads, in full."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideMiddle)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 0, 24, 0)
        row.addWidget(self._words, 1)
        self.setFixedHeight(theme.px(HEIGHT.control_small))

    def show_address(self, address: str) -> None:
        """Show an address, or nothing."""
        self._words.show_text(address)
        self.setVisible(bool(address))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface_alt"))
        painter.fillRect(0, 0, self.width(), 1, self._theme.color("line"))
        painter.end()
