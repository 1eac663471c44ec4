"""The plain values of an import from files: where a text came from, what is planned, what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["FORMAT", "ImportPlan", "ImportReport", "ItemReport", "Origin", "Planned", "Skipped"]

FORMAT = "instruction-files"
"""The word for instruction files in reports and as `--format`."""


@dataclass(frozen=True, slots=True)
class Origin:
    r"""The place a text was read from: what makes a second import find its entry again.

    `file` is the absolute path (bytes that are not UTF-8 as `\xNN`), `section` the heading of a part, and `number` tells parts of the
    same heading apart, from 1; the text before the first heading has `number` 0, a whole file -1.
    """

    file: str
    section: str = ""
    number: int = -1

    @property
    def key(self) -> str:
        """One line that equals another's only for the same place, such as `/code/app/CLAUDE.md#1:Testing`."""
        return self.file if self.number < 0 else f"{self.file}#{self.number}:{self.section}"


@dataclass(frozen=True, slots=True)
class Planned:
    """One entry to be: `heading` is "" for a whole file; `detail` holds what the file said about itself."""

    source: str
    name: str
    heading: str
    description: str
    content: str
    origin: Origin
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was looked at and is no entry, with the reason in a sentence."""

    source: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would write, in the order of the sources; made by reading files alone."""

    format: str
    items: tuple[Planned | Skipped, ...]


@dataclass(frozen=True, slots=True)
class ItemReport:
    """What became of one item: `outcome` is one of `added unchanged updated held skipped`."""

    source: str
    name: str
    outcome: str
    entry_id: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a plan; with `dry_run` nothing was written."""

    format: str
    items: tuple[ItemReport, ...]
    dry_run: bool = False

    def count(self, outcome: str) -> int:
        """How many items had that outcome."""
        return sum(item.outcome == outcome for item in self.items)
