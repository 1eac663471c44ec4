"""The endpoint file and the lock."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.home.endpoint import Endpoint, FileLock, is_older, read_endpoint, remove_endpoint, same_store, write_endpoint
from memorypane.home.paths import Home

HERE = Endpoint(
    path="/run/a", control="/run/c", pid=5, started_at=1, protocol=1, schema=1, version="0.1.0", store_id="s", store="/nowhere/identity.db",
    device=1, inode=2,
)


def test_what_was_written_is_read(home: Home) -> None:
    write_endpoint(home, "stable", HERE)
    assert read_endpoint(home, "stable") == HERE
    assert stat.S_IMODE(home.endpoint("stable").stat().st_mode) == 0o600
    remove_endpoint(home, "stable")
    assert read_endpoint(home, "stable") is None
    remove_endpoint(home, "stable")


@pytest.mark.parametrize(
    "change",
    [{"pid": "5"}, {"pid": True}, {"path": None}, {"inode": 1.5}, {"store": 5}],
)
def test_a_file_of_another_shape_is_no_endpoint(home: Home, change: dict[str, object]) -> None:
    write_endpoint(home, "stable", HERE)
    home.endpoint("stable").write_text(json.dumps({**HERE._asdict(), **change}))
    assert read_endpoint(home, "stable") is None


def test_more_than_we_know_is_passed_over(home: Home) -> None:
    write_endpoint(home, "stable", HERE)
    home.endpoint("stable").write_text(json.dumps({**HERE._asdict(), "later": [1]}))
    assert read_endpoint(home, "stable") == HERE


@given(st.binary(max_size=60))
def test_no_content_of_the_file_is_a_failure(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    home.channel("stable").mkdir(parents=True)
    home.endpoint("stable").write_bytes(content)
    assert read_endpoint(home, "stable") is None


def test_the_same_store_is_told_by_its_file(tmp_path: Path) -> None:
    store = tmp_path / "identity.db"
    store.write_bytes(b"x")
    seen = store.stat()
    here = HERE._replace(store=str(store), device=seen.st_dev, inode=seen.st_ino)
    assert same_store(here)
    assert not same_store(here._replace(inode=seen.st_ino + 1))
    assert not same_store(here._replace(store=str(tmp_path / "gone.db")))


@pytest.mark.parametrize(
    ("version", "than", "older"),
    [
        ("0.1.0", "0.1.0", False),
        ("0.1.0", "0.1.1", True),
        ("0.9.1", "0.10.0", True),
        ("1.0", "0.9.9", False),
        ("0.1", "0.1.0", True),
        ("0.1.0rc1", "0.1.0", False),
        ("", "0.0.1", True),
        ("strange", "0.1.0", True),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, than: str, older: bool) -> None:
    assert is_older(version, than) is older


def test_a_lock_is_held_once_and_can_be_taken_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "serve.lock"
    with FileLock(path) as lock, FileLock(path) as other:
        assert lock.acquire()
        assert not other.acquire()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with FileLock(path) as again:
        assert again.acquire()
