"""Brings entries in from outside: what is new is added, what came before and changed there is updated, and a second run does nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from memorypane.model import text
from memorypane.model.errors import MemoryPaneError, NotAllowed
from memorypane.model.shelves import Shelf
from memorypane.model.values import Action, Change, Entry, Provenance, State, Status
from memorypane.scan.scanner import scan_state
from memorypane.service import limits, policy
from memorypane.service.author import Author, Call, Plan
from memorypane.service.editing import check_owner
from memorypane.service.pipeline import Pipeline
from memorypane.service.validate import clean_state
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


class _DryRun(Exception):
    def __init__(self, report: tuple[ImportOutcome, ...]) -> None:
        super().__init__()
        self.report = report


def run(store: Store, pipeline: Pipeline, author: Author, items: Sequence[ImportItem], *, dry_run: bool) -> tuple[ImportOutcome, ...]:
    """Bring in `items` in one transaction and report on each; one that cannot be taken is skipped with its reason."""
    importer = replace(author, actor=IMPORT_ACTOR)

    def job(transaction: Transaction) -> tuple[ImportOutcome, ...]:
        settings = limits.Settings(stored.settings(transaction))
        report = tuple(_one(transaction, pipeline, importer, item, settings) for item in items)
        if dry_run:
            raise _DryRun(report)
        return report

    try:
        return store.write(job)
    except _DryRun as done:
        added = {"added"}
        return tuple(replace(one, entry_id="") if one.outcome in added else one for one in done.report)


def _one(transaction: Transaction, pipeline: Pipeline, author: Author, item: ImportItem, settings: limits.Settings) -> ImportOutcome:
    try:
        check_owner(transaction, item.shelf, item.owner)
        state = clean_state(State(item.shelf.tier, item.shelf.name, item.owner, item.name, item.description, item.content, item.kind))
        limits.check_entry_limit(state, settings)
        policy.refuse_credentials(scan_state(state))
        found = entries.by_origin(transaction, item.origin)
        if found is None:
            change = Change("", 0, Action.CREATE, state)
            return _written(transaction, pipeline, author, item, replace(change, action=Action.IMPORT), "added")
        return _again(transaction, pipeline, author, item, state, found)
    except MemoryPaneError as problem:
        return ImportOutcome(item, "skipped", reason=f"{problem.code}: {problem.message}")


def _again(transaction: Transaction, pipeline: Pipeline, author: Author, item: ImportItem, state: State, found: Entry) -> ImportOutcome:
    if found.info.status is not Status.ACTIVE:
        raise NotAllowed(f"It was brought in before and is {found.info.status} here; restore it to have it again.")
    now = entries.state(found)
    after = replace(now, description=state.description, content=state.content)
    if after == now:
        return ImportOutcome(item, "unchanged", found.id)
    if _last_brought(transaction, found.id, item.origin) == (state.description, state.content):
        return ImportOutcome(item, "unchanged", found.id)
    if found.info.deciding_actor != IMPORT_ACTOR:
        raise NotAllowed(
            f"The entry {found.id} was changed here since, so the file's text was left out. Remove the entry to take the file's."
        )
    return _written(transaction, pipeline, author, item, Change(found.id, found.info.version, Action.IMPORT, after), "updated")


def _last_brought(transaction: Transaction, entry_id: str, origin: str) -> tuple[str, str] | None:
    """Description and text as this origin last brought them; what was written here since does not count."""
    for version in entries.history(transaction, entry_id):
        if version.action is Action.IMPORT and version.detail.get("origin") == origin:
            whole = entries.version(transaction, entry_id, version.number)
            return (whole.state.description, whole.state.content) if whole else None
    return None


def _written(
    transaction: Transaction, pipeline: Pipeline, author: Author, item: ImportItem, change: Change, outcome: Literal["added", "updated"]
) -> ImportOutcome:
    detail = {**item.provenance.detail, "origin": text.normalise(item.origin, "origin")}
    call = Call(author, "import", Provenance(item.provenance.source, detail))
    made = pipeline.apply(transaction, call, Plan((change,)))
    return ImportOutcome(item, outcome, made.entries[0].id)
