"""The one write pipeline: normalise → validate → scan → policy → write, on the resulting text, for every way in.

A plan is computed against known heads and made ready (normalised, scanned, folded) before the write transaction; inside it the heads are
looked at again, and if one moved the plan is computed anew. So long texts never hold the write lock, and no update is lost.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from memorypane.model.shelves import Tier
from memorypane.model.text import name_key
from memorypane.model.values import Change, EntryInfo, Finding, Proposal, Provenance, State, Status
from memorypane.scan.scanner import scan_detail, scan_state, scan_text
from memorypane.service import limits, policy, quota
from memorypane.service.author import Call, Plan
from memorypane.service.quoting import without_credentials_in
from memorypane.service.validate import clean_state
from memorypane.store import entries, events, proposals, search, writing
from memorypane.store import policy as stored_policy
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["Outcome", "Pipeline", "Planner", "Ready", "make_ready"]

Planner = Callable[[Transaction], Plan]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a call: the entries as they now stand (one a change), or the proposal that waits; neither = nothing had to change."""

    entries: tuple[EntryInfo, ...] = ()
    proposal: Proposal | None = None
    plan: Plan = field(default_factory=lambda: Plan(()))
    findings: tuple[Finding, ...] = ()

    @property
    def unchanged(self) -> bool:
        """Whether what was asked for already stood."""
        return not self.entries and self.proposal is None


@dataclass(frozen=True, slots=True)
class Ready:
    """A change made ready before the write lock is taken: its state normalised, folded for the index, and looked through."""

    change: Change
    folded: search.Folded
    findings: tuple[Finding, ...]


class Pipeline:
    """Carries calls from their plan to versions or a proposal; `channel_preset` is the channel's own, stricter policy ("" = none)."""

    def __init__(self, store: Store, *, channel_preset: str = "") -> None:
        self._store = store
        self._channel_preset = channel_preset

    def submit(self, call: Call, planner: Planner) -> Outcome:
        """Carry out a call and return once its result is on disk; refusals are raised, and then nothing was written."""
        plan = self._store.read(planner)
        ready = make_ready(plan)
        if not ready and not plan.fragile:
            return Outcome(plan=plan)
        return self._store.write(lambda transaction: self._carry_out(transaction, call, planner, plan, ready))

    def _carry_out(self, transaction: Transaction, call: Call, planner: Planner, plan: Plan, ready: Sequence[Ready]) -> Outcome:
        if plan.fragile or not _stands(transaction, ready):
            plan = planner(transaction)
            ready = make_ready(plan)
            if not ready:
                return Outcome(plan=plan)
        return self.apply(transaction, call, plan, ready)

    def apply(self, transaction: Transaction, call: Call, plan: Plan, ready: Sequence[Ready] | None = None) -> Outcome:
        """Judge and write a plan inside an open transaction (an import or a decision of several plans shares one)."""
        ready = make_ready(plan) if ready is None else ready
        findings = tuple(finding for one in ready for finding in one.findings)
        verdict = policy.Verdict((), findings)
        if call.author.agent:
            verdict = self._judge(transaction, call, ready, findings)
        if verdict.reasons:
            return self._hold(transaction, call, plan, ready, verdict)
        stamp = writing.Stamp(
            trace=call.author.trace(call.tool),
            call_id=str(uuid.uuid4()),
            source=call.provenance.source,
            detail=call.provenance.detail,
            verified=call.author.verified,
        )
        written = tuple(_write(transaction, one, stamp) for one in ready)
        return Outcome(entries=written, plan=plan, findings=findings)

    def would_go_live(self, transaction: Transaction, call: Call, plan: Plan) -> bool:
        """Whether an agent's plan would be written at once; refusals are raised as they would be."""
        ready = make_ready(plan)
        return not self._judge(transaction, call, ready, tuple(finding for one in ready for finding in one.findings)).reasons

    def _judge(self, transaction: Transaction, call: Call, ready: Sequence[Ready], findings: Sequence[Finding]) -> policy.Verdict:
        settings = limits.Settings(stored_policy.settings(transaction))
        quota.check_writes(transaction, call.author.agent, settings)
        pairs = []
        for one in ready:
            if one.change.state.status is Status.ACTIVE:
                limits.check_entry_limit(one.change.state, settings)
            before = entries.info(transaction, one.change.entry_id) if one.change.base else None
            pairs.append((one.change, before))
        lookalikes = [finding for change, before in pairs for finding in _lookalike(transaction, change.state, before)]
        findings = (*findings, *lookalikes, *_of_claim(call.provenance))
        return policy.decide(transaction, call, pairs, findings, channel_preset=self._channel_preset)

    def _hold(self, transaction: Transaction, call: Call, plan: Plan, ready: Sequence[Ready], verdict: policy.Verdict) -> Outcome:
        for one in ready:
            # What cannot work is refused now, not held: the name must be free.
            writing.refuse_taken_name(transaction, one.change.state, one.change.entry_id)
        asked = [one.change for one in ready]
        # Arguments that the result no longer holds (an alias, a text to be replaced) are kept too, but no credential.
        arguments = without_credentials_in(call.arguments)
        if waiting := proposals.identical(transaction, call.author.agent, call.tool, arguments, asked):
            return Outcome(proposal=waiting, plan=plan, findings=verdict.findings)
        quota.check_pending(transaction, call.author.agent, limits.Settings(stored_policy.settings(transaction)))
        changes = tuple(change if change.entry_id else replace(change, entry_id=str(uuid.uuid4())) for change in asked)
        made = proposals.add(
            transaction,
            Proposal(
                id=str(uuid.uuid4()),
                agent=call.author.agent,
                actor=call.author.actor,
                verified=call.author.verified,
                tool=call.tool,
                arguments=arguments,
                provenance=call.provenance,
                changes=changes,
                reasons=verdict.reasons,
                findings=verdict.findings,
                state="pending",
                channel=call.author.channel,
                connection=call.author.connection,
                created_at=transaction.now,
            ),
            whole_text=call.whole_text,
        )
        first = changes[0]
        events.record(
            transaction,
            call.author.trace(call.tool),
            "propose",
            entry_id=first.entry_id,
            version=first.base,
            outcome="held",
            detail={"proposal_id": made.id, "reasons": list(made.reasons)},
        )
        return Outcome(proposal=made, plan=plan, findings=verdict.findings)


def make_ready(plan: Plan) -> tuple[Ready, ...]:
    """Make a plan's changes ready; raises `InvalidInput` where a state does not fit its shelf."""
    ready = []
    for change in plan.changes:
        state = clean_state(change.state)
        folded = search.fold_entry(state.name, state.description, state.content)
        # What hides an entry brings no text to anybody: taking out a bad one must not be held for what it says.
        findings = scan_state(state) if state.status is Status.ACTIVE else ()
        ready.append(Ready(replace(change, state=state), folded, findings))
    return tuple(ready)


def _of_claim(claim: Provenance) -> tuple[Finding, ...]:
    """The findings of a claim: a person and agents read its words as they do an entry's."""
    return (*scan_text("source", claim.source), *scan_detail(claim.detail))


def _lookalike(transaction: Transaction, state: State, before: EntryInfo | None) -> list[Finding]:
    """A new name that a reader would take for that of another shared or system entry."""
    if not state.name or state.tier is not Tier.GLOBAL or (before is not None and before.name == state.name):
        return []
    twins = entries.lookalikes(transaction, state.name, without=before.id if before is not None else "")
    return [Finding("lookalike", "lookalike-name", "name", 0, len(state.name), twin.name) for twin in twins[:1]]


def _stands(transaction: Transaction, ready: Sequence[Ready]) -> bool:
    for one in ready:
        state = one.change.state
        if one.change.base:
            now = entries.info(transaction, one.change.entry_id)
            if now is None or now.version != one.change.base:
                return False
        elif state.name and entries.holder(transaction, state.place, state.owner, name_key(state.name)):
            # Somebody took the name meanwhile: a call that goes by name then means that entry.
            return False
    return True


def _write(transaction: Transaction, one: Ready, stamp: writing.Stamp) -> EntryInfo:
    state = one.change.state
    if state.status is Status.ACTIVE and not state.position:
        state = replace(state, position=entries.last_position(transaction, state.place, state.owner) + 1.0)
    return writing.write(transaction, writing.Writing(one.change.entry_id, one.change.action, state, one.folded), stamp)
