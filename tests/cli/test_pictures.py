"""Invented content, and the checks before a picture is drawn."""

import struct
from collections import Counter
from pathlib import Path

import pytest

from memorypane.cli.pictures import PAGES
from tests.cli.inside import Inside
from tests.support import Program


def test_a_sample_has_something_of_everything(inside: Inside) -> None:
    counts = inside.json("sample")
    assert counts["entries"] == inside.json("list", "--limit", "1000")["total"]
    entries = inside.json("list", "--limit", "1000")["entries"]
    shelves = Counter(f"{entry['tier']}/{entry['shelf']}" for entry in entries)
    assert {
        "system/instructions", "global/instructions", "global/profile", "global/topics", "workspace/records", "personal/files",
        "personal/notes",
    } <= set(shelves)
    assert {"human", "agent:build-helper", "agent:release-scribe", "agent:docs-gardener", "agent:night-watch"} <= {
        entry["actor"] for entry in entries
    }
    assert {"human"} <= {entry["source"] for entry in entries if entry["actor"].startswith("agent:")}
    assert any(not entry["name"].isascii() and len(entry["name"]) < 30 for entry in entries)
    assert any(len(entry["name"]) > 100 for entry in entries)
    assert any(entry["pinned"] for entry in entries)
    assert {entry["tier"] for entry in entries if entry["actor"].startswith("agent:")} == {"global", "workspace", "personal"}
    records = [entry["id"] for entry in entries if entry["shelf"] == "records"]
    assert any(inside.json("show", record)["evidence"] for record in records)
    assert inside.json("list", "--removed")["total"] >= 4


def test_the_review_of_a_sample_shows_every_reason_once(inside: Inside) -> None:
    inside.json("sample")
    items = inside.json("review", "list")["items"]
    held = [item for item in items if item["lane"] == "held"]
    assert {"unverified", "jekt", "finding", "human_head", "pinned"} <= {reason for item in held for reason in item["reasons"]}
    assert any(item["stale"] for item in held)
    assert any(finding["kind"] == "injection" for item in held for finding in item["findings"])
    assert any(item["lane"] == "unreviewed" for item in items)


def test_a_sample_is_a_story_in_order(inside: Inside) -> None:
    inside.json("sample")
    events = inside.json("activity", "--limit", "1000")["events"]
    times = [event["at"] for event in events]
    assert times == sorted(times, reverse=True)
    entry = next(one for one in inside.json("list", "--limit", "1000")["entries"] if one["name"] == "Build and test commands")
    versions = inside.json("history", entry["id"])["versions"]
    assert {"agent:build-helper", "agent:night-watch", "human"} == {version["actor"] for version in versions}
    assert {"jekt", "human"} <= {version["source"] for version in versions if version["actor"].startswith("agent:")}


@pytest.mark.parametrize(
    "first",
    [
        ("add", "--tier", "system", "--name", "x", "--content", "x"), ("agent", "add", "bob"),
        ("call", "MemoryList", "{}", "--agent", "somebody"),
    ],
)
def test_a_home_with_anything_in_it_is_left_alone(inside: Inside, first: tuple[str, ...]) -> None:
    inside.json(*first)
    before = inside.json("list")
    error = inside.refusal("sample")
    assert error["code"] == "not_allowed"
    assert "--home" in error["message"]
    assert inside.json("list") == before


def test_the_program_fills_a_home_once(program: Program) -> None:
    assert program.json("sample")["proposals"] >= 5
    assert program.run("sample").returncode == 1


@pytest.mark.parametrize(
    "words", [("moon", "x.png"), ("review",), ("review", "x.png", "--size", "1x1"), ("review", "x.png", "--scale", "3")]
)
def test_pictures_need_a_page_a_file_and_a_size(inside: Inside, words: tuple[str, ...]) -> None:
    inside.refusal("shot", *words, exit_code=2)


def test_every_page_is_named_once() -> None:
    assert len(PAGES) == len(set(PAGES)) == 14


def test_the_program_draws_a_page_of_the_size_asked_for(program: Program, tmp_path: Path) -> None:
    program.json("add", "--tier", "system", "--name", "x", "--content", "x")
    file = tmp_path / "page.png"
    told = program.json("shot", "system", file, "--theme", "dark", "--size", "900x600")
    assert told == {"file": str(file), "page": "system", "theme": "dark"}
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (900, 600)
    refused = program.json("shot", "system", tmp_path / "gone" / "page.png", exit_code=1)
    assert refused["error"]["code"] == "unavailable"
