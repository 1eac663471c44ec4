"""The reading page: rendered text, nothing loaded, links ask first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from pytestqt.qtbot import QtBot

from memorypane.gui.reader.page import ReaderPage
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Entry
from memorypane.service.person import PersonFace
from tests.gui.conftest import Settle
from tests.gui.hands import click


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, work: Work, person: PersonFace) -> ReaderPage:
    made = ReaderPage(theme, work, person)
    qtbot.addWidget(made)
    made.resize(704, 600)
    made.show()
    return made


@pytest.fixture
def entry(person: PersonFace) -> Entry:
    return person.add(INSTRUCTIONS, name="Page", content="x\n")


def read(qtbot: QtBot, page: ReaderPage, entry: Entry, content: str) -> Entry:
    shown = replace(entry, content=content)
    with qtbot.waitSignal(page.ready, timeout=20_000):
        page.show_entry(shown)
    return shown


def test_the_text_is_shown_rendered(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    read(qtbot, page, entry, "# Title\n\nA *text*.\n\n- one\n- two\n")
    assert page.view.document().toPlainText().split("\n") == ["Title", "A text.", "one", "two"]


def test_nothing_is_loaded_from_anywhere(page: ReaderPage) -> None:
    kinds = QTextDocument.ResourceType
    for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
        for address in ("http://example.org/x.png", "file:///etc/hostname", "data:image/png;base64,AAAA"):
            assert page.view.loadResource(kind.value, QUrl(address)) is None


def test_a_picture_in_the_text_shows_no_picture(qtbot: QtBot, page: ReaderPage, entry: Entry, tmp_path: object) -> None:
    red = QImage(40, 40, QImage.Format.Format_RGB32)
    red.fill(0xFF0000)
    path = f"{tmp_path}/red.png"
    red.save(path)
    read(qtbot, page, entry, f"![red]({path})\n\n<img src='{path}'>\n")
    assert "\ufffc" not in page.view.document().toRawText()


def test_rendered_text_is_never_wider_than_the_measure(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    page.resize(1400, 600)
    read(qtbot, page, entry, "word " * 400)
    assert page.view.document().textWidth() == 640
    page.resize(420, 600)
    assert page.view.document().textWidth() < 400


def test_a_link_is_asked_about_with_its_whole_address(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    address = "https://example.org/a/long/path?with=words#end"
    read(qtbot, page, entry, f"[here]({address})")
    page.view.anchorClicked.emit(QUrl(address))
    assert page._ask.isVisible()
    assert page._ask._words.full_text == address
    with qtbot.waitSignal(page.link_opened) as opened:
        click(page._open)
    assert opened.args == [address]
    assert not page._ask.isVisible()


def test_an_address_that_may_not_be_opened_is_not_even_asked_about(page: ReaderPage) -> None:
    page.view.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert not page._ask.isVisible()


def test_a_link_under_the_pointer_shows_where_it_leads(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    read(qtbot, page, entry, "[here](https://example.org/)")
    page.view.highlighted.emit(QUrl("https://example.org/"))
    assert page._target._words.full_text == "https://example.org/"
    page.view.highlighted.emit(QUrl())
    assert page._target.isHidden()


def test_an_empty_entry_says_so_and_offers_to_write(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    read(qtbot, page, entry, " \n")
    with qtbot.waitSignal(page.edit_asked):
        click(page._empty._button)


def test_a_text_too_long_to_render_is_shown_as_written(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    text = "a line of a very long text\n" * 40_000
    read(qtbot, page, entry, text)
    assert page._notice.isVisible()
    page.plain.select_all()
    assert page.plain.selected_text == text


def test_a_long_text_is_built_in_slices(qtbot: QtBot, page: ReaderPage, entry: Entry, settle: Settle) -> None:
    page.show_entry(replace(entry, content="## Head\n\nA paragraph of usual length.\n\n- an item\n" * 3000))
    settle()
    assert page.view.building
    qtbot.waitUntil(lambda: not page.view.building, timeout=30_000)
    assert page.view.document().blockCount() == 9000


def test_a_change_from_elsewhere_keeps_the_scroll_position(qtbot: QtBot, page: ReaderPage, entry: Entry) -> None:
    text = "A paragraph of usual length.\n\n" * 200
    shown = read(qtbot, page, entry, text)
    bar = page.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    with qtbot.waitSignal(page.ready):
        page.entry_changed(replace(shown, content=text + "One more.\n"))
    qtbot.waitUntil(lambda: bar.value() == place)
    assert page.view.document().toPlainText().endswith("One more.")


def test_both_themes_draw_every_kind_of_block(qtbot: QtBot, page: ReaderPage, entry: Entry, theme: Theme) -> None:
    read(qtbot, page, entry, "# H\n\n> quote\n> > deeper\n\n```\ncode\n```\n\n- [x] done\n1. one\n\n---\n\n|a|b|\n|-|-|\n|1|2|\n\nשלום\n")
    pictures = []
    for mode in ("dark", "light"):
        theme.set_mode(mode)
        pictures.append(page.grab().toImage())
    assert pictures[0] != pictures[1]
