"""What waits for the person: held proposals and unreviewed entries, listed and shown with before and after."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memorypane.model import text
from memorypane.model.errors import NotFound
from memorypane.model.review import ReviewChange, ReviewDetail, ReviewItem, seen_mark
from memorypane.model.values import Action, EntryInfo, Finding, ListQuery, Proposal, State, Status
from memorypane.scan.scanner import scan_state
from memorypane.service import resolving
from memorypane.store import entries, proposals
from memorypane.store.transaction import Transaction

__all__ = ["Rescan", "detail", "items", "last_kept", "rescan"]

BATCH = 500


def items(transaction: Transaction) -> tuple[ReviewItem, ...]:
    """Return everything that waits, oldest first."""
    held = [_held(transaction, proposal) for proposal in proposals.pending(transaction)]
    keys = entries.seqs(transaction, ListQuery(unreviewed=True))
    found = entries.infos(transaction, keys)
    waiting = [found[key] for key in keys if key in found]
    unreviewed = [_unreviewed(transaction, info) for info in waiting if not _part_of_correction(transaction, info)]
    return tuple(sorted([*held, *unreviewed], key=lambda item: item.created_at))


def _held(transaction: Transaction, proposal: Proposal) -> ReviewItem:
    first = proposal.changes[0]
    state = first.state
    return ReviewItem(
        id=proposal.id,
        lane="held",
        entry_id=first.entry_id,
        tier=state.tier,
        shelf=state.shelf,
        owner=state.owner,
        name=state.name,
        excerpt=text.excerpt(state.content),
        action=first.action,
        actor=proposal.actor,
        verified=proposal.verified,
        source=proposal.provenance.source,
        reasons=proposal.reasons,
        findings=proposal.findings,
        stale=resolving.is_stale(transaction, proposal),
        created_at=proposal.created_at,
        changes=len(proposal.changes),
    )


def _part_of_correction(transaction: Transaction, info: EntryInfo) -> bool:
    """Whether an entry was superseded by one that waits itself: the two are one item, under the new one."""
    newer = entries.info(transaction, info.superseded_by) if info.status is Status.SUPERSEDED and info.superseded_by else None
    return newer is not None and newer.unreviewed


def _unreviewed(transaction: Transaction, info: EntryInfo) -> ReviewItem:
    decided = entries.version(transaction, info.id, info.deciding)
    if decided is None:
        raise LookupError(info.id)
    return ReviewItem(
        id=info.id,
        lane="unreviewed",
        entry_id=info.id,
        tier=info.tier,
        shelf=info.shelf,
        owner=info.owner,
        name=info.name,
        excerpt=info.excerpt,
        action=decided.action,
        actor=info.deciding_actor,
        verified=decided.verified,
        source=decided.source,
        reasons=(),
        findings=scan_state(decided.state),
        stale=False,
        created_at=decided.created_at,
    )


@dataclass(frozen=True, slots=True)
class Rescan:
    """How many live entries were looked through, and every finding with its entry's id."""

    entries: int
    findings: tuple[tuple[str, Finding], ...]


def rescan(transaction: Transaction) -> Rescan:
    """Scan every live entry again, one at a time, so that a large store needs no more memory than its longest text."""
    keys = entries.seqs(transaction, ListQuery())
    findings: list[tuple[str, Finding]] = []
    for start in range(0, len(keys), BATCH):
        for info in entries.infos(transaction, keys[start : start + BATCH]).values():
            found = entries.entry(transaction, info.id)
            if found is not None:
                findings += [(info.id, finding) for finding in scan_state(entries.state(found))]
    return Rescan(len(keys), tuple(findings))


def last_kept(transaction: Transaction, info: EntryInfo) -> State | None:
    """Return the state that a person last kept or wrote, None if none ever was."""
    if not info.reviewed:
        return None
    kept = entries.version(transaction, info.id, info.reviewed)
    return kept.state if kept is not None else None


def detail(transaction: Transaction, item_id: str) -> ReviewDetail:
    """Return an item of the review list whole; `NotFound` if nothing of that id waits."""
    proposal = proposals.find(transaction, item_id)
    if proposal is not None and proposal.state == "pending":
        return _held_detail(transaction, proposal)
    info = entries.info(transaction, item_id)
    if info is None or info.status is Status.PURGED:
        raise NotFound(f"Nothing of the id {text.short(item_id)!r} waits for review.")
    return _unreviewed_detail(transaction, info)


def _held_detail(transaction: Transaction, proposal: Proposal) -> ReviewDetail:
    resolved = resolving.resolve(transaction, proposal)
    changes = tuple(ReviewChange(one.change.entry_id, one.change.action, one.change.base, one.before, one.change.state) for one in resolved)
    problem = resolving.problems(resolved)
    merged = any(one.merged for one in resolved)
    item = _held(transaction, proposal)
    if merged:
        item = replace(item, findings=tuple(finding for one in resolved for finding in scan_state(one.change.state)))
    call = {
        "tool": proposal.tool,
        "arguments": dict(proposal.arguments),
        "source": proposal.provenance.source,
        "detail": dict(proposal.provenance.detail),
    }
    seen = seen_mark([(one.change.entry_id, one.change.state) for one in resolved])
    return ReviewDetail(item, changes, call, seen, merged=merged, conflict=problem.message if problem else "")


def _unreviewed_detail(transaction: Transaction, info: EntryInfo) -> ReviewDetail:
    found = entries.entry(transaction, info.id)
    decided = entries.version(transaction, info.id, info.deciding)
    if found is None or decided is None:
        raise LookupError(info.id)
    before = last_kept(transaction, info)
    if before is None and found.supersedes:
        older = entries.entry(transaction, found.supersedes)
        before = replace(entries.state(older), status=Status.ACTIVE) if older is not None else None
    after = entries.state(found)
    if before is None and after.status is not Status.ACTIVE:
        # An entry that nobody ever kept and its agent took away again: what the person never saw is shown as it last stood.
        before = replace(after, status=Status.ACTIVE)
    call = {"tool": decided.tool, "arguments": {}, "source": decided.source, "detail": dict(decided.detail)}
    change = ReviewChange(info.id, decided.action if before is not None else Action.CREATE, info.reviewed, before, after)
    return ReviewDetail(_unreviewed(transaction, info), (change,), call, seen_mark([(info.id, after)]))
