"""Connecting an agent: a name, a host, the text to paste; copying it makes the token."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLineEdit, QTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui.pages.hosts import HOSTS, bridge_command, host_config
from memorypane.gui.theme.buttons import Button, SegmentedControl
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.panels import Box, Panel
from memorypane.gui.theme.text import set_line_height
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.home.paths import Home
from memorypane.model import text
from memorypane.model.errors import InvalidInput, MemoryPaneError
from memorypane.model.values import Agent
from memorypane.service.administration import NewAgent
from memorypane.service.person import PersonFace

__all__ = ["ConnectPanel"]

_KEY = re.compile(r'"[^"]+"(?=:)|^[a-z_]+(?= =)', re.MULTILINE)


class _KeyColor(QSyntaxHighlighter):
    """Colours the keys of JSON and TOML."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    @override
    def highlightBlock(self, line: str) -> None:
        form = QTextCharFormat()
        form.setForeground(self._theme.color("link"))
        for found in _KEY.finditer(line):
            self.setFormat(found.start(), found.end() - found.start(), form)


class ConnectPanel(QWidget):
    """`made(str)` once an agent has a token and its settings are in the clipboard, `failed(str)` if that did not work."""

    made = Signal(str)
    failed = Signal(str)

    def __init__(self, theme: Theme, work: Work, person: PersonFace, home: Home, channel: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work, self._person, self._home, self._channel = work, person, home, channel
        self._agents: dict[str, Agent] = {}
        self._theme = theme
        self.name = QLineEdit(HOSTS[0].agent)
        self.name.setAccessibleName(self.tr("Name of the agent"))
        self.name.setMinimumWidth(120)
        self.name.setMaximumWidth(theme.px(200))
        self.name.setMaxLength(64)
        self.hosts = SegmentedControl(theme, [host.title for host in HOSTS])
        self._file = Label(theme, "", "mono")
        self._where = Label(theme, "", "meta", "muted")
        self.copy = Button(theme, self.tr("Copy"), kind="primary", icon="copy", small=True)
        self._code = QTextEdit()
        self._colors = _KeyColor(theme, self._code.document())
        self._note = Label(theme, "", "meta", "muted", wrap=True)
        self._note_icon = IconLabel(theme, "key-round", "muted", 14)
        self._build()
        self.name.textChanged.connect(self._show)
        self.hosts.chosen.connect(self._on_host_chosen)
        self.copy.clicked.connect(self._on_copy_clicked)
        self._code.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self._show()

    def _build(self) -> None:
        theme = self._theme
        first = QHBoxLayout()
        first.setSpacing(12)
        first.addWidget(Label(theme, self.tr("Name"), "body", "muted"))
        first.addWidget(self.name, 1_000)
        first.addStretch(1)
        first.addWidget(self.hosts)
        head = QHBoxLayout()
        head.setContentsMargins(13, 0, 8, 0)
        head.setSpacing(8)
        head.addWidget(IconLabel(theme, "file-text", "text_secondary"))
        head.addWidget(self._file)
        head.addWidget(self._where)
        head.addStretch(1)
        head.addWidget(self.copy)
        bar = Panel(theme, ground="", height=38)
        bar.setLayout(head)
        line = QFrame()
        line.setFixedHeight(1)
        line.setProperty("line", "true")
        self._code.setReadOnly(True)
        self._code.setAcceptRichText(False)
        self._code.setFrameShape(QFrame.Shape.NoFrame)
        self._code.setProperty("bare", "true")
        self._code.viewport().setAutoFillBackground(False)
        self._code.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._code.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._code.setAccessibleName(self.tr("Settings text to paste"))
        self._code.document().setDocumentMargin(0)
        box = Box(theme, ground="sunken", line="line_strong")
        inside = QVBoxLayout(box)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(0)
        inside.addWidget(bar)
        inside.addWidget(line)
        code = QVBoxLayout()
        code.setContentsMargins(14, 11, 14, 11)
        code.addWidget(self._code)
        inside.addLayout(code)
        note = QHBoxLayout()
        note.setSpacing(8)
        note.addWidget(self._note_icon, 0, Qt.AlignmentFlag.AlignTop)
        note.addWidget(self._note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(13)
        column.addLayout(first)
        column.addWidget(box)
        column.addLayout(note)
        self.setFocusProxy(self.name)

    def show_agents(self, agents: dict[str, Agent]) -> None:
        """Take over which agents have a token already."""
        self._agents = agents
        self._show()

    def show_name(self, name: str, *, fixed: bool = False) -> None:
        """Show the settings of one agent; `fixed` keeps its name from being changed."""
        self.name.setText(name)
        self.name.setReadOnly(fixed)

    @property
    def agent(self) -> str:
        """The name as typed."""
        return self.name.text().strip()

    def _fault(self) -> str:
        try:
            text.check_agent_name(self.agent)
        except InvalidInput as problem:
            return problem.message
        return ""

    def _show(self) -> None:
        host = HOSTS[self.hosts.index]
        fault = self._fault()
        self._file.show_text(host.file or self.tr("command"))
        places = {"claude-code": self.tr("in your project folder"), "gemini": self.tr("in your project folder"),
                  "vscode": self.tr("in your project folder"), "codex": self.tr("in your home folder")}
        self._where.show_text(places.get(host.key, self.tr("that the host starts")))
        self._code.setPlainText(host_config(host, bridge_command(self._home, self._channel, self.agent or "NAME")).text.rstrip("\n"))
        set_line_height(self._code.document(), self._theme.line("mono"))
        self._fit()
        self.copy.setEnabled(not fault)
        known = self._agents.get(self.agent)
        if fault:
            words = fault
        elif known is not None and known.verified:
            words = self.tr("{agent} has a token already; copying only copies.").format(agent=self.agent)
        else:
            words = self.tr("Copying makes a token for {agent} and stores it in a file that only you can read.").format(agent=self.agent)
        self._note.set_tone("danger" if fault else "muted")
        self._note.show_text(words)

    def _fit(self) -> None:
        least = self._code.document().blockCount() * self._theme.line("mono")
        self._code.setFixedHeight(max(least, round(self._code.document().size().height())) + 2)

    def _on_theme_changed(self) -> None:
        self._code.setFont(self._theme.font("mono"))
        set_line_height(self._code.document(), self._theme.line("mono"))
        self._fit()

    def _on_host_chosen(self, index: int) -> None:
        if not self.name.isReadOnly() and self.agent in {host.agent for host in HOSTS}:
            self.name.setText(HOSTS[index].agent)
        self._show()

    def _on_copy_clicked(self) -> None:
        if self._fault():
            return
        known = self._agents.get(self.agent)
        if known is not None and known.verified:
            self._copied(self.agent)
            return
        self._work.write(self._person.add_agent, self.agent, done=self._on_agent_made, failed=self._on_failed)

    def _on_agent_made(self, agent: NewAgent) -> None:
        self._copied(agent.name)

    def _copied(self, agent: str) -> None:
        host = HOSTS[self.hosts.index]
        QApplication.clipboard().setText(host_config(host, bridge_command(self._home, self._channel, agent)).text)
        self.made.emit(agent)

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)
