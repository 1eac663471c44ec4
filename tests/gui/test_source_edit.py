"""The source editor: texts exactly as they are, long ones bit by bit."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.source_edit import SourceEdit
from memorypane.gui.theme.theme import Theme
from tests.gui.hands import CONTROL, press, type_text

LONG = "".join(f"line {number} of a long text\n" for number in range(20_000))


@pytest.fixture
def edit(qtbot: QtBot, theme: Theme) -> SourceEdit:
    made = SourceEdit(theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\u2029\ufdd0\ufdd1\x00"), max_size=80))
def test_what_is_put_in_comes_out_again(edit: SourceEdit, text: str) -> None:
    edit.show_text(text)
    assert edit.text == text


def test_a_long_text_comes_in_bit_by_bit_and_is_known_whole_at_once(qtbot: QtBot, edit: SourceEdit) -> None:
    edited = []
    edit.edited.connect(lambda: edited.append(1))
    with qtbot.waitSignal(edit.loaded, timeout=30_000):
        edit.show_text(LONG)
        assert edit.loading
        assert edit.isReadOnly()
        assert edit.text == LONG
    assert edit.text == LONG
    assert edit.blockCount() == 20_001
    assert not edit.isReadOnly()
    assert not edited


def test_another_text_takes_the_place_of_one_that_is_still_coming(qtbot: QtBot, edit: SourceEdit) -> None:
    edit.show_text(LONG)
    edit.show_text("short\n")
    assert not edit.loading
    qtbot.waitUntil(lambda: edit.text == "short\n")


def test_putting_a_text_in_leaves_nothing_to_undo(edit: SourceEdit) -> None:
    edit.show_text("one\n")
    edit.show_text("two\n")
    edit.undo()
    assert edit.text == "two\n"
    type_text(edit, "x")
    press(edit, Qt.Key.Key_Z, CONTROL)
    assert edit.text == "two\n"


def test_replacing_the_text_is_one_step_to_undo(edit: SourceEdit) -> None:
    edit.show_text("one\n")
    edit.replace_text("two\nthree\n")
    assert edit.text == "two\nthree\n"
    edit.undo()
    assert edit.text == "one\n"


def test_caret_and_scroll_position_stay_when_asked(edit: SourceEdit) -> None:
    text = "line\n" * 300
    edit.show_text(text)
    edit.setTextCursor(QTextCursor(edit.document().findBlockByNumber(199)))
    edit.centerCursor()
    caret, scroll = edit.textCursor().position(), edit.verticalScrollBar().value()
    edit.show_text(text + "more\n", keep_place=True)
    assert (edit.textCursor().position(), edit.verticalScrollBar().value()) == (caret, scroll)


def test_the_gutter_grows_with_the_number_of_lines(edit: SourceEdit) -> None:
    edit.show_text("one\n")
    narrow = edit.gutter_width()
    edit.show_text("\n" * 60_000)
    assert edit.gutter_width() > narrow
    assert not edit.grab().isNull()


def test_tab_leaves_the_editor(qtbot: QtBot, theme: Theme) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    edit, after = SourceEdit(theme), QLineEdit()
    column.addWidget(edit)
    column.addWidget(after)
    page.show()
    edit.show_text("one\n")
    edit.setFocus()
    press(edit, Qt.Key.Key_Tab)
    assert edit.text == "one\n"
    assert page.focusWidget() is after
