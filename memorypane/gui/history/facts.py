"""What a version row says, in words; pure functions of versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from memorypane.gui import words
from memorypane.gui.places import shelf_title
from memorypane.model.values import HUMAN, Action, EntryInfo, Status, Version, agent_of

__all__ = [
    "Lines", "Pair", "action_words", "between", "can_revert", "claim_words", "default_pair", "differences", "head_words", "row_words",
    "with_words",
]

Lines = Mapping[str, tuple[int, int]]
"""Lines added and removed against the version before, by version id, as far as they were counted."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("history", text)


def action_words(version: Version, numbers: Mapping[str, int]) -> str:
    """What the version did; a revert names the version it went back to, if that is known (`numbers` by version id)."""
    if version.action is Action.REVERT and (number := numbers.get(str(version.detail.get("reverted_to", "")))):
        return _tr("revert to {number}").format(number=number)
    if version.proposal_id:
        return _tr("{action}, approved").format(action=version.action)
    return str(version.action)


def claim_words(version: Version) -> str:
    """The source that the writer claims, "" where nothing is claimed or a person needs no claim."""
    quiet = version.source in {"", "unstated"} or version.actor == HUMAN
    return "" if quiet else version.source


def with_words(version: Version) -> str:
    """Through what it was written: the tool, or window, command, import."""
    origin = str(version.detail.get("origin", ""))
    if version.action is Action.IMPORT and origin:
        return _tr("import from {origin}").format(origin=origin)
    return version.tool or version.via


def head_words(version: Version, now: int) -> str:
    """Who wrote it and when, for the head above its text."""
    return f"{words.actor_words(version.actor)}, {words.when(version.created_at, now)}"


def row_words(version: Version, info: EntryInfo, numbers: Mapping[str, int], now: int) -> str:
    """A whole row in words, for those who hear it."""
    parts = [_tr("version {number}").format(number=version.number)]
    if version.number == info.version:
        parts.append(_tr("head"))
    if version.number == info.reviewed:
        parts.append(_tr("kept"))
    parts.append(action_words(version, numbers))
    parts.append(_tr("by {actor}").format(actor=words.actor_words(version.actor)))
    if agent_of(version.actor):
        parts.append(_tr("verified") if version.verified else _tr("not verified"))
    if claim := claim_words(version):
        parts.append(_tr("claims {source}").format(source=claim))
    parts.append(_tr("with {tool}").format(tool=with_words(version)))
    parts.append(words.when(version.created_at, now))
    parts.append(words.size(version.size))
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two versions that are compared, by number; `first` 0 stands for nothing (before the first version)."""

    first: int
    second: int


def default_pair(info: EntryInfo) -> Pair:
    """What is worth seeing first: the changes since the person last kept it, else the last change."""
    if info.unreviewed and 0 < info.reviewed < info.version:
        return Pair(info.reviewed, info.version)
    return Pair(info.version - 1, info.version)


def between(versions: Sequence[Version], pair: Pair) -> str:
    """A note on reverts that lie between the two, since they explain why lines come and go; "" without any."""
    low, high = sorted((pair.first, pair.second))
    reverts = [version for version in versions if low < version.number < high and version.action is Action.REVERT]
    if not reverts:
        return ""
    last = reverts[0]
    if last.actor == HUMAN:
        return _tr("across your revert in {number}").format(number=last.number)
    return _tr("across the revert in {number}").format(number=last.number)


def differences(old: Version | None, new: Version) -> tuple[str, ...]:
    """Sentences about what differs besides the text: name, description, place, pin, status."""
    if old is None:
        return ()
    before, after = old.state, new.state
    found = []
    if before.name != after.name:
        found.append(_tr("Renamed from “{old}” to “{new}”.").format(old=before.name, new=after.name))
    if before.description != after.description:
        found.append(_tr("Description changed from “{old}” to “{new}”.").format(old=before.description, new=after.description))
    if before.kind != after.kind:
        found.append(_tr("Kind changed from {old} to {new}.").format(old=before.kind or "–", new=after.kind or "–"))
    if (before.tier, before.shelf) != (after.tier, after.shelf):
        old_place, new_place = shelf_title(before.tier, before.shelf), shelf_title(after.tier, after.shelf)
        found.append(_tr("Moved from {old} to {new}.").format(old=old_place, new=new_place))
    if before.pinned != after.pinned:
        found.append(_tr("Pinned.") if after.pinned else _tr("No longer pinned."))
    if before.status != after.status:
        found.append(_tr("Status changed from {old} to {new}.").format(old=before.status, new=after.status))
    if before.evidence != after.evidence:
        found.append(_tr("The evidence changed."))
    return tuple(found)


def can_revert(info: EntryInfo, chosen: Version | None, head: Version | None) -> str:
    """Why a revert to `chosen` is not offered, as a sentence; "" if it is."""
    if info.status is Status.PURGED:
        return _tr("This entry was purged: the texts of its versions are gone.")
    if chosen is None:
        return _tr("There is no earlier version yet.")
    if chosen.number == info.version:
        return _tr("Version {number} is the head. Pick another one under From.").format(number=chosen.number)
    same = head is not None and chosen.content_hash == head.content_hash and chosen.state.name == head.state.name
    if same and info.status is Status.ACTIVE:
        return _tr("Version {number} has the same text as the head.").format(number=chosen.number)
    return ""
