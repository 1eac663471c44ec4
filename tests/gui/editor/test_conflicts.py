"""Somebody else changes the entry while it is being edited."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.page import EditorPage
from memorypane.model.values import Entry, Status
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.conftest import Elsewhere, Settle
from tests.gui.editor.kit import BASE, MINE, THEIRS, clash, edit, files, words, write
from tests.gui.hands import click, press


def test_a_change_from_elsewhere_is_shown_while_nothing_is_typed(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    edit(page, entry, settle)
    source = page.writing.source
    source.setTextCursor(QTextCursor(source.document().findBlockByNumber(2)))
    elsewhere("edit", entry.id, content=THEIRS)
    page.entry_changed(person.entry(entry.id))
    settle()
    assert page.writing.text == THEIRS
    assert page.conflict_bar.isHidden()
    assert page.writing.source.textCursor().blockNumber() == 1  # the caret stays at its offset; the line above it grew


def test_a_change_while_typing_keeps_the_draft_and_says_who(
    page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    assert page.writing.text == MINE
    assert page.conflict_bar.isVisible()
    said = page.conflict_bar.accessibleName()
    assert said == "You saved version 2 elsewhere while you were editing version 1 here. Your draft is safe."
    assert not page.footer.save.isEnabled()
    assert words(page) == "Decide first what to do with version 2"


def test_saving_too_early_is_noticed_and_becomes_a_conflict(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    edit(page, entry, settle)
    write(page, MINE)
    elsewhere("edit", entry.id, content=THEIRS)
    page.save()
    settle()
    assert page.conflict_bar.isVisible()
    assert page.writing.text == MINE
    assert person.entry(entry.id).content == THEIRS


def test_view_change_shows_what_they_changed(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    click(page.conflict_bar.view)
    settle()
    assert (page.change.comparison.old, page.change.comparison.new) == (BASE, THEIRS)
    assert page.change.isVisible()
    page.change.grid.setFocus()
    press(page.change.grid, Qt.Key.Key_Escape)
    assert page.writing.isVisible()
    assert page.writing.text == MINE


def test_saving_as_a_new_version_leaves_theirs_in_the_history(
    qtbot: QtBot, page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    with qtbot.waitSignal(page.saved):
        click(page.conflict_bar.overwrite)
    assert (person.entry(entry.id).content, person.entry(entry.id).info.version) == (MINE, 3)
    assert person.version(entry.id, 2).state.content == THEIRS
    assert page.conflict_bar.isHidden()


def test_discarding_mine_shows_theirs_after_asking(
    page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    click(page.conflict_bar.discard)
    assert page.writing.text == MINE
    click(page.give_up_bar.yes)
    settle()
    assert page.writing.text == THEIRS
    assert page.conflict_bar.isHidden()
    assert files(desk) == []


def test_an_entry_removed_elsewhere_is_restored_with_my_text(
    qtbot: QtBot, page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    edit(page, entry, settle)
    write(page, MINE)
    elsewhere("remove", entry.id)
    page.entry_changed(person.entry(entry.id))
    assert page.conflict_bar.merge.isHidden()
    with qtbot.waitSignal(page.saved):
        click(page.conflict_bar.overwrite)
    stands = person.entry(entry.id)
    assert (stands.content, stands.info.status) == (MINE, Status.ACTIVE)


def test_taking_back_what_was_typed_ends_the_conflict(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    page.writing.source.undo()
    page._on_typing_paused()
    assert page.conflict_bar.isHidden()
    assert page.writing.text == THEIRS


def test_a_removed_entry_cannot_be_saved_and_says_why(page: EditorPage, person: PersonFace, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    page.entry_changed(person.remove(entry.id))
    settle()
    write(page, MINE)
    page._on_typing_paused()
    assert words(page) == "This entry was removed. Restore it to go on"
