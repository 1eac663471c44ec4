"""Topics as an agent may handle them: the index, opening, writing, dropping; all agents share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memorypane.model.errors import InvalidInput, MemoryPaneError, NotFound, OverLimit
from memorypane.model.shelves import TOPICS
from memorypane.model.text import normalise, short, size_of
from memorypane.model.topics import edit_topic, topic_size, with_line_end
from memorypane.model.values import Action, Change, Entry, EntryInfo, Proposal, State, Status
from memorypane.service.author import Author, Plan, Request
from memorypane.service.limits import Settings
from memorypane.service.pipeline import Pipeline
from memorypane.service.quoting import quoted
from memorypane.service.validate import check_topic_name
from memorypane.store import entries, policy
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = ["Opened", "Topic", "Topics", "Written"]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as it stands; `size` is in bytes of its text form, `body` None where it was not asked for."""

    name: str
    description: str
    size: int
    version: int
    updated_at: int
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """What became of the names asked for, in their order: a topic, or why there is none; `limit` is in bytes, 0 = none."""

    topics: tuple[tuple[str, Topic | MemoryPaneError], ...]
    limit: int


@dataclass(frozen=True, slots=True)
class Written:
    """A topic after a write and what was done to it (nothing = it stood so already), or the proposal that waits."""

    topic: Topic
    actions: tuple[str, ...]
    proposal: Proposal | None = None


@dataclass(slots=True)
class _Computed:
    """The newest computation of a plan, which may be made twice."""

    actions: tuple[str, ...] = ()
    description: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Topics:
    """The shelf of topics for one author."""

    store: Store
    pipeline: Pipeline
    author: Author

    def index(self) -> list[Topic]:
        """Return all topics by name, without bodies."""
        found = self.store.read(lambda transaction: entries.listed(transaction, TOPICS))
        return sorted((_topic(one, one.description, one.size) for one in found), key=lambda topic: topic.name)

    def open(self, names: Sequence[str]) -> Opened:
        """Return the named topics with their bodies; a name that comes twice counts once."""

        def job(transaction: Transaction) -> Opened:
            found = tuple((name, _opened(transaction, name)) for name in dict.fromkeys(names))
            return Opened(found, _settings(transaction).limit(TOPICS))

        return self.store.read(job)

    def write(self, name: str, *, old: str | None, new: str | None, description: str | None, request: Request) -> Written:
        """Create or edit a topic, all or nothing; None = not given, and so count an empty `old` and a blank `description`.

        Raises `InvalidInput` for a malformed name, a group that is none, a create without description or nothing to do, `NotFound` and
        `Ambiguous` for `old`, `OverLimit` for a result that is too large.
        """
        check_topic_name(name)
        looked_for = normalise(old or "", "old")
        text = None if new is None else normalise(new, "new")
        wanted = " ".join(normalise(description or "", "description").split())
        computed = _Computed()

        def plan(transaction: Transaction) -> Plan:
            settings = _settings(transaction)
            _check_group(name, settings.topic_groups)
            found = entries.by_name(transaction, TOPICS, "", name)
            if found is None:
                _check_new(name, looked_for, wanted)
                computed.actions, computed.description, computed.body = ("created",), wanted, with_line_end(text or "")
                after = State(TOPICS.tier, TOPICS.name, name=name, description=wanted, content=computed.body)
                _check_size(after, settings.limit(TOPICS))
                # Another agent may create the same name meanwhile; then this call edits it.
                return Plan((Change("", 0, Action.CREATE, after),), fragile=True)
            edited = edit_topic(name, found.info.description, found.content, old=looked_for, new=text, wanted=wanted)
            computed.actions, computed.description, computed.body = edited.actions, edited.description, edited.body
            after = replace(entries.state(found), description=edited.description, content=edited.body)
            if not edited.actions:
                return Plan((), found)
            _check_size(after, settings.limit(TOPICS))
            return Plan((Change(found.id, found.info.version, Action.EDIT, after),), found)

        outcome = self.pipeline.submit(request.call(self.author), plan)
        one = outcome.entries[0] if outcome.entries else outcome.plan.current.info if outcome.plan.current else None
        version, at = (one.version, one.updated_at) if one is not None else (0, 0)
        size = topic_size(computed.description, size_of(computed.body))
        topic = Topic(name, computed.description, size, version, at, computed.body)
        return Written(topic, computed.actions, outcome.proposal)

    def drop(self, name: str, request: Request) -> Proposal | None:
        """Make a topic a tombstone; returns the proposal if it waits. `NotFound` where no topic has the name."""
        check_topic_name(name)

        def plan(transaction: Transaction) -> Plan:
            found = _live(transaction, name)
            gone = replace(entries.state(found), status=Status.REMOVED)
            return Plan((Change(found.id, found.info.version, Action.REMOVE, gone),), found)

        return self.pipeline.submit(request.call(self.author), plan).proposal


def _topic(info: EntryInfo, description: str, body_bytes: int, body: str | None = None) -> Topic:
    return Topic(info.name, description, topic_size(description, body_bytes), info.version, info.updated_at, body)


def _live(transaction: Transaction, name: str) -> Entry:
    found = entries.by_name(transaction, TOPICS, "", name)
    if found is None:
        raise NotFound(f"There is no topic {quoted(name)}. Open the index to see the names there are.")
    return found


def _opened(transaction: Transaction, name: str) -> Topic | MemoryPaneError:
    try:
        found = _live(transaction, check_topic_name(name))
    except MemoryPaneError as problem:
        return problem
    return _topic(found.info, found.info.description, found.info.size, found.content)


def _settings(transaction: Transaction) -> Settings:
    return Settings(policy.settings(transaction))


def _check_group(name: str, groups: Sequence[str]) -> None:
    group = name.partition("/")[0]
    if group not in groups:
        raise InvalidInput(f"There is no group {quoted(group)!r} for topics. The groups are: {', '.join(groups)}. Name it in one of these.")


def _check_new(name: str, old: str, description: str) -> None:
    if old:
        raise NotFound(f"There is no topic {short(name)}, so nothing in it can be replaced. Leave old out to create it.")
    if not description:
        raise InvalidInput(f"There is no topic {short(name)} yet. To create it, send a description: one line that says what it holds.")


def _check_size(state: State, limit: int) -> None:
    size = topic_size(state.description, size_of(state.content))
    if limit and size > limit:
        raise OverLimit(
            f"{short(state.name)} would have {size} bytes; {limit} are the most, front matter and description included. Nothing was "
            "written. Shorten it, or move a part into a topic of its own.",
            size=size,
            limit=limit,
        )
