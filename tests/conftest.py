"""Fixtures of all tests: a home of their own, the real program, the shared contracts, and the watch over what is left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from memorypane.home.paths import Home
from tests.leaks import Snapshot, left_behind
from tests.support import TOP, Program, end_processes_of

# Before anything imports Qt: no test opens a window on a real screen, or speaks to the desktop of the person who runs it.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
# Nor does what somebody set for Python change how the programs behave that the tests start.
for _name in [name for name in os.environ if name.startswith(("MEMORYPANE_", "PYTHON"))]:
    del os.environ[_name]
# A test that forgets to ask for a home fails at this path instead of using the person's own.
os.environ["MEMORYPANE_HOME"] = "/dev/null/no-home-was-asked-for"

# Started in the background of a shell, this process ignores interrupts, and so would every program that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No test is judged by the clock: machines differ, and neighbours take turns.
settings.register_profile("no-clock", deadline=None)
settings.load_profile("no-clock")


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves threads, child processes, open files, windows or running timers behind."""
    if {"qapp", "qtbot"} & set(request.fixturenames):
        request.getfixturevalue("qapp")  # the application lives as long as the process, whichever test comes first
    before = Snapshot.take()
    yield
    found = left_behind(before)
    if found:
        pytest.fail("The test left behind:\n" + "\n".join(found), pytrace=False)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home that does not exist yet, and an environment in which the program finds it and nothing of the person's."""
    runtime = Path(tempfile.mkdtemp(prefix="mp-", dir="/tmp"))  # a socket's path must be short
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "MEMORYPANE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    made = Home(tmp_path / "home")
    monkeypatch.setenv("MEMORYPANE_HOME", str(made.root))
    yield made
    end_processes_of(made.root)
    shutil.rmtree(runtime)


@pytest.fixture
def program(home: Home) -> Iterator[Program]:
    """The real program on the test's own home; whatever it leaves running is killed at the end."""
    made = Program(home.root)
    yield made
    made.close()


@pytest.fixture
def run_memorypane(program: Program) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `memorypane WORDS` to its end; see `Program.run`."""
    return program.run


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with contracts, data and conformance cases beside the checkout; tests that need it are skipped elsewhere."""
    folder = TOP.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the folder ../shared with the contracts is not here")
    return folder
