"""Texts as lines, and which lines of two texts correspond, set where a reader would draw the borders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memorypane.model.align import Block, align

__all__ = ["align_lines", "ends_open", "join_lines", "says_something", "split_lines"]

LETTER_OR_DIGIT = re.compile(r"[^\W_]")
FARTHEST = 200
"""How many lines a border may be moved at most, so that long runs of equal lines cost little."""


def split_lines(text: str) -> list[str]:
    r"""The lines of `text`, ended by LF only, without it: "" has none, "a" and "a\n" have one."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def ends_open(text: str) -> bool:
    """Whether the last line lacks its newline; no text at all lacks nothing."""
    return bool(text) and not text.endswith("\n")


def join_lines(lines: Sequence[str], *, open_end: bool) -> str:
    """The text of `lines`; `open_end` leaves the last newline out, unless an empty last line consists of nothing else."""
    text = "\n".join(lines)
    return text if not lines or (open_end and lines[-1]) else f"{text}\n"


def says_something(line: str) -> bool:
    """Whether a line holds a letter or digit, and is more than a blank, a rule or a bracket."""
    return LETTER_OR_DIGIT.search(line) is not None


def align_lines(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """The blocks of equal lines; a removed or added run that could as well begin earlier or later begins where it reads best."""
    blocks = [Block(0, 0, 0), *align(old, new, anchor=says_something), Block(len(old), len(new), 0)]
    for index in range(1, len(blocks)):
        _settle(blocks, index, old, new)
    return [block for block in blocks if block.size]


def _settle(blocks: list[Block], index: int, old: Sequence[str], new: Sequence[str]) -> None:
    """Move the one-sided run before block `index` to the best of the places where it means the same."""
    before, after = blocks[index - 1], blocks[index]
    old_start, new_start = before.old + before.size, before.new + before.size
    if (old_start < after.old) == (new_start < after.new):
        return
    side, start, end = (old, old_start, after.old) if old_start < after.old else (new, new_start, after.new)
    up = down = 0
    # A block that is used up would join this run with another one, unless the texts begin or end there.
    ends = after.old + after.size == len(old) and after.new + after.size == len(new)
    most_up = min(before.size - (before.old > 0 or before.new > 0), FARTHEST)
    most_down = min(after.size - (not ends), FARTHEST)
    while up < most_up and side[start - up - 1] == side[end - up - 1]:
        up += 1
    while down < most_down and side[start + down] == side[end + down]:
        down += 1
    if not up and not down:
        return
    shift = max(range(-up, down + 1), key=lambda by: (_reads_well(side, start + by, end + by), by))
    blocks[index - 1] = Block(before.old, before.new, before.size + shift)
    blocks[index] = Block(after.old + shift, after.new + shift, after.size - shift)


def _reads_well(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """How natural a run from `start` to `end` is: whole sections and paragraphs before parts of them, outer levels before inner ones."""
    first = lines[start]
    opens = start == 0 or not lines[start - 1].strip()
    closes = end == len(lines) or not lines[end - 1].strip() or not lines[end].strip()
    blank_first = not first.strip()
    heading = first.startswith("#") or (end < len(lines) and lines[end].startswith("#"))
    indent = len(first) - len(first.lstrip()) + (len(lines[end]) - len(lines[end].lstrip()) if end < len(lines) else 0)
    return 4 * heading + 2 * opens + closes - 3 * blank_first, -indent
