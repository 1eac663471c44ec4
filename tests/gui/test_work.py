"""Work off the window's thread: answers, failures, askers that are gone, questions that were replaced."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QObject
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError, NotFound


class Asker(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []

    def take(self, answer: object) -> None:
        self.answers.append(answer)


def test_an_answer_arrives_in_the_thread_that_asked(work: Work, qtbot: QtBot) -> None:
    seen: list[tuple[str, bool]] = []
    here = threading.get_ident()
    work.run(lambda: threading.get_ident(), done=lambda there: seen.append(("done", there != here and threading.get_ident() == here)))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [("done", True)]


def test_a_failure_of_ours_is_told_and_not_raised(work: Work, qtbot: QtBot) -> None:
    def fail() -> None:
        raise NotFound("Nothing there.")

    failures: list[MemoryPaneError] = []
    work.run(fail, failed=failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert failures[0].message == "Nothing there."


def test_a_bug_is_raised_where_the_window_sees_it(work: Work, qtbot: QtBot) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with capture_exceptions() as caught:
        work.run(fail)
        qtbot.waitUntil(lambda: not work.busy)
    assert [kind for kind, _, _ in caught] == [ZeroDivisionError]


def test_an_asker_that_is_gone_gets_no_answer(work: Work, qtbot: QtBot) -> None:
    gate = threading.Event()
    asker = Asker()
    answers = asker.answers
    work.run(gate.wait, 10, done=asker.take)
    asker.deleteLater()
    del asker
    gate.set()
    qtbot.waitUntil(lambda: not work.busy)
    assert answers == []


def test_a_later_question_of_the_same_key_replaces_the_earlier(work: Work, qtbot: QtBot) -> None:
    gate = threading.Event()
    asker = Asker()
    work.run(gate.wait, 10, lane="read")
    for number in range(5):
        work.run(int, number, done=asker.take, key="list")
    gate.set()
    qtbot.waitUntil(lambda: not work.busy)
    assert asker.answers == [4]


def test_keys_of_different_askers_do_not_meet(work: Work, qtbot: QtBot) -> None:
    first, second = Asker(), Asker()
    work.run(int, 1, done=first.take, key="list")
    work.run(int, 2, done=second.take, key="list")
    qtbot.waitUntil(lambda: not work.busy)
    assert (first.answers, second.answers) == ([1], [2])


def test_writes_keep_their_order(work: Work, qtbot: QtBot) -> None:
    order: list[int] = []
    for number in range(50):
        work.write(order.append, number)
    qtbot.waitUntil(lambda: not work.busy)
    assert order == list(range(50))


def test_a_slow_read_does_not_hold_a_write(work: Work, qtbot: QtBot) -> None:
    gate = threading.Event()
    done: list[int] = []
    work.run(gate.wait, 10)
    work.write(int, 1, done=done.append)
    qtbot.waitUntil(lambda: done == [1])
    gate.set()


def test_a_dropped_job_never_answers(work: Work, qtbot: QtBot) -> None:
    asker = Asker()
    job = work.run(int, 1, done=asker.take)
    job.drop()
    qtbot.waitUntil(lambda: not work.busy)
    assert asker.answers == []


def test_closing_ends_the_threads_and_drops_what_waits(qtbot: QtBot) -> None:
    work = Work()
    gate = threading.Event()
    asker = Asker()
    work.run(gate.wait, 10)
    work.run(int, 1, done=asker.take)
    gate.set()
    work.close()
    work.deleteLater()
    assert asker.answers == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("memorypane-")]


def test_nothing_runs_after_closing(qtbot: QtBot) -> None:
    work = Work()
    work.close()
    with pytest.raises(RuntimeError):
        work.run(int, 1)
    work.deleteLater()


def test_what_was_to_be_written_is_written_before_the_end(qtbot: QtBot) -> None:
    work = Work()
    gate, written = threading.Event(), list[int]()
    work.write(gate.wait, 10)
    for number in range(5):
        work.write(written.append, number)
    gate.set()
    work.close()
    work.deleteLater()
    assert written == [0, 1, 2, 3, 4]
