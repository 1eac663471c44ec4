"""The first start: how to connect an agent, and how to bring in what there is already."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.keys import KeyAction
from memorypane.gui.link import Link
from memorypane.gui.pages.connect import ConnectPanel
from memorypane.gui.places import Kind, Place, shelf_place
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.panels import Box, Panel
from memorypane.gui.theme.paragraph import Paragraph
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.home.paths import Home
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Channel
from memorypane.service.person import PersonFace

__all__ = ["WelcomeScreen"]

_WIDTH = 660


class _Spinner(QWidget):
    """A ring that turns while it is visible."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._angle = 0
        self.setFixedSize(16, 16)
        self._beat = QTimer(self)
        self._beat.setInterval(60)
        self._beat.timeout.connect(self._on_beat)

    @override
    def showEvent(self, event: object) -> None:
        self._beat.start()

    @override
    def hideEvent(self, event: object) -> None:
        self._beat.stop()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(2, 2, 12, 12)
        painter.setPen(QPen(self._theme.color("line_strong"), 2))
        painter.drawEllipse(area)
        painter.setPen(QPen(self._theme.color("accent"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawArc(area, -self._angle * 16, 100 * 16)
        painter.end()

    def _on_beat(self) -> None:
        self._angle = (self._angle + 18) % 360
        self.update()


class _Waiting(Box):
    """Says that nobody called yet, or who did."""

    def __init__(self, theme: Theme, channel: str) -> None:
        super().__init__(theme, ground="accent_soft", line="accent_soft")
        self._channel = channel
        self._spinner = _Spinner(theme)
        self._done = IconLabel(theme, "circle-check", "success")
        self._done.hide()
        self._words = Label(theme, "", "body", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(11, 9, 12, 9)
        row.setSpacing(9)
        row.addWidget(self._spinner)
        row.addWidget(self._done)
        row.addWidget(self._words, 1)

    def show_state(self, *, problem: str, connected: tuple[str, ...]) -> None:
        """Show how it stands now."""
        self._spinner.setVisible(not connected)
        self._done.setVisible(bool(connected))
        if connected:
            names = ", ".join(connected)
            one = self.tr("{names} is connected. Its memories appear here as it writes them.")
            many = self.tr("{names} are connected. Their memories appear here as they write them.")
            self._words.show_text((one if len(connected) == 1 else many).format(names=names))
        elif problem:
            self._words.show_text(self.tr("Nobody can connect yet. {problem}").format(problem=problem))
        else:
            self._words.show_text(self.tr("Waiting for the first call on channel {channel}").format(channel=self._channel))


class WelcomeScreen(Screen):
    """Shown on an empty store; it goes away by itself once there is an entry."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace, link: Link, home: Home, channel: Channel) -> None:
        ground = Panel(theme)
        super().__init__(None, ground)
        self._theme, self._link = theme, link
        self._known = Known()
        self._shown = False
        self.connect_panel = ConnectPanel(theme, work, person, home, channel.name)
        self._waiting = _Waiting(theme, channel.name)
        inner = QWidget()
        inner.setMaximumWidth(theme.px(_WIDTH))
        self._inner = inner
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 56, 0, 48)
        column.setSpacing(0)
        self._title = Label(theme, self.tr("No memories yet"), "hero")
        column.addWidget(self._title)
        column.addSpacing(5)
        sentence = self.tr(
            "Connect an agent and its memories appear here as it writes them, or bring in what you already have. "
            "Nothing leaves this computer."
        )
        lead = Paragraph(theme, sentence, "reading", "muted")
        lead.setMaximumWidth(530)
        column.addWidget(lead)
        column.addSpacing(26)
        column.addWidget(Label(theme, self.tr("Connect an agent"), "page_title"))
        column.addSpacing(12)
        column.addWidget(self.connect_panel)
        column.addSpacing(12)
        column.addWidget(self._waiting)
        column.addSpacing(26)
        column.addWidget(Label(theme, self.tr("Or bring in what you have"), "page_title"))
        column.addSpacing(10)
        column.addWidget(self._choices())
        column.addStretch(1)
        page = Panel(theme)
        row = QHBoxLayout(page)
        row.setContentsMargins(24, 0, 24, 0)
        row.addStretch(1)
        row.addWidget(inner, 1_000)
        row.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        outer = QVBoxLayout(ground)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        ground.setFocusProxy(self.connect_panel)
        self.connect_panel.made.connect(self._on_agent_made)
        self.connect_panel.failed.connect(self.failed)
        link.moved.connect(self._show_link)
        theme.changed.connect(self._on_theme_changed)
        self._show_link()

    def _on_theme_changed(self) -> None:
        self._inner.setMaximumWidth(self._theme.px(_WIDTH))

    def _choices(self) -> QWidget:
        box = Box(self._theme, ground="")
        column = QVBoxLayout(box)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        rows = (
            ("file-text", self.tr("Instruction files"), self.tr("CLAUDE.md, AGENTS.md, GEMINI.md, editor rules, or a folder with them"),
             self.tr("Choose files…"), lambda: self.place_asked.emit(Place(Kind.IMPORT))),
            ("pencil", self.tr("Your own words"), self.tr("Write an instruction that every agent inherits"),
             self.tr("Write…"), self.write_new),
        )
        for number, (icon, title, words, action, act) in enumerate(rows):
            panel = Panel(self._theme, ground="", top=number > 0)
            row = QHBoxLayout(panel)
            row.setContentsMargins(13, 9, 12, 9)
            row.setSpacing(14)
            row.addWidget(IconLabel(self._theme, icon, "text_secondary", 20))
            texts = QVBoxLayout()
            texts.setSpacing(2)
            texts.addWidget(Label(self._theme, title, "body", weight=500))
            texts.addWidget(Label(self._theme, words, "meta", "muted"))
            row.addLayout(texts, 1)
            button = Button(self._theme, action, small=True)
            button.clicked.connect(act)
            row.addWidget(button)
            column.addWidget(panel)
        return box

    @override
    def open(self, place: Place) -> None:
        self._shown = True
        self._show_link()

    @override
    def know(self, known: Known) -> None:
        first = not self._known.entries and bool(known.entries)
        self._known = known
        self._title.show_text(self.tr("Bring in memories") if known.entries else self.tr("No memories yet"))
        self.connect_panel.show_agents(known.agents)
        self._show_link()
        if first and self._shown and self.main.isVisible():
            self.place_asked.emit(shelf_place(INSTRUCTIONS))

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        return (
            KeyAction("Ctrl+N", self.tr("write an entry yourself"), self.write_new),
            KeyAction("Ctrl+I", self.tr("import"), lambda: self.place_asked.emit(Place(Kind.IMPORT))),
            KeyAction("Ctrl+,", self.tr("settings"), lambda: self.place_asked.emit(Place(Kind.SETTINGS))),
        )

    @override
    def write_new(self) -> None:
        self.new_asked.emit()

    def _on_agent_made(self, agent: str) -> None:
        self.noted.emit(self.tr("Copied. {agent} has its token; paste the text and start the host.").format(agent=agent), None)

    def _show_link(self) -> None:
        names = tuple(dict.fromkeys(each.agent for each in self._link.connections))
        self._waiting.show_state(problem=self._link.problem, connected=names)
