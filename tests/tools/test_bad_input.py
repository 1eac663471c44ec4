"""What no caller should send, to every tool: answered by the contract's codes, and never by a fault of ours."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace
from memorypane.tools.toolbox import Toolbox
from tests.service.support import Agent

CODES = {"invalid_input", "not_found", "ambiguous", "conflict", "over_limit", "duplicate_name", "not_allowed", "secret"}
TOKEN = "ghp_" + "q7Zt2LmX9vRb4KcW8nYd3HsF6jGp1QeU5aTo"
UUID = "2f6b1a52-3d7c-4f0a-9b1e-5a5d5c1b7e10"

# Enough of each tool for a call that gets past the check of its form.
CALLS: dict[str, dict[str, Any]] = {
    "read_startup_memory": {"offset": 0},
    "GlobalMemoryList": {},
    "GlobalMemoryRead": {"id": UUID, "version_id": UUID},
    "GlobalMemoryWrite": {"id": UUID, "name": "One", "content": "text", "provenance": {"source": "x", "detail": {}}, "expected_version": 1},
    "GlobalMemoryRemove": {"id": UUID, "provenance": {"source": "x"}, "expected_version": 1},
    "GlobalMemoryHistory": {"id": UUID},
    "GlobalMemoryDiff": {"id": UUID, "from_version_id": UUID, "to_version_id": UUID},
    "GlobalMemoryRevert": {"id": UUID, "version_id": UUID, "expected_version": 1},
    "MemoryList": {},
    "MemoryRead": {"filename": "a.md"},
    "MemoryWrite": {"filename": "a.md", "content": "text", "provenance": {"source": "x", "detail": {}}, "expected_version": 1},
    "MemoryRemove": {"filename": "a.md", "expected_version": 1},
    "MemoryHistory": {"filename": "a.md"},
    "MemoryDiff": {"from_version_id": UUID, "to_version_id": UUID},
    "MemoryRevert": {"filename": "a.md", "target_version_id": UUID, "expected_version": 1},
    "memory": {"target": "memory", "action": "patch", "content": "new", "old_text": "old"},
    "memory_open": {"names": ["areas/tea"]},
    "memory_write": {"name": "areas/tea", "old": "a", "new": "b", "description": "said of it"},
    "memory_drop": {"name": "areas/tea"},
    "remember_workspace_memory": {
        "folderId": UUID, "kind": "semantic_fact", "content": "text", "evidenceRefs": [{"type": "library_file", "id": "a.md"}],
    },
    "list_workspace_memory": {"folderId": UUID, "query": "text", "cursor": "x", "limit": 5},
    "read_workspace_context": {"folderId": UUID, "maxChars": 500},
    "correct_workspace_memory": {"folderId": UUID, "memoryId": UUID, "content": "text", "reason": "wrong"},
    "forget_workspace_memory": {"folderId": UUID, "memoryId": UUID, "reason": "wrong"},
    "SearchMemory": {"query": "text", "tiers": ["global"], "limit": 5},
}  # fmt: skip


def code_of(agent: Agent, tool: str, arguments: dict[str, Any]) -> str:
    """The code of a refusal, "" where there is none; the words of the answer must be such as can be sent."""
    result = agent.tools.call(agent.caller, tool, arguments)
    result.text.encode()
    str(result.data).encode()
    if not result.is_error:
        return ""
    code = result.data["code"] if tool == "memory" else result.data["error"]["code"]
    assert len(result.text) < 3_000
    return str(code)


def test_every_tool_is_tried_here(desk: Desk) -> None:
    assert set(CALLS) == {one.name for one in Toolbox(desk).definitions()}


@pytest.mark.parametrize("tool", CALLS)
def test_a_call_of_the_right_form_meets_no_fault(alice: Agent, tool: str) -> None:
    assert code_of(alice, tool, CALLS[tool]) in CODES | {""}


WRONG: list[Any] = [
    5, -1.5, True, [], {}, [None], {"a": 1}, 10**40, "\ud800", "a\udfffb", [["\ud800"]], {"\ud800": 1}, float("nan"), "x" * 90
]  # fmt: skip
HARD = [
    "", " ", "\0", "\x1b[31m", "\u202e", "\ufeff", "'; DROP TABLE entry; --", '"*"', "%s%n", "../../etc/passwd", "\r\n\r\n", "𝒳" * 300
]  # fmt: skip
TEXTS = {tool: [name for name, value in call.items() if isinstance(value, str)] for tool, call in CALLS.items()}
SECRETS = [
    TOKEN, f"{'x' * 60} {TOKEN}", f"{TOKEN}\n" * 10, f"{'y' * 250}{TOKEN}", f"-----BEGIN PRIVATE KEY----- {'MIIEvQ9xk2' * 30}"
]  # fmt: skip


@pytest.mark.parametrize("tool", [tool for tool, call in CALLS.items() if call])
def test_a_value_of_a_wrong_kind_is_bad_input(alice: Agent, tool: str) -> None:
    for name, value in product(CALLS[tool], WRONG):
        kind = type(CALLS[tool][name])
        code = code_of(alice, tool, {**CALLS[tool], name: value})
        assert code in CODES | {""}
        fits = isinstance(value, kind) and not isinstance(value, bool)
        if not fits or "\\ud" in ascii(value):
            assert code == "invalid_input", (name, value)


@pytest.mark.parametrize("tool", [tool for tool, names in TEXTS.items() if names])
def test_texts_that_are_hard_to_bear_meet_no_fault(alice: Agent, tool: str) -> None:
    for name, value in product(TEXTS[tool], HARD):
        assert code_of(alice, tool, {**CALLS[tool], name: value}) in CODES | {""}


@pytest.mark.parametrize("tool", [tool for tool, call in CALLS.items() if "content" in call])
def test_a_text_of_ten_megabytes_is_over_the_limit(alice: Agent, person: PersonFace, tool: str) -> None:
    call = {key: value for key, value in CALLS[tool].items() if key not in ("id", "expected_version", "old_text")}
    if tool == "memory":
        call["action"] = "add"
    assert code_of(alice, tool, {**call, "content": "x" * 10_485_760}) in ("over_limit", "invalid_input")
    assert person.totals().active == 0


@pytest.mark.parametrize("tool", [tool for tool, call in CALLS.items() if call])
def test_unknown_arguments_are_named_or_passed_over(alice: Agent, tool: str) -> None:
    assert code_of(alice, tool, {**CALLS[tool], "nonsense\u202e": {"deep": [1]}}) in CODES | {""}


def test_a_detail_that_is_nested_without_end_is_bad_input(alice: Agent) -> None:
    detail: dict[str, Any] = {}
    for _ in range(50_000):
        detail = {"a": detail}
    provenance = {"source": "x", "detail": detail}
    assert code_of(alice, "GlobalMemoryWrite", {"name": "One", "content": "text", "provenance": provenance}) == "invalid_input"


@pytest.mark.parametrize("tool", [tool for tool, names in TEXTS.items() if names])
def test_no_refusal_shows_a_credential_or_a_piece_of_one(alice: Agent, tool: str) -> None:
    for name, text in product(TEXTS[tool], SECRETS):
        result = alice.tools.call(alice.caller, tool, {**CALLS[tool], name: text})
        if result.is_error:
            for shown in (result.text, str(result.data)):
                assert TOKEN[:12] not in shown
                assert "MIIEvQ9xk2" not in shown


def test_no_refusal_shows_a_credential_that_stands_where_a_name_should(alice: Agent) -> None:
    call = {**CALLS["remember_workspace_memory"], TOKEN: 1, f"{'x' * 70}{TOKEN}": 2}
    result = alice.tools.call(alice.caller, "remember_workspace_memory", call)
    assert result.data["error"]["code"] == "invalid_input"
    assert TOKEN[:12] not in result.text + str(result.data)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_arguments_whatever_meet_a_fault(alice: Agent, data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(sorted(CALLS)))
    call = dict(CALLS[tool])
    for name in data.draw(st.lists(st.sampled_from([*call, "other"]), max_size=3)):
        call[name] = data.draw(values)
    assert code_of(alice, tool, call) in CODES | {""}
