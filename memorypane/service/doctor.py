"""Looks whether everything about a store is sound, and says what to do where it is not."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

from memorypane.home.paths import Home
from memorypane.service.purging import finish_pending
from memorypane.store import health
from memorypane.store.store import Store

__all__ = ["Check", "Checkup", "examine"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `detail` says what is wrong, or what was found fine."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Checkup:
    """All checks of one store."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.ok for check in self.checks)


def examine(store: Store, home: Home, *, repair: bool) -> Checkup:
    """Check a store and its files; `repair` rebuilds what can be made again from the entries (the index), and never deletes memory."""
    if repair:
        store.write(health.repair_index)
    checks = [_check(name, store.read(look)) for name, look in health.CHECKS]
    checks.append(_check("permissions", _permissions(home, store.path)))
    checks.append(
        _check(
            "erasures", "" if finish_pending(store) else "erased words may still stand in the file; close other programs and run this again"
        )
    )
    return Checkup(tuple(checks))


def _check(name: str, problem: str) -> Check:
    return Check(name, not problem, problem or "fine")


def _permissions(home: Home, path: Path) -> str:
    open_to_others = [place for place in (home.root, path) if stat.S_IMODE(place.stat().st_mode) & 0o077]
    return (
        f"others may look into {', '.join(str(place) for place in open_to_others)}; take their permissions away" if open_to_others else ""
    )
