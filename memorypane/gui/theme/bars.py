"""Bars: what interrupts (info), which keys there are (hints), what was just done (toast), how full a list is (budget)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from memorypane.gui.theme.buttons import Button, ButtonKind
from memorypane.gui.theme.labels import IconLabel, Label
from memorypane.gui.theme.paint import draw_keys, draw_text, keys_width
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT, MOTION, RADIUS

__all__ = ["BudgetBar", "BusyLine", "Hint", "HintBar", "InfoBar", "Toast"]

_HINT_GAP = 6
BarTone = Literal["accent", "warning", "danger", "success"]
_ICONS: Final = MappingProxyType({"accent": "info", "warning": "triangle-alert", "danger": "circle-alert", "success": "circle-check"})


@dataclass(frozen=True, slots=True)
class Hint:
    """Keys and what they do, for the hint bar."""

    keys: tuple[str, ...]
    words: str


class InfoBar(QWidget):
    """A line under tabs or header for what interrupts: icon, a bold beginning, a sentence, a few buttons."""

    def __init__(
        self, theme: Theme, *, tone: BarTone = "accent", icon: str = "", rounded: bool = False, parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._tone, self._rounded = theme, tone, rounded
        self._icon = IconLabel(theme, icon or _ICONS[tone], tone)
        self._lead = Label(theme, "", weight=600)
        self._words = Label(theme, "", elide=Qt.TextElideMode.ElideRight)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12 if rounded else 16, 0, 12, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self._icon)
        self._row.addWidget(self._lead)
        self._row.addWidget(self._words, 1)
        self._lead.hide()
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(36 if self._rounded else HEIGHT.info_bar))
        self.update()

    def show_message(self, words: str, *, lead: str = "") -> None:
        """Say something; `lead` stands before it in bold (a name)."""
        self._lead.show_text(lead)
        self._lead.setVisible(bool(lead))
        self._words.show_text(words)
        self.setAccessibleName(f"{lead} {words}".strip())

    def add_action(self, text: str, action: Callable[[], None], *, kind: ButtonKind = "normal") -> Button:
        """Add a small button at the right and return it."""
        button = Button(self._theme, text, kind=kind, small=True)
        button.clicked.connect(lambda: action())
        self._row.addWidget(button)
        return button

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._rounded:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(f"{self._tone}_soft"))
            painter.drawRoundedRect(self.rect(), RADIUS.panel, RADIUS.panel)
        else:
            painter.fillRect(self.rect(), self._theme.color(f"{self._tone}_soft"))
            line = "line" if self._tone == "accent" else f"{self._tone}_line"
            painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color(line))
        painter.end()


class HintBar(QWidget):
    """The keys of the page at the bottom of the window; hints drop from the right when it is narrow, `?` stays."""

    all_keys_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hints: tuple[Hint, ...] = ()
        self.setFixedHeight(theme.px(HEIGHT.hint_bar))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        theme.changed.connect(self._on_theme_changed)

    def show_hints(self, hints: tuple[Hint, ...]) -> None:
        """Show the keys of another page, most used first."""
        if hints != self._hints:
            self._hints = hints
            self.setAccessibleName("; ".join(f"{' '.join(hint.keys)}: {hint.words}" for hint in hints))
            self.update()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(100, self.height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.fillRect(0, 0, self.width(), 1, theme.color("line"))
        middle = (self.height() + 1) // 2
        last = self._all_keys()
        limit = self.width() - 16 - self._width(last)
        self._draw(painter, last, limit, middle)
        x = 16
        for hint in self._hints:
            width = self._width(hint)
            if x + width + 16 > limit:
                break
            self._draw(painter, hint, x, middle)
            x += width + 16
        painter.end()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.position().x() >= self.width() - 24 - self._width(self._all_keys()):
            self.all_keys_asked.emit()

    def _all_keys(self) -> Hint:
        return Hint(("?",), self.tr("all keys"))

    def _width(self, hint: Hint) -> int:
        return keys_width(self._theme, hint.keys) + _HINT_GAP + self._theme.metrics("meta").horizontalAdvance(hint.words) + 1

    def _draw(self, painter: QPainter, hint: Hint, x: int, middle: int) -> None:
        left = x + draw_keys(painter, self._theme, x, middle, hint.keys) + _HINT_GAP
        area = self.rect().adjusted(left, 1, 0, 0)
        draw_text(painter, self._theme, area, hint.words, "meta", self._theme.color("muted"))

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self._theme.px(HEIGHT.hint_bar))
        self.update()


class Toast(QWidget):
    """A short note above the hint bar, 6 s: "Pinned", with an optional way back."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._over = theme, parent
        self._undo: Callable[[], None] | None = None
        self._words = Label(theme, "", "body", "tooltip")
        self._button = Button(theme, self.tr("Undo"), keys=("U",), small=True)
        self._button.clicked.connect(self._on_undo_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 7, 10, 7)
        row.setSpacing(12)
        row.addWidget(self._words)
        row.addWidget(self._button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(MOTION.toast)
        self._timer.timeout.connect(self.hide)
        self.hide()
        parent.installEventFilter(self)

    def show_note(self, words: str, *, undo: Callable[[], None] | None = None) -> None:
        """Show a note, with *Undo* if there is a way back."""
        self._undo = undo
        self._words.show_text(words)
        self._button.setVisible(undo is not None)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def undo(self) -> None:
        """Take the last note back, while it is shown."""
        if self.isVisible() and self._undo is not None:
            self._on_undo_clicked()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("tooltip_bg"))
        painter.drawRoundedRect(self.rect(), RADIUS.control, RADIUS.control)
        painter.end()

    def _place(self) -> None:
        self.adjustSize()
        parent = self._over
        self.resize(min(self.width(), parent.width() - 32), self.height())
        bottom = parent.height() - self._theme.px(HEIGHT.hint_bar) - self._theme.px(HEIGHT.action_bar) - 8
        self.move((parent.width() - self.width()) // 2, bottom - self.height())

    def _on_undo_clicked(self) -> None:
        self.hide()
        if self._undo is not None:
            self._undo()


class BudgetBar(QWidget):
    """How much of a limit is used, 4 high; over the limit it turns to the danger colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._used, self._limit = 0, 1
        self.setFixedHeight(HEIGHT.budget_bar)
        theme.changed.connect(self.update)

    def show_budget(self, used: int, limit: int) -> None:
        """Show `used` of `limit`, in any one unit."""
        self._used, self._limit = used, max(1, limit)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("line"))
        painter.drawRoundedRect(self.rect(), 2, 2)
        share = min(1.0, self._used / self._limit)
        if share > 0:
            painter.setBrush(self._theme.color("danger" if self._used > self._limit else "accent"))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -round(self.width() * (1 - share)), 0), 2, 2)
        painter.end()


class BusyLine(QWidget):
    """A line of 2 px that appears when something takes longer than 150 ms."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._step = 0
        self._on = False
        self.setFixedHeight(2)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(MOTION.busy_after)
        self._delay.timeout.connect(self._on_delay_passed)
        self._beat = QTimer(self)
        self._beat.setInterval(40)
        self._beat.timeout.connect(self._on_beat)

    def begin(self) -> None:
        """Something began; the line shows if it lasts."""
        if not self._on:
            self._delay.start()

    def end(self) -> None:
        """It is done."""
        self._delay.stop()
        self._beat.stop()
        self._on = False
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._on:
            return
        painter = QPainter(self)
        width = max(60, self.width() // 4)
        x = (self._step * 12) % (self.width() + width) - width
        painter.fillRect(x, 0, width, 2, self._theme.color("accent"))
        painter.end()

    def _on_delay_passed(self) -> None:
        self._on = True
        self._beat.start()
        self.update()

    def _on_beat(self) -> None:
        self._step += 1
        self.update()
