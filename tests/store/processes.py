"""Functions of the tests in processes of their own, forked from one that has the program loaded already."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

__all__ = ["Elsewhere", "Running"]


class Running:
    """A process that runs `function(connection, *words)`; `connection` is what it and the test speak over."""

    def __init__(self, context: ForkServerContext, function: Callable[..., None], words: tuple[object, ...]) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_run, args=(theirs, function, words), daemon=True)
        self.process.start()
        theirs.close()

    def hear(self, seconds: float = 30) -> Any:
        """What the process says next; EOFError when it says no more."""
        assert self.connection.poll(seconds), f"nothing was said for {seconds} seconds"
        said = self.connection.recv()
        assert not isinstance(said, _Failure), said.text
        return said

    def end(self) -> int | None:
        """Wait for the end of the process and return its exit code (a negative signal number where it was killed)."""
        self.process.join(30)
        return self.process.exitcode

    def close(self) -> None:
        """Kill the process if it still runs."""
        self.process.kill()
        self.process.join()
        self.process.close()
        self.connection.close()


class _Failure:
    def __init__(self, text: str) -> None:
        self.text = text


def _run(connection: Connection, function: Callable[..., None], words: tuple[object, ...]) -> None:
    try:
        function(connection, *words)
    except BaseException:
        connection.send(_Failure(traceback.format_exc()))
        raise


class Elsewhere:
    """Starts processes. The first one pays for loading the program; those after it take some hundredths of a second."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["memorypane.service.desk", "memorypane.tools.toolbox", "tests.store.support"])
        with self.start(_nothing) as first:
            first.hear()

    @contextmanager
    def start(self, function: Callable[..., None], *words: object) -> Iterator[Running]:
        """Run `function(connection, *words)` in a process that is gone when the block ends."""
        running = Running(self._context, function, words)
        try:
            yield running
        finally:
            running.close()

    def call(self, function: Callable[..., None], *words: object) -> Any:
        """Run such a function to its end and return the first thing it says."""
        with self.start(function, *words) as running:
            said = running.hear()
            assert running.end() == 0
            return said


def _nothing(connection: Connection) -> None:
    connection.send("ready")
