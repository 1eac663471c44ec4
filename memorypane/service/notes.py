"""The two bounded lists of unnamed notes as an agent may change them: its own notes, and who the user is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from memorypane.model import notes as lists
from memorypane.model.errors import MemoryPaneError, NotAllowed, OverLimit, SecretRefused
from memorypane.model.notes import Done, Note, Operation
from memorypane.model.shelves import NOTES, PROFILE, Shelf
from memorypane.model.values import Action, Change, Entry, Proposal, State, Status
from memorypane.scan.scanner import credentials
from memorypane.service import policy
from memorypane.service.author import Author, Plan, Request
from memorypane.service.limits import Settings
from memorypane.service.pipeline import Pipeline
from memorypane.service.quoting import quoted
from memorypane.store import entries
from memorypane.store import policy as stored_policy
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["Changed", "Notes", "Target"]

Target = Literal["memory", "user"]
VERSIONS_LOOKED_AT = 200
"""A patch is a repeat only of what one of so many newest versions shows."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a call: what each operation did and how full the list is now, or the proposal that waits."""

    done: tuple[Done, ...]
    usage: str
    count: int
    proposal: Proposal | None = None


@dataclass(slots=True)
class _Computed:
    """The newest computation of a plan; it may be made twice, the second time inside the write transaction."""

    done: tuple[Done, ...] = ()
    usage: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Notes:
    """Both lists for one author; whose notes they are is fixed by the connection and never an argument."""

    store: Store
    pipeline: Pipeline
    author: Author

    def change(self, target: Target, operations: Sequence[Operation], request: Request, *, batch: bool) -> Changed:
        """Carry the operations out in order, all or none; a `batch` may not empty a list that has entries.

        Besides what `lists.carry_out` raises: `OverLimit` with `usage` and `current_entries` when the list would be too full afterwards,
        and the refusals of every write; in a batch those that one operation caused name it as `operation`.
        """
        shelf, owner = self._place(target)
        computed = _Computed()

        def plan(transaction: Transaction) -> Plan:
            stored = entries.live_contents(transaction, shelf, owner)
            before = [Note(one.id, one.content) for one in stored]
            after, done = lists.carry_out(before, operations, partial(_earlier, transaction), quoted)
            if batch and before and not after:
                raise NotAllowed("A batch may not empty the list. Keep an entry, or take the last one out with a single remove.")
            limit = _limit(transaction, shelf)
            _check_room(before, after, limit)
            computed.done, computed.count = tuple(done), len(after)
            computed.usage = lists.usage(lists.measure(note.text for note in after), limit)
            return Plan(_changes(stored, after, State(shelf.tier, shelf.name, owner)), fragile=True)

        try:
            outcome = self.pipeline.submit(request.call(self.author), plan)
        except (SecretRefused, NotAllowed) as problem:
            raise self._with_culprit(problem, shelf, computed.done) from problem
        return Changed(computed.done, computed.usage, computed.count, outcome.proposal)

    def usage(self, target: Target) -> str:
        """Return how full a list is."""
        shelf, owner = self._place(target)

        def job(transaction: Transaction) -> str:
            found = entries.live_contents(transaction, shelf, owner)
            return lists.usage(lists.measure(one.content for one in found), _limit(transaction, shelf))

        return self.store.read(job)

    def _place(self, target: Target) -> tuple[Shelf, str]:
        return (NOTES, self.author.agent) if target == "memory" else (PROFILE, "")

    def _with_culprit(self, problem: MemoryPaneError, shelf: Shelf, done: Sequence[Done]) -> MemoryPaneError:
        """The refusal with the number of the operation whose text caused it, where it was one."""
        if isinstance(problem, NotAllowed) and problem.data.get("reason") != "rejected_before":
            return problem
        for number, one in enumerate(done, 1):
            if isinstance(problem, SecretRefused):
                guilty = bool(credentials("content", one.after))
            else:
                guilty = bool(one.after) and self._was_rejected(shelf, one.after)
            if guilty:
                return type(problem)(problem.message, **problem.data, operation=number)
        return problem

    def _was_rejected(self, shelf: Shelf, text: str) -> bool:
        return self.store.read(lambda transaction: policy.was_rejected(transaction, self.author.agent, shelf.key, text))


def _earlier(transaction: Transaction, key: str) -> list[str]:
    return entries.texts(transaction, key, VERSIONS_LOOKED_AT) if key else []


def _limit(transaction: Transaction, shelf: Shelf) -> int:
    return Settings(stored_policy.settings(transaction)).limit(shelf)


def _check_room(before: Sequence[Note], after: Sequence[Note], limit: int) -> None:
    """Raise `OverLimit` unless the list fits; one that is too long already may still become shorter."""
    was, will = (lists.measure(note.text for note in notes) for notes in (before, after))
    if limit and will > limit and will >= was and after != before:
        raise OverLimit(
            f"The list would have {will:,} characters; {limit:,} are the most, and {was:,} are in use. Send one call with operations that "
            "first remove or shorten what matters least and then add this.",
            usage=lists.usage(was, limit),
            current_entries=[note.text for note in before],
        )


def _changes(stored: Sequence[Entry], after: Sequence[Note], new: State) -> list[Change]:
    kept = {note.key: note.text for note in after if note.key}
    changes = []
    for one in stored:
        now = entries.state(one)
        if one.id not in kept:
            changes.append(Change(one.id, one.info.version, Action.REMOVE, replace(now, status=Status.REMOVED)))
        elif kept[one.id] != one.content:
            changes.append(Change(one.id, one.info.version, Action.EDIT, replace(now, content=kept[one.id])))
    return [*changes, *(Change("", 0, Action.CREATE, replace(new, content=note.text)) for note in after if not note.key)]
