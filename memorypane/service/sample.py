"""Fills an empty home with an invented history: several agents, versions, removals, and writes that wait."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from memorypane.home.paths import Home, private_folder, resources
from memorypane.home.tokens import read_token
from memorypane.model.errors import NotAllowed
from memorypane.model.shelves import find_shelf
from memorypane.model.values import Entry, ListQuery
from memorypane.service.desk import Desk, wall_clock
from memorypane.service.identity import Caller, Hello

__all__ = ["Sample", "ToolCall", "fill_sample"]

ToolCall = Callable[[Caller, str, Mapping[str, Any]], str]
"""Makes one tool call for an admitted agent and returns "" or what went wrong."""
UNITS = {"min": 60_000, "h": 3_600_000, "d": 86_400_000}


@dataclass(frozen=True, slots=True)
class Sample:
    """How many live entries and waiting proposals there are now."""

    entries: int
    proposals: int


class _Clock:
    """A clock that stands where the story is."""

    def __init__(self, end: int, begins: str) -> None:
        self._end = end
        self._now = end - _length(begins)

    def __call__(self) -> int:
        """The time of the story in ms UTC; each look is a little later than the one before."""
        self._now += 1
        return self._now

    def to(self, age: str) -> None:
        """Go to an age before the end, such as `3 h`, but never behind what was told already."""
        self._now = max(self._now, self._end - _length(age))


def _length(age: str) -> int:
    number, unit = age.split()
    return int(number) * UNITS[unit]


def fill_sample(home: Home, channel: str, tools: Callable[[Desk], ToolCall], *, now: Callable[[], int] = wall_clock) -> Sample:
    """Write the story of `sample.toml` into the channel's store and return the counts; `tools` gives the agents their tools.

    Agents' writes are tool calls and meet the same rules as any. The folders of the workspaces are made inside the home. Raises
    `NotAllowed` if the store holds anything already.
    """
    story = tomllib.loads((resources() / "sample.toml").read_text("utf-8"))
    clock = _Clock(now(), story["begins"])
    with Desk.open(home, channel, clock=clock) as desk:
        person = desk.person(via="command")
        totals = person.totals()
        if totals.active or totals.removed or totals.held or person.agents() or person.workspaces():
            raise NotAllowed("This home is not empty, and invented content is never mixed with memory. Choose another one with --home DIR.")
        _Story(home, desk, clock, tools(desk)).tell(story)
        totals = person.totals()
        return Sample(totals.active, totals.held)


class _Story:
    """Tells the steps of a story to one desk."""

    def __init__(self, home: Home, desk: Desk, clock: _Clock, call: ToolCall) -> None:
        self._home = home
        self._desk = desk
        self._person = desk.person(via="window")
        self._clock = clock
        self._call = call
        self._callers: dict[str, Caller] = {}
        self._workspaces: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def tell(self, story: Mapping[str, Any]) -> None:
        """Bring everybody together, then take every step in the order of ages."""
        for name in story["workspaces"]:
            made = self._person.add_workspace(private_folder(self._home.root / "sample" / name))
            self._workspaces[name], self._folders[name] = made.id, made.path
        for name in story["verified"]:
            self._person.add_agent(name)
        for name in (*story["verified"], *story["unverified"]):
            token = read_token(self._home, self._desk.store_id, name) if name in story["verified"] else ""
            folder = self._folders.get(story["works_in"].get(name, ""), "")
            self._callers[name] = self._desk.admit(Hello(name, token=token, workspace=folder, client_name="sample"))
        for step in sorted(story["step"], key=lambda step: -_length(step["age"])):
            self._clock.to(step["age"])
            if "agent" in step:
                self._agent(step)
            else:
                self._human(step)
        for caller in self._callers.values():
            self._desk.leave(caller)

    def _agent(self, step: Mapping[str, Any]) -> None:
        """Make an agent's tool call."""
        arguments = {key: self._filled(value) for key, value in step.get("args", {}).items()}
        if "of" in step:
            entry = self._named(step["of"])
            arguments = {"id": entry.id, "name": entry.info.name, "content": _changed(entry.content, step), **arguments}
        if problem := self._call(self._callers[step["agent"]], step["tool"], arguments):
            raise ValueError(f"a step of the sample failed: {step['tool']} {step.get('of', '')}: {problem}")

    def _human(self, step: Mapping[str, Any]) -> None:
        """Do what the person does in a step."""
        match step["do"]:
            case "policy":
                self._person.set_policy(step["preset"])
            case "revoke":
                self._person.revoke_agent(step["of"])
            case "add":
                shelf = find_shelf(*step["shelf"].split("/"))
                self._person.add(
                    shelf, owner=self._workspaces.get(step.get("owner", ""), ""), name=step.get("name", ""),
                    description=step.get("description", ""), content=step["text"], kind=step.get("kind", ""),
                )
            case "edit":
                entry = self._named(step["of"])
                self._person.edit(entry.id, content=_changed(entry.content, step))
            case "revert":
                self._person.revert(self._named(step["of"]).id, step["number"])
            case "first":
                entry = self._named(step["of"])
                self._person.reorder(entry.id, before=self._first_beside(entry))
            case "remove":
                self._person.remove(self._named(step["of"]).id)
            case "promote":
                self._person.promote(self._named(step["of"]).id)
            case "keep":
                for name in step["of"]:
                    self._person.keep(self._named(name).id)
            case "pin":
                self._person.pin(self._named(step["of"]).id)
            case other:
                raise ValueError(f"the sample does not know how to {other}")

    def _filled(self, value: Any) -> Any:
        """A `$NAME` as the id it stands for; anything else as it is."""
        if not isinstance(value, str) or not value.startswith("$"):
            return value
        return self._workspaces.get(value[1:]) or self._named(value[1:]).id

    def _named(self, name: str) -> Entry:
        """The live entry of a name, or of a first line where it has none."""
        found = self._person.page(ListQuery(), limit=1000).entries
        return next(self._person.entry(info.id) for info in found if info.title == name)

    def _first_beside(self, entry: Entry) -> str:
        """The first entry of the list that an entry stands in."""
        query = ListQuery(tier=entry.info.tier.value, shelf=entry.info.shelf, owner=entry.info.owner)
        return self._person.page(query, limit=1).entries[0].id


def _changed(text: str, step: Mapping[str, Any]) -> str:
    """The text with a step's replacements and its addition; a replacement that finds nothing is a mistake in the story."""
    for old, new in step.get("replace", ()):
        if old not in text:
            raise ValueError(f"a step of the sample does not find {old!r}")
        text = text.replace(old, new)
    return text + str(step.get("append", ""))
