"""Drafts of the editor: kept while typing, brought back, offered after a crash, given up."""

from __future__ import annotations

import shutil

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.drafts import DraftBox, Words
from memorypane.gui.editor.page import EditorPage
from memorypane.gui.theme.theme import Theme
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Entry
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.conftest import Settle
from tests.gui.editor.kit import BASE, MINE, THEIRS, edit, files, write
from tests.gui.hands import click, press


def test_a_draft_is_kept_and_goes_once_saved(qtbot: QtBot, page: EditorPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    write(page, MINE)
    qtbot.waitUntil(lambda: len(files(desk)) == 1)
    settle()
    with qtbot.waitSignal(page.saved):
        page.save()
    settle()
    assert files(desk) == []


def test_undoing_all_typing_removes_the_draft(qtbot: QtBot, page: EditorPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    write(page, MINE)
    qtbot.waitUntil(lambda: len(files(desk)) == 1)
    page.writing.source.undo()
    qtbot.waitUntil(lambda: files(desk) == [])
    assert not page.dirty


def test_leaving_keeps_the_draft_and_coming_back_brings_it_again(
    page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, settle: Settle,
) -> None:
    other = person.add(INSTRUCTIONS, name="Other", content="other\n")
    edit(page, entry, settle)
    write(page, MINE)
    edit(page, other, settle)
    assert len(files(desk)) == 1
    assert page.writing.text == "other\n"
    edit(page, entry, settle)
    assert page.writing.text == MINE
    assert page.draft_bar.isHidden()
    assert page.dirty


def test_hiding_the_page_keeps_the_draft_at_once(page: EditorPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    write(page, MINE)
    page.hide()
    assert len(files(desk)) == 1


def test_a_draft_of_a_crashed_session_is_offered_and_taken_up(
    page: EditorPage, theme: Theme, desk: Desk, entry: Entry, settle: Settle,
) -> None:
    crashed = DraftBox(desk.home.drafts, desk.store_id)
    page.show_entry(entry)
    settle()
    assert page._session is not None
    crashed.write(page._session.draft(Words("Release checklist", "", MINE), 1), crashed.turn())
    later = EditorPage(theme, page._work, page._person, DraftBox(desk.home.drafts, desk.store_id))
    later.show()
    edit(later, entry, settle)
    assert later.draft_bar.isVisible()
    assert later.writing.text == BASE
    click(later.draft_bar.use)
    settle()
    assert later.writing.text == MINE
    assert later.dirty
    assert len(files(desk)) == 1
    later.close()
    later.deleteLater()


def test_an_offered_draft_can_be_discarded(page: EditorPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    crashed = DraftBox(desk.home.drafts, desk.store_id)
    page.show_entry(entry)
    settle()
    assert page._session is not None
    crashed.write(page._session.draft(Words("Release checklist", "", MINE), 1), crashed.turn())
    page._session = None
    edit(page, entry, settle)
    click(page.draft_bar.drop)
    settle()
    assert files(desk) == []
    assert page.writing.text == BASE


def test_a_draft_older_than_the_entry_meets_it_in_a_conflict(
    page: EditorPage, desk: Desk, person: PersonFace, entry: Entry, settle: Settle,
) -> None:
    crashed = DraftBox(desk.home.drafts, desk.store_id)
    page.show_entry(entry)
    settle()
    assert page._session is not None
    crashed.write(page._session.draft(Words("Release checklist", "", MINE), 1), crashed.turn())
    page._session = None
    edit(page, person.edit(entry.id, content=THEIRS), settle)
    click(page.draft_bar.use)
    settle()
    assert page.conflict_bar.isVisible()
    page._on_merge_asked()
    settle()
    assert page.merging.open_count == 1


def test_a_disk_that_refuses_drafts_is_told_and_nothing_typed_is_lost(
    qtbot: QtBot, page: EditorPage, desk: Desk, entry: Entry, settle: Settle,
) -> None:
    edit(page, entry, settle)
    shutil.rmtree(desk.home.drafts, ignore_errors=True)
    desk.home.drafts.write_text("a file stands where the folder should be")
    with qtbot.waitSignal(page.failed) as failed:
        write(page, MINE)
    assert failed.args[0].startswith("Your draft could not be kept on disk.")
    assert page.writing.text == MINE
    desk.home.drafts.unlink()


def test_what_the_disk_refuses_is_remembered_while_the_window_lives(
    page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, settle: Settle,
) -> None:
    other = person.add(INSTRUCTIONS, name="Other", content="other\n")
    edit(page, entry, settle)
    desk.home.drafts.write_text("a file stands where the folder should be")
    write(page, MINE)
    edit(page, other, settle)
    assert page.writing.text == "other\n"
    edit(page, entry, settle)
    assert page.writing.text == MINE
    assert page.dirty
    desk.home.drafts.unlink()


def test_an_answer_that_comes_after_leaving_touches_no_other_draft(
    qtbot: QtBot, page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, settle: Settle,
) -> None:
    other = person.add(INSTRUCTIONS, name="Other", content="other\n")
    edit(page, entry, settle)
    write(page, MINE)
    page.save()
    page.show_entry(other)
    write(page, "typed in the other one\n")
    settle()
    assert person.entry(entry.id).content == MINE
    qtbot.waitUntil(lambda: len(files(desk)) == 1)
    settle()
    found = DraftBox(desk.home.drafts, desk.store_id).find(other.id)
    assert found is not None
    assert found.words.content == "typed in the other one\n"


def test_cancel_asks_before_typed_words_go(qtbot: QtBot, page: EditorPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    with qtbot.waitSignal(page.cancelled):
        click(page.footer.cancel)
    write(page, MINE)
    click(page.footer.cancel)
    assert page.give_up_bar.isVisible()
    click(page.give_up_bar.no)
    assert page.writing.text == MINE
    click(page.footer.cancel)
    with qtbot.waitSignal(page.cancelled):
        click(page.give_up_bar.yes)
    settle()
    assert page.writing.text == BASE
    assert files(desk) == []


def test_escape_goes_back_and_keeps_the_draft(qtbot: QtBot, page: EditorPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    write(page, MINE)
    page.writing.source.setFocus()
    with qtbot.waitSignal(page.back_asked):
        press(page.writing.source, Qt.Key.Key_Escape)
    assert len(files(desk)) == 1
