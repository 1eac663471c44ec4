"""Interleaved rounds of timed calls, and the table they make."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

__all__ = ["Call", "Row", "Series", "interleave", "percentile", "table"]

Call = Callable[[int], object]
"""One timed call; the number says which in its series it is."""


@dataclass
class Series:
    """One subject doing one thing: what is called, and how long each call took, in milliseconds."""

    subject: str
    operation: str
    size: int
    call: Call
    took: list[float] = field(default_factory=list)

    def percentile(self, percent: float) -> float:
        """The time that so many percent of the calls did not exceed."""
        return percentile(self.took, percent)


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least so many percent of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(0, min(len(ordered), int(rank)) - 1)]


def interleave(series: Sequence[Series], *, rounds: int, calls: int, warm_up: int) -> None:
    """Time the series in turns, a round of each at a time, so that a disturbance of the machine falls on all of them."""
    for one in series:
        for number in range(warm_up):
            one.call(number)
    gc.collect()
    for turn in range(rounds):
        for one in series:
            for number in range(calls):
                started = time.perf_counter()
                one.call(warm_up + turn * calls + number)
                one.took.append((time.perf_counter() - started) * 1000)


@dataclass(frozen=True)
class Row:
    """A line of the table that no series makes by itself: a ratio with the bound it should keep."""

    what: str
    value: float
    bound: str
    kept: bool


def table(series: Sequence[Series], ratios: Sequence[Row]) -> str:
    """The measured series and the ratios as Markdown."""
    lines = ["| operation | subject | entries | n | p50 ms | p95 ms | p99 ms |", "|---|---|---:|---:|---:|---:|---:|"]
    for one in series:
        numbers = " | ".join(f"{one.percentile(percent):.2f}" for percent in (50, 95, 99))
        lines.append(f"| {one.operation} | {one.subject} | {one.size:,} | {len(one.took)} | {numbers} |")
    lines += ["", "| what | value | bound | kept |", "|---|---:|---|---|"]
    lines += [f"| {row.what} | {row.value:.2f} | {row.bound} | {'yes' if row.kept else 'NO'} |" for row in ratios]
    return "\n".join(lines)
