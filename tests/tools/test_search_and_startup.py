"""`SearchMemory` and `read_startup_memory` as a host calls them."""

from __future__ import annotations

import json

import pytest

from memorypane.model.shelves import FILES, NOTES, PROFILE, SYSTEM, TOPICS
from memorypane.service.person import PersonFace
from memorypane.tools.startup import PAGE
from tests.service.support import Agent

TIME = "2027-01-15T08:00:00.000Z"


def test_a_result_shows_what_was_found_and_where(alice: Agent) -> None:
    made = alice.write("Café rules", "The walnut stands in the Café.\n" + "word " * 100)
    result = alice.call("SearchMemory", query="cafe walnut")
    [row] = result.data["results"]
    assert {key: row[key] for key in ("id", "tier", "shelf", "name", "version", "updated_at")} == {
        "id": made, "tier": "global", "shelf": "instructions", "name": "Café rules", "version": 1, "updated_at": TIME,
    }  # fmt: skip
    assert set(row) == {"id", "tier", "shelf", "name", "snippet", "matches", "version", "updated_at"}
    assert [row["snippet"][start:end] for start, end in row["matches"]] == ["walnut", "Café"]
    assert result.data["total"] == 1
    assert "total_capped" not in result.data
    assert json.dumps(result.data)
    for shown in (made, "version 1", "Café rules"):
        assert shown in result.text


def test_the_offsets_of_a_match_count_code_points(alice: Agent) -> None:
    alice.write("One", "🧠🧠 and 用户身份 here")
    [row] = alice.do("SearchMemory", query="用户")["results"]
    assert [row["snippet"][start:end] for start, end in row["matches"]] == ["用户"]


def test_nothing_found_is_no_failure(alice: Agent) -> None:
    result = alice.call("SearchMemory", query="walnut")
    assert (result.is_error, result.data) == (False, {"results": [], "total": 0})
    assert result.text


def test_results_are_limited_and_counted(alice: Agent) -> None:
    for number in range(12):
        alice.write(f"walnut {number}")
    assert len(alice.do("SearchMemory", query="walnut")["results"]) == 10
    found = alice.do("SearchMemory", query="walnut", limit=3)
    assert (len(found["results"]), found["total"]) == (3, 12)


@pytest.mark.parametrize("limit", [0, -1, 51, 1.5, "3", True, 10**30])
def test_a_limit_out_of_bounds_is_refused(alice: Agent, limit: object) -> None:
    error = alice.refused("SearchMemory", query="walnut", limit=limit)
    assert error["code"] == "invalid_input"
    assert "limit" in error["message"]


def test_tiers_narrow_the_search_and_system_is_refused(person: PersonFace, alice: Agent) -> None:
    places = ((SYSTEM, "", "rule"), (TOPICS, "", "areas/tea"), (NOTES, "alice", ""), (FILES, "alice", "a.md"), (PROFILE, "", ""))
    for shelf, owner, name in places:
        person.add(shelf, owner=owner, name=name, content="walnut")

    def shelves(**more: object) -> set[str]:
        return {row["shelf"] for row in alice.do("SearchMemory", query="walnut", **more)["results"]}

    assert shelves() == shelves(tiers=[]) == {"topics", "notes", "files", "profile"}
    assert shelves(tiers=["personal"]) == {"notes", "files"}
    assert shelves(tiers=["global", "workspace"]) == {"topics", "profile"}
    for tiers in (["system"], ["global", "system"], ["everything"], "global", [5]):
        assert alice.refused("SearchMemory", query="walnut", tiers=tiers)["code"] == "invalid_input"


def test_the_startup_text_comes_whole_where_it_is_short(person: PersonFace, alice: Agent) -> None:
    person.add(SYSTEM, name="Rule", content="be kind")
    alice.write("One", "shared text")
    data = alice.do("read_startup_memory")
    assert data["text"] == person.startup_text("alice").text
    assert (data["offset"], data["total"], "next_offset" in data) == (0, len(data["text"]), False)
    assert [f"{section['tier']}/{section['shelf']}" for section in data["sections"]][:2] == ["system/instructions", "global/instructions"]
    for word in ("be kind", "shared text"):
        assert word in data["text"]


def test_a_long_startup_text_comes_in_pages_that_make_up_the_whole(person: PersonFace, alice: Agent) -> None:
    for number in range(8):
        person.add(TOPICS, name=f"areas/t{number}", description="said of it", content="x")
        alice.write(f"Entry {number}", f"{number} line\n" * 900)
    long = alice.write("Longer than a page", "word " * 5_000)
    pages, ends, offset = [], [], 0
    while True:
        result = alice.call("read_startup_memory", offset=offset)
        data = result.data
        assert data["offset"] == offset
        assert 0 < len(data["text"]) <= PAGE
        pages.append(data["text"])
        if "next_offset" not in data:
            break
        assert str(data["next_offset"]) in result.text
        offset = data["next_offset"]
        ends.append(offset)
    assert len(pages) > 2
    placed = [one for section in person.startup_text("alice").sections for one in section.entries]
    inside = [one.entry_id for end in ends for one in placed if one.start < end < one.end]
    assert set(inside) == {long}
    assert "".join(pages) == person.startup_text("alice").text
    assert data["total"] == len("".join(pages))


@pytest.mark.parametrize("offset", [-1, 10**12, 10**30, 0.5, "0", False])
def test_an_offset_out_of_bounds_is_refused(alice: Agent, offset: object) -> None:
    error = alice.refused("read_startup_memory", offset=offset)
    assert (error["code"], "offset" in error["message"]) == ("invalid_input", True)


def test_the_end_of_the_startup_text_says_how_many_own_writes_wait(alice: Agent, bob: Agent) -> None:
    alice.do("GlobalMemoryWrite", name="One", content="text", provenance={"source": "jekt"})
    mine, theirs = alice.call("read_startup_memory"), bob.call("read_startup_memory")
    assert (mine.data["own_proposals"]["waiting"], theirs.data["own_proposals"]["waiting"]) == (1, 0)
    assert "1 of your writes" in mine.text
