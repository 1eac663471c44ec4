"""Helpers of the tests: bounded waits, and the real program as a child process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

__all__ = ["TOP", "Environment", "Program", "end_processes_of", "wait_until"]

Environment = Mapping[str, str | None]
TOP = Path(__file__).resolve().parent.parent


def wait_until(condition: Callable[[], object], *, seconds: float = 10.0) -> bool:
    """Ask `condition` again and again until it is true; False when it was not within `seconds`."""
    pause = threading.Event()
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        pause.wait(0.01)
    return True


class Program:
    """The real program on one home; what it starts and does not end is killed by `close`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.command = [sys.executable, "-m", "memorypane"]
        self._started: list[subprocess.Popen[bytes]] = []

    def environment(self, changes: Environment | None = None) -> dict[str, str]:
        """The environment of a child: ours with `changes`, where None takes a name away."""
        found = {**os.environ, "MEMORYPANE_HOME": str(self.home), "PYTHONPATH": str(TOP)}
        return {name: value for name, value in {**found, **(changes or {})}.items() if value is not None}

    def run(
        self, *words: str | Path, stdin: bytes | str = b"", seconds: float = 60.0, cwd: Path | None = None, env: Environment | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run `memorypane WORDS` to its end; output as text."""
        child = self.start(*words, stderr=subprocess.PIPE, cwd=cwd, env=env)
        data = stdin.encode() if isinstance(stdin, str) else stdin
        try:
            out, err = child.communicate(data, timeout=seconds)
        finally:
            _kill_group(child)
            self._started.remove(child)
        return subprocess.CompletedProcess(child.args, child.returncode, out.decode(), err.decode())

    def json(self, *words: str | Path, stdin: bytes | str = b"", exit_code: int = 0, env: Environment | None = None) -> Any:
        """Run `memorypane WORDS --json` and return what it printed; the exit code must be as said."""
        ended = self.run(*words, "--json", stdin=stdin, env=env)
        assert ended.returncode == exit_code, f"exit {ended.returncode}: {ended.stdout}{ended.stderr}"
        return json.loads(ended.stdout)

    def start(
        self, *words: str | Path, stderr: int | IO[bytes] | None = None, cwd: Path | None = None, env: Environment | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start `memorypane WORDS` in a process group of its own, with pipes to its input and output."""
        child = subprocess.Popen(
            [*self.command, *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=cwd,
            env=self.environment(env),
            start_new_session=True,
        )
        self._started.append(child)
        return child

    def close(self) -> None:
        """Kill what still runs of what was started, close its pipes, and end the servers of this home."""
        for child in self._started:
            _kill_group(child)
            for pipe in (child.stdin, child.stdout, child.stderr):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
        self._started.clear()
        end_processes_of(self.home)


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait(timeout=10)


def end_processes_of(home: Path) -> None:
    """Kill every process that names exactly this home in its environment or words, such as a detached server."""
    name = os.fsencode(home)
    marks = {name, b"--home=" + name, b"MEMORYPANE_HOME=" + name}

    def some_were_left() -> bool:
        found = [process for process in _others() if marks & _words(process)]
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return bool(found)

    assert wait_until(lambda: not some_were_left()), f"processes of {home} do not end"


def _others() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and int(entry.name) != os.getpid()]


def _words(process: int) -> set[bytes]:
    words: set[bytes] = set()
    for name in ("cmdline", "environ"):
        with suppress(OSError):  # it has ended meanwhile, or is somebody else's
            words |= set(Path(f"/proc/{process}/{name}").read_bytes().split(b"\0"))
    return words
