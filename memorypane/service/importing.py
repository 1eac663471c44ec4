"""Brings entries in from outside: what is new is added, what came before and changed there is updated, and a second run does nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from memorypane.model import text
from memorypane.model.errors import MemoryPaneError, NotAllowed
from memorypane.model.shelves import Shelf
from memorypane.model.values import Action, Change, Entry, Provenance, State, Status
from memorypane.service import limits, policy
from memorypane.service.author import Author, Call, Plan
from memorypane.service.editing import check_owner
from memorypane.service.pipeline import Pipeline, Ready, make_ready
from memorypane.service.validate import clean_provenance
from memorypane.store import entries
from memorypane.store import policy as stored
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["IMPORT_ACTOR", "ImportItem", "ImportOutcome", "run"]

IMPORT_ACTOR = "import"


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One text from outside; `origin` names its place there (a path, a section) and is how a second run finds it again."""

    shelf: Shelf
    origin: str
    name: str
    content: str
    owner: str = ""
    description: str = ""
    kind: str = ""
    provenance: Provenance = field(default_factory=lambda: Provenance("import"))


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of an item: the word, the entry (in a dry run: the one it would touch, if there is one) and why, where it was skipped."""

    item: ImportItem
    outcome: Literal["added", "unchanged", "updated", "skipped"]
    entry_id: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An item that can be taken, made ready before the write lock is."""

    item: ImportItem
    origin: str
    claim: Provenance
    ready: Sequence[Ready]

    @property
    def state(self) -> State:
        """The state it would have here."""
        return self.ready[0].change.state


class _DryRun(Exception):
    def __init__(self, report: tuple[ImportOutcome, ...]) -> None:
        super().__init__()
        self.report = report


def run(store: Store, pipeline: Pipeline, author: Author, items: Sequence[ImportItem], *, dry_run: bool) -> tuple[ImportOutcome, ...]:
    """Bring in `items` in one transaction and report on each; one that cannot be taken is skipped with its reason."""
    importer = replace(author, actor=IMPORT_ACTOR)
    prepared = [_prepare(item) for item in items]

    def job(transaction: Transaction) -> tuple[ImportOutcome, ...]:
        settings = limits.Settings(stored.settings(transaction))
        report = tuple(one if isinstance(one, ImportOutcome) else _one(transaction, pipeline, importer, one, settings) for one in prepared)
        if dry_run:
            raise _DryRun(report)
        return report

    try:
        return store.write(job)
    except _DryRun as done:
        return tuple(replace(one, entry_id="") if one.outcome == "added" else one for one in done.report)


def _skipped(item: ImportItem, problem: MemoryPaneError) -> ImportOutcome:
    return ImportOutcome(item, "skipped", reason=f"{problem.code}: {problem.message}")


def _prepare(item: ImportItem) -> _Prepared | ImportOutcome:
    try:
        origin = text.normalise(item.origin, "origin")
        claim = clean_provenance(item.provenance.source, {**item.provenance.detail, "origin": origin}, default=IMPORT_ACTOR)
        state = State(item.shelf.tier, item.shelf.name, item.owner, item.name, item.description, item.content, item.kind)
        ready = make_ready(Plan((Change("", 0, Action.IMPORT, state),)))
        policy.refuse_credentials(ready[0].findings)
    except MemoryPaneError as problem:
        return _skipped(item, problem)
    return _Prepared(item, origin, claim, ready)


def _one(transaction: Transaction, pipeline: Pipeline, author: Author, one: _Prepared, settings: limits.Settings) -> ImportOutcome:
    item = one.item
    try:
        check_owner(transaction, item.shelf, item.owner)
        limits.check_entry_limit(one.state, settings)
        found = entries.by_origin(transaction, one.origin)
        if found is not None:
            return _again(transaction, pipeline, author, one, found)
        call = Call(author, "import", one.claim)
        made = pipeline.apply(transaction, call, Plan((one.ready[0].change,)), one.ready)
        return ImportOutcome(item, "added", made.entries[0].id)
    except MemoryPaneError as problem:
        return _skipped(item, problem)


def _again(transaction: Transaction, pipeline: Pipeline, author: Author, one: _Prepared, found: Entry) -> ImportOutcome:
    if found.info.status is not Status.ACTIVE:
        raise NotAllowed(f"It was brought in before and is {found.info.status} here; restore it to have it again.")
    now = entries.state(found)
    after = replace(now, description=one.state.description, content=one.state.content)
    if after == now or _last_brought(transaction, found.id, one.origin) == (after.description, after.content):
        return ImportOutcome(one.item, "unchanged", found.id)
    if found.info.deciding_actor != IMPORT_ACTOR:
        raise NotAllowed(
            f"The entry {found.id} was changed here since, so the file's text was left out. Remove the entry to take the file's."
        )
    change = Change(found.id, found.info.version, Action.IMPORT, after)
    made = pipeline.apply(transaction, Call(author, "import", one.claim), Plan((change,)))
    return ImportOutcome(one.item, "updated", made.entries[0].id)


def _last_brought(transaction: Transaction, entry_id: str, origin: str) -> tuple[str, str] | None:
    """Description and text as this origin last brought them; what was written here since does not count."""
    for version in entries.history(transaction, entry_id):
        if version.action is Action.IMPORT and version.detail.get("origin") == origin:
            whole = entries.version(transaction, entry_id, version.number)
            return (whole.state.description, whole.state.content) if whole else None
    return None
