"""`backup`: a checked copy that never replaces anything."""

from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_backup_is_one_private_file_with_every_version(run_memorypane: Run, tmp_path: Path) -> None:
    words = ("add", "--tier", "system", "--shelf", "instructions", "--name", "A", "--content", "1", "--json")
    added = json.loads(run_memorypane(*words).stdout)
    run_memorypane("edit", added["id"], "--content", "2")
    target = tmp_path / "copy.db"
    made = json.loads(run_memorypane("backup", str(target), "--json").stdout)
    assert made == {"file": str(target), "entries": 1, "versions": 2, "verified": True}
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("copy")] == ["copy.db"]
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT content FROM version ORDER BY number").fetchall() == [("1",), ("2",)]


def test_a_backup_leaves_an_existing_file_alone(run_memorypane: Run, tmp_path: Path) -> None:
    target = tmp_path / "mine.txt"
    target.write_text("precious")
    done = run_memorypane("backup", str(target), "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "unavailable")
    assert target.read_text() == "precious"


@pytest.mark.parametrize("place", ["nowhere/copy.db", "."])
def test_a_backup_that_cannot_be_made_says_so(run_memorypane: Run, tmp_path: Path, place: str) -> None:
    done = run_memorypane("backup", str(tmp_path / place))
    assert done.returncode == 1
    assert "memorypane: " in done.stderr
