"""The one place that prints: an object for programs, aligned text for people, nothing that steers a terminal."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TextIO

from memorypane.model.errors import Unavailable

__all__ = ["Output", "age", "cut", "harmless", "one_line", "shown_size", "shown_time", "table", "write_output"]

# Control characters but tab and newline, what reorders or hides text, and halves of surrogate pairs.
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Output:
    """What a command has to say: `data` for `--json` (None = nothing), `text` for people, and the exit code."""

    data: Mapping[str, Any] | None
    text: str
    code: int = 0


def harmless(text: str) -> str:
    """Replace what steers a terminal or hides text by its visible code, such as `<U+001B>`."""
    return STEERING.sub(lambda found: f"<U+{ord(found.group()):04X}>", text)


def one_line(text: str) -> str:
    """The text as one harmless line."""
    return harmless(" ".join(text.split()))


def cut(text: str, columns: int) -> str:
    """Shorten a line to so many terminal columns, with an ellipsis where something went."""
    if _width(text) <= columns:
        return text
    kept, used = [], 1
    for character in text:
        used += _width(character)
        if used > columns:
            break
        kept.append(character)
    return "".join(kept) + "…"


def shown_time(at: int) -> str:
    """A time in ms UTC as local date and minute; a dash for none."""
    if not at:
        return "–"
    return datetime.fromtimestamp(at / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def age(at: int, now: int) -> str:
    """How long ago `at` was (both ms UTC), in the largest whole unit."""
    seconds = max(0, now - at) // 1000
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return "now"


def shown_size(size: int) -> str:
    """A size in bytes as people read it."""
    if size < 1000:
        return f"{size} B"
    if size < 1_000_000:
        return f"{size / 1000:.1f} KB"
    return f"{size / 1_000_000:.1f} MB"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: frozenset[int] = frozenset()) -> str:
    """Lay out rows under a head in columns of equal width; `right` holds the numbers of right-aligned columns."""
    lines = [[one_line(cell) for cell in row] for row in (head, *rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(head))]
    laid = []
    for line in lines:
        cells = []
        for column, cell in enumerate(line):
            gap = " " * (widths[column] - _width(cell))
            cells.append(gap + cell if column in right else cell + gap)
        laid.append("  ".join(cells).rstrip())
    return "\n".join(laid)


def write_output(output: Output, *, as_json: bool, stream: TextIO | None = None) -> None:
    """Print one output and flush it; `BrokenPipeError` passes through, other failures of the stream are `Unavailable`."""
    out = stream or sys.stdout
    if output.data is None:
        return
    if as_json:
        text = json.dumps(output.data, ensure_ascii=not _is_utf8(out), indent=2 if out.isatty() else None)
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    else:
        text = harmless(output.text)
        if not _is_utf8(out):
            encoding = out.encoding or "ascii"
            text = text.encode(encoding, "backslashreplace").decode(encoding)
    try:
        out.write(text)
        if text and not text.endswith("\n"):
            out.write("\n")
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise Unavailable(f"The output could not be written: {problem.strerror or problem}.") from problem


def _is_utf8(stream: TextIO) -> bool:
    """Whether the stream takes every character; streams without an encoding hold text as it is."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "") == "utf8"


def _width(text: str) -> int:
    """How many terminal columns a text takes: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
