"""Typing, saving, limits and new entries."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.page import EditorPage
from memorypane.model.shelves import INSTRUCTIONS, NOTES, PROFILE, RECORDS, TOPICS
from memorypane.model.values import Entry, ListQuery
from memorypane.service.person import PersonFace
from tests.gui.conftest import Settle
from tests.gui.editor.kit import BASE, edit, words, write
from tests.gui.hands import CONTROL, click, press, type_text


def test_typing_and_saving_writes_the_next_version(
    qtbot: QtBot, page: EditorPage, entry: Entry, person: PersonFace, settle: Settle,
) -> None:
    edit(page, entry, settle)
    assert not page.footer.save.isEnabled()
    assert words(page) == "Nothing is changed yet"
    page.writing.source.setFocus()
    type_text(page.writing.source, "# New first line")
    press(page.writing.source, Qt.Key.Key_Return)
    assert page.footer.save.text() == "Save as version 2"
    with qtbot.waitSignal(page.saved) as saved:
        press(page.writing.source, Qt.Key.Key_S, CONTROL)
    stands = person.entry(entry.id)
    assert stands.content == "# New first line\n" + BASE
    assert saved.args == [stands]
    assert page.can_leave()
    assert words(page) == "Nothing is changed yet"


def test_letters_are_typed_and_never_keys_of_the_page(page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    page.writing.source.setFocus()
    type_text(page.writing.source, "jkd]1")
    assert page.writing.text.startswith("jkd]1")


def test_a_rename_is_saved(qtbot: QtBot, page: EditorPage, entry: Entry, person: PersonFace, settle: Settle) -> None:
    edit(page, entry, settle)
    page.fields.name.setText("Another name")
    with qtbot.waitSignal(page.saved):
        click(page.footer.save)
    assert person.entry(entry.id).info.name == "Another name"


def test_an_empty_name_is_told_before_saving(page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    page.fields.name.clear()
    page._on_typing_paused()
    assert not page.footer.save.isEnabled()
    assert words(page) == "Give it a name first"


def test_a_taken_name_is_told_under_the_field(page: EditorPage, entry: Entry, person: PersonFace, settle: Settle) -> None:
    person.add(INSTRUCTIONS, name="Taken", content="x\n")
    edit(page, entry, settle)
    page.fields.name.setText("Taken")
    page.save()
    settle()
    assert page.fields._error.isVisible()
    assert "Taken" in page.fields._error.full_text
    assert page.dirty
    page.fields.name.setText("Taken too")
    assert page.fields._error.isHidden()


def test_what_cannot_be_written_is_told_and_stays_typed(qtbot: QtBot, page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    write(page, "a control character \x07 here\n")
    with qtbot.waitSignal(page.failed) as failed:
        page.save()
    settle()
    assert "U+0007" in failed.args[0]
    assert words(page) == failed.args[0]
    assert page.dirty


def test_no_break_spaces_and_line_separators_survive_editing(qtbot: QtBot, page: EditorPage, person: PersonFace, settle: Settle) -> None:
    made = person.add(INSTRUCTIONS, name="Exact", content="a\u00a0b\u2028c\td\n")
    edit(page, made, settle)
    assert not page.dirty
    page.writing.source.setFocus()
    type_text(page.writing.source, "x")
    with qtbot.waitSignal(page.saved):
        page.save()
    assert person.entry(made.id).content == "xa\u00a0b\u2028c\td\n"


def test_hidden_characters_are_named(page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    write(page, "fine\nnot\u200bfine\n")
    page._on_typing_paused()
    assert words(page) == "Hidden characters: U+200B in line 2."
    assert page.footer.save.isEnabled()


def test_a_limited_list_counts_all_its_entries(page: EditorPage, person: PersonFace, settle: Settle) -> None:
    person.add(PROFILE, content="x" * 1000)
    made = person.add(PROFILE, content="y" * 100)
    edit(page, made, settle)
    assert page.footer._amount.full_text == "1,103 of 1,375 characters in all"
    write(page, "y" * 400)
    page._on_typing_paused()
    assert words(page) == "28 characters over the limit; agents could only make it shorter."
    assert page.footer.save.isEnabled()


def test_a_large_limit_shows_counts_and_no_bar(page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    assert page.footer._amount.full_text == "77 characters, 77 B, about 20 tokens"
    assert page.footer._bar.isHidden()
    assert page.footer._lines.full_text == "6 lines"


def test_a_new_entry_is_written(qtbot: QtBot, page: EditorPage, person: PersonFace, settle: Settle) -> None:
    page.show_new(INSTRUCTIONS, "")
    settle()
    assert page.fields.name.hasFocus()
    assert words(page) == "Give it a name first"
    type_text(page.fields.name, "Fresh")
    write(page, "text\n")
    with qtbot.waitSignal(page.saved) as saved:
        press(page.fields.name, Qt.Key.Key_S, CONTROL)
    assert saved.args[0].info.name == "Fresh"
    assert [info.name for info in person.page(ListQuery(tier="global", shelf="instructions")).entries] == ["Fresh"]


def test_a_new_topic_has_a_description(qtbot: QtBot, page: EditorPage, person: PersonFace, settle: Settle) -> None:
    page.show_new(TOPICS, "")
    settle()
    assert page.fields.description.isVisible()
    page.fields.name.setText("build/cache")
    page.fields.description.setText("Where the cache lives")
    write(page, "Below the build folder.\n")
    with qtbot.waitSignal(page.saved) as saved:
        page.save()
    assert (saved.args[0].info.name, saved.args[0].info.description) == ("build/cache", "Where the cache lives")


def test_a_new_record_has_a_kind_and_no_name(qtbot: QtBot, page: EditorPage, person: PersonFace, tmp_path: Path, settle: Settle) -> None:
    workspace = person.add_workspace(tmp_path)
    page.show_new(RECORDS, workspace.id)
    settle()
    assert page.fields.name.isHidden()
    assert words(page) == "Write something first"
    write(page, "The import job holds the write lock.\n")
    page.fields.kind.setCurrentIndex(1)
    with qtbot.waitSignal(page.saved) as saved:
        page.save()
    assert (saved.args[0].info.kind, saved.args[0].info.owner) == ("episodic_event", workspace.id)


def test_a_new_note_of_an_agent_has_no_fields(page: EditorPage, settle: Settle) -> None:
    page.show_new(NOTES, "helper")
    settle()
    assert page.fields.isHidden()
