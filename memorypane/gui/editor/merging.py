"""Three texts merged step by step: which conflict is decided how, and what that makes of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorypane.model.lines import join_lines
from memorypane.model.merge import Merge, Piece

__all__ = ["Choice", "Decisions", "Pick"]

Pick = Literal["theirs", "mine", "both", "own"]


@dataclass(frozen=True, slots=True)
class Choice:
    """How one conflict is decided; `lines` are the lines that stand in the result then."""

    pick: Pick
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    choices: tuple[Choice | None, ...]


class Decisions:
    """The conflicts of one merge with what was chosen so far; every choice can be undone and done again."""

    def __init__(self, merged: Merge) -> None:
        self.merged = merged
        self.conflicts: tuple[int, ...] = tuple(index for index, piece in enumerate(merged.pieces) if piece.kind == "conflict")
        self._now = _Step((None,) * len(self.conflicts))
        self._past: list[_Step] = []
        self._future: list[_Step] = []

    @property
    def choices(self) -> tuple[Choice | None, ...]:
        """One entry a conflict, None where it is open."""
        return self._now.choices

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers of the conflicts that are not decided, from 0."""
        return tuple(number for number, choice in enumerate(self.choices) if choice is None)

    @property
    def merged_count(self) -> int:
        """How many changes went in by themselves."""
        return sum(piece.kind in ("mine", "theirs", "both") for piece in self.merged.pieces)

    def piece(self, number: int) -> Piece:
        """The piece of a conflict."""
        return self.merged.pieces[self.conflicts[number]]

    def decide(self, number: int, pick: Pick, own: Sequence[str] = ()) -> None:
        """Choose for one conflict; `own` are the lines of an answer written by hand."""
        piece = self.piece(number)
        lines = {"theirs": piece.theirs, "mine": piece.mine, "both": (*piece.theirs, *piece.mine), "own": tuple(own)}[pick]
        self._change(number, Choice(pick, tuple(lines)))

    def reopen(self, number: int) -> None:
        """Take one choice back."""
        self._change(number, None)

    def _change(self, number: int, choice: Choice | None) -> None:
        if self.choices[number] != choice:
            self._past.append(self._now)
            self._future.clear()
            changed = list(self.choices)
            changed[number] = choice
            self._now = replace(self._now, choices=tuple(changed))

    def undo(self) -> bool:
        """Take the last choice back; false if there is none."""
        if not self._past:
            return False
        self._future.append(self._now)
        self._now = self._past.pop()
        return True

    def redo(self) -> bool:
        """Do again what was undone; false if there is nothing."""
        if not self._future:
            return False
        self._past.append(self._now)
        self._now = self._future.pop()
        return True

    def text(self) -> str:
        """The merged text; open conflicts stand with both answers, theirs first."""
        return self.merged.resolve([_answer(choice) for choice in self.choices])


def _answer(choice: Choice | None) -> str:
    """A choice as the merge takes it; own words are given as text."""
    if choice is None:
        return "both"
    return join_lines(choice.lines, open_end=False) if choice.pick == "own" else choice.pick
