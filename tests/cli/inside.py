"""Runs command lines inside the test's own process, for the many cases that need no process of their own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memorypane.cli.main import main
from memorypane.home.paths import Home

__all__ = ["CODES", "Inside"]

CODES = {"invalid_input", "not_found", "ambiguous", "conflict", "over_limit", "duplicate_name", "not_allowed", "secret", "unavailable"}


class Inside:
    """The program's `main` on one home."""

    def __init__(self, home: Home, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._capsys = capsys

    def run(self, *words: str) -> tuple[int, str, str]:
        """Exit code, output and errors of `memorypane WORDS`."""
        self._capsys.readouterr()
        code = main(["--home", str(self.home.root), *words])
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *words: str, exit_code: int = 0) -> Any:
        """The object that `memorypane --json WORDS` prints."""
        code, out, err = self.run("--json", *words)
        assert code == exit_code, f"exit {code}: {out}{err}"
        assert err == ""
        return json.loads(out)

    def refusal(self, *words: str, exit_code: int = 1) -> dict[str, Any]:
        """The error of a command that fails: a sentence with a known code and nothing beside it."""
        answer = self.json(*words, exit_code=exit_code)
        assert set(answer) == {"error"}
        error: dict[str, Any] = answer["error"]
        assert error["code"] in CODES
        assert error["message"].endswith((".", "?"))
        return error
