"""Search: what is found, how it is counted and ordered, and that no query does harm."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from memorypane.model import fold
from memorypane.model.shelves import FILES, INSTRUCTIONS, RECORDS, SYSTEM, Tier
from memorypane.model.values import ListQuery, SearchPage, Status
from memorypane.store import entries, search
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction
from tests.store.support import add, change, raw, still, unsound

FOUND = [
    ("café at noon", "cafe"),
    ("cafe at noon", "CAFÉ"),
    ("用户身份 is checked", "用户"),
    ("it was 重跑gen-itgc后 that failed", "gen-itgc"),
    ("TODO: fix the door", "TODO: fix"),
    ('they say "hi there', 'say "hi'),
    ("progress: 100%_done", "100%_done"),
    ("on may08 2026-05-08 we met", "may08 2026-05-08"),
    ("Ångström and naïve", "angstrom naive"),
    ("Ελλάδα", "ελλαδα"),
    ("ﬁne ligature", "fine"),
    ("snake_case_name", "case"),
    ("the beginning of wonderful", "wonder"),
    ("a\u200bb zero width", "ab"),
    ("emoji 🧠 brain", "brain"),
]


def find(store: Store, query: str, limit: int = 10) -> SearchPage:
    return store.read(lambda transaction: search.find(transaction, query, [], limit))


def names(found: SearchPage) -> list[str]:
    return [hit.entry.name for hit in found.hits]


def listed(store: Store, query: str) -> int:
    return store.read(lambda transaction: entries.page(transaction, ListQuery(text=query), 0, 10)).total


@pytest.mark.parametrize(("content", "query"), FOUND)
def test_a_text_is_found_by_the_words_of_a_person(store: Store, content: str, query: str) -> None:
    add(store, "wanted", content)
    add(store, "other", "nothing of the kind")
    assert names(find(store, query)) == ["wanted"]
    assert listed(store, query) == 1


@pytest.mark.parametrize(
    ("content", "query"), [("one two", "two one x"), ("cafés", "cafe s"), ("wonderful", "onder"), ("may 08", "may08"), ("身用户", "用身")]
)
def test_what_does_not_hold_all_words_is_not_found(store: Store, content: str, query: str) -> None:
    add(store, "other", content)
    assert names(find(store, query)) == []


def test_only_the_last_word_may_be_a_beginning(store: Store) -> None:
    add(store, "both", "wonderful world")
    assert names(find(store, "wonderful wor")) == ["both"]
    assert names(find(store, "wonder world")) == []


def test_name_description_and_text_are_searched_and_a_name_weighs_most(store: Store) -> None:
    add(store, "plain", "the walnut stands here")
    add(store, "walnut", "a name only")
    assert names(find(store, "walnut")) == ["walnut", "plain"]


def test_a_snippet_shows_the_match_as_it_was_written(store: Store) -> None:
    add(store, "one", "word " * 200 + "the Café is here" + " word" * 200)
    [hit] = find(store, "cafe").hits
    assert len(hit.snippet) <= search.SNIPPET
    assert [hit.snippet[start:end] for start, end in hit.matches] == ["Café"]


def test_a_change_is_searched_at_once_in_what_it_says_now(store: Store) -> None:
    made = add(store, "one", "before")
    change(store, made.id, "afterwards")
    assert (find(store, "before").total, find(store, "afterwards").total) == (0, 1)
    change(store, made.id, "afterwards", status=Status.REMOVED)
    assert find(store, "afterwards").total == 0
    assert unsound(store) == {}


def fill(store: Store, count: int, word: str) -> None:
    """Index so many entries of a word in one transaction."""
    first = add(store, "first", word)
    copy = "INSERT INTO entry SELECT {seq}, 'id ' || {seq}, {rest} FROM entry WHERE seq = :first"
    described = store.read(lambda transaction: [column[1] for column in transaction.connection.execute(text("PRAGMA table_info(entry)"))])
    rest = ", ".join({"name": "'entry ' || :seq", "name_key": "'entry ' || :seq"}.get(column, column) for column in described[2:])
    statement = text(copy.format(seq=":seq", rest=rest))

    def job(transaction: Transaction) -> None:
        for seq in range(first.seq + 1, first.seq + count):
            transaction.connection.execute(statement, {"seq": seq, "first": first.seq})
            search.put(transaction, seq, search.Folded(f"entry {seq}", word), new=True)

    store.write(job)


@pytest.mark.parametrize(("count", "total", "capped"), [(999, 999, False), (1000, 1000, False), (1001, 1000, True), (2500, 1000, True)])
def test_the_total_is_exact_to_a_thousand(store: Store, count: int, total: int, capped: bool) -> None:
    fill(store, count, "walnut")
    found = find(store, "walnut", limit=5)
    assert (found.total, found.capped, len(found.hits)) == (total, capped, 5)


def test_a_word_of_very_many_entries_shows_the_newest_first(store: Store) -> None:
    fill(store, search.RANKED + 1, "walnut")
    newest = [hit.entry.seq for hit in find(store, "walnut", limit=3).hits]
    assert newest == sorted(newest, reverse=True)
    assert newest[0] == search.RANKED + 1


def test_only_what_is_visible_is_found_and_counted(store: Store) -> None:
    places = [(SYSTEM, ""), (INSTRUCTIONS, ""), (RECORDS, "w1"), (RECORDS, "w2"), (FILES, "alice"), (FILES, "bob")]
    for shelf, owner in places:
        add(store, "" if not shelf.named else f"{shelf.name}-{owner}.md", f"walnut {shelf.key} {owner}", shelf=shelf, owner=owner)

    def seen(agent: str, workspace: str, *tiers: Tier) -> set[str]:
        visible = entries.visible_to(agent, workspace, tiers)
        found = store.read(lambda transaction: search.find(transaction, "walnut", [visible], 10))
        assert found.total == len(found.hits)
        return {f"{hit.entry.place.key} {hit.entry.owner}".strip() for hit in found.hits}

    assert seen("alice", "w1") == {"global/instructions", "workspace/records w1", "personal/files alice"}
    assert seen("bob", "") == {"global/instructions", "personal/files bob"}
    assert seen("alice", "w1", Tier.WORKSPACE) == {"workspace/records w1"}
    assert seen("alice", "w1", Tier.SYSTEM) == set()
    assert seen("carol", "") == {"global/instructions"}


def test_what_is_kept_for_one_agent_is_found_by_no_other(store: Store) -> None:
    made = add(store, "", "walnut", shelf=RECORDS, owner="w1")
    mark = text("UPDATE entry SET client = 'alice' WHERE id = :id")
    store.write(lambda transaction: transaction.connection.execute(mark, {"id": made.id}))

    def total(agent: str) -> int:
        visible = entries.visible_to(agent, "w1", ())
        return store.read(lambda transaction: search.find(transaction, "walnut", [visible], 10)).total

    assert (total("alice"), total("bob")) == (1, 0)


SYNTAX = [
    '"', "*", "^", "NEAR(a b)", "a AND b", "a OR b", "NOT a", "name:a", "{name body}:a", "-a", "+a", "(", ")", "a*b", '"a"*', "'",
    ";", "a\0b",
]  # fmt: skip


@pytest.mark.parametrize("query", SYNTAX)
def test_no_query_is_taken_for_a_command_of_the_index(store: Store, query: str) -> None:
    add(store, "one", f"around {query} it".replace("\0", " "))
    add(store, "two", "a b")
    found = names(find(store, query))
    assert "one" in found or not fold.fts_query(query)
    listed(store, query)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=40) | st.text(alphabet='"*^():{}-+~\\ abNEARORANDT\'é用\u200b\u0301\ud800', max_size=30))
def test_no_query_fails(store: Store, query: str) -> None:
    assert find(store, query).hits == ()
    assert listed(store, query) == 0


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60))
def test_an_entry_is_found_by_its_own_words(store: Store, content: str) -> None:
    made = add(store, "", content, shelf=RECORDS, owner="w")
    if fold.fts_query(content):
        assert made.id in {hit.entry.id for hit in find(store, content, limit=50).hits} or find(store, content).total > 50


@pytest.mark.parametrize("query", ["", " ", "\n", "...", "🧠", "\u0301", "\ud800"])
def test_a_query_of_no_words_finds_nothing(store: Store, query: str) -> None:
    add(store, "one")
    assert find(store, query) == SearchPage((), 0, capped=False)


def test_the_index_is_made_anew_when_folding_changed(path: Path) -> None:
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        kept = add(store, "kept", "walnut")
        gone = add(store, "gone", "walnut")
        change(store, gone.id, "walnut", status=Status.REMOVED)
        add(store, "erased", "walnut")
    with closing(raw(path)) as connection:
        connection.execute("UPDATE meta SET value = '0-1.0' WHERE key = 'fold'")
        connection.execute("UPDATE search SET body = 'something old' WHERE rowid = ?", (kept.seq,))
        connection.execute("UPDATE entry SET status = 'purged' WHERE name = 'erased'")
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        assert names(find(store, "walnut")) == ["kept"]
        assert find(store, "something").total == 0
        assert unsound(store) == {}
        assert not store.read(search.is_stale)


def test_the_index_stands_as_it_is_when_folding_did_not_change(path: Path) -> None:
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        made = add(store, "kept", "walnut")
    with closing(raw(path)) as connection:
        connection.execute("UPDATE search SET body = 'something old' WHERE rowid = ?", (made.seq,))
    with closing(Store(path, backups=path.parent, clock=still)) as store:
        assert find(store, "something").total == 1
