"""Writing an entry: fields, text, preview, drafts, and what to do when somebody else changed it meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from memorypane.gui import words as wording
from memorypane.gui.diffview.keyed import KeyedPage
from memorypane.gui.diffview.panel import DiffPanel
from memorypane.gui.editor.bars import ConflictBar, DraftBar, GiveUpBar
from memorypane.gui.editor.drafts import Draft, DraftBox, Words
from memorypane.gui.editor.fields import EntryFields
from memorypane.gui.editor.footer import EditorFooter
from memorypane.gui.editor.keeping import DraftKeeper
from memorypane.gui.editor.measures import Measure, Room, budget_of, measure, room_of
from memorypane.gui.editor.merge_view import MergeView
from memorypane.gui.editor.saving import saving_call
from memorypane.gui.editor.session import Session, words_of
from memorypane.gui.editor.telling import obstacle, open_conflicts, save_words, their_change, warning_words
from memorypane.gui.editor.writing import WritingArea
from memorypane.gui.keys import KeyAction
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import WIDTH
from memorypane.gui.work import Work
from memorypane.model.errors import Conflict, DuplicateName, MemoryPaneError
from memorypane.model.shelves import TOPICS, Shelf
from memorypane.model.values import Entry
from memorypane.service.person import PersonFace

__all__ = ["EditorPage"]

_SETTLE_MS = 120
_MEASURED_AT_ONCE = 200_000


class EditorPage(KeyedPage):
    """Edits one entry, or writes a new one.

    Signals: `saved(Entry)`; `failed(str)`; `cancelled` when the person gives up writing; `back_asked` for Esc (the draft stays);
    `draft_changed(bool)` whether there is something unsaved; `room_wanted(bool)` while the merge needs the list's width.
    """

    saved = Signal(object)
    failed = Signal(str)
    cancelled = Signal()
    back_asked = Signal()
    draft_changed = Signal(bool)
    room_wanted = Signal(bool)

    def __init__(self, theme: Theme, work: Work, person: PersonFace, drafts: DraftBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._work, self._person = work, person
        self._session: Session | None = None
        self._found: Draft | None = None
        self._room: Room | None = None
        self._measured = measure("")
        self._filling = False
        self._given = ""
        self._saving = False
        self._was_dirty = False
        self.fields = EntryFields(theme)
        self.writing = WritingArea(theme, work)
        self.change = DiffPanel(theme, work)
        self.merging = MergeView(theme, work)
        self.footer = EditorFooter(theme)
        self.conflict_bar = ConflictBar(theme)
        self.draft_bar = DraftBar(theme)
        self.give_up_bar = GiveUpBar(theme)
        self._stack = QStackedWidget()
        for page in (self.writing, self.change, self.merging):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for bar in (self.conflict_bar, self.draft_bar, self.give_up_bar):
            bar.hide()
            column.addWidget(bar)
        column.addWidget(self.fields)
        column.addWidget(self._stack, 1)
        column.addWidget(self.footer)
        self._keeper = DraftKeeper(work, drafts, self._draft, self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._on_typing_paused)
        self.setFocusProxy(self.writing.source)
        self._connect()

    def _connect(self) -> None:
        self.fields.edited.connect(self._on_edited)
        self.writing.source.edited.connect(self._on_edited)
        self.footer.save.clicked.connect(self.save)
        self.footer.cancel.clicked.connect(self.cancel)
        self.merging.decided.connect(self._show_footer)
        self.merging.taken.connect(self._on_merge_taken)
        bar = self.conflict_bar
        bar.view_asked.connect(self._on_view_asked)
        bar.merge_asked.connect(self._on_merge_asked)
        bar.overwrite_asked.connect(self.overwrite)
        bar.discard_asked.connect(self._ask_to_give_up)
        self._keeper.restored.connect(self._on_draft_restored)
        self._keeper.offered.connect(self._on_draft_offered)
        self._keeper.failed.connect(self.failed)
        self.draft_bar.use_asked.connect(self._on_draft_wanted)
        self.draft_bar.drop_asked.connect(self._on_draft_unwanted)
        self.give_up_bar.agreed.connect(self.discard)
        self.give_up_bar.refused.connect(self._on_give_up_refused)

    # the protocol of entry pages

    def show_entry(self, entry: Entry) -> None:
        """Edit an entry; an unsaved draft of this window is there again, one of an earlier session is offered."""
        if self._session is not None and self._session.entry_id == entry.id:
            self.entry_changed(entry)
            return
        self._keeper.keep_now()
        self._begin(Session(entry.info.place, entry.info.owner, entry))

    def show_new(self, shelf: Shelf, owner: str) -> None:
        """Write a new entry of a shelf."""
        self._keeper.keep_now()
        self._begin(Session(shelf, owner, None))
        if shelf.named:
            self.fields.name.setFocus()

    def entry_changed(self, entry: Entry) -> None:
        """Take in what somebody else did to the entry; what was typed stays."""
        session = self._session
        if session is None:
            return
        outcome = session.arrive(entry, self.words)
        if outcome == "reload":
            self._fill(words_of(entry), keep_place=True)
        if outcome == "conflict" and (shown := self._stack.currentWidget()) is not None and shown is not self.writing:
            self._open(shown)
        self._show_state()

    def can_leave(self) -> bool:
        """Whether nothing typed is unsaved; a draft is on disk in any case."""
        return not self.dirty

    @override
    def key_actions(self) -> tuple[KeyAction, ...]:
        """The keys of the editor, or of the merge while it is open."""
        save = KeyAction("Ctrl+S", self.tr("save"), self.save)
        back = KeyAction("Escape", self.tr("keep draft, back to the list") if self.dirty else self.tr("back to the list"), self._on_escape)
        if self._stack.currentWidget() is self.merging:
            return (*self.merging.key_actions(), save, back)
        if self._stack.currentWidget() is self.change:
            return (*self.change.key_actions(), save, back)
        return (save, KeyAction("Ctrl+P", self.tr("preview"), self.writing.cycle), back)

    # what is typed

    @property
    def words(self) -> Words:
        """What is typed now; fields that the shelf does not have keep what they held."""
        session = self._session
        if session is None:
            return Words()
        name = self.fields.name.text().strip() if session.shelf.named else session.before.name
        description = self.fields.description.text().strip() if session.shelf is TOPICS else session.before.description
        text = self.writing.text
        # What the editor cannot hold exactly stays as it was given while nothing is typed over it.
        return Words(name, description, self._given if text == self.writing.shown else text)

    @property
    def dirty(self) -> bool:
        """Whether something is typed that is not saved."""
        return self._session is not None and self.words != self._session.before

    def _begin(self, session: Session) -> None:
        self._session, self._found, self._room = session, None, None
        self._saving = False
        for bar in (self.draft_bar, self.give_up_bar):
            bar.hide()
        self.fields.show_for(session.shelf, session.before, new=session.base is None)
        self._fill(session.before)
        self._open(self.writing)
        self._show_state()
        place = (session.shelf, session.owner, session.entry_id)
        self._work.run(room_of, self._person, *place, done=self._on_room_read, failed=self._on_quiet_failure, key="room")
        self._keeper.look_for(session.subject)

    def _fill(self, words: Words, *, keep_place: bool = False) -> None:
        self._filling = True
        self._given = words.content
        self.fields.show_words(words)
        self.writing.show_text(words.content, keep_place=keep_place)
        self._filling = False
        self._on_typing_paused()

    def _on_edited(self) -> None:
        if self._filling or self._session is None:
            return
        self._settle.start()
        self._keeper.typed()
        if not self._was_dirty:
            self._show_state()

    def _on_typing_paused(self) -> None:
        self._settle.stop()
        text = self.writing.text
        if len(text) <= _MEASURED_AT_ONCE:
            self._on_measured(measure(text))
        else:
            self._work.compute(measure, text, done=self._on_measured, asker=self, key="measure")

    def _on_measured(self, measured: Measure) -> None:
        self._measured = measured
        session = self._session
        if session is not None and session.theirs is not None and not session.theirs_removed and not self.dirty:
            # Everything typed was taken back: there is nothing left to decide.
            session.take(session.theirs)
            self._fill(session.before, keep_place=True)
        self._show_state()

    def _on_room_read(self, room: Room) -> None:
        self._room = room
        self._show_footer()

    def _on_quiet_failure(self, problem: MemoryPaneError) -> None:
        self.failed.emit(problem.message)

    # drafts

    def _draft(self) -> Draft | None:
        return self._session.draft(self.words, wording.now_ms()) if self._session is not None else None

    def _on_draft_restored(self, draft: Draft) -> None:
        if self._fits(draft):
            self._take_up(draft)

    def _on_draft_offered(self, draft: Draft) -> None:
        if not self._fits(draft):
            return
        if self._session is not None and draft.words == self._session.before:
            self._keeper.drop(draft)
            return
        self._found = draft
        self.draft_bar.show_draft(draft.saved_at, wording.now_ms())
        self.draft_bar.show()

    def _fits(self, draft: Draft) -> bool:
        """Whether a draft that was looked for is still wanted: the same subject is shown, and nothing was typed meanwhile."""
        return self._session is not None and draft.subject == self._session.subject and not self.dirty

    def _on_draft_wanted(self) -> None:
        draft, self._found = self._found, None
        self.draft_bar.hide()
        if draft is not None:
            self._keeper.take_over(draft)
            self._take_up(draft)
            self.writing.source.setFocus()

    def _take_up(self, draft: Draft) -> None:
        session = self._session
        if session is not None:
            session.go_back(draft)
            self._fill(draft.words)
            self._keeper.typed()
            self._show_state()

    def _on_draft_unwanted(self) -> None:
        draft, self._found = self._found, None
        self.draft_bar.hide()
        if draft is not None:
            self._keeper.drop(draft)

    # what is open

    def _open(self, page: QWidget) -> None:
        """Show the editor, the change, or the merge."""
        session = self._session
        if session is None:
            return
        theirs = session.theirs
        if theirs is None or session.theirs_removed:
            page = self.writing
        if theirs is not None and page is self.change:
            self.change.compare(their_change(session, theirs, wording.now_ms()))
        if theirs is not None and page is self.merging:
            self.merging.show_texts(session.before, self.words, theirs, session.version, session.base_by(wording.now_ms()))
        self._stack.setCurrentWidget(page)
        self.fields.setVisible(page is self.writing and self.fields.useful)
        self.conflict_bar.show_open(view=page is self.change, merge=page is self.merging)
        self.room_wanted.emit(page is self.merging and self.width() < WIDTH.side_by_side_min)
        self._show_footer()

    def _on_view_asked(self) -> None:
        self._open(self.writing if self._stack.currentWidget() is self.change else self.change)

    def _on_merge_asked(self) -> None:
        self._open(self.writing if self._stack.currentWidget() is self.merging else self.merging)
        if self._stack.currentWidget() is self.merging:
            self.merging.setFocus()

    def _on_escape(self) -> None:
        if self._stack.currentWidget() is not self.writing:
            self._open(self.writing)
            self.writing.source.setFocus()
        elif self.give_up_bar.isVisible():
            self.give_up_bar.hide()
        else:
            self._keeper.keep_now()
            self.back_asked.emit()

    # saving

    def save(self) -> None:
        """Save what is typed, or the merge while it is open."""
        session = self._session
        if self._settle.isActive():
            self._on_typing_paused()
        if session is None or not self.footer.save.isEnabled():
            return
        if self._stack.currentWidget() is self.merging and session.theirs is not None:
            self._write(self.merging.words, session.theirs.info.version)
        else:
            self._write(self.words, session.version)

    def overwrite(self) -> None:
        """Save what is typed as the next version after theirs, which stays in the history."""
        session = self._session
        if session is not None and session.theirs is not None and not self._saving:
            self._write(self.words, session.theirs.info.version)

    def _write(self, words: Words, expected: int) -> None:
        session = self._session
        if session is None:
            return
        self._saving = True
        self.fields.show_error("")
        self._show_footer()

        def done(entry: Entry) -> None:
            self._on_saved(session, entry)

        def failed(problem: MemoryPaneError) -> None:
            self._on_save_failed(session, words, problem)

        call = saving_call(self._person, session, words, expected, kind=self.fields.chosen_kind)
        self._work.write(call, done=done, failed=failed, asker=self)

    def _on_saved(self, session: Session, entry: Entry) -> None:
        self._keeper.forget(session.subject)
        if session is self._session:
            self._saving = False
            session.take(entry)
            self.give_up_bar.hide()
            self._fill(words_of(entry), keep_place=True)
            self._open(self.writing)
            self._show_state()
        self.saved.emit(entry)

    def _on_save_failed(self, session: Session, words: Words, problem: MemoryPaneError) -> None:
        if session is not self._session:
            self.failed.emit(problem.message)
            return
        self._saving = False
        if isinstance(problem, Conflict):
            if self._stack.currentWidget() is self.merging and session.theirs is not None:
                # What was merged is mine from now on, and their last version the base of the next merge.
                session.take(session.theirs)
                self._fill(words)
                self._keeper.typed()
            self._work.run(self._person.entry, session.entry_id, done=self.entry_changed, failed=self._on_quiet_failure, key="entry")
        elif isinstance(problem, DuplicateName):
            self._open(self.writing)
            self.fields.show_error(problem.message)
        else:
            self._show_footer(problem.message)
            self.failed.emit(problem.message)
            return
        self._show_footer()

    def _on_merge_taken(self, words: Words) -> None:
        """Go on writing with the merged text, as one step that can be undone; what they wrote is the new base."""
        session = self._session
        if session is not None and session.theirs is not None:
            session.take(session.theirs)
            self.fields.show_words(words)
            self.writing.source.replace_text(words.content)
            self._open(self.writing)
            self._show_state()
            self.writing.source.setFocus()

    # giving up

    def cancel(self) -> None:
        """Stop writing; typed words are asked about first."""
        if self.dirty:
            self._ask_to_give_up()
        else:
            self.cancelled.emit()

    def _ask_to_give_up(self) -> None:
        self.give_up_bar.show()
        self.give_up_bar.no.setFocus()

    def _on_give_up_refused(self) -> None:
        self.give_up_bar.hide()
        self.writing.source.setFocus()

    def discard(self) -> None:
        """Give up what is typed; the entry as it stands is shown again."""
        session = self._session
        if session is None:
            return
        self.give_up_bar.hide()
        had_theirs = session.theirs is not None
        if session.theirs is not None:
            session.take(session.theirs)
        self._fill(session.before)
        self._keeper.forget(session.subject)
        self._open(self.writing)
        self._show_state()
        if not had_theirs:
            self.cancelled.emit()

    # telling

    def _show_state(self) -> None:
        session = self._session
        if session is None:
            return
        dirty = self.dirty
        if dirty != self._was_dirty:
            self._was_dirty = dirty
            self.draft_changed.emit(dirty)
        if session.theirs is not None:
            self.conflict_bar.show_conflict(session.theirs, session.version, removed=session.theirs_removed)
        self.conflict_bar.setVisible(session.theirs is not None)
        if session.theirs is None and self._stack.currentWidget() is not self.writing:
            self._open(self.writing)
        self._show_footer()

    def _show_footer(self, problem: str = "") -> None:
        session = self._session
        if session is None:
            return
        merging = self._stack.currentWidget() is self.merging
        measured = self.merging.measured if merging else self._measured
        budget = budget_of(self._room, measured) if self._room is not None else None
        if self._saving:
            reason = self.tr("Saving…")
        elif merging:
            reason = open_conflicts(self.merging.open_count)
        else:
            reason = obstacle(session, self.fields.problem(), blank=measured.blank, dirty=self.dirty)
        warning = "" if reason else warning_words(measured, budget)
        self.footer.show_counts(measured, budget)
        tone = "danger" if problem else "warning" if warning else "muted"
        self.footer.show_save(save_words(session), possible=not reason, words=problem or reason or warning, tone=tone)
        self.footer.cancel.setVisible(not merging)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self._keeper.keep_now()
        super().hideEvent(event)
