"""Looks through a state for what a person should see before it goes live, and for credentials."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memorypane.model.values import Finding, State

__all__ = ["RULES", "Rule", "scan_state", "scan_text"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern with its plain explanation; patterns run in linear time (no nested repetition)."""

    name: str
    kind: str
    pattern: re.Pattern[str]
    says: str


INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e007f"
)
# A zero-width joiner between emoji, and a tag sequence behind the black flag, make one visible sign.
PICTOGRAPH = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff\U0001f3fb-\U0001f3ff\ufe0f"
EMOJI = re.compile(f"[{PICTOGRAPH}](?:\ufe0f?\u200d[{PICTOGRAPH}])+|\U0001f3f4[\U000e0020-\U000e007e]{{1,16}}\U000e007f")
HIDDEN = re.compile(f"[{INVISIBLE}]+")

RULES = (
    Rule(
        "override-instructions",
        "injection",
        re.compile(
            r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|earlier|above|preceding|system)\s+"
            r"(?:instructions?|rules?|prompts?|messages?|directions?)",
            re.IGNORECASE,
        ),
        "It tells the reader to set aside earlier instructions.",
    ),
    Rule(
        "hide-from-person",
        "injection",
        re.compile(
            r"\b(?:do\s+not|don't|never)\s+(?:tell|inform|show|mention\s+(?:this\s+)?to)\s+(?:the\s+)?(?:user|human|person|operator)\b",
            re.IGNORECASE,
        ),
        "It tells the reader to keep something from the person.",
    ),
    Rule(
        "startup-marker",
        "forged_heading",
        re.compile(r"<!--\s*(?:begin|end)\s+memory\s?pane\b|\bmemorypane:(?:begin|end)\b", re.IGNORECASE),
        "It imitates a marker of the startup text.",
    ),
    Rule(
        "private-key",
        "credential",
        re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
        "It holds a private key.",
    ),
    Rule(
        "provider-token",
        "credential",
        re.compile(
            r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255}|glpat-[A-Za-z0-9_-]{20,64}|xox[abprs]-[A-Za-z0-9-]{10,250}"
            r"|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|sk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{20,250})(?![A-Za-z0-9])"
        ),
        "It holds a token of a provider.",
    ),
)
PUBLISHED_EXAMPLES = frozenset({"AKIAIOSFODNN7EXAMPLE"})
"""Values that documentation prints; they open nothing."""


def _hidden(field: str, text: str) -> Iterator[Finding]:
    if text.isascii():
        return
    allowed = [found.span() for found in EMOJI.finditer(text)]
    for found in HIDDEN.finditer(text):
        if not any(start <= found.start() and found.end() <= end for start, end in allowed):
            yield Finding("hidden_characters", "invisible", field, found.start(), found.end(), found.group())


def scan_text(field: str, text: str) -> tuple[Finding, ...]:
    """Return the findings of one text, in their order; offsets count code points. A credential's value is never in a finding."""
    findings = list(_hidden(field, text))
    for rule in RULES:
        for found in rule.pattern.finditer(text):
            if rule.kind == "credential":
                if found.group() not in PUBLISHED_EXAMPLES:
                    findings.append(Finding("credential", rule.name, field, found.start(), found.end()))
            elif rule.kind == "injection":
                findings.append(Finding("injection", rule.name, field, found.start(), found.end(), found.group()))
            else:
                findings.append(Finding("forged_heading", rule.name, field, found.start(), found.end(), found.group()))
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end)))


def scan_state(state: State) -> tuple[Finding, ...]:
    """Return the findings of everything in a state that a reader would see."""
    findings = [*scan_text("name", state.name), *scan_text("description", state.description), *scan_text("content", state.content)]
    for number, item in enumerate(state.evidence):
        for key, value in item.fields.items():
            if isinstance(value, str):
                findings += scan_text(f"evidence.{number}.{key}", value)
    return tuple(findings)
