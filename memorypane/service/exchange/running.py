"""Carries out a planned import, or tries it without writing, and reports on every item."""

from __future__ import annotations

from collections.abc import Iterator

from memorypane.model.shelves import INSTRUCTIONS, RECORDS, Shelf
from memorypane.model.text import name_key
from memorypane.model.values import ListQuery, Provenance
from memorypane.service.exchange.fitting import KIND, check_target, fit
from memorypane.service.exchange.values import ImportPlan, ImportReport, ItemReport, Planned
from memorypane.service.importing import ImportItem, ImportOutcome
from memorypane.service.person import PersonFace

__all__ = ["run_import"]

PAGE = 1000


def run_import(
    person: PersonFace, plan: ImportPlan, *, shelf: Shelf = INSTRUCTIONS, owner: str = "", dry_run: bool = False,
) -> ImportReport:
    """Bring the planned texts in, in one transaction, as entries of one shelf (and owner).

    What came before from the same place is left alone where it did not change, gets a new version where the file did, and is skipped with a
    reason where a person or an agent wrote on it since. Raises `InvalidInput` for a shelf that instruction files cannot go to.
    """
    check_target(shelf)
    planned = [item for item in plan.items if isinstance(item, Planned)]
    taken = _taken_names(person, shelf, owner) if planned else set()
    items = [_item(item, shelf, owner, taken) for item in planned]
    outcomes = person.import_entries(items, dry_run=dry_run) if items else ()
    return ImportReport(plan.format, tuple(_reports(person, plan, outcomes)), dry_run)


def _taken_names(person: PersonFace, shelf: Shelf, owner: str) -> set[str]:
    """The keys of the names that live entries of the shelf have."""
    query = ListQuery(tier=shelf.tier.value, shelf=shelf.name, owner=owner)
    taken: set[str] = set()
    offset = 0
    while entries := person.page(query, offset=offset, limit=PAGE).entries:
        taken |= {name_key(info.name) for info in entries if info.name}
        offset += len(entries)
    return taken


def _item(item: Planned, shelf: Shelf, owner: str, taken: set[str]) -> ImportItem:
    """One text as the service takes it; the place it goes to is a part of where it came from, so that it can go to several."""
    fitted = fit(item, shelf, taken)
    origin = item.origin.key if shelf is INSTRUCTIONS else f"{item.origin.key} → {shelf.key} {owner}".rstrip()
    return ImportItem(
        shelf, origin, fitted.name, fitted.content, owner=owner, description=fitted.description, kind=KIND if shelf is RECORDS else "",
        provenance=Provenance("import", item.detail),
    )


def _reports(person: PersonFace, plan: ImportPlan, outcomes: tuple[ImportOutcome, ...]) -> Iterator[ItemReport]:
    """The items of the plan in their order, with what became of each."""
    waiting = iter(outcomes)
    for item in plan.items:
        if not isinstance(item, Planned):
            yield ItemReport(item.source, item.name, "skipped", reason=item.reason)
            continue
        outcome = next(waiting)
        name = item.name
        if outcome.entry_id:
            name = person.entry(outcome.entry_id).info.title
        elif outcome.outcome == "added":
            name = outcome.item.name or item.name
        yield ItemReport(item.source, name, outcome.outcome, outcome.entry_id, outcome.reason)
