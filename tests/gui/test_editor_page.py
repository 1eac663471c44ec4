"""Writing entries on a real store, with a second writer in another process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.drafts import DraftBox, Words
from memorypane.gui.editor.page import EditorPage
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.shelves import INSTRUCTIONS, NOTES, PROFILE, RECORDS, TOPICS
from memorypane.model.values import Entry, ListQuery, Status
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.conftest import Elsewhere, Settle
from tests.gui.hands import CONTROL, click, press, type_text

BASE = "## Before\n- Build twice, compare.\n- Sign.\n## After\n- Wait one hour.\n- Close.\n"
THEIRS = BASE.replace("twice,", "twice on two hosts,").replace("one hour", "one day")
MINE = BASE.replace("one hour", "two hours") + "- Thank all.\n"


@pytest.fixture
def drafts(desk: Desk) -> DraftBox:
    return DraftBox(desk.home.drafts, desk.store_id)


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, work: Work, person: PersonFace, drafts: DraftBox) -> EditorPage:
    made = EditorPage(theme, work, person, drafts)
    qtbot.addWidget(made)
    made.resize(1052, 700)
    made.show()
    return made


@pytest.fixture
def entry(person: PersonFace) -> Entry:
    return person.add(INSTRUCTIONS, name="Release checklist", content=BASE)


def edit(page: EditorPage, entry: Entry, settle: Settle) -> None:
    page.show_entry(entry)
    settle()


def write(page: EditorPage, text: str) -> None:
    page.writing.source.replace_text(text)


def clash(page: EditorPage, entry: Entry, person: PersonFace, elsewhere: Elsewhere, settle: Settle) -> None:
    """The person typed MINE, another process wrote THEIRS, and the window heard of it."""
    edit(page, entry, settle)
    write(page, MINE)
    elsewhere("edit", entry.id, content=THEIRS)
    page.entry_changed(person.entry(entry.id))
    settle()


def files(desk: Desk) -> list[Path]:
    return sorted(desk.home.drafts.glob("*")) if desk.home.drafts.is_dir() else []


def words(page: EditorPage) -> str:
    return page.footer.words


# saving


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


# limits


def test_a_limited_list_counts_all_its_entries(page: EditorPage, person: PersonFace, settle: Settle) -> None:
    person.add(PROFILE, content="x" * 1000)
    made = person.add(PROFILE, content="y" * 100)
    edit(page, made, settle)
    assert page.footer._amount.full_text == "1,103 of 1,375 characters in all"
    write(page, "y" * 400)
    page._on_typing_paused()
    assert words(page) == "28 characters over the limit. You can save it; agents can then only make it shorter."
    assert page.footer.save.isEnabled()


def test_a_large_limit_shows_counts_and_no_bar(page: EditorPage, entry: Entry, settle: Settle) -> None:
    edit(page, entry, settle)
    assert page.footer._amount.full_text == "77 characters, 77 B, about 20 tokens"
    assert page.footer._bar.isHidden()
    assert page.footer._lines.full_text == "6 lines"


# new entries


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


# drafts


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


# giving up


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


# somebody else


def test_a_change_from_elsewhere_is_shown_while_nothing_is_typed(
    page: EditorPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    edit(page, entry, settle)
    page.writing.source.go_to(3)
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


# merging


def merge(page: EditorPage, settle: Settle) -> None:
    click(page.conflict_bar.merge)
    settle()
    assert page.merging.isVisible()


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
