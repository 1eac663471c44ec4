"""Drafts on disk: private, whole, found again, never somebody else's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memorypane.gui.editor.drafts import Draft, DraftBox, Words
from memorypane.model.errors import Unavailable
from tests.support import TOP

DRAFT = Draft("an-id", "global", "instructions", "", 3, Words("Name", "", "before\n"), Words("Name", "", "typed \u200b\n"), saved_at=5)
NEW = Draft("", "system", "instructions", "", 0, Words(), Words("New", "", "text"), saved_at=6)

_OTHER_WINDOW = """
import pathlib, sys
from memorypane.gui.editor.drafts import Draft, DraftBox, Words
box = DraftBox(pathlib.Path(sys.argv[1]), "store")
before, typed = Words("Name", "", "before"), Words("Name", "", "of another window")
box.write(Draft("an-id", "global", "instructions", "", 3, before, typed, 9), box.turn())
print("written", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "drafts"


@pytest.fixture
def box(folder: Path) -> DraftBox:
    return DraftBox(folder, "store")


def put(box: DraftBox, draft: Draft) -> None:
    box.write(draft, box.turn())


def test_a_draft_comes_back_as_it_was_written(box: DraftBox) -> None:
    put(box, DRAFT)
    put(box, NEW)
    assert box.abandoned() == (NEW, DRAFT)
    assert box.find(DRAFT.subject) == DRAFT
    assert box.find(NEW.subject) == NEW


def test_the_files_are_the_owners_alone(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    (file,) = folder.iterdir()
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_draft_is_replaced_and_removed(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    put(box, replace(DRAFT, words=Words("Name", "", "more")))
    assert len(list(folder.iterdir())) == 1
    box.remove(DRAFT.subject, box.turn())
    assert list(folder.iterdir()) == []
    box.remove(DRAFT.subject, box.turn())


def test_an_older_turn_undoes_nothing(box: DraftBox) -> None:
    late, early = box.turn(), box.turn()
    box.write(replace(DRAFT, words=Words("Name", "", "newest")), early)
    box.write(DRAFT, late)
    box.remove(DRAFT.subject, late)
    found = box.find(DRAFT.subject)
    assert found is not None
    assert found.words.content == "newest"


def test_a_later_session_finds_what_was_left_behind(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    later = DraftBox(folder, "store")
    assert not later.wrote(DRAFT)
    assert later.find(DRAFT.subject) == DRAFT


def test_a_draft_that_was_taken_over_goes_on_in_its_file(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    later = DraftBox(folder, "store")
    later.take_over(DRAFT)
    put(later, replace(DRAFT, words=Words("Name", "", "going on")))
    assert len(list(folder.iterdir())) == 1
    later.remove(DRAFT.subject, later.turn())
    assert list(folder.iterdir()) == []


def test_an_offered_draft_can_be_discarded(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    put(box, NEW)
    DraftBox(folder, "store").discard(DRAFT)
    assert box.abandoned() == (NEW,)


def test_drafts_of_another_store_are_not_ours(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    assert DraftBox(folder, "another").abandoned() == ()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"store": "store", "format": 1}', b"\xff\xfe", b'{"store":"store","format":99}'])
def test_damaged_files_are_passed_over_and_left_alone(box: DraftBox, folder: Path, data: bytes) -> None:
    put(box, DRAFT)
    (folder / "damaged.json").write_bytes(data)
    assert box.abandoned() == (DRAFT,)
    assert (folder / "damaged.json").read_bytes() == data


def test_a_missing_folder_holds_no_drafts(box: DraftBox) -> None:
    assert box.abandoned() == ()


def test_a_disk_that_refuses_is_told(box: DraftBox, folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file stands where the folder should be")
    with pytest.raises(Unavailable):
        put(box, DRAFT)


def test_the_draft_of_a_running_window_is_left_to_it_and_offered_once_it_is_gone(box: DraftBox, folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(TOP)}
    command = [sys.executable, "-c", _OTHER_WINDOW, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as window:
        assert window.stdout is not None
        assert window.stdout.readline() == b"written\n"
        assert box.find("an-id") is None
        window.kill()
        window.wait(20)
    found = box.find("an-id")
    assert found is not None
    assert found.words.content == "of another window"


def test_a_process_number_used_again_hides_no_draft(box: DraftBox, folder: Path) -> None:
    put(box, DRAFT)
    (file,) = folder.iterdir()
    raw = json.loads(file.read_text())
    raw["pid"], raw["process"] = os.getppid(), "another start time"
    file.write_text(json.dumps(raw))
    assert box.find(DRAFT.subject) == DRAFT
