"""The line of facts under an entry's name: writer, moment, version, size, claim."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.delegate import draw_writer, writer_width
from memorypane.gui.theme.paint import Badge, Tone, badge_width, draw_badge, draw_text
from memorypane.gui.theme.theme import Theme
from memorypane.model.values import Agent

__all__ = ["Facts", "FactsLine"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the line says; `parts` are joined by middle dots and drop from the right when it is narrow."""

    actor: str
    agent: Agent | None
    parts: tuple[str, ...]
    source: str = ""


class FactsLine(QWidget):
    """One line of 20; painted, with its words as the accessible name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._facts: Facts | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._on_theme_changed)

    def show_facts(self, facts: Facts | None) -> None:
        """Show other facts, or none."""
        self._facts = facts
        said = [words.actor_words(facts.actor), *facts.parts, words.claim(facts.actor, facts.source)] if facts else []
        self.setAccessibleName(", ".join(part for part in said if part))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.px(20))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        facts, theme = self._facts, self._theme
        if facts is None:
            return
        painter = QPainter(self)
        area = self.rect()
        ink = theme.color("text")
        claimed = words.claim(facts.actor, facts.source)
        claim = Badge(claimed, _claim_tone(facts), claimed=True) if claimed else None
        limit = self.width() - (badge_width(theme, claim) + 8 if claim else 0)
        x = draw_writer(painter, theme, 0, area, facts.actor, facts.agent, min(limit, writer_width(theme, facts.actor)), ink) + 8
        for number, part in enumerate(facts.parts):
            text = part if number == 0 else f"  ·  {part}"
            width = theme.metrics("meta").horizontalAdvance(text) + 1
            if x + width > limit:
                break
            draw_text(painter, theme, QRect(x, area.top(), width, area.height()), text, "meta", theme.color("muted"))
            x += width
        if claim:
            draw_badge(painter, theme, x + 8, area.center().y() + 1, claim)
        painter.end()

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()


def _claim_tone(facts: Facts) -> Tone:
    return "warning" if words.contradicts(facts.actor, facts.source) else "plain"
