"""Decides whether an agent's write goes live, waits for a person, or is refused."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memorypane.model.errors import InvalidInput, NotAllowed, SecretRefused
from memorypane.model.shelves import INSTRUCTIONS, Tier
from memorypane.model.values import Change, EntryInfo, Finding, State, Status
from memorypane.service.author import JEKT, Call, is_jekt
from memorypane.store import policy as stored
from memorypane.store import workspaces
from memorypane.store.transaction import Transaction

__all__ = ["DEFAULT_PRESET", "PRESETS", "Verdict", "check_preset", "decide", "rejected_digest", "was_rejected"]

PRESETS = ("trusting", "balanced", "strict")
DEFAULT_PRESET = "balanced"
REMEMBERED_MS = 90 * 24 * 3600 * 1000
"""How long a rejected text is remembered."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a write waits (no reasons = it goes live), and what the scanner found."""

    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]


def check_preset(preset: str) -> str:
    """Return a preset's name, or raise `InvalidInput` with the ones that exist."""
    if preset not in PRESETS:
        raise InvalidInput(f"There is no preset {preset[:80]!r}. The presets are: {', '.join(PRESETS)}.")
    return preset


def rejected_digest(shelf_key: str, content: str) -> str:
    """What is remembered of a rejected text: the hash of its shelf and its NFC form."""
    return hashlib.sha256(f"{shelf_key}\0{unicodedata.normalize('NFC', content)}".encode()).hexdigest()


def preset_for(presets: Mapping[str, str], shelf_key: str, agent: str, channel_preset: str) -> str:
    """An agent's override beats a shelf's, which beats the store's; the channel's own can only hold more."""
    chosen = presets.get(f"agent:{agent}") or presets.get(f"shelf:{shelf_key}") or presets.get("") or DEFAULT_PRESET
    return max(chosen, channel_preset or PRESETS[0], key=PRESETS.index)


def decide(
    transaction: Transaction,
    call: Call,
    changes: Sequence[tuple[Change, EntryInfo | None]],
    findings: Sequence[Finding],
    *,
    channel_preset: str,
) -> Verdict:
    """Judge an agent's write by the resulting states.

    Raises `SecretRefused` for a credential under every preset, and `NotAllowed` when the person rejected the same text of this agent.
    """
    refuse_credentials(findings)
    presets = stored.presets(transaction)
    reasons: dict[str, None] = dict.fromkeys(reason for reason in call.asks if reason == "asks_purge")
    if findings:
        reasons["finding"] = None
    for change, before in changes:
        preset = preset_for(presets, change.state.place.key, call.author.agent, channel_preset)
        reasons |= dict.fromkeys(_always(transaction, change.state))
        if preset != "trusting":
            reasons |= dict.fromkeys(_balanced(transaction, call, change, before))
        if preset == "strict" and change.state.tier is not Tier.PERSONAL:
            reasons["strict"] = None
    return Verdict(tuple(reasons), tuple(findings))


def refuse_credentials(findings: Sequence[Finding]) -> None:
    """Raise `SecretRefused` naming the kind and field of the first credential, never its value."""
    for finding in findings:
        if finding.kind == "credential":
            kind = finding.rule.replace("-", " ")
            raise SecretRefused(
                f"Not stored: {finding.field} holds a credential ({kind}). Memory goes into every future prompt, so take the value out and "
                "say where it is kept instead.",
                rule=finding.rule,
                field=finding.field,
            )


def _always(transaction: Transaction, state: State) -> list[str]:
    if state.tier is Tier.WORKSPACE:
        found = workspaces.workspace(transaction, state.owner)
        if found is not None and found.state == "new":
            return ["new_workspace"]
    return []


def _balanced(transaction: Transaction, call: Call, change: Change, before: EntryInfo | None) -> list[str]:
    author, state, reasons = call.author, change.state, []
    if is_jekt(call.provenance) or JEKT in call.asks:
        reasons.append(JEKT)
    if not author.verified and not (state.tier is Tier.PERSONAL and state.owner == author.agent):
        reasons.append("unverified")
    if before is not None:
        reasons += _about_before(call, before)
    if "asks_pinned" in call.asks:
        reasons.append("asks_pinned")
    if state.status is Status.ACTIVE and state.content:
        reasons += _rejected(transaction, author.agent, state)
    return reasons


def _about_before(call: Call, before: EntryInfo) -> list[str]:
    reasons = []
    if before.human_head:
        reasons.append("human_head")
    if before.pinned:
        reasons.append("pinned")
    kept = before.reviewed > 0 and before.reviewed >= before.deciding
    if before.place is INSTRUCTIONS and kept and not before.human_head and before.deciding_actor != call.author.actor:
        reasons.append("kept")
    return reasons


def was_rejected(transaction: Transaction, agent: str, shelf_key: str, content: str) -> bool:
    """Whether the person rejected this text of this agent on this shelf, and it is still remembered."""
    return agent in _rejections(transaction, shelf_key, content)


def _rejections(transaction: Transaction, shelf_key: str, content: str) -> Mapping[str, int]:
    return stored.rejected(transaction, rejected_digest(shelf_key, content), transaction.now - REMEMBERED_MS)


def _rejected(transaction: Transaction, agent: str, state: State) -> list[str]:
    known = _rejections(transaction, state.place.key, state.content)
    if agent in known:
        when = datetime.fromtimestamp(known[agent] / 1000, UTC).date().isoformat()
        raise NotAllowed(
            f"The person rejected this text on {when}. Do not send it again; ask the person if you think it should be remembered.",
            reason="rejected_before",
            date=when,
        )
    return ["rejected_before"] if known else []
