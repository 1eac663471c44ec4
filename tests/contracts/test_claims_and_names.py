"""What the common page says of claims that come beside a call, and of names in messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memorypane.service.person import PersonFace
from memorypane.tools.toolbox import SOURCE_META, ToolResult
from tests.service.support import Agent

LONG = "topics/" + "x" * 190


def beside(agent: Agent, tool: str, source: str, **arguments: Any) -> ToolResult:
    """Call a tool with a claim beside the call."""
    return agent.tools.call(agent.caller, tool, arguments, {SOURCE_META: source})


@pytest.fixture
def revert(alice: Agent) -> Callable[[str], ToolResult]:
    """Ask to bring the first text of an entry back, with a claim."""
    entry = alice.write("One", "first")
    alice.write("One", "second", id=entry)
    first = alice.do("GlobalMemoryHistory", id=entry)["versions"][-1]["version_id"]
    return lambda source: beside(alice, "GlobalMemoryRevert", source, id=entry, version_id=first)


def test_a_revert_that_claims_jekt_beside_the_call_waits(revert: Callable[[str], ToolResult]) -> None:
    result = revert(" JEKT ")
    assert (result.data["held"], result.data["reasons"]) == (True, ["jekt"])


def test_a_revert_keeps_its_own_source_whatever_is_claimed(revert: Callable[[str], ToolResult], person: PersonFace) -> None:
    made = revert("human")
    assert made.data["version"] == 3
    assert person.history(made.data["id"])[0].source == "revert"


@pytest.mark.parametrize("source", ["", "  ", "s" * 81, "a\nb", "\ud800"])
def test_a_malformed_claim_beside_a_revert_is_refused(revert: Callable[[str], ToolResult], source: str) -> None:
    result = revert(source)
    assert result.is_error
    assert result.data["error"]["code"] == "invalid_input"


def test_a_file_is_removed_and_reverted_under_the_same_rule(alice: Agent, person: PersonFace) -> None:
    made = alice.do("MemoryWrite", filename="a.md", content="first")
    alice.do("MemoryWrite", filename="a.md", content="second")
    target = made["version_id"]
    reverted = beside(alice, "MemoryRevert", "jekt", filename="a.md", target_version_id=target)
    removed = beside(alice, "MemoryRemove", "jekt", filename="a.md")
    assert [one.data["reasons"] for one in (reverted, removed)] == [["jekt"], ["jekt"]]
    assert len(person.proposals()) == 2


@pytest.mark.parametrize("provenance", ["text", 5, {"source": 5}, {"source": "s", "detail": 5}])
def test_an_argument_that_a_tool_does_not_have_makes_no_claim(alice: Agent, provenance: object) -> None:
    alice.do("MemoryWrite", filename="a.md", content="first")
    assert alice.do("MemoryRemove", filename="a.md", provenance=provenance)["removed"] is True


@pytest.mark.parametrize(
    ("arguments", "code"),
    [({"old": "a", "new": "b"}, "not_found"), ({}, "invalid_input"), ({"new": "y" * 60_000, "description": "d"}, "over_limit")],
)
def test_a_long_topic_name_is_cut_in_refusals(alice: Agent, arguments: dict[str, str], code: str) -> None:
    error = alice.refused("memory_write", name=LONG, **arguments)
    assert error["code"] == code
    assert LONG[:80] in error["message"]
    assert LONG[:81] not in error["message"]


@pytest.mark.parametrize("arguments", [{}, {"old": "absent", "new": "b"}, {"old": "a", "new": "b"}])
def test_a_long_name_of_a_topic_that_is_there_is_cut_too(alice: Agent, arguments: dict[str, str]) -> None:
    alice.do("memory_write", name=LONG, new="a a", description="d")
    assert LONG[:81] not in alice.refused("memory_write", name=LONG, **arguments)["message"]
