"""How a waiting change reads: what it does, why it waits, what was found in it; pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from memorypane.gui import words
from memorypane.model.review import ReviewChange, ReviewDetail, ReviewItem
from memorypane.model.values import Action, Finding

__all__ = ["Reason", "action_words", "finding_words", "heading", "item_words", "place_in_text", "reasons", "second_line"]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Review", text)


@dataclass(frozen=True, slots=True)
class Reason:
    """One line of the panel of reasons; a finding names its span, `finding` is its number in the item or -1."""

    icon: str
    text: str
    color: Literal["warning", "muted"] = "muted"
    quote: str = ""
    place: str = ""
    finding: int = -1


def action_words(item: ReviewItem) -> str:
    """What the change does, in a word or two."""
    said = {
        Action.CREATE: _tr("new"), Action.EDIT: _tr("edit"), Action.REMOVE: _tr("removal"), Action.SUPPRESS: _tr("forgets a record"),
        Action.SUPERSEDE: _tr("correction"), Action.REVERT: _tr("revert"), Action.RESTORE: _tr("restore"),
    }.get(item.action, item.action.value)
    if item.changes > 1:
        return _tr("{number} changes").format(number=item.changes)
    if "human_head" in item.reasons:
        return _tr("removes your text") if item.action is Action.REMOVE else _tr("edits your text")
    if "pinned" in item.reasons:
        return _tr("removes a pinned entry") if item.action is Action.REMOVE else _tr("edits a pinned entry")
    return said


def second_line(item: ReviewItem) -> tuple[tuple[str, str], ...]:
    """The words of a row's second line with their colours, most important first."""
    found: list[tuple[str, str]] = [(action_words(item), "muted")]
    if item.findings:
        number = len(item.findings)
        found.append((_tr("1 finding") if number == 1 else _tr("{number} findings").format(number=number), "warning"))
    if item.stale:
        found.append((_tr("stale"), "warning"))
    if "unverified" in item.reasons:
        found.append((_tr("unverified writer"), "muted"))
    if "new_workspace" in item.reasons:
        found.append((_tr("new folder"), "muted"))
    return tuple(found)


def item_words(item: ReviewItem, now: int) -> str:
    """A row in words, for screen readers."""
    lane = _tr("held") if item.lane == "held" else _tr("unreviewed")
    parts = [lane, item.name or item.excerpt, _tr("by {actor}").format(actor=words.actor_words(item.actor))]
    return ", ".join([*parts, *(said for said, _ in second_line(item)), words.age(item.created_at, now)])


def heading(detail: ReviewDetail) -> str:
    """The sentence over the name: what is proposed, and what agents see meanwhile."""
    item, change = detail.item, detail.changes[0]
    if item.lane == "unreviewed":
        if item.action is Action.REMOVE:
            return _tr("Removed by an agent  ·  live, not reviewed yet")
        kept = _tr("since version {number}, which you kept").format(number=change.base)
        since = kept if change.base else _tr("new since you looked last")
        return _tr("Live, not reviewed yet  ·  {since}").format(since=since)
    if change.action is Action.CREATE:
        return _tr("Proposed new entry  ·  not live")
    verb = _tr("removal") if change.action is Action.REMOVE else _tr("edit")
    return _tr("Proposed {verb} of version {number}  ·  not live, agents still see version {number}").format(verb=verb, number=change.base)


def reasons(detail: ReviewDetail) -> tuple[Reason, ...]:
    """Why it waits: findings first, then the rules that held it, then what stands in the way."""
    item = detail.item
    found = [_finding_reason(finding, number, detail.changes) for number, finding in enumerate(item.findings)]
    source, base = item.source, max((change.base for change in detail.changes), default=0)
    sentences = {
        "jekt": ("message-square-warning", _tr("Claims to come from another agent (jekt), which cannot be checked")),
        "unverified": ("circle-question-mark", _tr("The writer has no token, so nobody knows who it is")),
        "human_head": ("user-round", _tr("Changes text that you wrote (version {number})").format(number=base)),
        "kept": ("user-round", _tr("Changes text that you kept and another agent wrote")),
        "pinned": ("pin", _tr("Changes an entry that you pinned")),
        "asks_pinned": ("pin", _tr("Asks for the entry to be pinned")),
        "asks_purge": ("trash", _tr("Asks for the entry to be erased for good")),
        "strict": ("shield", _tr("The policy holds every write of an agent here")),
        "new_workspace": ("folder", _tr("The folder is new; confirm it once and agents may write there")),
        "rejected_before": ("rotate-ccw", _tr("You turned the same text down before")),
        "foreign_system": ("shield", _tr("Comes from a system entry of somebody else's file")),
    }
    for reason in item.reasons:
        if reason in sentences:
            icon, text = sentences[reason]
            found.append(Reason(icon, text))
    if source == "human" and item.lane == "unreviewed":
        found.append(Reason("message-square-warning", _tr("Claims that you said it, which cannot be checked"), "warning"))
    if detail.merged:
        found.append(Reason("git-merge", _tr("The entry moved since; the change was merged with what stands now")))
    if detail.conflict:
        sentence = _tr("The entry moved since, and the two changes touch the same lines. Edit it, then approve.")
        found.append(Reason("git-merge", sentence, "warning"))
    return tuple(found)


def finding_words(kind: str) -> str:
    """What a kind of finding is called."""
    return {
        "lookalike": _tr("Name that looks like another"), "injection": _tr("Injection wording"), "forged_heading": _tr("Forged heading"),
        "hidden_characters": _tr("Hidden characters"), "credential": _tr("Credential"),
    }.get(kind, kind)


def _finding_reason(finding: Finding, number: int, changes: Sequence[ReviewChange]) -> Reason:
    text = next((change.after_text for change in changes if finding.field == "content" and finding.end <= len(change.after_text)), "")
    quote = finding.text or text[finding.start:finding.end]
    place = place_in_text(text, finding.start, finding.end) if text else _tr("in the {field}").format(field=finding.field)
    visible = "".join(sign if sign.isprintable() else f"U+{ord(sign):04X}" for sign in quote[:60])
    return Reason("triangle-alert", _tr("{kind}:").format(kind=finding_words(finding.kind)), "warning", visible, place, number)


def place_in_text(text: str, start: int, end: int) -> str:
    """Where a span stands: line 10, characters 3–29 (counted from 1)."""
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1)
    return _tr("line {line}, characters {first}–{last}").format(line=line, first=column + 1, last=column + max(1, end - start))
