"""`memorypane mcp` as hosts start it, and the server that it finds or starts."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memorypane.control.client import ControlClient
from memorypane.home.endpoint import read_endpoint
from memorypane.home.paths import Home
from memorypane.server.bridge import workspace_around
from memorypane.service.desk import Desk
from tests.server.doors import INITIALIZE, INITIALIZED, Bridge, Server, call, is_alive, wait_for_server
from tests.support import Program, wait_until

Start = Callable[..., Bridge]
PING = {"jsonrpc": "2.0", "id": 99, "method": "ping"}


def write(number: int, name: str, content: str = "text") -> dict[str, Any]:
    return call(number, "GlobalMemoryWrite", {"name": name, "content": content})


def register(home: Home, agent: str) -> str:
    with Desk.open(home) as desk:
        return desk.person(via="command").add_agent(agent).token


def names(home: Home) -> list[str]:
    from memorypane.model.values import ListQuery

    with Desk.open(home) as desk:
        return [entry.name for entry in desk.person(via="command").page(ListQuery(tier="global", shelf="instructions"), limit=500).entries]


def test_a_bridge_starts_the_server_and_finds_its_token(home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice")
    one.shake_hands()
    assert one.ask(write(1, "first"))["result"]["structuredContent"].get("held") is not True
    endpoint = wait_for_server(home)
    with ControlClient.open(home) as control:
        [found] = control.status().connections
    assert (found.agent, found.verified, found.pid, found.parent_pid) == ("alice", True, one.process.pid, os.getpid())
    assert found.program == "python -m memorypane" or found.program.endswith("memorypane")
    assert one.close() == 0
    assert one.stderr() == ""
    assert is_alive(endpoint.pid)


def test_several_bridges_share_one_server(server: Server, home: Home, bridge: Start) -> None:
    bridges = [bridge("--agent", f"agent-{number}") for number in range(3)]
    for each in bridges:
        each.send(INITIALIZE, INITIALIZED)
    for each in bridges:
        assert "result" in each.answer(0)
    with ControlClient.open(home) as control:
        assert {found.agent for found in control.status().connections} == {f"agent-{number}" for number in range(3)}


def test_the_server_knows_no_agents_token_and_none_of_the_hosts_keys(home: Home, bridge: Start) -> None:
    token = register(home, "alice")
    one = bridge("--agent", "alice", env={"MEMORYPANE_TOKEN": token, "SOME_API_KEY": "very-secret"})
    one.shake_hands()
    environment = Path(f"/proc/{wait_for_server(home).pid}/environ").read_bytes()
    assert b"MEMORYPANE_HOME=" + os.fsencode(home.root) in environment
    for secret in (b"MEMORYPANE_TOKEN", token.encode(), b"very-secret"):
        assert secret not in environment
    assert home.serve_log.stat().st_mode & 0o777 == 0o600


def test_a_detached_server_leads_a_session_of_its_own_in_the_home(home: Home, bridge: Start) -> None:
    bridge("--agent", "a").shake_hands()
    server = wait_for_server(home).pid
    assert os.getsid(server) == server
    assert Path(f"/proc/{server}/cwd").resolve() == home.root.resolve()
    assert {str(Path(f"/proc/{server}/fd/{number}").readlink()) for number in (0, 1)} == {"/dev/null"}


@pytest.mark.parametrize("token", ["mp_wrong", None])
def test_who_is_turned_away_hears_it_on_both_ways(server: Server, home: Home, bridge: Start, token: str | None) -> None:
    register(home, "alice")
    for path in home.root.glob("agents/*/alice"):
        path.unlink()
    one = bridge("--agent", "alice", env={"MEMORYPANE_TOKEN": token})
    error = one.ask(INITIALIZE)["error"]
    assert error["data"] == {"code": "not_allowed", "refused": True}
    assert wait_until(lambda: error["message"] in one.stderr())
    assert one.ask({**PING, "id": 2})["error"]["code"] == -32003
    assert one.stderr().count(error["message"]) == 1
    assert one.close() == 1


def test_the_environments_token_beats_the_file(server: Server, home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice", env={"MEMORYPANE_TOKEN": "mp_other"})
    assert "wrong token" in one.ask(INITIALIZE)["error"]["message"]


def test_bad_lines_of_the_host_are_answered_by_the_server(server: Server, home: Home, bridge: Start) -> None:
    one = bridge("--agent", "a")
    one.shake_hands()
    one.send(b"nonsense\n", b"\n", b"\xff\n")
    assert one.answer(None)["error"]["code"] == -32700
    assert one.answer(None)["error"]["code"] == -32700
    one.send(b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"x":"' + b"y" * (5 << 20) + b'"}}\n')
    assert one.answer(5)["error"]["code"] == -32600
    assert one.ask(PING)["result"] == {}


def test_large_lines_pass_in_both_directions(server: Server, home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice")
    one.shake_hands()
    text = "line with ünïcode\n" * 40_000
    written = one.ask(write(1, "large", text))["result"]["structuredContent"]
    assert one.ask(call(2, "GlobalMemoryRead", {"id": written["id"]}))["result"]["content"][0]["text"] == text


def test_everything_asked_before_the_end_of_input_is_answered(server: Server, home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice")
    one.send(INITIALIZE, INITIALIZED, *(write(number, f"n{number}") for number in range(1, 41)))
    one.end_input()
    answers = []
    while (message := one.read()) is not None:
        answers.append(message["id"])
    assert answers == list(range(41))
    assert one.process.wait(20) == 0


def test_an_end_of_input_ends_a_bridge_that_was_never_used(server: Server, home: Home, bridge: Start) -> None:
    one = bridge("--agent", "a")
    assert one.close() == 0


def test_a_host_that_hangs_up_ends_the_bridge(server: Server, program: Program) -> None:
    child = program.start("mcp", "--agent", "a")
    assert child.stdout is not None
    assert child.stdin is not None
    child.stdout.close()
    child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    child.stdin.flush()
    assert child.wait(20) == 0


def test_a_killed_server_costs_the_running_call_alone(home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice")
    one.shake_hands()
    one.ask({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "memorypane://startup"}})
    first = wait_for_server(home)
    os.kill(first.pid, signal.SIGSTOP)  # so that the call is surely on its way and surely not answered
    one.send(write(2, "lost"), {"jsonrpc": "2.0", "id": 3, "method": "tools/list"})
    with pytest.raises(AssertionError):
        one.read(0.3)
    os.kill(first.pid, signal.SIGKILL)
    error = one.answer(2)["error"]
    assert error["data"] == {"code": "unavailable"}
    assert "not known whether it was carried out" in error["message"]
    assert one.answer(3)["result"]["tools"]
    assert wait_for_server(home, lambda endpoint: endpoint.pid != first.pid).pid != first.pid
    assert one.ask(write(4, "after"))["result"]["isError"] is False
    updated = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "memorypane://startup"}}
    assert wait_until(lambda: one.read() == updated)
    assert "after" in names(home)
    assert one.stderr() == ""


def test_a_server_that_ends_in_good_order_costs_nothing(home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice")
    one.shake_hands()
    first = wait_for_server(home)
    with ControlClient.open(home) as control:
        control.stop()
    one.send(*(write(number, f"n{number}") for number in range(1, 31)))
    for number in range(1, 31):
        assert one.answer(number)["result"]["isError"] is False
    assert wait_for_server(home, lambda endpoint: endpoint.pid != first.pid)
    assert names(home) == [f"n{number}" for number in range(1, 31)]


def test_a_revoked_agent_is_told_so_at_its_next_call(server: Server, home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice")
    one.shake_hands()
    with Desk.open(home) as desk:
        desk.person(via="command").revoke_agent("alice")
    assert wait_until(lambda: "revoked" in one.stderr())
    error = one.ask(write(1, "n"))["error"]
    assert error["data"] == {"code": "not_allowed", "refused": True}
    assert "revoked" in error["message"]
    assert names(home) == []


def test_an_agent_that_gets_its_token_later_is_verified_without_a_restart(server: Server, home: Home, bridge: Start) -> None:
    one = bridge("--agent", "late")
    one.shake_hands()
    assert one.ask(write(1, "n"))["result"]["structuredContent"]["reasons"] == ["unverified"]
    register(home, "late")

    def verified() -> bool:
        with ControlClient.open(home) as control:
            return [found.verified for found in control.status().connections] == [True]

    assert wait_until(verified)
    assert "held" not in one.ask(write(2, "m"))["result"]["structuredContent"]


def test_without_leave_to_start_a_server_the_bridge_serves_itself(home: Home, bridge: Start) -> None:
    register(home, "alice")
    one = bridge("--agent", "alice", env={"MEMORYPANE_NO_SPAWN": "1"})
    one.shake_hands()
    assert one.ask(write(1, "inside"))["result"]["isError"] is False
    assert one.ask(call(2, "NoSuchTool"))["error"]["code"] == -32602
    assert read_endpoint(home, "stable") is None
    assert one.close() == 0
    assert names(home) == ["inside"]


def test_a_bridge_that_may_start_none_still_uses_the_server_there_is(server: Server, home: Home, bridge: Start) -> None:
    bridge("--agent", "a").shake_hands()
    other = bridge("--agent", "b", env={"MEMORYPANE_NO_SPAWN": "1"})
    other.shake_hands()
    with ControlClient.open(home) as control:
        assert {found.agent for found in control.status().connections} == {"a", "b"}


def test_a_bridge_that_sees_another_store_than_the_server_serves_itself(home: Home, bridge: Start) -> None:
    register(home, "alice")
    bridge("--agent", "alice").shake_hands()
    endpoint = wait_for_server(home)
    # What a sandbox with its own view of the files would see under the same path.
    copy = home.root / "other.db"
    copy.write_bytes(home.shared_store.read_bytes())
    home.shared_store.rename(home.root / "moved.db")
    copy.rename(home.shared_store)
    other = bridge("--agent", "bob")
    other.shake_hands()
    assert other.ask(call(1, "GlobalMemoryList"))["result"]["isError"] is False
    with ControlClient.open(home) as control:
        assert {found.agent for found in control.status().connections} == {"alice"}
    assert read_endpoint(home, "stable") == endpoint


def test_a_server_that_cannot_start_is_explained_to_the_host(home: Home, bridge: Start) -> None:
    home.root.mkdir(parents=True)
    home.shared_store.write_bytes(b"this is no database, it is a text of some length that was put there by mistake" * 50)
    one = bridge("--agent", "a")
    error = one.ask(INITIALIZE)["error"]
    assert error["code"] == -32004
    assert str(home.shared_store) in error["message"] or "store" in error["message"]
    assert error["message"] in one.stderr()


def test_an_agents_name_reaches_no_file_outside_the_tokens(server: Server, home: Home, bridge: Start) -> None:
    register(home, "alice")
    (home.root / "secret").write_text("mp_stolen")
    one = bridge("--agent", "../../secret")
    one.shake_hands()
    with ControlClient.open(home) as control:
        [found] = control.status().connections
    assert not found.verified


def test_the_workspace_is_the_git_root_around_the_working_folder(server: Server, home: Home, bridge: Start, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / "deep" / "down").mkdir(parents=True)
    bridge("--agent", "a", cwd=project / "deep" / "down").shake_hands()
    with Desk.open(home) as desk:
        [workspace] = desk.person(via="command").workspaces()
    assert (workspace.path, workspace.state) == (str(project.resolve()), "new")


def test_the_home_folder_and_the_root_are_no_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".git").mkdir()
    (tmp_path / "notes").mkdir()
    assert workspace_around(tmp_path) == ""
    assert workspace_around(tmp_path / "notes") == ""
    assert workspace_around(Path("/")) == ""
    (tmp_path / "notes" / ".git").write_text("gitdir: elsewhere")
    assert workspace_around(tmp_path / "notes") == str((tmp_path / "notes").resolve())


def test_a_bridge_is_small(server: Server, bridge: Start) -> None:
    one = bridge("--agent", "a")
    one.shake_hands()
    peak = next(line for line in Path(f"/proc/{one.process.pid}/status").read_text().splitlines() if line.startswith("VmHWM"))
    assert int(peak.split()[1]) < 20 << 10
