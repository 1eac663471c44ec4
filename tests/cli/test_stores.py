"""Homes and stores that cannot be used: a sentence, exit code 1, and nothing lost."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.inside import CODES, Inside
from tests.support import Program

ADD = ("add", "--tier", "global", "--shelf", "instructions", "--name", "A", "--content", "kept")


def refused(program: Program, *words: str) -> str:
    answer = program.json(*words, exit_code=1)
    assert set(answer) == {"error"}
    assert answer["error"]["code"] in CODES
    return str(answer["error"]["message"])


def store(program: Program) -> Path:
    return program.home / "identity.db"


@pytest.mark.parametrize("words", [("list",), ADD, ("agent", "list"), ("review", "list"), ("sample",)])
def test_a_database_of_another_program_is_left_alone(program: Program, words: tuple[str, ...]) -> None:
    program.home.mkdir(mode=0o700)
    with closing(sqlite3.connect(store(program))) as other:
        other.execute("CREATE TABLE theirs (a)")
        other.execute("INSERT INTO theirs VALUES (1)")
        other.commit()
    before = store(program).read_bytes()
    refused(program, *words)
    assert store(program).read_bytes() == before


def test_a_store_of_a_newer_program_is_left_alone(program: Program) -> None:
    program.json(*ADD)
    with closing(sqlite3.connect(store(program))) as newer:
        [[version]] = newer.execute("PRAGMA user_version").fetchall()
        newer.execute(f"PRAGMA user_version = {version + 1000}")
        newer.commit()
    assert "newer" in refused(program, "list")
    with closing(sqlite3.connect(store(program))) as again:
        again.execute(f"PRAGMA user_version = {version}")
        again.commit()
    assert program.json("list")["total"] == 1


def test_a_damaged_store_is_told_and_not_replaced(program: Program) -> None:
    program.home.mkdir(mode=0o700)
    store(program).write_bytes(b"no database at all, but bytes that somebody may want back " * 100)
    before = store(program).read_bytes()
    refused(program, "list")
    refused(program, *ADD)
    assert store(program).read_bytes() == before


def test_a_store_cut_in_half_is_an_error_and_never_an_empty_list(program: Program, inside: Inside) -> None:
    for number in range(30):
        inside.json(*ADD[:6], f"n{number}", "--content", "x" * 4000)
    data = store(program).read_bytes()
    for side in ("-wal", "-shm"):
        store(program).with_name(f"identity.db{side}").unlink(missing_ok=True)
    store(program).write_bytes(data[: len(data) // 3])
    refused(program, "list")


def test_a_home_that_is_a_file_is_told(program: Program) -> None:
    program.home.write_text("a file")
    assert str(program.home) in refused(program, "list")
    assert program.home.read_text() == "a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_home_that_may_not_be_written_is_told(program: Program) -> None:
    program.json(*ADD)
    program.home.chmod(0o500)
    store(program).chmod(0o400)
    try:
        refused(program, *ADD[:6], "B", "--content", "x")
    finally:
        program.home.chmod(0o700)
        store(program).chmod(0o600)
    assert program.json("list")["total"] == 1


def test_a_channel_that_was_never_added_is_told(program: Program) -> None:
    assert "never" in refused(program, "list", "--channel", "never")
    assert "is none" in refused(program, "list", "--channel", "No Name")
    assert not (program.home / "channels" / "never").exists()


def test_a_damaged_channel_file_is_told(program: Program) -> None:
    folder = program.home / "channels" / "dev"
    folder.mkdir(parents=True)
    (folder / "channel.toml").write_bytes(b"isolated = \xff")
    assert "channel.toml" in refused(program, "list", "--channel", "dev")
    assert "channel.toml" in refused(program, "channel", "list")


def test_home_and_channel_are_found_in_every_way(program: Program, tmp_path: Path) -> None:
    other = tmp_path / "other"
    program.json("--home", str(other), *ADD)
    assert program.json("list", f"--home={other}")["total"] == 1
    assert program.json("list")["total"] == 0
    assert program.json("list", env={"MEMORYPANE_HOME": str(other)})["total"] == 1
    assert program.run("list", "--json", "--home", "other", cwd=tmp_path).stdout.count("kept") == 0
    data = tmp_path / "data"
    environment = {"MEMORYPANE_HOME": None, "XDG_DATA_HOME": str(data)}
    program.json(*ADD, env=environment)
    assert (data / "memorypane" / "identity.db").is_file()


def test_the_home_is_the_owners_alone(program: Program) -> None:
    old = os.umask(0)
    try:
        program.json(*ADD)
        program.json("agent", "add", "bob")
    finally:
        os.umask(old)
    for path in (program.home, *program.home.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path
