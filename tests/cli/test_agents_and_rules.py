"""Agents, workspaces, channels, policy, settings, review, activity and startup text by command."""

import os
from pathlib import Path

import pytest

from memorypane.home.tokens import hash_token
from tests.cli.inside import Inside
from tests.support import Program

WRITE = '{"name": "Tabs", "content": "Use tabs.\\n"}'


def called(inside: Inside, agent: str, tool: str, arguments: str, *, exit_code: int = 0) -> dict[str, object]:
    answer: dict[str, object] = inside.json("call", tool, arguments, "--agent", agent, exit_code=exit_code)
    assert set(answer) == {"content", "structuredContent", "isError"}
    structured = answer["structuredContent"]
    assert isinstance(structured, dict)
    return structured


def test_an_agent_is_registered_with_a_token_that_only_its_file_holds(inside: Inside) -> None:
    made = inside.json("agent", "add", "build-helper", "--families", "notes,global")
    assert set(made) == {"name", "token", "token_file"}
    file = Path(made["token_file"])
    assert file.read_text().strip() == made["token"]
    assert file.stat().st_mode & 0o777 == 0o600
    stored = b"".join(path.read_bytes() for path in inside.home.root.glob("identity.db*"))
    assert made["token"].encode() not in stored
    assert hash_token(made["token"]).encode() in stored
    [agent] = inside.json("agent", "list")["agents"]
    assert (agent["name"], agent["verified"], agent["revoked"], agent["families"]) == ("build-helper", True, False, ["global", "notes"])
    assert made["token"] not in inside.run("agent", "add", "build-helper")[1]


def test_a_revoked_agent_stays_listed_and_is_refused(inside: Inside) -> None:
    inside.json("agent", "add", "bob")
    assert inside.json("agent", "revoke", "bob") == {"name": "bob", "revoked": True}
    assert inside.json("agent", "list")["agents"][0]["revoked"] is True
    assert inside.refusal("call", "GlobalMemoryList", "{}", "--agent", "bob")["code"] == "not_allowed"
    assert inside.refusal("agent", "revoke", "nobody")["code"] == "not_found"


@pytest.mark.parametrize("words", [("human",), ("",), ("Up",), ("a b",), ("a" * 65,), ("ok", "--families", "moon")])
def test_names_and_families_of_agents_are_checked(inside: Inside, words: tuple[str, ...]) -> None:
    assert inside.refusal("agent", "add", *words)["code"] == "invalid_input"
    assert inside.json("agent", "list") == {"agents": []}


def test_calls_pass_the_agents_rules(inside: Inside) -> None:
    inside.json("agent", "add", "bob")
    written = called(inside, "bob", "GlobalMemoryWrite", WRITE)
    assert written["created"] is True
    shown = inside.json("show", str(written["id"]))
    assert (shown["actor"], shown["reviewed"], shown["source"]) == ("agent:bob", 0, "agent_inferred")
    held = called(inside, "stranger", "GlobalMemoryWrite", '{"name": "Other", "content": "x"}')
    assert held["held"] is True
    refused = called(inside, "bob", "GlobalMemoryWrite", WRITE, exit_code=1)
    assert isinstance(refused["error"], dict)
    assert refused["error"]["code"] == "duplicate_name"
    items = inside.json("review", "list")["items"]
    assert [(item["lane"], item["name"], item["actor"], item["reasons"]) for item in items] == [
        ("unreviewed", "Tabs", "agent:bob", []), ("held", "Other", "agent:stranger", ["unverified"]),
    ]
    assert set(items[0]) >= {"id", "lane", "entry_id", "tier", "shelf", "name", "actor", "reasons", "findings", "stale", "created_at"}
    assert items[1]["id"] == held["proposalId"]
    code, out, _ = inside.run("review", "list")
    assert code == 0
    assert "unverified" in out


def test_a_registered_name_cannot_be_used_without_its_token(inside: Inside) -> None:
    file = Path(inside.json("agent", "add", "bob")["token_file"])
    token = file.read_text()
    file.unlink()
    assert inside.refusal("call", "GlobalMemoryList", "{}", "--agent", "bob")["code"] == "not_allowed"
    file.write_text("mp_wrong\n")
    assert inside.refusal("call", "GlobalMemoryList", "{}", "--agent", "bob")["code"] == "not_allowed"
    file.write_text(token)
    called(inside, "bob", "GlobalMemoryList", "{}")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [("{", "JSON"), ("[]", "object"), ('"x"', "object"), ('{"a": NaN}', "NaN"), ("[" * 100_000, "deep"), ("", "JSON"), ("{}x", "JSON")],
)
def test_arguments_that_are_no_object_are_refused(inside: Inside, arguments: str, part: str) -> None:
    error = inside.refusal("call", "GlobalMemoryList", arguments, "--agent", "bob")
    assert error["code"] == "invalid_input"
    assert part in error["message"]


def test_an_unknown_tool_is_named(inside: Inside) -> None:
    assert inside.refusal("call", "Nothing", "{}", "--agent", "bob")["code"] == "not_found"


def test_arguments_can_come_from_standard_input(program: Program) -> None:
    answer = program.json("call", "GlobalMemoryWrite", "-", "--agent", "bob", stdin=WRITE)
    assert answer["structuredContent"]["held"] is True


def test_a_proposal_is_stale_once_its_entry_moved(inside: Inside) -> None:
    entry = inside.json("add", "--tier", "global", "--shelf", "instructions", "--name", "Mine", "--content", "x")["id"]
    inside.json("agent", "add", "bob")
    called(inside, "bob", "GlobalMemoryWrite", f'{{"id": "{entry}", "name": "Mine", "content": "y"}}')
    assert [item["stale"] for item in inside.json("review", "list")["items"]] == [False]
    inside.json("edit", entry, "--content", "z")
    assert [item["stale"] for item in inside.json("review", "list")["items"]] == [True]


def test_a_pin_makes_an_unreviewed_item_no_younger(inside: Inside) -> None:
    inside.json("agent", "add", "bob")
    entry = str(called(inside, "bob", "GlobalMemoryWrite", WRITE)["id"])
    before = inside.json("review", "list")["items"][0]["created_at"]
    inside.json("pin", entry)
    assert inside.json("review", "list")["items"][0]["created_at"] == before


def test_definitions_come_in_the_form_of_each_api(inside: Inside) -> None:
    plain = inside.json("tools")["tools"]
    names = [tool["name"] for tool in plain]
    assert {"GlobalMemoryWrite", "read_startup_memory", "SearchMemory"} <= set(names)
    assert all(set(tool) == {"name", "title", "description", "inputSchema", "annotations"} for tool in plain)
    openai = inside.json("tools", "--format", "openai")["tools"]
    assert [tool["function"]["name"] for tool in openai] == names
    assert all(tool["type"] == "function" and tool["function"]["parameters"]["type"] == "object" for tool in openai)
    anthropic = inside.json("tools", "--format", "anthropic")["tools"]
    assert [tool["input_schema"] for tool in anthropic] == [tool["inputSchema"] for tool in plain]
    few = [tool["name"] for tool in inside.json("tools", "--families", "search")["tools"]]
    assert few == ["read_startup_memory", "SearchMemory"]
    assert inside.refusal("tools", "--families", "moon")["code"] == "invalid_input"
    code, out, _ = inside.run("tools", "--format", "mcp")
    assert code == 0
    assert out.startswith("{")


def test_workspaces_are_added_once_and_found_by_id_name_and_folder(inside: Inside, tmp_path: Path) -> None:
    folder = tmp_path / "ledger"
    folder.mkdir()
    made = inside.json("workspace", "add", str(folder))
    assert made == {"id": made["id"], "path": str(folder), "name": "ledger", "state": "confirmed"}
    renamed = inside.json("workspace", "add", str(folder), "--name", "Ledger")
    assert (renamed["id"], renamed["name"]) == (made["id"], "Ledger")
    assert inside.json("workspace", "list") == {"workspaces": [renamed]}
    for named in (made["id"], "Ledger", str(folder)):
        assert inside.json("workspace", "confirm", named)["id"] == made["id"]


def test_two_workspaces_of_one_name_need_an_id(inside: Inside, tmp_path: Path) -> None:
    for place in ("a/app", "b/app"):
        (tmp_path / place).mkdir(parents=True)
        inside.json("workspace", "add", str(tmp_path / place))
    assert inside.refusal("list", "--tier", "workspace", "--owner", "app")["code"] == "ambiguous"


def test_a_workspace_is_an_existing_folder_and_not_everything(inside: Inside, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in ("/", os.environ["HOME"], str(tmp_path / "gone"), str(tmp_path / "file"), "a\udcff"):
        assert inside.refusal("workspace", "add", place)["code"] == "invalid_input"
    assert inside.json("workspace", "list") == {"workspaces": []}


def test_channels_are_listed_without_touching_a_store(inside: Inside) -> None:
    [stable] = inside.json("channel", "list")["channels"]
    assert (stable["name"], stable["isolated"]) == ("stable", False)
    assert not inside.home.root.exists()


def test_presets_hold_for_the_store_a_shelf_and_an_agent(inside: Inside) -> None:
    inside.json("agent", "add", "bob")
    assert inside.json("policy", "show") == {"preset": "balanced", "overrides": [], "channel": "stable"}
    inside.json("policy", "set", "strict")
    inside.json("policy", "set", "trusting", "--shelf", "global/topics")
    shown = inside.json("policy", "set", "balanced", "--agent", "bob")
    assert shown == {
        "preset": "strict", "channel": "stable",
        "overrides": [{"agent": "bob", "preset": "balanced"}, {"shelf": "global/topics", "preset": "trusting"}],
    }
    assert inside.json("policy", "unset", "--agent", "bob")["overrides"] == [{"shelf": "global/topics", "preset": "trusting"}]
    for words in (("set", "lenient"), ("set", "strict", "--shelf", "moon"), ("set", "strict", "--shelf", "system/instructions")):
        assert inside.refusal("policy", *words)["code"] == "invalid_input"
    assert inside.refusal("policy", "set", "strict", "--agent", "nobody")["code"] == "not_found"
    inside.refusal("policy", "set", "strict", "--agent", "bob", "--shelf", "global/topics", exit_code=2)
    inside.refusal("policy", "unset", exit_code=2)
    assert inside.json("policy", "show")["preset"] == "strict"


def test_settings_are_shown_and_changed(inside: Inside) -> None:
    assert inside.json("settings", "set", "quota.writes_per_minute", "7") == {"key": "quota.writes_per_minute", "value": 7}
    assert inside.json("settings", "show")["settings"]["quota.writes_per_minute"] == 7
    for words in (("quota.moon", "1"), ("quota.writes_per_minute", "many"), ("quota.writes_per_minute", "1.5"), ("", "")):
        assert inside.refusal("settings", "set", *words)["code"] == "invalid_input"
    assert inside.json("settings", "show")["settings"]["quota.writes_per_minute"] == 7


def test_activity_holds_no_text_of_the_memory(inside: Inside) -> None:
    inside.json("add", "--tier", "system", "--name", "Secretive", "--content", "xylophone")
    events = inside.json("activity")["events"]
    assert (events[0]["actor"], events[0]["action"]) == ("human", "create")
    assert [event["seq"] for event in events] == sorted((event["seq"] for event in events), reverse=True)
    assert inside.json("activity", "--limit", "1")["events"] == events[:1]
    assert "xylophone" not in inside.run("activity", "--json")[1]
    assert "Secretive" not in inside.run("activity", "--json")[1]
    assert "create" in inside.run("activity")[1]


def test_the_startup_text_is_what_the_agent_reads(inside: Inside, tmp_path: Path) -> None:
    inside.json("agent", "add", "bob")
    folder = tmp_path / "ledger"
    folder.mkdir()
    inside.json("workspace", "add", str(folder))
    inside.json("add", "--tier", "system", "--name", "Rule", "--content", "Never guess.")
    inside.json("add", "--tier", "workspace", "--owner", "ledger", "--content", "Amounts are integers.")
    rendered = inside.json("render", "--agent", "bob", "--workspace", "ledger")
    assert "Never guess." in rendered["text"]
    assert "Amounts are integers." in rendered["text"]
    assert rendered["bytes"] == len(rendered["text"].encode())
    assert {"tier": "system", "shelf": "instructions", "entries": 1} .items() <= rendered["sections"][0].items()
    read = called(inside, "bob", "read_startup_memory", "{}")
    assert "Never guess." in str(read["text"])
    assert inside.refusal("render", "--agent", "nobody")["code"] == "not_found"
    assert inside.refusal("render", "--agent", "bob", "--workspace", "moon")["code"] == "not_found"
