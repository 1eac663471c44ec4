"""Merging three texts line by line: what one side changed goes in, what both changed differently is left to decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memorypane.model.align import gaps
from memorypane.model.lines import align_lines, ends_open, join_lines, split_lines

__all__ = ["Merge", "Piece", "merge"]

Kind = Literal["same", "mine", "theirs", "both", "conflict"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the three texts.

    Kinds: `same` in all three; changed by `mine` or `theirs` alone; changed alike by `both`; or a `conflict`. The lines are without their
    newlines, the starts are line numbers from 1: of the first line, or of the one it would stand before.
    """

    kind: Kind
    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]
    base_start: int
    mine_start: int
    theirs_start: int

    @property
    def merged(self) -> tuple[str, ...]:
        """The lines that go into the result by themselves; none for a conflict."""
        return {"same": self.base, "mine": self.mine, "theirs": self.theirs, "both": self.mine, "conflict": ()}[self.kind]


class _Ends(NamedTuple):
    """Whether each text lacks the newline of its last line."""

    base: bool
    mine: bool
    theirs: bool

    def merged(self) -> bool:
        """The one that was changed, if any was."""
        return self.mine if self.theirs == self.base else self.theirs


@dataclass(frozen=True, slots=True)
class Merge:
    """Three texts merged: the pieces in order, whether none is a conflict, and the merged text if so ("" else)."""

    pieces: tuple[Piece, ...]
    clean: bool
    text: str
    ends: _Ends

    def resolve(self, choices: Sequence[str]) -> str:
        r"""The text that results with one choice for each conflict, in order; `ValueError` if there are more or fewer.

        `theirs`, `mine` and `base` take that side's lines, `both` theirs and then mine. Any other choice is the text to stand there, and
        should end with a newline, so that none is taken for one of the four words.
        """
        if len(choices) != sum(piece.kind == "conflict" for piece in self.pieces):
            raise ValueError("One choice is needed for each conflict.")
        rest = iter(choices)
        lines: list[str] = []
        open_end = self.ends.merged()
        for piece in self.pieces:
            if piece.kind != "conflict":
                lines += piece.merged
                open_end = self.ends.merged()
                continue
            choice = next(rest)
            chosen = _chosen(piece, choice)
            lines += chosen
            if chosen and choice in {"theirs", "mine", "base"}:
                # The last line comes with its own end.
                open_end = getattr(self.ends, choice)
        return join_lines(lines, open_end=open_end)


def merge(base: str, mine: str, theirs: str) -> Merge:
    """Merge what two texts made of `base`. Changes that overlap or touch are a conflict unless they are the same on both sides.

    `merge(b, x, b)`, `merge(b, b, x)` and `merge(b, x, x)` give `x`; exchanging the sides exchanges nothing but the kinds' names. A missing
    newline at the end is merged like a line of its own.
    """
    texts = _Texts(split_lines(base), split_lines(mine), split_lines(theirs))
    pieces = tuple(texts.pieces())
    ends = _Ends(ends_open(base), ends_open(mine), ends_open(theirs))
    clean = all(piece.kind != "conflict" for piece in pieces)
    made = Merge(pieces, clean, "", ends)
    return Merge(pieces, clean, made.resolve(()), ends) if clean else made


def _chosen(piece: Piece, choice: str) -> Sequence[str]:
    named = {"theirs": piece.theirs, "mine": piece.mine, "base": piece.base, "both": (*piece.theirs, *piece.mine)}
    return named[choice] if choice in named else split_lines(choice)


class _Texts:
    """The three texts as lines, walked through side by side."""

    def __init__(self, base: list[str], mine: list[str], theirs: list[str]) -> None:
        self._base = base
        self._mine = mine
        self._theirs = theirs
        self._at = self._mine_at = self._theirs_at = 0

    def pieces(self) -> Iterator[Piece]:
        """Unchanged stretches and places that changed, in turn."""
        for start, end, grown, theirs_grown in self._places():
            yield from self._piece("same", start - self._at, start - self._at, start - self._at)
            size = end - start
            yield from self._changed(size, size + grown, size + theirs_grown)
        size = len(self._base) - self._at
        yield from self._piece("same", size, size, size)

    def _places(self) -> Iterator[tuple[int, int, int, int]]:
        """Places of the base that either side changed, and by how many lines each side made them longer; touching changes are one place."""
        changes = sorted(
            [(*gap, True) for gap in gaps(align_lines(self._base, self._mine), len(self._base), len(self._mine))]
            + [(*gap, False) for gap in gaps(align_lines(self._base, self._theirs), len(self._base), len(self._theirs))]
        )
        at = 0
        while at < len(changes):
            start, end = changes[at][:2]
            grown = {True: 0, False: 0}
            while at < len(changes) and changes[at][0] <= end:
                old_start, old_end, new_start, new_end, ours = changes[at]
                end = max(end, old_end)
                grown[ours] += new_end - new_start - (old_end - old_start)
                at += 1
            yield start, end, grown[True], grown[False]

    def _changed(self, base: int, mine: int, theirs: int) -> Iterator[Piece]:
        """A place that changed; what both sides begin or end alike is taken out of a conflict."""
        ours = self._mine[self._mine_at : self._mine_at + mine]
        others = self._theirs[self._theirs_at : self._theirs_at + theirs]
        kind = _kind(self._base[self._at : self._at + base], ours, others)
        if kind != "conflict":
            yield from self._piece(kind, base, mine, theirs)
            return
        before, after = _alike(ours, others)
        if base and min(mine, theirs) == before + after:
            # The one side's change is the whole of the other's beginning or end: the place reads better undivided.
            before = after = 0
        yield from self._piece("both", 0, before, before)
        kind = _kind(self._base[self._at : self._at + base], ours[before : mine - after], others[before : theirs - after])
        yield from self._piece(kind, base, mine - before - after, theirs - before - after)
        yield from self._piece("both", 0, after, after)

    def _piece(self, kind: Kind, base: int, mine: int, theirs: int) -> Iterator[Piece]:
        """The next piece with so many lines of each text; none if it has no lines at all."""
        if not base and not mine and not theirs:
            return
        at, mine_at, theirs_at = self._at, self._mine_at, self._theirs_at
        self._at, self._mine_at, self._theirs_at = at + base, mine_at + mine, theirs_at + theirs
        yield Piece(
            kind,
            tuple(self._base[at : self._at]),
            tuple(self._mine[mine_at : self._mine_at]),
            tuple(self._theirs[theirs_at : self._theirs_at]),
            at + 1,
            mine_at + 1,
            theirs_at + 1,
        )


def _kind(base: list[str], mine: list[str], theirs: list[str]) -> Kind:
    if mine == theirs:
        return "both"
    if theirs == base:
        return "mine"
    return "theirs" if mine == base else "conflict"


def _alike(mine: list[str], theirs: list[str]) -> tuple[int, int]:
    """How many lines both begin and end with alike; no line is counted twice."""
    shorter = min(len(mine), len(theirs))
    before = 0
    while before < shorter and mine[before] == theirs[before]:
        before += 1
    after = 0
    while after < shorter - before and mine[-1 - after] == theirs[-1 - after]:
        after += 1
    return before, after
