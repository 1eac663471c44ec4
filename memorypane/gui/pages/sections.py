"""The parts of a startup text, as boxes with a band in their tier's colour; long ones are folded after their first entries."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.places import shelf_icon
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.paint import draw_icon, draw_text
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.text import set_line_height
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import RADIUS
from memorypane.model.compose import Section

__all__ = ["SectionBox", "SectionText", "fold_section"]

_SHOWN_LINES = 14
_LONGEST = 60_000


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section cut out of the whole text: what is shown folded, what is left, and how much that is."""

    section: Section
    title: str
    whole: str
    folded: str
    hidden_entries: int
    hidden_bytes: int


def fold_section(section: Section, title: str, text: str) -> SectionText:
    """Cut a section out of the startup text; folded it shows whole entries up to 14 lines, at least the first."""
    whole = text[section.start:section.end].strip("\n")
    if whole.count("\n") < _SHOWN_LINES or len(section.entries) < 2:
        return SectionText(section, title, whole, whole, 0, 0)
    end, shown = section.start, 0
    for placed in section.entries:
        if shown and text[section.start:placed.end].count("\n") > _SHOWN_LINES:
            break
        end, shown = placed.end, shown + 1
    folded = text[section.start:end].strip("\n")
    hidden = len(section.entries) - shown
    return SectionText(section, title, whole, folded if hidden else whole, hidden, len(text[end:section.end].encode()) if hidden else 0)


class _Text(QTextEdit):
    """Mono text as high as its lines; headings are bold; it can be selected and copied. Very long ones are cut: the copy keys give all."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._on_document_resized)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_text(self, text: str) -> None:
        """Show another text."""
        shown = text if len(text) <= _LONGEST else text[:text.rfind("\n", 0, _LONGEST)] + "\n…"
        self.setPlainText(shown)
        set_line_height(self.document(), self._theme.line("mono"))
        bold = QTextCharFormat()
        bold.setFontWeight(700)
        block = self.document().begin()
        while block.isValid():
            if block.text().startswith("#"):
                cursor = QTextCursor(block)
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.mergeCharFormat(bold)
            block = block.next()
        self._on_document_resized()

    def _on_document_resized(self) -> None:
        self.setFixedHeight(round(self.document().size().height()) + 2)

    def _on_theme_changed(self) -> None:
        self.setFont(self._theme.font("mono"))
        self._on_document_resized()


class _More(QPushButton):
    """The line that unfolds the rest."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFlat(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._theme.metrics("meta").horizontalAdvance(self.text()) + 26, self._theme.px(22))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = self._theme.color("link")
        draw_icon(painter, self._theme, 0, self.height() // 2, "chevron-right", color, 14)
        draw_text(painter, self._theme, QRect(20, 0, self.width() - 20, self.height()), self.text(), "meta", color)
        painter.end()


class SectionBox(QWidget):
    """One section; `unfolded` once the rest is shown."""

    unfolded = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tier = "global"
        self._icon = IconLabel(theme, "globe", "tier_global")
        self._title = Label(theme, "", "row_name", elide=Qt.TextElideMode.ElideRight)
        self._count = Label(theme, "", "meta", "secondary")
        self._text = _Text(theme)
        self._more = _More(theme)
        self._more.clicked.connect(self._on_more_clicked)
        self._shown: SectionText | None = None
        head = QHBoxLayout()
        head.setContentsMargins(15, 0, 12, 0)
        head.setSpacing(6)
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        head.addWidget(self._count)
        bar = Panel(theme, ground="", height=26)
        bar.setLayout(head)
        body = QVBoxLayout()
        body.setContentsMargins(15, 8, 12, 8)
        body.setSpacing(4)
        body.addWidget(self._text)
        body.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 1)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addLayout(body)
        self._bar = bar
        theme.changed.connect(self.update)

    def show_section(self, shown: SectionText, *, unfolded: bool = False) -> None:
        """Show another section, or the same with another text."""
        self._shown = shown
        section = shown.section
        self._tier = section.tier
        self._icon.show_icon(shelf_icon(section.tier, section.shelf), f"tier_{section.tier}")
        self._title.show_text(shown.title)
        self._title.set_tone(section.tier)
        entries = words.entries_words(len(section.entries))
        self._count.show_text(self.tr("{entries}, {size}").format(entries=entries, size=words.size(section.bytes)))
        folded = bool(shown.hidden_entries) and not unfolded
        self._text.show_text(shown.folded if folded else shown.whole)
        many = self.tr("{number} more entries").format(number=shown.hidden_entries)
        more = self.tr("1 more entry") if shown.hidden_entries == 1 else many
        self._more.setText(self.tr("{more}, {size}").format(more=more, size=words.size(shown.hidden_bytes)))
        self._more.setVisible(folded)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.rect().adjusted(0, 0, -1, -1)
        painter.setPen(theme.pen("line"))
        painter.setBrush(theme.color("surface"))
        painter.drawRoundedRect(area, RADIUS.badge, RADIUS.badge)
        painter.fillRect(2, 1, area.width() - 3, self._bar.height() - 1, theme.color("surface_alt"))
        painter.fillRect(1, self._bar.height(), area.width() - 1, 1, theme.color("line"))
        painter.fillRect(0, 0, 3, self.height(), theme.color(f"tier_{self._tier}"))
        painter.end()

    def _on_more_clicked(self) -> None:
        if self._shown is not None:
            self.show_section(self._shown, unfolded=True)
            self.unfolded.emit()
