"""Merging in the editor, by keys and by mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.page import EditorPage
from memorypane.model.values import Entry
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.conftest import Elsewhere, Settle
from tests.gui.editor.kit import MINE, THEIRS, clash, edit, files, merge, words, write
from tests.gui.hands import CONTROL, click, press


def test_a_merge_is_decided_by_keys_and_saved(
    qtbot: QtBot, page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    assert words(page) == "Decide 1 conflict first"
    assert not page.footer.save.isEnabled()
    focus = page.focusWidget()
    assert focus is not None
    assert focus.text() == "Use theirs"  # type: ignore[attr-defined]  # a button
    press(focus, Qt.Key.Key_1)
    assert page.footer.save.text() == "Save as version 3"
    assert page.footer.save.isEnabled()
    with qtbot.waitSignal(page.saved):
        press(page.merging.result, Qt.Key.Key_S, CONTROL)
    settle()
    assert person.entry(entry.id).content == THEIRS + "- Thank all.\n"
    assert files(desk) == []


@pytest.mark.parametrize(("key", "line"), [(Qt.Key.Key_1, "- Wait one day.\n"), (Qt.Key.Key_2, "- Wait two hours.\n")])
def test_alt_and_a_digit_decide_from_anywhere(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle, key: Qt.Key, line: str,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    page.merging.grid.setFocus()
    press(page.merging.grid, key)
    assert page.merging.open_count == 1  # a plain digit acts only in the conflict's block
    press(page.merging.grid, key, Qt.KeyboardModifier.AltModifier)
    assert page.merging.open_count == 0
    assert line in page.merging.words.content


def test_choices_can_be_undone(page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    page.merging.choose("both")
    assert page.merging.open_count == 0
    press(page.merging.result, Qt.Key.Key_Z, CONTROL)
    assert page.merging.open_count == 1
    assert words(page) == "Decide 1 conflict first"


def test_an_own_answer_is_written_in_place(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    page.merging.choose("own")
    block = page.merging._blocks[0]
    edit_field = block.edit  # type: ignore[union-attr]  # the block of an own answer
    edit_field.setPlainText("- Wait a week.")
    press(edit_field, Qt.Key.Key_Return, CONTROL)
    assert "- Wait a week.\n" in page.merging.words.content
    assert page.merging.open_count == 0


def test_a_merge_that_comes_too_late_begins_again_with_what_was_merged(
    qtbot: QtBot, page: EditorPage, person: PersonFace, desk: Desk, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    page.merging.choose("mine")
    merged = page.merging.words.content
    elsewhere("edit", entry.id, content=THEIRS + "- One more.\n")
    page.save()
    settle()
    assert page.conflict_bar.isVisible()
    assert page.writing.text == merged
    assert "version 3" in page.conflict_bar.accessibleName()
    qtbot.waitUntil(lambda: len(files(desk)) == 1)
    settle()
    if not page.merging.isVisible():
        merge(page, settle)
    settle()
    for _ in range(page.merging.open_count):
        page.merging.choose("both")
    with qtbot.waitSignal(page.saved):
        page.save()
    stands = person.entry(entry.id)
    assert stands.info.version == 4
    assert "- One more.\n" in stands.content
    assert "- Thank all.\n" in stands.content
    assert "two hours" in stands.content


def test_theirs_moving_during_the_merge_starts_it_anew(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    page.merging.choose("theirs")
    elsewhere("edit", entry.id, content=THEIRS.replace("one day", "one week"))
    page.entry_changed(person.entry(entry.id))
    settle()
    assert page.merging.isVisible()
    assert page.merging.open_count == 1
    assert page.writing.text == MINE
    page.merging.choose("theirs")
    assert "one week" in page.merging.words.content


def test_the_merged_text_can_be_edited_further(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    merge(page, settle)
    page.merging.choose("theirs")
    click(page.merging.bar.take)
    settle()
    assert page.writing.text == THEIRS + "- Thank all.\n"
    assert page.conflict_bar.isHidden()
    assert page.footer.save.text() == "Save as version 3"
    assert page.footer.save.isEnabled()
    page.writing.source.undo()
    assert page.writing.text == MINE


def test_two_new_names_are_asked_about(
    qtbot: QtBot, page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    edit(page, entry, settle)
    page.fields.name.setText("My name for it")
    elsewhere("edit", entry.id, name="Their name for it")
    page.entry_changed(person.entry(entry.id))
    merge(page, settle)
    assert page.merging.names.isVisible()
    assert page.merging.words.name == "My name for it"
    page.merging.names._pick.choose(1)
    with qtbot.waitSignal(page.saved):
        page.save()
    assert person.entry(entry.id).info.name == "Their name for it"


def test_the_preview_follows_what_is_typed(qtbot: QtBot, page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    page.writing.mode.choose(2)
    settle()
    write(page, "# Fresh heading\n")
    qtbot.waitUntil(lambda: page.writing.preview.document().toPlainText() == "Fresh heading")
    page.resize(700, 600)
    assert page.writing.mode.index == 0


@pytest.mark.parametrize("width", [420, 560, 704, 1052])
def test_the_editor_fits_every_width(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle, width: int,
) -> None:
    clash(page, entry, person, elsewhere, settle)
    for opened in (page.writing, page.change, page.merging):
        page._open(opened)
        settle()
        page.resize(width, 700)
        assert page.width() == width
