"""What an agent reads first: composed for a chosen agent and folder, by tier, with sizes."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.delegate import draw_row_ground
from memorypane.gui.entries.header import ColumnHeader
from memorypane.gui.keys import KeyAction
from memorypane.gui.pages.sections import SectionBox, SectionText, fold_section
from memorypane.gui.places import Place, agent_place, shelf_icon, shelf_place, shelf_title, workspace_place
from memorypane.gui.reader.browser import MarkdownView
from memorypane.gui.reader.markdown import Piece, render
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.table.rows import Brush, ListRow, RowList
from memorypane.gui.theme.bars import BusyLine
from memorypane.gui.theme.buttons import SegmentedControl
from memorypane.gui.theme.fields import Combo
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paint import draw_icon, draw_text
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState, ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT
from memorypane.gui.work import Work
from memorypane.model.compose import Composition, Section
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import TOPICS, Tier, find_shelf
from memorypane.service.changes import Changed
from memorypane.service.person import PersonFace

__all__ = ["StartupScreen"]

_ROW = 52


@dataclass(frozen=True, slots=True)
class _Startup:
    """A composed text and its sections, cut and folded."""

    composition: Composition
    sections: tuple[SectionText, ...]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Startup", text)


def _compose(person: PersonFace, agent: str, workspace: str, workspace_name: str) -> _Startup:
    composition = person.startup_text(agent, workspace)
    titles = {"workspace": workspace_name, "personal": agent}

    def title(section: Section) -> str:
        if section.shelf == TOPICS.name and section.tier == TOPICS.tier:
            return _tr("Index of topics")
        return titles.get(section.tier) or shelf_title(section.tier, section.shelf)

    return _Startup(composition, tuple(fold_section(section, title(section), composition.text) for section in composition.sections))


class _SizeBar(QWidget):
    """The parts of the text as stretches of one bar, in their tiers' colours."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: tuple[tuple[str, int], ...] = ()
        self.setFixedHeight(8)
        theme.changed.connect(self.update)

    def show_parts(self, parts: tuple[tuple[str, int], ...]) -> None:
        """Show tiers with their sizes in bytes."""
        self._parts = parts
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        total = sum(size for _, size in self._parts)
        room = self.width() - 2 * max(0, len(self._parts) - 1)
        x = 0
        if not total:
            painter.fillRect(self.rect(), self._theme.color("line"))
        for number, (tier, size) in enumerate(self._parts):
            last = number == len(self._parts) - 1
            width = self.width() - x if last else max(2, round(room * size / total))
            painter.fillRect(x, 0, width, self.height(), self._theme.color(f"tier_{tier}"))
            x += width + 2
        painter.end()


class StartupScreen(Screen):
    """Left who reads and how large it is; right the text itself, as sent or rendered."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace) -> None:
        self._theme, self._work, self._person = theme, work, person
        side, main = Panel(theme), Panel(theme)
        super().__init__(side, main)
        self._known = Known()
        self._startup: _Startup | None = None
        self._boxes: list[SectionBox] = []
        self._header = ColumnHeader(theme)
        self._header.show_title(self.tr("Startup text"))
        self._copy = self._header.add_button("copy", self.tr("Copy all"))
        self._agent = Combo(theme, self.tr("As seen by"))
        self._workspace = Combo(theme, self.tr("Working in"))
        self._size = Label(theme, "", "title")
        self._tokens = Label(theme, "", "body", "muted")
        self._left_out = Label(theme, "", "meta", "warning")
        self._bar = _SizeBar(theme)
        self.list = RowList(theme, self.tr("Sections"), self._draw_row)
        self._busy = BusyLine(theme)
        self._heading = Label(theme, "", "body", weight=600, elide=Qt.TextElideMode.ElideRight)
        self._lines = Label(theme, "", "meta", "muted")
        self._mode = SegmentedControl(theme, (self.tr("As sent"), self.tr("Rendered")))
        self._scroll = QScrollArea()
        self._rendered = MarkdownView(theme)
        self._empty = EmptyState(theme)
        self._error = ErrorState(theme)
        self._stack = QStackedWidget()
        self._build(side, main)
        self._copy.clicked.connect(self._copy_all)
        self._agent.activated.connect(self._on_reader_chosen)
        self._workspace.activated.connect(self._on_reader_chosen)
        self._mode.chosen.connect(self._on_mode_chosen)
        self.list.row_chosen.connect(self._on_section_chosen)
        self.list.opened.connect(self._on_section_opened)
        self._error.retry_asked.connect(self._read)

    def _build(self, side: QWidget, main: QWidget) -> None:
        theme = self._theme
        choose = QGridLayout()
        choose.setContentsMargins(16, 12, 16, 12)
        choose.setHorizontalSpacing(8)
        choose.setVerticalSpacing(8)
        choose.setColumnMinimumWidth(0, 76)
        choose.setColumnStretch(1, 1)
        choose.addWidget(Label(theme, self.tr("As seen by"), "body", "muted"), 0, 0)
        choose.addWidget(self._agent, 0, 1)
        choose.addWidget(Label(theme, self.tr("Working in"), "body", "muted"), 1, 0)
        choose.addWidget(self._workspace, 1, 1)
        chooser = Panel(theme, bottom=True)
        chooser.setLayout(choose)
        sizes = QHBoxLayout()
        sizes.setSpacing(7)
        sizes.addWidget(self._size)
        sizes.addWidget(self._tokens)
        sizes.addStretch(1)
        sizes.addWidget(self._left_out)
        sum_panel = Panel(theme, bottom=True)
        total = QVBoxLayout(sum_panel)
        total.setContentsMargins(16, 10, 16, 12)
        total.setSpacing(8)
        total.addLayout(sizes)
        total.addWidget(self._bar)
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._header, chooser, sum_panel):
            column.addWidget(widget)
        column.addWidget(self.list, 1)
        head = Panel(theme, bottom=True, height=HEIGHT.column_header)
        row = QHBoxLayout(head)
        row.setContentsMargins(24, 0, 24, 1)
        row.setSpacing(8)
        row.addWidget(self._heading, 1)
        row.addWidget(self._lines)
        row.addWidget(self._mode)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scroll.setAccessibleName(self.tr("Startup text"))
        for page in (self._scroll, self._rendered, self._empty, self._error):
            self._stack.addWidget(page)
        right = QVBoxLayout(main)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(head)
        right.addWidget(self._busy)
        right.addWidget(self._stack, 1)
        side.setFocusProxy(self.list)

    # the shell's side

    @override
    def open(self, place: Place) -> None:
        self._read()

    @override
    def apply(self, changed: Changed) -> None:
        if changed.entries:
            self._read()

    @override
    def know(self, known: Known) -> None:
        if (known.agents, known.workspaces) == (self._known.agents, self._known.workspaces):
            return
        self._known = known
        readers = [(name, name) for name, agent in known.agents.items() if not agent.revoked]
        places = [(self.tr("no folder"), ""), *((each.name, each.id) for each in known.workspaces.values())]
        first_workspace = next((each.id for each in known.workspaces.values() if each.state == "confirmed"), "")
        for combo, choices, default in ((self._agent, readers, ""), (self._workspace, places, first_workspace)):
            chosen = combo.currentData() if combo.count() else default
            combo.clear()
            for text, value in choices:
                combo.addItem(text, value)
            combo.setCurrentIndex(max(0, combo.findData(chosen)))
        self._read()

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        steps = self.tr("next, previous section")
        return (
            KeyAction("J", steps, lambda: self.list.step(1)),
            KeyAction("K", steps, lambda: self.list.step(-1)),
            KeyAction("C", self.tr("copy all"), self._copy_all),
            KeyAction("Shift+C", self.tr("copy section"), self._copy_section),
            KeyAction("Return", self.tr("open the entries"), self.list.open_chosen),
        )

    # reading

    def _read(self) -> None:
        agent = self._agent.currentData()
        if not agent:
            self._empty.show_words(self.tr("No agent yet. Connect one, and what it reads first is shown here."))
            self._stack.setCurrentWidget(self._empty)
            return
        workspace = self._workspace.currentData() or ""
        self._busy.begin()
        name = self._known.owners.get(workspace, "")
        self._work.run(_compose, self._person, agent, workspace, name, done=self._on_composed, failed=self._on_failed, key="compose")

    def _on_composed(self, startup: _Startup) -> None:
        self._busy.end()
        self._startup = startup
        composition = startup.composition
        agent, workspace = self._agent.currentData(), self._known.owners.get(self._workspace.currentData() or "", "")
        where = self.tr("What {agent} reads first in {folder}").format(agent=agent, folder=workspace)
        self._heading.show_text(where if workspace else self.tr("What {agent} reads first").format(agent=agent))
        self._lines.show_text(self.tr("{number} lines").format(number=words.count(composition.text.count("\n") + 1)))
        self._size.show_text(words.size(composition.bytes))
        self._tokens.show_text(words.tokens(composition.tokens))
        left_out = len(composition.omitted)
        self._left_out.show_text(self.tr("{number} left out").format(number=left_out) if left_out else "")
        self._bar.show_parts(tuple((each.section.tier, each.section.bytes) for each in startup.sections if each.section.bytes))
        self.list.show_rows([
            ListRow(self._key(each), f"{each.title}, {words.size(each.section.bytes)}", _ROW, each) for each in startup.sections
        ])
        self._show_boxes(startup)
        if self._mode.index == 1:
            self._work.compute(render, composition.text, done=self._on_rendered, key="rendered", asker=self)
        self._show_body()

    def _show_boxes(self, startup: _Startup) -> None:
        page = Panel(self._theme)
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 16, 24, 24)
        column.setSpacing(14)
        self._boxes = []
        for each in startup.sections:
            box = SectionBox(self._theme)
            box.show_section(each)
            column.addWidget(box)
            self._boxes.append(box)
        column.addStretch(1)
        place = self._scroll.verticalScrollBar().value()
        self._scroll.setWidget(page)
        self._scroll.verticalScrollBar().setValue(place)

    def _on_rendered(self, pieces: tuple[Piece, ...]) -> None:
        self._rendered.show_pieces(pieces)

    def _show_body(self) -> None:
        if self._startup is None:
            return
        if not self._startup.sections:
            self._empty.show_words(self.tr("Nothing yet. This agent begins without any memory."))
            self._stack.setCurrentWidget(self._empty)
        else:
            self._stack.setCurrentWidget(self._rendered if self._mode.index == 1 else self._scroll)

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._busy.end()
        self._error.show_error(self.tr("The startup text cannot be composed."), problem.message)
        self._stack.setCurrentWidget(self._error)

    # choosing

    def _on_reader_chosen(self) -> None:
        self._read()

    def _on_mode_chosen(self, index: int) -> None:
        if index == 1 and self._startup is not None:
            self._work.compute(render, self._startup.composition.text, done=self._on_rendered, key="rendered", asker=self)
        self._show_body()

    def _on_section_chosen(self, shown: SectionText) -> None:
        if self._startup is None or shown not in self._startup.sections:
            return
        box = self._boxes[self._startup.sections.index(shown)]
        self._scroll.verticalScrollBar().setValue(max(0, box.y() - 16))

    def _on_section_opened(self, shown: SectionText) -> None:
        section = shown.section
        if section.tier == Tier.WORKSPACE:
            self.place_asked.emit(workspace_place(self._workspace.currentData() or ""))
        elif section.tier == Tier.PERSONAL:
            self.place_asked.emit(agent_place(self._agent.currentData()))
        else:
            self.place_asked.emit(shelf_place(find_shelf(section.tier, section.shelf)))

    def _copy_all(self) -> None:
        if self._startup is not None:
            QApplication.clipboard().setText(self._startup.composition.text)
            self.noted.emit(self.tr("Copied the whole startup text."), None)

    def _copy_section(self) -> None:
        shown = self.list.chosen
        if isinstance(shown, SectionText):
            QApplication.clipboard().setText(shown.whole)
            self.noted.emit(self.tr("Copied the section “{name}”.").format(name=shown.title), None)

    # drawing

    @staticmethod
    def _key(shown: SectionText) -> str:
        return f"{shown.section.tier}/{shown.section.shelf}"

    def _draw_row(self, brush: Brush, subject: object) -> None:
        if not isinstance(subject, SectionText):
            return
        theme, painter, area, section = self._theme, brush.painter, brush.area, subject.section
        draw_row_ground(painter, theme, area, selected=brush.selected, active=brush.active, hovered=brush.hovered, inset=40)
        first = QRect(area.left() + 40, area.top() + theme.px(7), area.width() - 56, theme.px(18))
        second = first.translated(0, theme.px(20))
        middle = first.center().y() + 1
        icon = shelf_icon(section.tier, section.shelf)
        draw_icon(painter, theme, area.left() + 16, middle, icon, theme.color(f"tier_{section.tier}"))
        size, tokens = words.size(section.bytes), self.tr("{number} tokens").format(number=words.count(section.tokens))
        text, muted, right = theme.color("text"), theme.color("muted"), Qt.AlignmentFlag.AlignRight
        draw_text(painter, theme, first, size, "meta", text, align=right)
        draw_text(painter, theme, second, tokens, "meta", muted, align=right)
        room = first.width() - theme.metrics("meta").horizontalAdvance(size) - 40
        draw_text(painter, theme, QRect(first.left(), first.top(), room, first.height()), subject.title, "row_name", text, weight=500)
        used = min(room, theme.metrics("row_name", weight=500).horizontalAdvance(subject.title))
        count = QRect(first.left() + used + 7, first.top(), 40, first.height())
        draw_text(painter, theme, count, words.count(len(section.entries)), "meta", muted)
        second.setWidth(second.width() - theme.metrics("meta").horizontalAdvance(tokens) - 8)
        draw_text(painter, theme, second, _note(section.tier, section.shelf), "meta", muted)


def _note(tier: str, shelf: str) -> str:
    return {
        "system/instructions": _tr("overrides all"), "global/instructions": _tr("every agent"), "global/profile": _tr("every agent"),
        "global/topics": _tr("names only"), "workspace/records": _tr("shared and own records"), "personal/notes": _tr("own notes"),
        "personal/files": _tr("own files"),
    }.get(f"{tier}/{shelf}", "")
