"""The history of an entry on a real store."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from memorypane.gui.history.model import Column
from memorypane.gui.history.page import HistoryPage
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.home.tokens import read_token
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Action, Entry, Provenance
from memorypane.service.desk import Desk
from memorypane.service.identity import Hello
from memorypane.service.person import PersonFace
from memorypane.tools.toolbox import Toolbox
from tests.gui.conftest import Elsewhere, Settle
from tests.gui.hands import SHIFT, click, press

TEXTS = ("one\n", "one\ntwo\n", "one\ntwo\nthree\n", "one\n2\nthree\n")


@pytest.fixture
def entry(person: PersonFace) -> Entry:
    made = person.add(INSTRUCTIONS, name="Build", content=TEXTS[0])
    for text in TEXTS[1:]:
        made = person.edit(made.id, content=text)
    return made


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, work: Work, person: PersonFace, entry: Entry, settle: Settle) -> HistoryPage:
    made = HistoryPage(theme, work, person)
    qtbot.addWidget(made)
    made.resize(1052, 700)
    made.show()
    made.show_entry(entry)
    settle()
    return made


def key(page: HistoryPage, text: str, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    page.table.setFocus()
    press(page.table, Qt.Key.Key_Space if text == " " else Qt.Key(ord(text.upper())), modifiers)


def cells(page: HistoryPage, column: Column) -> list[str]:
    return [str(page.model.data(page.model.index(row, column))) for row in range(page.model.rowCount())]


def pick(page: HistoryPage, number: int, column: Column) -> None:
    area = page.table.visualRect(page.model.index(page.model.row(number), column))
    click(page.table.viewport(), area.center())


def pair(page: HistoryPage) -> tuple[int, int]:
    return page.model.pair.first, page.model.pair.second


def test_the_last_change_is_shown_first(page: HistoryPage) -> None:
    assert pair(page) == (3, 4)
    assert page.table.current_number == 4
    assert page.panel.comparison.old == TEXTS[2]
    assert page.panel.comparison.new == TEXTS[3]


def test_rows_say_what_was_done_by_whom_with_what(page: HistoryPage) -> None:
    assert cells(page, Column.VERSION) == ["4", "3", "2", "1"]
    assert cells(page, Column.ACTION) == ["edit", "edit", "edit", "create"]
    assert set(cells(page, Column.ACTOR)) == {"you"}
    assert set(cells(page, Column.WITH)) == {"window"}
    assert cells(page, Column.LINES) == ["+1 −1", "+1 −0", "+1 −0", "+1 −0"]
    words = str(page.model.data(page.model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole))
    assert words.startswith("version 4, head, kept, edit, by you, with window, today")


def test_j_k_and_space_pick_the_first_of_the_two(page: HistoryPage) -> None:
    key(page, "j")
    key(page, "j")
    key(page, "j")
    key(page, "k")
    key(page, " ")
    assert pair(page) == (2, 4)


def test_the_two_are_picked_by_mouse(page: HistoryPage, settle: Settle) -> None:
    pick(page, 1, Column.FROM)
    settle()
    assert pair(page) == (1, 4)
    assert page.panel.comparison.old == TEXTS[0]
    pick(page, 2, Column.TO)
    assert pair(page) == (1, 2)


def test_picking_the_same_twice_swaps_them(page: HistoryPage) -> None:
    pick(page, 4, Column.FROM)
    assert pair(page) == (4, 3)


def test_reverting_writes_a_version_and_says_so(qtbot: QtBot, page: HistoryPage, person: PersonFace, entry: Entry, settle: Settle) -> None:
    pick(page, 2, Column.FROM)
    assert page.footer.revert.text() == "Revert to version 2"
    assert page.footer._words.full_text == "Writes version 5 with the text of 2. Nothing is lost."
    with qtbot.waitSignal(page.saved) as saved:
        key(page, "r", SHIFT)
    settle()
    assert saved.args[0].info.version == 5
    stands = person.entry(entry.id)
    assert (stands.content, stands.info.version) == (TEXTS[1], 5)
    assert person.history(entry.id)[0].action is Action.REVERT
    assert cells(page, Column.ACTION)[0] == "revert to 2"
    assert pair(page) == (4, 5)


def test_reverting_to_what_stands_is_not_offered(page: HistoryPage) -> None:
    pick(page, 4, Column.FROM)
    assert not page.footer.revert.isEnabled()
    assert page.footer._words.full_text == "Version 4 is the head. Pick another one under From."


def test_a_revert_that_comes_too_late_writes_nothing_and_says_why(
    qtbot: QtBot, page: HistoryPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    elsewhere("edit", entry.id, content="from elsewhere\n")
    with qtbot.waitSignal(page.failed) as failed:
        page.revert()
    settle()
    assert failed.args[0].startswith("It changed meanwhile, so nothing was reverted.")
    assert person.entry(entry.id).content == "from elsewhere\n"
    assert cells(page, Column.VERSION)[0] == "5"
    assert page.footer.revert.isEnabled()


def test_a_version_written_elsewhere_is_added_and_the_pick_stays(
    page: HistoryPage, person: PersonFace, entry: Entry, elsewhere: Elsewhere, settle: Settle,
) -> None:
    pick(page, 1, Column.FROM)
    pick(page, 3, Column.TO)
    settle()
    shown = page.panel.comparison
    resets = []
    page.model.modelReset.connect(lambda: resets.append(1))
    elsewhere("edit", entry.id, content="from elsewhere\n")
    page.entry_changed(person.entry(entry.id))
    settle()
    assert cells(page, Column.VERSION) == ["5", "4", "3", "2", "1"]
    assert pair(page) == (1, 3)
    assert page.table.current_number == 3
    assert page.panel.comparison is shown
    assert not resets


def test_coming_back_shows_the_newest_change_unless_two_were_picked(
    page: HistoryPage, person: PersonFace, entry: Entry, settle: Settle,
) -> None:
    page.show_entry(person.edit(entry.id, content="newer\n"))
    settle()
    assert pair(page) == (4, 5)
    pick(page, 2, Column.FROM)
    page.show_entry(person.edit(entry.id, content="newest\n"))
    settle()
    assert pair(page) == (2, 5)


def test_a_single_version_is_compared_with_nothing(page: HistoryPage, person: PersonFace, settle: Settle) -> None:
    page.show_entry(person.add(INSTRUCTIONS, name="Fresh", content="hello\n"))
    settle()
    assert pair(page) == (0, 1)
    assert page.panel.comparison.old_head == ("Nothing", "before the first version")
    assert page.footer._words.full_text == "There is no earlier version yet."


def test_unreviewed_changes_are_shown_since_the_kept_version(
    page: HistoryPage, person: PersonFace, desk: Desk, entry: Entry, settle: Settle,
) -> None:
    person.set_policy("trusting")
    person.add_agent("helper")
    caller = desk.admit(Hello(agent="helper", token=read_token(desk.home, desk.store_id, "helper"), pid=1, parent_pid=1))
    toolbox = Toolbox(desk)
    for text in ("first\n", "second\n"):
        arguments = {"id": entry.id, "name": "Build", "content": text, "provenance": {"source": "human", "detail": {"note": "it said so"}}}
        assert not toolbox.call(caller, "GlobalMemoryWrite", arguments).is_error
    desk.leave(caller)
    other = HistoryPage(page._theme, page._work, person)
    other.show_entry(person.entry(entry.id))
    settle()
    assert pair(other) == (4, 6)
    assert cells(other, Column.ACTOR)[:2] == ["helper", "helper"]
    assert cells(other, Column.CLAIM)[0] == "human"
    words = str(other.model.data(other.model.index(0, 0), Qt.ItemDataRole.AccessibleTextRole))
    assert "by helper, verified, claims human, with GlobalMemoryWrite" in words
    other.deleteLater()


def test_another_entry_with_equal_looking_versions_is_compared_anew(page: HistoryPage, person: PersonFace, settle: Settle) -> None:
    for name in ("First", "Second"):
        made = person.add(INSTRUCTIONS, name=name, content=f"{name}\n")
        page.show_entry(person.edit(made.id, content=f"{name} edited\n"))
        settle()
        assert page.panel.comparison.new == f"{name} edited\n"


def test_a_rename_is_told(page: HistoryPage, person: PersonFace, entry: Entry, settle: Settle) -> None:
    page.entry_changed(person.edit(entry.id, name="Build and test"))
    settle()
    page._on_to_asked(5)
    page._on_from_asked(4)
    settle()
    assert page.panel.comparison.facts == ("Renamed from “Build” to “Build and test”.",)


def test_the_diff_is_copied_as_unified_text(page: HistoryPage, settle: Settle) -> None:
    key(page, "c")
    settle()
    text = QGuiApplication.clipboard().text()
    assert "-two\n+2\n" in text
    assert page.footer.copy.text() == "Copied"


def test_blame_shows_who_wrote_each_line(page: HistoryPage, settle: Settle) -> None:
    key(page, "b")
    settle()
    notes = [row.cells[0].note[:1] for row in page.blame.grid.rows if row.cells[0] is not None]
    assert notes == ["1", "4", "3"]
    page.blame.grid.select_all()
    assert page.blame.grid.selected_text == TEXTS[3]
    key(page, "b")
    assert not page.footer.blame.isChecked()


def test_escape_closes_the_blame_before_it_goes_back(qtbot: QtBot, page: HistoryPage) -> None:
    page.toggle_blame()
    page.table.setFocus()
    press(page.table, Qt.Key.Key_Escape)
    assert not page.footer.blame.isChecked()
    with qtbot.waitSignal(page.back_asked):
        press(page.table, Qt.Key.Key_Escape)


def test_d_changes_the_layout_and_is_remembered(qtbot: QtBot, page: HistoryPage) -> None:
    with qtbot.waitSignal(page.layout_chosen) as chosen:
        key(page, "d")
    assert chosen.args == ["inline"]


@pytest.mark.parametrize("width", [420, 560, 704, 1052, 1500])
def test_author_and_time_are_seen_at_every_width(page: HistoryPage, width: int) -> None:
    page.resize(width, 700)
    assert page.width() == width
    for column in (Column.FROM, Column.TO, Column.VERSION, Column.ACTOR, Column.WHEN):
        assert not page.table.isColumnHidden(column)
    last = max(column for column in Column if not page.table.isColumnHidden(column))
    edge = page.table.columnViewportPosition(last) + page.table.columnWidth(last)
    assert edge <= page.table.viewport().width()


def test_a_store_that_cannot_be_read_is_an_error_and_not_an_empty_list(page: HistoryPage, desk: Desk, entry: Entry, settle: Settle) -> None:
    entry_gone = Entry(entry.info, entry.content)
    path = desk.home.shared_store
    desk.close()
    path.write_bytes(b"no database " * 1000)
    page.show_entry(entry_gone)
    settle()
    assert page._pages.currentWidget() is page._error


def test_provenance_detail_is_a_plain_tooltip(page: HistoryPage, person: PersonFace, settle: Settle) -> None:
    made = person.add(INSTRUCTIONS, name="Claimed", content="x\n", provenance=Provenance("web", {"url": "<b>here</b>"}))
    page.show_entry(made)
    settle()
    assert page.model.data(page.model.index(0, Column.CLAIM), Qt.ItemDataRole.ToolTipRole) == ""
    assert page.table.indexAt(QPoint(1, 1)).row() == 0
