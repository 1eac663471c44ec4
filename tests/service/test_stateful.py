"""Any row of calls of agents and verbs of the person does what a plain model in memory says, and loses nothing."""

from __future__ import annotations

import shutil
import tempfile
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from memorypane.home.paths import Home
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import FILES, INSTRUCTIONS, SYSTEM, Shelf
from memorypane.model.values import ListQuery
from memorypane.service.desk import Desk
from tests.service.support import Agent, Clock, unsound

NAMES = st.sampled_from(["One", "one", "Two", "Ä", "A\u0308", "Three"])
FILES_ = st.sampled_from(["a.md", "b.md", "MEMORY.md"])
TEXTS = st.sampled_from(["", "first", "second", "third\n", "用户 and café", "x" * 500])
AGENTS = st.sampled_from(["alice", "bob"])
HUMAN = "human"


@dataclass
class Stood:
    """What stood in one version."""

    action: str
    actor: str
    shelf: Shelf
    owner: str
    name: str
    content: str
    live: bool
    pinned: bool


@dataclass
class Model:
    """One entry: all its versions, who decided last, and whether the person kept that."""

    versions: list[Stood] = field(default_factory=list)
    decided_by: str = ""
    kept: bool = False

    @property
    def now(self) -> Stood:
        return self.versions[-1]


def key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


class Pane(RuleBasedStateMachine):
    """A desk with a person and two agents at it, and beside it the model."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="mp-"))
        self.clock = Clock()
        self.desk = Desk.open(Home(self.folder / "home"), clock=self.clock)
        self.person = self.desk.person(via="window")
        self.agents = {name: Agent.enter(self.desk, name, self.person.add_agent(name).token) for name in ("alice", "bob")}
        self.entries: dict[str, Model] = {}

    def teardown(self) -> None:
        try:
            assert unsound(self.desk) == {}
            for entry_id in self.entries:
                self.compare(entry_id)
        finally:
            self.desk.close()
            shutil.rmtree(self.folder)

    # the model

    def holder(self, shelf: Shelf, owner: str, name: str, without: str = "") -> str:
        for entry_id, model in self.entries.items():
            now = model.now
            if entry_id != without and now.live and (now.shelf, now.owner, key(now.name)) == (shelf, owner, key(name)):
                return entry_id
        return ""

    def wrote(self, entry_id: str, action: str, actor: str, **changes: Any) -> None:
        model = self.entries.setdefault(entry_id, Model())
        before = vars(model.now) if model.versions else {"live": True, "pinned": False, "owner": ""}
        model.versions.append(Stood(**{**before, **changes, "action": action, "actor": actor}))
        if action not in ("pin", "unpin", "move", "reorder"):
            model.decided_by, model.kept = actor, actor == HUMAN

    def waits(self, entry_id: str, actor: str) -> set[str]:
        """Why an agent's change of an entry would wait."""
        model = self.entries[entry_id]
        reasons = {"human_head"} if model.decided_by == HUMAN else set()
        reasons |= {"pinned"} if model.now.pinned else set()
        if model.now.shelf is INSTRUCTIONS and model.kept and model.decided_by not in (HUMAN, actor):
            reasons.add("kept")
        return reasons

    def compare(self, entry_id: str) -> None:
        """What the store says of an entry is what the model says, version by version."""
        found, model = self.person.entry(entry_id), self.entries[entry_id]
        now = model.now
        assert (found.info.place, found.info.owner, found.info.name, found.content) == (now.shelf, now.owner, now.name, now.content)
        assert (found.info.status == "active", found.info.pinned, found.info.version) == (now.live, now.pinned, len(model.versions))
        assert found.info.unreviewed == (model.decided_by != HUMAN and not model.kept)
        history = self.person.history(entry_id)
        assert [version.number for version in history] == list(range(len(model.versions), 0, -1))
        for version, stood in zip(reversed(history), model.versions, strict=True):
            whole = self.person.version(entry_id, version.number)
            assert (version.action, version.actor, whole.state.name, whole.state.content) == (
                stood.action, stood.actor, stood.name, stood.content,
            )  # fmt: skip

    def check(self, result: Any, expected: str, reasons: set[str], entry_id: str) -> bool:
        """Whether a tool's answer was a write; it must be the refusal, the wait or the write that the model expects."""
        code = result.data["error"]["code"] if result.is_error else ""
        assert code == expected, result.text
        assert set(result.data.get("reasons", ())) == reasons
        if entry_id:
            self.compare(entry_id) if code or reasons else None
        return not code and not reasons

    def ask(self, expected: str, ask: Any) -> Any:
        """Ask the person's face; a refusal must be the one that the model expects."""
        found, code = None, ""
        try:
            found = ask()
        except MemoryPaneError as problem:
            code = problem.code
        assert code == expected
        return found

    # agents

    @rule(target=ids, agent=AGENTS, name=NAMES, content=TEXTS)
    def agent_creates(self, agent: str, name: str, content: str) -> Any:
        taken = self.holder(INSTRUCTIONS, "", name)
        result = self.agents[agent].call("GlobalMemoryWrite", name=name, content=content)
        if not self.check(result, "duplicate_name" if taken else "", set(), taken):
            return multiple()
        made = result.data["id"]
        self.wrote(made, "create", f"agent:{agent}", shelf=INSTRUCTIONS, name=name, content=content)
        return made

    def reach(self, entry_id: str) -> str:
        """The code by which an agent is kept from an entry, "" where it is not."""
        now = self.entries[entry_id].now
        return "not_allowed" if now.shelf is SYSTEM else "not_found" if now.shelf is not INSTRUCTIONS or not now.live else ""

    @rule(agent=AGENTS, entry_id=ids, name=NAMES, content=TEXTS, behind=st.sampled_from([None, 0, 1]))
    def agent_edits(self, agent: str, entry_id: str, name: str, content: str, behind: int | None) -> None:
        model, actor = self.entries[entry_id], f"agent:{agent}"
        expected = {} if behind is None else {"expected_version": len(model.versions) - behind}
        same = (model.now.name, model.now.content) == (name, content)
        code = self.reach(entry_id) or ("conflict" if behind else "")
        if not code and not same and self.holder(INSTRUCTIONS, "", name, without=entry_id):
            code = "duplicate_name"
        reasons = set() if code or same else self.waits(entry_id, actor)
        result = self.agents[agent].call("GlobalMemoryWrite", id=entry_id, name=name, content=content, **expected)
        if self.check(result, code, reasons, entry_id) and not same:
            assert result.data["version"] == len(model.versions) + 1
            self.wrote(entry_id, "edit", actor, name=name, content=content)

    @rule(agent=AGENTS, entry_id=ids)
    def agent_removes(self, agent: str, entry_id: str) -> None:
        code, actor = self.reach(entry_id), f"agent:{agent}"
        reasons = set() if code else self.waits(entry_id, actor)
        if self.check(self.agents[agent].call("GlobalMemoryRemove", id=entry_id), code, reasons, entry_id):
            self.wrote(entry_id, "remove", actor, live=False)

    @rule(agent=AGENTS, entry_id=ids, data=st.data())
    def agent_reverts(self, agent: str, entry_id: str, data: st.DataObject) -> None:
        model, actor = self.entries[entry_id], f"agent:{agent}"
        number = data.draw(st.integers(1, len(model.versions)))
        then = model.versions[number - 1]
        version_id = self.person.version(entry_id, number).id
        code = {SYSTEM: "not_allowed", INSTRUCTIONS: ""}.get(model.now.shelf, "not_found")
        if not code and then.shelf is not INSTRUCTIONS:
            code = "not_found"
        same = model.now.live and (model.now.name, model.now.content) == (then.name, then.content)
        if not code and not same and self.holder(INSTRUCTIONS, "", then.name, without=entry_id):
            code = "duplicate_name"
        reasons = set() if code or same else self.waits(entry_id, actor)
        result = self.agents[agent].call("GlobalMemoryRevert", id=entry_id, version_id=version_id)
        if self.check(result, code, reasons, entry_id) and not same:
            self.wrote(entry_id, "revert", actor, name=then.name, content=then.content, live=True)

    @rule(target=ids, agent=AGENTS, name=FILES_, content=TEXTS)
    def agent_writes_a_file(self, agent: str, name: str, content: str) -> Any:
        actor, held = f"agent:{agent}", self.holder(FILES, agent, name)
        same = bool(held) and self.entries[held].now.content == content
        reasons = self.waits(held, actor) if held and not same else set()
        result = self.agents[agent].call("MemoryWrite", filename=name, content=content)
        if not self.check(result, "", reasons, held) or same:
            return multiple()
        entry_id = result.data["id"]
        assert result.data["created"] == (not held)
        assert entry_id == (held or entry_id)
        self.wrote(entry_id, "edit" if held else "create", actor, shelf=FILES, owner=agent, name=name, content=content)
        return multiple() if held else entry_id

    @rule(agent=AGENTS, name=FILES_)
    def agent_removes_a_file(self, agent: str, name: str) -> None:
        actor, held = f"agent:{agent}", self.holder(FILES, agent, name)
        reasons = self.waits(held, actor) if held else set()
        if self.check(self.agents[agent].call("MemoryRemove", filename=name), "" if held else "not_found", reasons, held):
            self.wrote(held, "remove", actor, live=False)

    # the person

    @rule(target=ids, name=NAMES, content=TEXTS, shelf=st.sampled_from([INSTRUCTIONS, SYSTEM]))
    def person_adds(self, name: str, content: str, shelf: Shelf) -> Any:
        taken = self.holder(shelf, "", name)
        found = self.ask("duplicate_name" if taken else "", lambda: self.person.add(shelf, name=name, content=content))
        if found is None:
            return multiple()
        self.wrote(found.id, "create", HUMAN, shelf=shelf, name=name, content=content)
        return found.id

    @rule(entry_id=ids, content=TEXTS, behind=st.sampled_from([None, 0, 1]))
    def person_edits(self, entry_id: str, content: str, behind: int | None) -> None:
        model = self.entries[entry_id]
        expected = None if behind is None else len(model.versions) - behind
        code = "not_allowed" if not model.now.live else "conflict" if behind else ""
        found = self.ask(code, lambda: self.person.edit(entry_id, content=content, expected_version=expected))
        if found is not None and model.now.content != content:
            self.wrote(entry_id, "edit", HUMAN, content=content)

    @rule(entry_id=ids)
    def person_removes(self, entry_id: str) -> None:
        if self.ask("" if self.entries[entry_id].now.live else "not_allowed", lambda: self.person.remove(entry_id)):
            self.wrote(entry_id, "remove", HUMAN, live=False)

    @rule(entry_id=ids)
    def person_restores(self, entry_id: str) -> None:
        now = self.entries[entry_id].now
        taken = self.holder(now.shelf, now.owner, now.name, without=entry_id)
        if self.ask("conflict" if now.live else "duplicate_name" if taken else "", lambda: self.person.restore(entry_id)):
            self.wrote(entry_id, "restore", HUMAN, live=True)

    @rule(entry_id=ids, data=st.data())
    def person_reverts(self, entry_id: str, data: st.DataObject) -> None:
        model = self.entries[entry_id]
        now, then = model.now, model.versions[data.draw(st.integers(1, len(model.versions))) - 1]
        number = model.versions.index(then) + 1
        # A file's name and a free one do not take each other's place.
        name = then.name if (now.shelf is FILES) == (then.shelf is FILES) else now.name
        same = now.live and (now.name, now.content) == (name, then.content)
        taken = not same and self.holder(now.shelf, now.owner, name, without=entry_id)
        if self.ask("duplicate_name" if taken else "", lambda: self.person.revert(entry_id, number)) and not same:
            self.wrote(entry_id, "revert", HUMAN, name=name, content=then.content, live=True)

    @rule(entry_id=ids)
    def person_promotes(self, entry_id: str) -> None:
        now = self.entries[entry_id].now
        code = "not_allowed" if not now.live else "conflict" if now.shelf is SYSTEM else ""
        if not code and self.holder(SYSTEM, "", now.name):
            code = "duplicate_name"
        if self.ask(code, lambda: self.person.promote(entry_id)):
            self.wrote(entry_id, "promote", HUMAN, shelf=SYSTEM, owner="")

    @rule(entry_id=ids)
    def person_demotes(self, entry_id: str) -> None:
        model = self.entries[entry_id]
        code = "not_allowed" if not model.now.live or model.now.shelf is not SYSTEM else ""
        promotions = [number for number, version in enumerate(model.versions) if version.action == "promote"]
        origin = model.versions[promotions[-1] - 1] if promotions else None
        shelf, owner = (origin.shelf, origin.owner) if origin else (INSTRUCTIONS, "")
        name = origin.name if origin and shelf is FILES else model.now.name
        if not code and self.holder(shelf, owner, name):
            code = "duplicate_name"
        if self.ask(code, lambda: self.person.demote(entry_id)):
            self.wrote(entry_id, "demote", HUMAN, shelf=shelf, owner=owner, name=name)

    @rule(entry_id=ids)
    def person_moves_to_the_instructions(self, entry_id: str) -> None:
        now = self.entries[entry_id].now
        code = "not_allowed" if not now.live or now.shelf is SYSTEM else ""
        same = now.shelf is INSTRUCTIONS
        if not code and not same and self.holder(INSTRUCTIONS, "", now.name):
            code = "duplicate_name"
        if self.ask(code, lambda: self.person.move(entry_id, INSTRUCTIONS)) and not same:
            self.wrote(entry_id, "move", HUMAN, shelf=INSTRUCTIONS, owner="")

    @rule(entry_id=ids, pinned=st.booleans())
    def person_pins(self, entry_id: str, pinned: bool) -> None:
        now = self.entries[entry_id].now
        verb = self.person.pin if pinned else self.person.unpin
        if self.ask("" if now.live else "not_allowed", lambda: verb(entry_id)) and now.pinned != pinned:
            self.wrote(entry_id, "pin" if pinned else "unpin", HUMAN, pinned=pinned)

    @rule(entry_id=ids)
    def person_keeps(self, entry_id: str) -> None:
        self.person.keep(entry_id)
        self.entries[entry_id].kept = True

    @rule(entry_id=consumes(ids))
    def person_purges(self, entry_id: str) -> None:
        self.person.purge(entry_id)
        del self.entries[entry_id]
        found = self.person.entry(entry_id)
        assert (found.info.status, found.content, found.info.name) == ("purged", "", "")

    @rule(seconds=st.integers(1, 100))
    def time_passes(self, seconds: int) -> None:
        self.clock.pass_by(seconds=seconds)

    # what holds all the time

    @invariant()
    def lists_and_counts_are_those_of_the_model(self) -> None:
        live = {entry_id for entry_id, model in self.entries.items() if model.now.live}
        assert {one.id for one in self.person.page(ListQuery(), limit=1000).entries} == live
        listed = self.agents["alice"].do("GlobalMemoryList")["entries"]
        visible = {entry_id for entry_id in live if self.entries[entry_id].now.shelf in (SYSTEM, INSTRUCTIONS)}
        assert {row["id"] for row in listed} == visible
        assert {row["id"] for row in listed if row["system"]} == {one for one in visible if self.entries[one].now.shelf is SYSTEM}
        found = self.agents["alice"].do("SearchMemory", query="first", limit=50)
        words = {one for one in live if self.entries[one].now.content == "first" and self.entries[one].now.shelf is not SYSTEM}
        assert {row["id"] for row in found["results"]} == {one for one in words if self.entries[one].now.owner in ("", "alice")}


Pane.TestCase.settings = settings(max_examples=12, stateful_step_count=30, suppress_health_check=[HealthCheck.too_slow])
TestPane = Pane.TestCase
