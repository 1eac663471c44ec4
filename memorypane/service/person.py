"""What the person may do, at the window or a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorypane.home.channels import list_channels
from memorypane.home.paths import Home
from memorypane.model import text
from memorypane.model.compose import Composition
from memorypane.model.errors import NotFound
from memorypane.model.review import ReviewDetail, ReviewItem
from memorypane.model.shelves import Shelf
from memorypane.model.values import (
    Agent,
    Channel,
    Connection,
    Entry,
    EntryInfo,
    Event,
    ListQuery,
    Page,
    Proposal,
    Provenance,
    SearchPage,
    ShelfCount,
    State,
    Version,
    Workspace,
)
from memorypane.service import administration, decisions, doctor, editing, importing, purging, reviewing, startup
from memorypane.service.author import Author, Call, Plan
from memorypane.service.documents import check_expected, plan_revert, unified_versions
from memorypane.service.importing import ImportItem, ImportOutcome
from memorypane.service.pipeline import Outcome, Pipeline
from memorypane.service.validate import clean_state
from memorypane.store import agents, entries, events, proposals, search, workspaces
from memorypane.store.copying import Copied, copy_store
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["PersonFace", "Totals"]

STATED = Provenance("human")


@dataclass(frozen=True, slots=True)
class Totals:
    """How many entries are live, gone (in any way) and unreviewed, and how many proposals wait."""

    active: int
    removed: int
    unreviewed: int
    held: int


class PersonFace:
    """The service as the person sees it; every method is one transaction and may be called from any thread."""

    def __init__(self, store: Store, pipeline: Pipeline, home: Home, author: Author) -> None:
        self._store = store
        self._pipeline = pipeline
        self._home = home
        self._author = author

    # reading

    def counts(self) -> tuple[ShelfCount, ...]:
        """Return live and unreviewed counts of every shelf and owner that has entries."""
        return self._store.read(entries.counts)

    def totals(self) -> Totals:
        """Return the counts of the whole store."""
        return Totals(*self._store.read(entries.totals))

    def seqs(self, query: ListQuery) -> tuple[int, ...]:
        """Return the row keys of a list in its order."""
        return self._store.read(lambda transaction: entries.seqs(transaction, query))

    def infos(self, seqs: Sequence[int]) -> dict[int, EntryInfo]:
        """Return the entries of row keys; keys that are gone are left out."""
        return self._store.read(lambda transaction: entries.infos(transaction, seqs))

    def page(self, query: ListQuery, *, offset: int = 0, limit: int = 100) -> Page:
        """Return a stretch of a list and its total."""
        return self._store.read(lambda transaction: entries.page(transaction, query, offset, limit))

    def entry(self, entry_id: str) -> Entry:
        """Return an entry in whatever status; `NotFound` for an unknown id."""
        return self._store.read(lambda transaction: editing.stored(transaction, entry_id))

    def history(self, entry_id: str) -> tuple[Version, ...]:
        """Return an entry's versions, newest first, without texts."""

        def job(transaction: Transaction) -> tuple[Version, ...]:
            return entries.history(transaction, editing.stored(transaction, entry_id).id)

        return self._store.read(job)

    def version(self, entry_id: str, number: int) -> Version:
        """Return one version whole; `NotFound` names the numbers there are."""
        return self._store.read(lambda transaction: _version(transaction, entry_id, number))

    def diff(self, entry_id: str, first: int, second: int) -> str:
        """Return the unified diff of two versions by number."""

        def job(transaction: Transaction) -> tuple[Version, Version]:
            return _version(transaction, entry_id, first), _version(transaction, entry_id, second)

        return unified_versions(*self._store.read(job))

    def search(self, words: str, *, tier: str = "", limit: int = 10) -> SearchPage:
        """Return live entries of all tiers, or of one, that match."""
        visible = [entries.in_tier(tier)] if tier else []
        return self._store.read(lambda transaction: search.find(transaction, words, visible, limit))

    def agents(self) -> tuple[Agent, ...]:
        """Return all agents by name."""
        return self._store.read(agents.agents)

    def connection(self, connection_id: str) -> Connection | None:
        """Return what was observed of a connection."""
        return self._store.read(lambda transaction: agents.connection(transaction, connection_id))

    def workspaces(self) -> tuple[Workspace, ...]:
        """Return all workspaces by name."""
        return self._store.read(workspaces.workspaces)

    def channels(self) -> tuple[Channel, ...]:
        """Return the channels of the home."""
        return list_channels(self._home)

    def proposals(self) -> tuple[Proposal, ...]:
        """Return what waits, oldest first."""
        return self._store.read(proposals.pending)

    def events(self, *, limit: int = 100) -> tuple[Event, ...]:
        """Return the newest rows of the audit trail, newest first."""
        return self._store.read(lambda transaction: events.latest(transaction, limit))

    def startup_text(self, agent: str, workspace: str = "") -> Composition:
        """Return what an agent is given to read first, in a workspace or in none."""

        def job(transaction: Transaction) -> Composition:
            administration.known_agent(transaction, agent)
            if workspace:
                administration.known_workspace(transaction, workspace)
            return startup.compose_for(transaction, agent, workspace, channel=self._author.channel)

        return self._store.read(job)

    # writing

    def _submit(self, planner: Callable[[Transaction], Plan], provenance: Provenance = STATED) -> Entry:
        outcome = self._pipeline.submit(Call(self._author, self._author.via, provenance), planner)
        return self._result(outcome)

    def _result(self, outcome: Outcome) -> Entry:
        if outcome.entries:
            return self.entry(outcome.entries[0].id)
        if outcome.plan.current is None:
            raise LookupError("a plan without changes must name the entry that stands already")
        return outcome.plan.current

    def add(
        self,
        shelf: Shelf,
        *,
        owner: str = "",
        name: str = "",
        description: str = "",
        content: str = "",
        kind: str = "",
        provenance: Provenance = STATED,
    ) -> Entry:
        """Create an entry at the end of its shelf."""
        draft = clean_state(State(shelf.tier, shelf.name, owner, name, description, content, kind))
        return self._submit(lambda transaction: editing.add(transaction, draft), provenance)

    def edit(
        self,
        entry_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        content: str | None = None,
        expected_version: int | None = None,
    ) -> Entry:
        """Give a live entry new values; `Conflict` carries `current_version` and `current` when it moved from `expected_version`."""
        fields: dict[str, Any] = {"name": name, "description": description, "content": content}
        given = {key: value for key, value in fields.items() if value is not None}
        return self._submit(lambda transaction: editing.edit(transaction, entry_id, given, expected_version))

    def remove(self, entry_id: str, *, expected_version: int | None = None) -> Entry:
        """Take an entry out of the live ones; its versions stay and it can be restored."""
        return self._submit(lambda transaction: editing.remove(transaction, entry_id, expected_version))

    def restore(self, entry_id: str) -> Entry:
        """Bring a removed entry back; `DuplicateName` if its name was taken meanwhile."""
        return self._submit(lambda transaction: editing.restore(transaction, entry_id))

    def revert(self, entry_id: str, number: int, *, expected_version: int | None = None) -> Entry:
        """Write a new version with the text of an earlier one."""

        def plan(transaction: Transaction) -> Plan:
            found = editing.stored(transaction, entry_id)
            then = _version(transaction, entry_id, number)
            check_expected(found, expected_version)
            return plan_revert(found, then)

        then = self.version(entry_id, number)
        return self._submit(plan, Provenance("revert", {"reverted_to": then.id}))

    def promote(self, entry_id: str, *, name: str = "") -> Entry:
        """Move an entry to the system tier, out of agents' reach."""

        def plan(transaction: Transaction) -> Plan:
            decisions.check_may_decide(transaction, self._author)
            return editing.promote(transaction, entry_id, name)

        return self._submit(plan)

    def demote(self, entry_id: str) -> Entry:
        """Move a system entry back to where it stood before, else to the instructions."""

        def plan(transaction: Transaction) -> Plan:
            decisions.check_may_decide(transaction, self._author)
            return editing.demote(transaction, entry_id)

        return self._submit(plan)

    def move(self, entry_id: str, shelf: Shelf, *, owner: str = "") -> Entry:
        """Move an entry to another shelf or owner outside the system tier."""
        return self._submit(lambda transaction: editing.move(transaction, entry_id, shelf, owner))

    def pin(self, entry_id: str) -> Entry:
        """Pin an entry: agents' changes to it then wait for the person."""
        return self._submit(lambda transaction: editing.pin(transaction, entry_id, pinned=True))

    def unpin(self, entry_id: str) -> Entry:
        """Take the pin off."""
        return self._submit(lambda transaction: editing.pin(transaction, entry_id, pinned=False))

    def reorder(self, entry_id: str, *, before: str = "") -> Entry:
        """Put an entry right before another of its shelf, or at the end."""
        return self._submit(lambda transaction: editing.reorder(transaction, entry_id, before))

    def import_entries(self, items: Sequence[ImportItem], *, dry_run: bool = False) -> tuple[ImportOutcome, ...]:
        """Bring in entries from outside in one transaction; what is skipped says why, and a dry run writes nothing."""
        return importing.run(self._store, self._pipeline, self._author, items, dry_run=dry_run)

    # review

    def review(self) -> tuple[ReviewItem, ...]:
        """Return everything that waits for the person, held and unreviewed, oldest first."""
        return self._store.read(reviewing.items)

    def review_item(self, item_id: str) -> ReviewDetail:
        """Return one item whole: before, after, the call as made, and the mark of what is shown."""
        return self._store.read(lambda transaction: reviewing.detail(transaction, item_id))

    def approve(self, proposal_id: str, *, edited: str | None = None, seen: str = "") -> decisions.Decided:
        """Apply a held write, all its changes or none, as it was made, merged, or with the person's text; an erasure is carried out."""
        decided = self._store.write(lambda transaction: decisions.approve(transaction, self._author, proposal_id, edited=edited, seen=seen))
        if not any(one.erasing for one in decided.entries):
            return decided
        purging.finish_pending(self._store)
        return decisions.Decided(tuple(self.entry(one.id).info for one in decided.entries))

    def reject(self, item_id: str, *, reason: str = "", seen: str = "") -> decisions.Decided:
        """Turn down a held write (no entries come back), or revert an unreviewed entry to what was last kept."""

        def job(transaction: Transaction) -> decisions.Decided:
            if entries.info(transaction, item_id) is not None:
                return decisions.revert_unreviewed(transaction, self._author, item_id, reason=reason, seen=seen)
            decisions.reject(transaction, self._author, item_id, reason=reason, seen=seen)
            return decisions.Decided(())

        return self._store.write(job)

    def keep(self, entry_id: str, *, seen: str = "") -> decisions.Decided:
        """Keep an unreviewed entry as it stands."""
        return self._store.write(lambda transaction: decisions.keep(transaction, self._author, entry_id, seen=seen))

    def undo(self) -> decisions.Undone:
        """Take the newest decision back; `Conflict` when its entry changed since."""
        return self._store.write(lambda transaction: decisions.undo(transaction, self._author))

    def lift(self, item_id: str) -> int:
        """Forget that the texts of a rejected proposal or a reverted entry were turned down."""
        return self._store.write(lambda transaction: decisions.lift(transaction, self._author, item_id))

    def purge(self, entry_id: str, *, copies: bool = False) -> purging.Purged:
        """Erase an entry's words for good; with `copies` also from the backups and channels of this home."""
        return purging.purge(self._store, self._home, self._author, entry_id, copies=copies, clock=self._store.clock)

    def backup(self, target: Path) -> Copied:
        """Copy the store to a new file, open the copy and check it; may run while others write."""
        return copy_store(self._store.path, target)

    def rescan(self) -> reviewing.Rescan:
        """Look through every live entry for findings with the rules of today."""
        return self._store.read(reviewing.rescan)

    def examine(self, *, repair: bool = False) -> doctor.Checkup:
        """Check the store and its files."""
        return doctor.examine(self._store, self._home, repair=repair)

    # agents, workspaces, policy, settings

    def add_agent(self, name: str, *, families: Sequence[str] = ()) -> administration.NewAgent:
        """Register an agent (or give a known one a new token), and write its token file."""
        return administration.add_agent(self._store, self._home, self._author, name, families)

    def confirm_agent(self, name: str, *, families: Sequence[str] = ()) -> administration.NewAgent:
        """Register an agent that connected without a token; what it wrote meanwhile stays in review."""
        return administration.confirm_agent(self._store, self._home, self._author, name, families)

    def revoke_agent(self, name: str) -> Agent:
        """Refuse an agent from now on and remove its token."""
        return administration.revoke_agent(self._store, self._home, self._author, name)

    def add_workspace(self, path: Path, *, name: str = "") -> Workspace:
        """Register a folder as a confirmed workspace, or confirm the known one."""
        return administration.add_workspace(self._store, self._author, path, name)

    def confirm_workspace(self, workspace_id: str) -> Workspace:
        """Let agents write in a workspace that one of them brought."""
        return administration.confirm_workspace(self._store, self._author, workspace_id)

    def close_workspace(self, workspace_id: str, *, agent: str = "") -> Workspace:
        """Take a workspace out of sight of an agent, or of all; its records stay."""
        return administration.close_workspace(self._store, self._author, workspace_id, agent)

    def open_workspace(self, workspace_id: str, *, agent: str = "") -> Workspace:
        """Let an agent, or all, see a workspace again."""
        return administration.open_workspace(self._store, self._author, workspace_id, agent)

    def relink_workspace(self, workspace_id: str, path: Path) -> Workspace:
        """Point a workspace to the folder it lies in now."""
        return administration.relink_workspace(self._store, self._author, workspace_id, path)

    def policy(self) -> Mapping[str, str]:
        """Return the preset of every scope that has one ("" = the store's own)."""
        return self._store.read(administration.presets)

    def set_policy(self, preset: str, *, shelf: str = "", agent: str = "") -> None:
        """Set the store's preset, or that of one shelf (`tier/shelf`) or agent; an empty preset lifts an override."""
        administration.set_policy(self._store, self._author, preset, shelf=shelf, agent=agent)

    def settings(self) -> dict[str, int | str]:
        """Return every setting of the store."""
        return self._store.read(administration.settings)

    def set_setting(self, key: str, value: str) -> int | str:
        """Change a setting; `InvalidInput` says what it takes."""
        return administration.set_setting(self._store, self._author, key, value)


def _version(transaction: Transaction, entry_id: str, number: int) -> Version:
    found = editing.stored(transaction, entry_id)
    version = entries.version(transaction, found.id, number)
    if version is None:
        raise NotFound(f"The entry {text.short(entry_id)!r} has no version {number}; it has 1 to {found.info.version}.")
    return version
