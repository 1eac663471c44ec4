"""Files that are no store of ours, or cannot be used: the right error, a sentence that helps, and nothing changed."""

from __future__ import annotations

import ctypes
import hashlib
import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from memorypane.model.errors import MemoryPaneError, StoreDamaged, StoreForeign, StoreNewer, Unavailable
from memorypane.store import entries
from memorypane.store.schema import SCHEMA_VERSION
from memorypane.store.store import Store
from tests.store.processes import Elsewhere
from tests.store.support import add, raw, still, unsound

NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000


def fill(connection: Connection, path: Path, user: int = 0, bytes_: int = 0) -> None:
    """Open the store, write until that fails, and say how many entries there are, and the kind and sentence of the failure.

    `user` is the one to become before; `bytes_` is how large a file may grow.
    """
    if user:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    count = 0
    try:
        with closing(Store(path, backups=path.parent, clock=still)) as store:
            if bytes_:
                resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
            for number in range(200):
                add(store, f"more {number}", os.urandom(20_000).hex())
                count = number + 1
    except MemoryPaneError as problem:
        connection.send((count, type(problem), problem.message))


def refused(path: Path) -> MemoryPaneError:
    with pytest.raises(MemoryPaneError) as caught:
        Store(path, backups=path.parent / "backups", clock=still)
    return caught.value


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "identity.db"


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_programs_database_is_refused_and_left_as_it_is(file: Path, journal: str) -> None:
    with closing(raw(file)) as other:
        other.execute(f"PRAGMA journal_mode = {journal}")
        other.execute("CREATE TABLE bookmark (url TEXT)")
    before = fingerprint(file)
    problem = refused(file)
    assert isinstance(problem, StoreForeign)
    assert str(file) in problem.message
    assert "another program" in problem.message
    assert fingerprint(file) == before
    with closing(raw(file)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == (journal,)


def test_a_database_marked_by_another_program_is_refused(file: Path) -> None:
    with closing(raw(file)) as other:
        other.execute("PRAGMA application_id = 252006673")
    assert isinstance(refused(file), StoreForeign)


@pytest.mark.parametrize("content", [b"Dear diary,\n" * 100, b"x", b"SQLite format 3\0" + b"\xff" * 4080])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    problem = refused(file)
    assert isinstance(problem, StoreDamaged)
    assert str(file) in problem.message
    assert file.read_bytes() == content


def test_an_empty_file_becomes_a_store(file: Path) -> None:
    file.touch()
    with closing(Store(file, backups=file.parent, clock=still)) as store:
        assert add(store, "first").version == 1


def test_a_store_of_a_newer_program_is_refused_and_left_as_it_is(file: Path) -> None:
    Store(file, backups=file.parent, clock=still).close()
    with closing(raw(file)) as other:
        other.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = fingerprint(file)
    problem = refused(file)
    assert isinstance(problem, StoreNewer)
    assert "Update Memory Pane" in problem.message
    assert fingerprint(file) == before


def test_a_store_that_a_newer_program_changed_meanwhile_is_not_written_to(store: Store, path: Path) -> None:
    add(store, "first")
    with closing(raw(path)) as other:
        other.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StoreNewer, match="Update Memory Pane"):
        add(store, "second")
    assert store.read(entries.totals)[0] == 1


def test_damaged_pages_are_told_as_damage(file: Path) -> None:
    with closing(Store(file, backups=file.parent, clock=still)) as store:
        for number in range(50):
            add(store, f"entry {number}", "word " * 500)
    with file.open("r+b") as damaged:
        damaged.seek(4096)
        damaged.write(b"\xa5" * (file.stat().st_size - 4096))

    def use() -> None:
        with closing(Store(file, backups=file.parent, clock=still)) as store:
            store.read(entries.totals)
            add(store, "more")

    with pytest.raises(StoreDamaged, match="Restore a backup"):
        use()


def test_a_folder_in_the_place_of_the_store_is_refused(file: Path) -> None:
    file.mkdir()
    problem = refused(file)
    assert isinstance(problem, Unavailable)
    assert "directory" in problem.message


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may look into, unlike the ones that tests usually get."""
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def lock_file(file: Path) -> None:
    file.chmod(0o400)


def lock_folder(file: Path) -> None:
    file.unlink()
    file.parent.chmod(0o500)


@pytest.mark.parametrize("lock", [lock_file, lock_folder])
def test_a_store_without_permission_is_unavailable(open_folder: Path, elsewhere: Elsewhere, lock: Callable[[Path], None]) -> None:
    file = open_folder / "closed" / "identity.db"
    Store(file, backups=file.parent, clock=still).close()
    lock(file)
    count, kind, said = elsewhere.call(fill, file, 65534 if os.geteuid() == 0 else 0)
    file.parent.chmod(0o700)
    assert (count, kind) == (0, Unavailable)
    assert str(file.parent) in said


def test_a_file_that_may_not_grow_keeps_what_was_written_and_nothing_of_the_rest(file: Path, elsewhere: Elsewhere) -> None:
    count, kind, said = elsewhere.call(fill, file, 0, 1_000_000)
    assert kind is Unavailable
    assert "Nothing was written" in said
    check(file, count)


def fill_a_small_disk(connection: Connection, disk: Path, kept: Path) -> None:
    """The same on a disk of 2 MB, which only this process sees; what stands on it in the end is copied to `kept`."""
    library, user, group = ctypes.CDLL(None), os.getuid(), os.getgid()
    if library.unshare(NEW_USER | NEW_MOUNTS):
        connection.send(None)
        return
    for name, words in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        Path(f"/proc/self/{name}").write_text(words)
    if library.mount(b"none", os.fsencode(disk), b"tmpfs", 0, b"size=2m"):
        connection.send(None)
        return
    fill(connection, disk / "identity.db")
    for one in disk.iterdir():
        shutil.copy(one, kept)


def test_a_full_disk_keeps_what_was_written_and_nothing_of_the_rest(tmp_path: Path, elsewhere: Elsewhere) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    kept.mkdir()
    said = elsewhere.call(fill_a_small_disk, disk, kept)
    if said is None:
        pytest.skip("a process cannot have a disk of its own here")
    count, kind, sentence = said
    assert kind is Unavailable
    assert sentence.startswith("The disk is full")
    assert "Free some space" in sentence
    check(kept / "identity.db", count)


def check(file: Path, count: int) -> None:
    """The store holds just the entries that were answered for, and works again."""
    assert 0 < count < 200
    with closing(Store(file, backups=file.parent, clock=still)) as store:
        assert store.read(entries.totals)[0] == count
        assert unsound(store) == {}
        assert add(store, "after").version == 1
