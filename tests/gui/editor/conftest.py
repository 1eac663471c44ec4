"""An editor on a real store, and an entry to edit."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from memorypane.gui.editor.drafts import DraftBox
from memorypane.gui.editor.page import EditorPage
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.model.values import Entry
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.editor.kit import BASE


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
