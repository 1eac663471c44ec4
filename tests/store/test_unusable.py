"""Files that are no store of ours, or cannot be used: the right error, a sentence that helps, and nothing changed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memorypane.model.errors import MemoryPaneError, StoreDamaged, StoreForeign, StoreNewer, Unavailable
from memorypane.store import entries
from memorypane.store.schema import SCHEMA_VERSION
from memorypane.store.store import Store
from tests.store.support import add, raw, run_python, still, unsound
from tests.support import TOP

# Opens the store, tries to write, and says what came of it: the kind and sentence of an error, or how many entries there are.
TRY = """
import os, resource, sys
from pathlib import Path
from memorypane.model.errors import MemoryPaneError
from memorypane.store import entries
from memorypane.store.store import Store
from tests.store.support import add, still
path, user, bytes_ = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
try:
    store = Store(path, backups=path.parent, clock=still)
    try:
        if bytes_:
            resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
        for number in range(200):
            add(store, f"more {number}", os.urandom(20_000).hex())
    finally:
        print(store.read(entries.totals)[0], flush=True)
        store.close()
except MemoryPaneError as problem:
    print(type(problem).__name__, problem.message)
"""


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
def test_a_store_without_permission_is_unavailable(open_folder: Path, lock: Callable[[Path], None]) -> None:
    file = open_folder / "closed" / "identity.db"
    Store(file, backups=file.parent, clock=still).close()
    lock(file)
    ended = run_python(TRY, file, 65534 if os.geteuid() == 0 else 0, 0)
    file.parent.chmod(0o700)
    assert ended.stderr == ""
    assert ended.stdout.startswith("Unavailable ")
    assert str(file.parent) in ended.stdout


def test_a_file_that_may_not_grow_keeps_what_was_written_and_nothing_of_the_rest(file: Path) -> None:
    Store(file, backups=file.parent, clock=still).close()
    count, said = run_python(TRY, file, 0, 1_000_000).stdout.splitlines()
    assert said.startswith("Unavailable ")
    assert "Nothing was written" in said
    check(file, int(count))


def test_a_full_disk_keeps_what_was_written_and_nothing_of_the_rest(tmp_path: Path) -> None:
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    kept.mkdir()
    script = 'mount -t tmpfs -o size=2m none "$1" && shift && "$@" && cp "$DISK"/* "$KEPT"'
    command = ["unshare", "-rm", "sh", "-c", script, "sh", str(disk), sys.executable, "-c", TRY, str(disk / "identity.db"), "0", "0"]
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode:
        pytest.skip("a test cannot have a disk of its own here")
    places = {"DISK": str(disk), "KEPT": str(kept)}
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=TOP, env={**os.environ, **places}, check=False)
    assert ended.returncode == 0, ended.stderr
    count, said = ended.stdout.splitlines()
    assert said.startswith("Unavailable The disk is full")
    assert "Free some space" in said
    check(kept / "identity.db", int(count))


def check(file: Path, count: int) -> None:
    """The store holds just the entries that were answered for, and works again."""
    assert 0 < count < 200
    with closing(Store(file, backups=file.parent, clock=still)) as store:
        assert store.read(entries.totals)[0] == count
        assert unsound(store) == {}
        assert add(store, "after").version == 1
