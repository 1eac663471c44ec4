"""How numbers, times and writers read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from memorypane.gui import words
from memorypane.model.shelves import Tier
from memorypane.model.values import Agent, EntryInfo, Status

NOW = 1_773_500_400_000  # Saturday 14 March 2026, 15:00 UTC
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000

INFO = EntryInfo(
    seq=1, id="x", tier=Tier.GLOBAL, shelf="instructions", owner="", name="Build", description="", excerpt="", kind="", position=1.0,
    pinned=True, confidence=None, client="", status=Status.ACTIVE, version=2, version_id="v", content_hash="h", size=1400, deciding=2,
    deciding_actor="agent:build-helper", reviewed=0, actor="agent:build-helper", source="human", superseded_by="", created_at=NOW - DAY,
    updated_at=NOW - 3 * MINUTE,
)


@pytest.fixture(autouse=True)
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(("passed", "said"), [
    (0, "now"), (59_999, "now"), (MINUTE, "1 min"), (59 * MINUTE, "59 min"), (HOUR, "1 h"), (23 * HOUR, "23 h"), (DAY, "1 d"),
    (6 * DAY, "6 d"),
    (7 * DAY, "7 Mar"), (400 * DAY, "Feb 2025"), (-5_000, "now"),
])
def test_ages_are_as_short_as_a_list_needs(passed: int, said: str) -> None:
    assert words.age(NOW - passed, NOW) == said


@pytest.mark.parametrize(("passed", "said"), [
    (HOUR, "today 14:00"), (16 * HOUR, "yesterday 23:00"), (2 * DAY, "12 Mar 15:00"), (400 * DAY, "7 Feb 2025 15:00"),
])
def test_moments_name_the_day(passed: int, said: str) -> None:
    assert words.when(NOW - passed, NOW) == said


def test_what_never_was_has_no_age() -> None:
    assert words.age(0, NOW) == ""
    assert words.when(0, NOW) == "never"
    assert words.moment(0) == "never"


@pytest.mark.parametrize(("number", "said"), [
    (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KB"), (1843, "1.8 KB"), (1_023_900, "999.9 KB"), (1_023_999, "1.0 MB"), (1_048_576, "1.0 MB"),
])
def test_sizes(number: int, said: str) -> None:
    assert words.size(number) == said


@pytest.mark.parametrize(("length", "said"), [(10, "under 1 min"), (42 * MINUTE, "42 min"), (47 * HOUR, "47 h"), (3 * DAY, "3 d")])
def test_spans(length: int, said: str) -> None:
    assert words.span(length) == said


def test_a_row_in_words_says_everything_that_is_drawn() -> None:
    agent = Agent("build-helper", verified=True, revoked=False, families=(), first_seen=0, last_seen=0)
    said = words.row_words(INFO, agent, NOW)
    assert said == "unreviewed, pinned, Build, by build-helper, verified, claims human, 1.4 KB, 3 min"
    assert "not verified" in words.row_words(INFO, None, NOW)
    assert "revoked" in words.row_words(INFO, replace(agent, revoked=True), NOW)


@pytest.mark.parametrize(("actor", "source", "said"), [
    ("agent:a", "human", "claims human"), ("agent:a", "jekt", "claims jekt"), ("agent:a", "agent_inferred", ""),
    ("agent:a", "unstated", ""),
    ("human", "human", ""), ("human", "revert", ""), ("import", "import", ""),
])
def test_only_an_agents_own_claims_are_shown(actor: str, source: str, said: str) -> None:
    assert words.claim(actor, source) == said


def test_a_claim_to_be_the_person_contradicts_an_agent_only() -> None:
    assert words.contradicts("agent:a", "human")
    assert not words.contradicts("human", "human")
    assert not words.contradicts("agent:a", "jekt")
