"""One waiting change: where and what, why it waits, before and after, and the buttons that decide."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.diffview.panel import Comparison, DiffPanel
from memorypane.gui.entry.facts import Facts, FactsLine
from memorypane.gui.pages.review.listing import owner_name
from memorypane.gui.pages.review.phrases import heading, reasons
from memorypane.gui.pages.review.reason_panel import ReasonPanel
from memorypane.gui.places import shelf_badge
from memorypane.gui.shell.screen import Known
from memorypane.gui.theme.buttons import Button
from memorypane.gui.theme.fields import Combo
from memorypane.gui.theme.labels import BadgeLabel, Label
from memorypane.gui.theme.paint import Badge
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState, ErrorState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT
from memorypane.gui.work import Work
from memorypane.model.review import ReviewChange, ReviewDetail
from memorypane.model.values import Action, agent_of

__all__ = ["DetailView"]


class DetailView(QWidget):
    """Shows a `ReviewDetail`.

    Signals: `approved`, `edited(str)` with the person's text, `edit_asked`, `rejected`, `skipped` from the buttons. The page decides;
    this widget only asks.
    """

    approved = Signal()
    edited = Signal(str)
    edit_asked = Signal()
    rejected = Signal()
    skipped = Signal()
    retry_asked = Signal()

    def __init__(self, theme: Theme, work: Work, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._detail: ReviewDetail | None = None
        self._known = Known()
        self._place = BadgeLabel(theme, Badge(""))
        self._heading = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self._title = Label(theme, "", "title", elide=Qt.TextElideMode.ElideRight, hug=True)
        self._state = BadgeLabel(theme, Badge(""))
        self._stale = BadgeLabel(theme, Badge(self.tr("Stale"), "warning"))
        self._facts = FactsLine(theme)
        self.reasons = ReasonPanel(theme)
        self._changes = Combo(theme, self.tr("Which change is shown"), small=True)
        self.diff = DiffPanel(theme, work)
        self.editor = QPlainTextEdit()
        self.editor.setAccessibleName(self.tr("Text to approve"))
        self._body = QStackedWidget()
        self._approve = Button(theme, self.tr("Approve"), kind="primary", icon="check", keys=("A",))
        self._edit = Button(theme, self.tr("Edit, then approve"), icon="pencil", keys=("E",))
        self._reject = Button(theme, self.tr("Reject"), kind="danger", icon="x", keys=("R",))
        self._skip = Button(theme, self.tr("Skip"), kind="quiet", keys=("S",))
        self._save = Button(theme, self.tr("Approve this text"), kind="primary", icon="check", keys=("Ctrl", "Enter"))
        self._cancel = Button(theme, self.tr("Cancel"), kind="quiet", keys=("Esc",))
        self._why = Label(theme, "", "meta", "muted", elide=Qt.TextElideMode.ElideRight)
        self._empty = EmptyState(theme)
        self._error = ErrorState(theme)
        self._outer = QStackedWidget()
        self._build()
        self._approve.clicked.connect(self.approved)
        self._edit.clicked.connect(self.edit_asked)
        self._reject.clicked.connect(self.rejected)
        self._skip.clicked.connect(self.skipped)
        self._save.clicked.connect(self.save_edit)
        self._cancel.clicked.connect(self.end_edit)
        self._changes.activated.connect(self._show_change)
        self.reasons.show_asked.connect(self.diff.show_finding)
        self._error.retry_asked.connect(self.retry_asked)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _build(self) -> None:
        theme = self._theme
        first = QHBoxLayout()
        first.setSpacing(7)
        first.addWidget(self._place)
        first.addWidget(self._heading, 1)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(self._title)
        second.addWidget(self._state)
        second.addWidget(self._stale)
        second.addStretch(1)
        second.addWidget(self._changes)
        second.addStrut(28)
        head = Panel(theme)
        top = QVBoxLayout(head)
        top.setContentsMargins(24, 14, 24, 14)
        top.setSpacing(0)
        top.addLayout(first)
        top.addSpacing(5)
        top.addLayout(second)
        top.addSpacing(7)
        top.addWidget(self._facts)
        top.addWidget(self.reasons)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.editor.document().setDocumentMargin(12)
        self._body.addWidget(self.diff)
        self._body.addWidget(self.editor)
        foot = Panel(theme, ground="surface_alt", top=True, height=HEIGHT.action_bar)
        row = QHBoxLayout(foot)
        row.setContentsMargins(24, 0, 24, 0)
        row.setSpacing(8)
        for button in (self._approve, self._edit, self._reject, self._save, self._cancel):
            row.addWidget(button)
        row.addWidget(self._why, 1)
        row.addWidget(self._skip)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._body, 1)
        column.addWidget(foot)
        nothing, failed = Panel(theme), Panel(theme)
        for panel, state in ((nothing, self._empty), (failed, self._error)):
            inner = QVBoxLayout(panel)
            inner.addWidget(state)
        for shown in (page, nothing, failed):
            self._outer.addWidget(shown)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._outer)
        self.setFocusProxy(self.diff.grid)

    @property
    def detail(self) -> ReviewDetail | None:
        """What is shown."""
        return self._detail

    @property
    def editing(self) -> bool:
        """Whether the text is being changed before it is approved."""
        return self._detail is not None and self._body.currentWidget() is self.editor

    def show_nothing(self, sentence: str) -> None:
        """Show that nothing waits, or nothing is chosen."""
        self._detail = None
        self._empty.show_words(sentence)
        self._outer.setCurrentIndex(1)

    def show_error(self, sentence: str) -> None:
        """Show why the item cannot be read."""
        self._detail = None
        self._error.show_error(self.tr("This change cannot be read."), sentence)
        self._outer.setCurrentIndex(2)

    def show_detail(self, detail: ReviewDetail, known: Known) -> None:
        """Show another item; the same item while its text is edited stays as it is."""
        if self.editing and self._detail is not None and self._detail.item.id == detail.item.id and self._detail.seen == detail.seen:
            return
        self._detail, self._known = detail, known
        item, now = detail.item, words.now_ms()
        held = item.lane == "held"
        self._place.show_badge(shelf_badge(item.tier, item.shelf, owner_name(item, known.owners)))
        self._heading.show_text(heading(detail))
        self._title.show_text(item.name or item.excerpt or self.tr("without a name"))
        self._state.show_badge(Badge(self.tr("Held"), "warning", "hand") if held else Badge(self.tr("Not reviewed yet"), "accent"))
        self._stale.setVisible(item.stale)
        tool = str(detail.call.get("tool") or "")
        when = words.when(item.created_at, now)
        facts = (self.tr("{when} with {tool}").format(when=when, tool=tool) if tool else when,)
        self._facts.show_facts(Facts(item.actor, known.agents.get(agent_of(item.actor)), facts, item.source))
        self.reasons.show_reasons(reasons(detail))
        self._changes.clear()
        for number, change in enumerate(detail.changes, 1):
            self._changes.addItem(self.tr("Change {number} of {all}").format(number=number, all=len(detail.changes)), change)
        self._changes.setVisible(len(detail.changes) > 1)
        self._show_buttons()
        self.end_edit()
        self._show_change()
        self._outer.setCurrentIndex(0)

    def begin_edit(self) -> None:
        """Change the text before it is approved."""
        if self._detail is not None:
            self.editor.setPlainText(self._detail.changes[0].after_text)
            self._body.setCurrentWidget(self.editor)
            self._show_buttons()
            self.editor.setFocus()

    def end_edit(self) -> None:
        """Show the comparison again."""
        if self._body.currentWidget() is not self.diff:
            self._body.setCurrentWidget(self.diff)
            self._show_buttons()

    def save_edit(self) -> None:
        """Approve the text as it stands in the field."""
        if self.editing:
            self.edited.emit(self.editor.toPlainText())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_buttons()

    def _fit_buttons(self) -> None:
        """Leave the key caps away where they do not fit."""
        buttons = [self._approve, self._edit, self._reject, self._save, self._cancel, self._skip]
        needed = sum(button.full_width + 8 for button in buttons if not button.isHidden())
        for button in buttons:
            button.show_keys(shown=needed + 48 <= self.width())

    def _show_buttons(self) -> None:
        detail = self._detail
        if detail is None:
            return
        held, editing = detail.item.lane == "held", self.editing
        self._approve.show_text(self.tr("Approve") if held else self.tr("Keep"))
        self._edit.show_text(self.tr("Edit, then approve") if held else self.tr("Edit"))
        self._reject.show_text(self.tr("Reject") if held else self.tr("Revert"))
        self._reject.show_icon("x" if held else "rotate-ccw")
        removal = detail.changes[0].action is Action.REMOVE
        self._edit.setVisible(not editing and not removal)
        self._approve.setVisible(not editing)
        self._approve.setEnabled(not detail.conflict)
        self._reject.setVisible(not editing)
        self._skip.setVisible(not editing)
        self._save.setVisible(editing)
        self._cancel.setVisible(editing)
        self._why.show_text(self._consequence(detail, editing=editing))
        self._fit_buttons()

    def _consequence(self, detail: ReviewDetail, *, editing: bool) -> str:
        if editing:
            return self.tr("The version will be yours; the proposal stays linked to it.")
        if detail.conflict:
            return self.tr("Edit it first: both sides changed the same lines.")
        return ""

    def _show_change(self) -> None:
        detail = self._detail
        change = self._changes.currentData()
        if detail is None or not isinstance(change, ReviewChange):
            return
        item = detail.item
        spans = tuple((each.start, each.end) for each in item.findings if each.field == "content" and each.end <= len(change.after_text))
        before = self.tr("version {number}").format(number=change.base) if change.base else self.tr("nothing")
        after = self.tr("the proposal") if item.lane == "held" else self.tr("what stands now")
        note = self.tr("{before} and {after}").format(before=before, after=after)
        self.diff.compare(Comparison(
            change.before_text, change.after_text, title=self.tr("Before → after"), note=note,
            old_head=(self.tr("Before"), before), new_head=(self.tr("After"), after), facts=self._other_facts(change), findings=spans,
        ))

    def _other_facts(self, change: ReviewChange) -> tuple[str, ...]:
        found = []
        before, after = change.before, change.after
        if change.action is Action.REMOVE:
            found.append(self.tr("The entry is removed; it can be restored later."))
        if before is not None and before.name != after.name:
            found.append(self.tr("The name changes from “{old}” to “{new}”.").format(old=before.name, new=after.name))
        if before is not None and before.description != after.description:
            found.append(self.tr("The description changes to “{new}”.").format(new=after.description))
        elif before is None and after.description:
            found.append(self.tr("Description: {text}").format(text=after.description))
        if after.evidence and (before is None or before.evidence != after.evidence):
            found.append(self.tr("It names {number} pieces of evidence.").format(number=len(after.evidence)))
        return tuple(found)

    def _on_theme_changed(self) -> None:
        self.editor.setFont(self._theme.font("mono"))
