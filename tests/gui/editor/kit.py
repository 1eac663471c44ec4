"""Texts and steps that the tests of the editor share."""

from __future__ import annotations

from pathlib import Path

from memorypane.gui.editor.page import EditorPage
from memorypane.model.values import Entry
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from tests.gui.conftest import Elsewhere, Settle
from tests.gui.hands import click

__all__ = ["BASE", "MINE", "THEIRS", "clash", "edit", "files", "merge", "words", "write"]

BASE = "## Before\n- Build twice, compare.\n- Sign.\n## After\n- Wait one hour.\n- Close.\n"
THEIRS = BASE.replace("twice,", "twice on two hosts,").replace("one hour", "one day")
MINE = BASE.replace("one hour", "two hours") + "- Thank all.\n"


def edit(page: EditorPage, entry: Entry, settle: Settle) -> None:
    """Open an entry and wait until it stands there."""
    page.show_entry(entry)
    settle()


def write(page: EditorPage, text: str) -> None:
    """Replace the whole text, as one step that can be undone."""
    page.writing.source.replace_text(text)


def clash(page: EditorPage, entry: Entry, person: PersonFace, elsewhere: Elsewhere, settle: Settle) -> None:
    """The person typed MINE, another process wrote THEIRS, and the window heard of it."""
    edit(page, entry, settle)
    write(page, MINE)
    elsewhere("edit", entry.id, content=THEIRS)
    page.entry_changed(person.entry(entry.id))
    settle()


def merge(page: EditorPage, settle: Settle) -> None:
    """Open the merge and wait until it stands there."""
    click(page.conflict_bar.merge)
    settle()
    assert page.merging.isVisible()


def files(desk: Desk) -> list[Path]:
    """The drafts on disk."""
    return sorted(desk.home.drafts.glob("*")) if desk.home.drafts.is_dir() else []


def words(page: EditorPage) -> str:
    """What stands beside the save button."""
    return page.footer.words
