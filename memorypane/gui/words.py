"""How numbers, times, sizes and writers read; pure functions of plain values, one place for the words that recur."""

from __future__ import annotations

import time
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from memorypane.model.values import HUMAN, Agent, EntryInfo, agent_of

__all__ = [
    "actor_words", "age", "agent_words", "claim", "contradicts", "count", "entries_words", "moment", "now_ms", "row_words", "size", "span",
    "tokens", "when",
]

_MINUTE, _HOUR, _DAY = 60_000, 3_600_000, 86_400_000
_QUIET_SOURCES = frozenset({"", "agent_inferred", "unstated"})


def _tr(text: str) -> str:
    return QCoreApplication.translate("words", text)


def now_ms() -> int:
    """The time now in ms UTC."""
    return time.time_ns() // 1_000_000


def count(number: int) -> str:
    """A whole number with separators: 4,910."""
    return f"{number:,}"


def size(number: int) -> str:
    """A size in bytes as people read it: 612 B, 1.8 KB, 2.4 MB (1 KB = 1,024 bytes)."""
    if number < 1024:
        return f"{number} B"
    if number / 1024 < 999.95:
        return f"{number / 1024:.1f} KB"
    return f"{number / 1024 / 1024:.1f} MB"


def tokens(number: int) -> str:
    """An estimated number of tokens: about 520 tokens."""
    return _tr("about {number} tokens").format(number=count(number))


def entries_words(number: int) -> str:
    """1 entry, 9 entries."""
    return _tr("1 entry") if number == 1 else _tr("{number} entries").format(number=count(number))


def _local(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000).astimezone()


def _format(at: int, pattern: str) -> str:
    return QLocale(QLocale.Language.English).toString(QDateTime.fromMSecsSinceEpoch(at), pattern)


def age(at: int, now: int) -> str:
    """How long ago, as short as a list needs it: now, 3 min, 5 h, 2 d, 12 Mar, Mar 2024."""
    passed = now - at
    if at <= 0:
        return ""
    if passed < _MINUTE:
        return _tr("now")
    if passed < _HOUR:
        return _tr("{number} min").format(number=passed // _MINUTE)
    if passed < _DAY:
        return _tr("{number} h").format(number=passed // _HOUR)
    if passed < 7 * _DAY:
        return _tr("{number} d").format(number=passed // _DAY)
    return _format(at, "d MMM" if _local(at).year == _local(now).year else "MMM yyyy")


def span(length: int) -> str:
    """A duration in ms: 42 min, 3 h, 2 d; under a minute it is "under 1 min"."""
    if length < _MINUTE:
        return _tr("under 1 min")
    if length < _HOUR:
        return _tr("{number} min").format(number=length // _MINUTE)
    if length < 2 * _DAY:
        return _tr("{number} h").format(number=length // _HOUR)
    return _tr("{number} d").format(number=length // _DAY)


def when(at: int, now: int) -> str:
    """A moment by day and time: today 14:06, yesterday 09:31, 10 Mar 09:31, 10 Mar 2024 09:31."""
    if at <= 0:
        return _tr("never")
    days = _local(now).date().toordinal() - _local(at).date().toordinal()
    clock = _format(at, "HH:mm")
    if days == 0:
        return _tr("today {clock}").format(clock=clock)
    if days == 1:
        return _tr("yesterday {clock}").format(clock=clock)
    return _format(at, "d MMM HH:mm" if _local(at).year == _local(now).year else "d MMM yyyy HH:mm")


def moment(at: int) -> str:
    """A moment in full: 28 February 2026, 16:42."""
    return _format(at, "d MMMM yyyy, HH:mm") if at > 0 else _tr("never")


def actor_words(actor: str) -> str:
    """Who did it, in one word: you, the agent's name, import, watch."""
    if actor == HUMAN:
        return _tr("you")
    return agent_of(actor) or actor


def claim(actor: str, source: str) -> str:
    """The claimed source as a list shows it, "" for the ones that say nothing: the defaults, and whatever is not an agent's word."""
    return "" if source in _QUIET_SOURCES or not agent_of(actor) else _tr("claims {source}").format(source=source)


def contradicts(actor: str, source: str) -> bool:
    """Whether the claim says something else than the server knows."""
    return source == HUMAN and actor != HUMAN


def row_words(info: EntryInfo, agent: Agent | None, now: int) -> str:
    """A list row in words: what a screen reader says for it."""
    parts = []
    if info.unreviewed:
        parts.append(_tr("unreviewed"))
    if info.held:
        parts.append(_tr("a change waits"))
    if info.pinned:
        parts.append(_tr("pinned"))
    parts.append(info.title or _tr("without a name"))
    parts.append(_tr("by {actor}").format(actor=actor_words(info.actor)))
    if agent_of(info.actor):
        parts.append(agent_words(agent))
    if words := claim(info.actor, info.source):
        parts.append(words)
    parts.append(size(info.size))
    parts.append(age(info.updated_at, now))
    return ", ".join(parts)


def agent_words(agent: Agent | None) -> str:
    """Verified, not verified or revoked."""
    if agent is not None and agent.revoked:
        return _tr("revoked")
    return _tr("verified") if agent is not None and agent.verified else _tr("not verified")
