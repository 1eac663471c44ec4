"""Looks through a state for what a person should see before it goes live, and for credentials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memorypane.model.forgery import forged_headings
from memorypane.model.values import Finding, State
from memorypane.scan.plain import hidden_spans, plain
from memorypane.scan.rules import CREDENTIALS, FORGERIES, INJECTIONS, PUBLISHED_EXAMPLES, Rule

__all__ = ["credentials", "explain", "scan_detail", "scan_state", "scan_text"]

LONGEST_SHOWN = 200
FEW_CHARACTERS = 6
EXPLAINED = {rule.name: rule.says for rule in (*INJECTIONS, *FORGERIES, *CREDENTIALS)}
ALSO = {
    "invisible": "It holds characters that nobody sees.",
    "startup-heading": "It imitates a heading of the startup text.",
    "lookalike-name": "Its name looks like another entry's name and is not the same.",
}


def explain(finding: Finding) -> str:
    """Return what a finding means, in a plain sentence."""
    said = EXPLAINED.get(finding.rule) or ALSO.get(finding.rule, "A person should look at this.")
    return f"It holds {said}." if finding.kind == "credential" else said


def scan_text(field: str, text: str) -> tuple[Finding, ...]:
    """Return the findings of one text, in order; offsets count its code points. A credential's value is never in a finding."""
    findings = [
        Finding("hidden_characters", "invisible", field, start, end, text[start:end][:LONGEST_SHOWN]) for start, end in hidden_spans(text)
    ]
    findings += credentials(field, text)
    findings += [
        Finding("forged_heading", "startup-heading", field, start, end, text[start:end][:LONGEST_SHOWN])
        for start, end in forged_headings(text)
    ]
    read = plain(text)
    for rule in (*INJECTIONS, *FORGERIES):
        for found in rule.finditer(read.text):
            start, end = read.span(*found.span())
            findings.append(Finding(rule.kind, rule.name, field, start, end, text[start:end][:LONGEST_SHOWN]))
    return tuple(sorted(findings, key=lambda finding: (finding.start, finding.end, finding.rule)))


def credentials(field: str, text: str) -> list[Finding]:
    """Return where a text holds credentials, by their kind."""
    return [
        Finding("credential", rule.name, field, *found.span())
        for rule in CREDENTIALS
        for found in rule.finditer(text)
        if not _placeholder(rule, found.group())
    ]


def _placeholder(rule: Rule, value: str) -> bool:
    """Whether a value of a token's shape is one that documentation prints: named as example, or of hardly any different characters."""
    if value in PUBLISHED_EXAMPLES or "example" in value.lower():
        return True
    if rule.kind == "credential" and rule.name == "private-key":
        return False
    tail = value[-16:]
    if len(set(tail)) < FEW_CHARACTERS:
        return True
    # Words joined by hyphens (sk-learn-compatible-estimators) have the shape too, but no digits among capitals.
    return rule.name == "model-provider-key" and not (any(map(str.isdigit, value)) and any(map(str.isupper, value)))


def scan_state(state: State) -> tuple[Finding, ...]:
    """Return the findings of everything in a state that a reader would see."""
    findings = [*scan_text("name", state.name), *scan_text("description", state.description), *scan_text("content", state.content)]
    for number, item in enumerate(state.evidence):
        for key, value in item.fields.items():
            if isinstance(value, str):
                findings += scan_text(f"evidence.{number}.{key}", value)
    return (*findings, *scan_detail(state.extra, ""))


def scan_detail(detail: Mapping[str, Any], field: str = "detail") -> tuple[Finding, ...]:
    """Return the findings of every text in a claim's detail (or in the typed fields of a family), keys included, by its path."""
    findings: list[Finding] = []
    waiting: list[tuple[str, object]] = [(field, dict(detail))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            findings += scan_text(path, value)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                findings += scan_text(path, str(key))
                waiting.append((f"{path}.{key}" if path else str(key), item))
        elif isinstance(value, list | tuple):
            waiting += [(f"{path}.{number}", item) for number, item in enumerate(value)]
    return tuple(findings)
