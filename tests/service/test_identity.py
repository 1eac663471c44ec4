"""Who is at the door: names, tokens, families, workspaces, processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memorypane.control.peers import program_of
from memorypane.home.paths import Home
from memorypane.home.tokens import hash_token, read_token
from memorypane.model.errors import Conflict, InvalidInput, NotAllowed, NotFound
from memorypane.service.desk import Desk
from memorypane.service.identity import Hello
from memorypane.service.person import PersonFace
from tests.service.support import Agent, Clock
from tests.support import wait_until


def test_the_right_token_makes_an_agent_verified(desk: Desk, person: PersonFace) -> None:
    token = person.add_agent("alice").token
    caller = desk.admit(Hello("alice", token))
    assert (caller.agent, caller.verified, caller.author.actor) == ("alice", True, "agent:alice")


@pytest.mark.parametrize("token", ["", "wrong", "mp_", "é", "\ud800", " ", "x" * 100_000])
def test_a_registered_agent_without_its_token_is_refused(desk: Desk, person: PersonFace, token: str) -> None:
    made = person.add_agent("alice")
    with pytest.raises(NotAllowed) as caught:
        desk.admit(Hello("alice", token))
    assert "registered" in caught.value.message
    assert made.token not in caught.value.message
    assert [agent.last_seen for agent in person.agents()] == [0]


def test_the_token_of_another_agent_opens_nothing(desk: Desk, person: PersonFace) -> None:
    bobs = person.add_agent("bob").token
    person.add_agent("alice")
    with pytest.raises(NotAllowed):
        desk.admit(Hello("alice", bobs))


def test_a_token_for_a_name_that_nobody_registered_is_refused(desk: Desk, person: PersonFace) -> None:
    token = person.add_agent("alice").token
    with pytest.raises(NotAllowed, match="no agent 'carol' is registered"):
        desk.admit(Hello("carol", token))
    assert [agent.name for agent in person.agents()] == ["alice"]


def test_a_name_that_becomes_anothers_by_its_spelling_needs_that_ones_token(desk: Desk, person: PersonFace) -> None:
    person.add_agent("alice")
    for spelled in ("Alice", " alice ", "ALICE", "álice"):
        with pytest.raises(NotAllowed):
            desk.admit(Hello(spelled))


def test_an_unknown_agent_comes_in_unverified_and_is_told_once(desk: Desk, person: PersonFace, clock: Clock) -> None:
    first = desk.admit(Hello("mallory"))
    clock.pass_by(seconds=5)
    desk.admit(Hello("mallory"))
    assert not first.verified
    [known] = person.agents()
    assert (known.name, known.verified, known.revoked, known.last_seen - known.first_seen) == ("mallory", False, False, 5_000)
    assert [event.action for event in person.events()] == ["agent_seen"]


@pytest.mark.parametrize(
    ("claimed", "name"), [("Claude Code", "claude-code"), ("human", "agent-human"), ("system", "agent-system"), ("a/b", "a-b")]
)
def test_a_claimed_name_becomes_one_that_can_be_used(desk: Desk, claimed: str, name: str) -> None:
    assert desk.admit(Hello(claimed)).agent == name


def test_no_two_claimed_names_of_other_scripts_fall_together(desk: Desk) -> None:
    assert desk.admit(Hello("助手")).agent != desk.admit(Hello("助理")).agent


def test_a_revoked_agent_is_refused_until_it_is_added_again(desk: Desk, person: PersonFace, home: Home) -> None:
    made = person.add_agent("alice")
    assert person.revoke_agent("alice").revoked
    assert not made.token_file.exists()
    for token in (made.token, ""):
        with pytest.raises(NotAllowed, match="revoked"):
            desk.admit(Hello("alice", token))
    again = person.add_agent("alice")
    assert desk.admit(Hello("alice", again.token)).verified
    with pytest.raises(NotAllowed):
        desk.admit(Hello("alice", made.token))


def test_a_revoked_agent_that_was_never_registered_stays_out(desk: Desk, person: PersonFace) -> None:
    desk.admit(Hello("mallory"))
    person.revoke_agent("mallory")
    with pytest.raises(NotAllowed, match="revoked"):
        desk.admit(Hello("mallory"))


def test_a_new_token_ends_the_old_one(desk: Desk, person: PersonFace, home: Home) -> None:
    old, new = person.add_agent("alice").token, person.add_agent("alice").token
    assert read_token(home, desk.store_id, "alice") == new
    with pytest.raises(NotAllowed):
        desk.admit(Hello("alice", old))


def test_the_store_keeps_a_hash_of_the_token_alone(desk: Desk, person: PersonFace, home: Home) -> None:
    made = person.add_agent("alice")
    content = home.shared_store.read_bytes() + home.shared_store.with_name("identity.db-wal").read_bytes()
    assert made.token.encode() not in content
    assert hash_token(made.token).encode() in content
    assert made.token_file.stat().st_mode & 0o777 == 0o600


def test_an_unknown_agent_is_confirmed_in_one_step(desk: Desk, person: PersonFace) -> None:
    mallory = Agent.enter(desk, "mallory")
    mallory.do("MemoryWrite", filename="a.md", content="mine")
    made = person.confirm_agent("mallory")
    again = Agent.enter(desk, "mallory", made.token)
    assert again.do("MemoryRead", filename="a.md")["content"] == "mine"
    with pytest.raises(Conflict):
        person.confirm_agent("mallory")
    with pytest.raises(NotFound):
        person.confirm_agent("nobody")


@pytest.mark.parametrize("name", ["", "Alice", "a b", "-a", "human", "you", "é", "a" * 65, "a\n", "../a", "a\ud800"])
def test_only_plain_names_can_be_registered(person: PersonFace, name: str) -> None:
    with pytest.raises(InvalidInput):
        person.add_agent(name)
    assert person.agents() == ()


@pytest.mark.parametrize(
    ("registered", "asked", "offered"),
    [
        ((), (), ()),
        ((), ("global",), ("global",)),
        (("global", "search"), (), ("global", "search")),
        (("global", "search"), ("search", "notes"), ("search",)),
        (("global",), ("notes",), ("global",)),
    ],
)
def test_an_agent_is_offered_the_families_it_may_have(
    desk: Desk, person: PersonFace, registered: tuple[str, ...], asked: tuple[str, ...], offered: tuple[str, ...]
) -> None:
    token = person.add_agent("alice", families=registered).token
    assert desk.admit(Hello("alice", token, families=asked)).families == offered


def test_an_unknown_family_is_named(person: PersonFace) -> None:
    with pytest.raises(InvalidInput, match="global, notes, topics, workspace, search"):
        person.add_agent("alice", families=["magic"])


# workspaces


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    return made


def test_an_unknown_folder_is_new_until_the_person_confirms_it(desk: Desk, person: PersonFace, folder: Path) -> None:
    caller = desk.admit(Hello("mallory", workspace=str(folder)))
    [known] = person.workspaces()
    assert (known.id, known.path, known.name, known.state) == (caller.workspace, str(folder), "project", "new")
    assert person.confirm_workspace(known.id).state == "confirmed"
    assert desk.admit(Hello("mallory", workspace=str(folder))).workspace == known.id


def test_a_folder_is_known_by_its_real_path(desk: Desk, person: PersonFace, folder: Path) -> None:
    made = person.add_workspace(folder)
    link = folder.parent / "link"
    link.symlink_to(folder)
    for spelled in (str(link), f"{folder}/", f"{folder}/../project"):
        assert desk.admit(Hello("mallory", workspace=spelled)).workspace == made.id
    assert len(person.workspaces()) == 1


def test_adding_a_known_folder_confirms_it_and_a_name_renames_it(desk: Desk, person: PersonFace, folder: Path) -> None:
    desk.admit(Hello("mallory", workspace=str(folder)))
    made = person.add_workspace(folder, name=" Ledger ")
    assert (made.name, made.state) == ("Ledger", "confirmed")
    assert person.add_workspace(folder).name == "Ledger"


@pytest.mark.parametrize("path", ["", "/", "nowhere", "/nowhere/at all", "a\0b", "\udc80", "/etc/hostname", "~", "a" * 5_000])
def test_what_can_be_no_workspace_is_none(desk: Desk, person: PersonFace, path: str) -> None:
    assert desk.admit(Hello("mallory", workspace=path)).workspace == ""
    if path:
        with pytest.raises(InvalidInput):
            person.add_workspace(Path(path))
    assert person.workspaces() == ()


def test_the_home_folder_is_no_workspace_under_any_name(
    desk: Desk, person: PersonFace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    monkeypatch.setenv("HOME", str(link))
    for path in (real, link):
        assert desk.admit(Hello("mallory", workspace=str(path))).workspace == ""
        with pytest.raises(InvalidInput, match="Choose the folder of one project"):
            person.add_workspace(path)


# processes


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    made = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    # Its words show a moment after it has begun.
    assert wait_until(lambda: program_of(made.pid))
    yield made
    made.communicate(b"\n", timeout=10)


def test_a_connection_names_the_processes_behind_it(desk: Desk, person: PersonFace, child: subprocess.Popen[bytes], clock: Clock) -> None:
    caller = desk.admit(Hello("mallory", pid=child.pid, parent_pid=os.getpid(), client_name="host"))
    found = person.connection(caller.connection)
    assert found is not None
    assert (found.agent, found.verified, found.pid, found.parent_pid, found.started_at) == (
        "mallory", False, child.pid, os.getpid(), clock.now,
    )  # fmt: skip
    assert found.program.startswith("python")
    assert "python" in found.parent_program
    desk.leave(caller)


@pytest.mark.parametrize("pid", [0, -1, 2**31])
def test_a_process_that_is_not_there_has_no_program(pid: int) -> None:
    assert program_of(pid) == ""


def test_an_unknown_connection_is_none(person: PersonFace) -> None:
    assert person.connection("nothing") is None


@pytest.mark.parametrize(
    "ask", [lambda person: person.revoke_agent("nobody"), lambda person: person.confirm_workspace("nothing")], ids=["agent", "workspace"]
)
def test_the_unknown_is_not_found(person: PersonFace, ask: Callable[[PersonFace], object]) -> None:
    with pytest.raises(NotFound):
        ask(person)
