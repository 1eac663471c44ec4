"""The program as a process: exit codes, failures, interruptions, and what stands on which stream."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from memorypane.cli import groups
from memorypane.cli.main import main
from tests.cli.inside import Inside
from tests.support import Program, wait_until


def test_help_names_every_command_and_the_shared_options(inside: Inside) -> None:
    code, out, err = inside.run("--help")
    assert (code, err) == (0, "")
    for _, names in groups.GROUPS:
        for name in names:
            assert f"\n    {name} " in out
    for option in ("--home", "--channel", "--json", "--debug", "--version"):
        assert option in out
    assert not inside.home.root.exists()


def test_the_version_is_known_beside_other_options(inside: Inside) -> None:
    assert inside.run("--version")[1].startswith("memorypane ")


def test_failures_go_to_stderr_for_people_and_to_stdout_for_programs(inside: Inside) -> None:
    code, out, err = inside.run("show", "nope")
    assert (code, out) == (1, "")
    assert err.startswith("memorypane: ")
    code, out, err = inside.run("show", "nope", "--json")
    assert (code, err) == (1, "")
    assert json.loads(out)["error"]["code"] == "not_found"


def test_a_word_after_a_double_dash_is_no_option(inside: Inside) -> None:
    code, out, _ = inside.run("search", "--", "--json")
    assert (code, out) == (0, "No entry matches “--json”.\n")


@pytest.mark.parametrize("words", [("--help",), ("channel", "list"), ("show", "nope", "--json")])
def test_a_reader_that_goes_away_is_no_failure_to_talk_about(program: Program, words: tuple[str, ...]) -> None:
    child = program.start(*words, stderr=subprocess.PIPE, env={"PYTHONUNBUFFERED": None})
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == b""
    assert child.wait(timeout=30) == 141


@pytest.mark.parametrize("words", [["channel", "list"], ["channel", "list", "--json"], ["show", "nothing", "--json"], ["--help"]])
def test_a_full_disk_behind_the_output_is_told(program: Program, words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*program.command, *words], stdout=full, stderr=subprocess.PIPE, env=program.environment(), check=False, timeout=60
        )
    assert ended.returncode == 1
    assert b"No space left" in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_an_interrupt_ends_the_program_quietly(program: Program, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = program.start("add", "--tier", "system", "--name", "x", "--file", pipe, stderr=subprocess.PIPE)
    opened: list[int] = []

    def somebody_reads() -> bool:
        with suppress(OSError):
            opened.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        return bool(opened)

    assert wait_until(somebody_reads, seconds=30)
    # One interrupt may come in the moment between Python's last look and the read that then waits; a person presses the keys again.
    for _ in range(30):
        child.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            child.wait(timeout=1)
            break
    assert child.returncode == 130
    os.close(opened[0])
    assert child.stderr is not None
    assert child.stderr.read() == b""


BUG = """
import sys
import memorypane.cli.run
def broken(arguments):
    raise KeyError("lost")
memorypane.cli.run.run = broken
from memorypane.cli.main import main
sys.exit(main())
"""


@pytest.mark.parametrize("debug", [False, True])
def test_a_bug_is_one_sentence_and_shows_its_place_on_request(program: Program, debug: bool) -> None:
    words = ["--json", *(["--debug"] if debug else [])]
    ended = subprocess.run(
        [sys.executable, "-c", BUG, "list", *words], capture_output=True, text=True, env=program.environment(), check=False, timeout=60
    )
    assert ended.returncode == 1
    assert "KeyError" in json.loads(ended.stdout)["error"]["message"]
    assert ("Traceback" in ended.stderr) is debug


def test_output_is_utf8_or_escaped_whatever_the_locale(program: Program) -> None:
    program.json("add", "--tier", "system", "--name", "日本", "--content", "x")
    for encoding in ("ascii", "utf-8", "latin-1"):
        answer = program.json("list", env={"PYTHONIOENCODING": encoding})
        assert answer["entries"][0]["name"] == "日本"
        assert program.run("list", env={"PYTHONIOENCODING": encoding}).returncode == 0


def test_the_window_needs_a_display(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    error = inside.refusal()
    assert error["code"] == "unavailable"
    assert "display" in error["message"]


def test_main_takes_words_and_returns_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    hook = sys.excepthook
    assert main(["--version"]) == 0
    assert main(["lst", "--json"]) == 2
    assert sys.excepthook is hook
    assert "memorypane" in capsys.readouterr().out
