"""One version written: row, head, index and audit event together."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from memorypane.model.errors import DuplicateName, InvalidInput
from memorypane.model.shelves import FILES, INSTRUCTIONS, RECORDS
from memorypane.model.values import Action, EntryInfo, Evidence, ListQuery, State, Status
from memorypane.store import entries, events, search, writing
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction
from tests.store.support import NOW, add, change, stamp, state, unsound, write


def rows(store: Store, statement: str, **values: Any) -> list[Any]:
    return [tuple(row) for row in store.read(lambda transaction: transaction.connection.execute(text(statement), values).all())]


def info(store: Store, entry_id: str) -> EntryInfo:
    found = store.read(lambda transaction: entries.info(transaction, entry_id))
    assert found is not None
    return found


def test_a_version_comes_with_its_head_its_index_row_and_its_event(store: Store) -> None:
    made = add(store, "One", "first words", actor="agent:alice")
    assert rows(store, "SELECT number, action, actor, agent, content, created_at FROM version") == [
        (1, "create", "agent:alice", "alice", "first words", NOW)
    ]
    assert rows(store, "SELECT id, head, head_id, content FROM entry") == [(made.id, 1, made.version_id, "first words")]
    assert rows(store, "SELECT rowid, name, body FROM search") == [(made.seq, "one", "first words")]
    assert rows(store, "SELECT action, actor, entry_id, version, outcome FROM event") == [("create", "agent:alice", made.id, 1, "done")]


def test_what_a_write_returns_is_what_stands(store: Store) -> None:
    made = add(store, "One", "first")
    assert made == info(store, made.id)
    assert change(store, made.id, "second") == info(store, made.id)


def test_versions_are_numbered_without_gaps_and_name_their_parents(store: Store) -> None:
    made = add(store, "One", "text 1")
    ids = [made.version_id, *(change(store, made.id, f"text {number}").version_id for number in range(2, 6))]
    history = store.read(lambda transaction: entries.history(transaction, made.id))
    assert [version.number for version in history] == [5, 4, 3, 2, 1]
    assert [version.id for version in history] == ids[::-1]
    assert [version.parent for version in history] == [*ids[:-1][::-1], ""]


def test_a_write_that_fails_leaves_nothing_of_itself(store: Store) -> None:
    made = add(store, "One", "first")

    def job(transaction: Transaction) -> None:
        write(transaction, made.id, Action.EDIT, state("One", "second"))
        write(transaction, "", Action.CREATE, state("Two", "other"))
        raise KeyError("on purpose")

    before = {name: rows(store, f"SELECT * FROM {name}") for name in ("entry", "version", "search", "event")}  # noqa: S608 - our own names
    with pytest.raises(KeyError):
        store.write(job)
    assert {name: rows(store, f"SELECT * FROM {name}") for name in before} == before  # noqa: S608 - our own names


def test_a_taken_name_names_its_holder(store: Store) -> None:
    made = add(store, "Café")
    for same in ("Café", "CAFÉ", "Cafe\u0301"):
        with pytest.raises(DuplicateName) as caught:
            add(store, same)
        assert caught.value.data == {"holder": made.id}


def test_the_file_itself_knows_no_two_live_entries_of_a_name(store: Store) -> None:
    add(store, "One")
    two = add(store, "Two")
    rename = text("UPDATE entry SET name_key = 'one' WHERE id = :id")
    with pytest.raises(IntegrityError):
        store.write(lambda transaction: transaction.connection.execute(rename, {"id": two.id}))


def test_a_name_is_free_on_another_shelf_for_another_owner_and_after_a_removal(store: Store) -> None:
    gone = add(store, "a.md", shelf=FILES, owner="alice")
    add(store, "a.md", shelf=FILES, owner="bob")
    add(store, "a.md", shelf=INSTRUCTIONS)
    change(store, gone.id, "", status=Status.REMOVED, action=Action.REMOVE)
    assert add(store, "a.md", shelf=FILES, owner="alice").id != gone.id


def test_a_removed_entry_cannot_come_back_to_a_name_that_was_taken(store: Store) -> None:
    gone = add(store, "One")
    change(store, gone.id, "", status=Status.REMOVED, action=Action.REMOVE)
    holder = add(store, "One")
    with pytest.raises(DuplicateName) as caught:
        change(store, gone.id, "", action=Action.RESTORE)
    assert caught.value.data == {"holder": holder.id}


def test_an_entry_keeps_its_own_name(store: Store) -> None:
    made = add(store, "One")
    assert change(store, made.id, "other").name == "One"


def test_a_removed_entry_is_in_no_list_no_count_and_no_search(store: Store) -> None:
    made = add(store, "One", "unmistakable")
    change(store, made.id, "unmistakable", status=Status.REMOVED, action=Action.REMOVE)
    assert store.read(lambda transaction: entries.listed(transaction, INSTRUCTIONS)) == []
    assert store.read(lambda transaction: entries.live_contents(transaction, INSTRUCTIONS)) == []
    assert store.read(entries.counts) == ()
    assert store.read(lambda transaction: entries.page(transaction, ListQuery(), 0, 10)).total == 0
    assert store.read(lambda transaction: entries.page(transaction, ListQuery(text="unmistakable"), 0, 10)).total == 0
    assert store.read(lambda transaction: search.find(transaction, "unmistakable", [], 10)).total == 0
    assert store.read(lambda transaction: entries.by_name(transaction, INSTRUCTIONS, "", "One")) is None
    assert store.read(lambda transaction: entries.page(transaction, ListQuery(removed=True), 0, 10)).total == 1
    assert unsound(store) == {}


def deciding(found: EntryInfo) -> tuple[int, str, int, bool]:
    return found.deciding, found.deciding_actor, found.reviewed, found.unreviewed


def test_what_an_agent_writes_is_unreviewed_until_the_person_keeps_or_changes_it(store: Store) -> None:
    made = add(store, "One", actor="agent:alice")
    assert deciding(made) == (1, "agent:alice", 0, True)
    store.write(lambda transaction: writing.keep(transaction, made.id, stamp().trace, {}))
    assert deciding(info(store, made.id)) == (1, "agent:alice", 1, False)
    assert deciding(change(store, made.id, "more", actor="agent:bob")) == (2, "agent:bob", 1, True)
    assert deciding(change(store, made.id, "mine")) == (3, "human", 3, False)


@pytest.mark.parametrize("action", [Action.PIN, Action.UNPIN, Action.REORDER, Action.MOVE])
def test_pin_order_and_move_decide_nothing(store: Store, action: Action) -> None:
    made = add(store, "One", actor="agent:alice")
    assert deciding(change(store, made.id, "text", action=action)) == (1, "agent:alice", 0, True)


@pytest.mark.parametrize("action", sorted({*Action} - {Action.PIN, Action.UNPIN, Action.REORDER, Action.MOVE}))
def test_every_other_action_decides(store: Store, action: Action) -> None:
    made = add(store, "One", actor="agent:alice")
    assert deciding(change(store, made.id, "text", action=action)) == (2, "human", 2, False)


def test_keeping_what_is_not_there_is_our_fault(store: Store) -> None:
    with pytest.raises(LookupError):
        store.write(lambda transaction: writing.keep(transaction, "nothing", stamp().trace, {}))


def test_evidence_stays_with_the_version_that_brought_it_and_later_ones_point_back(store: Store) -> None:
    first, second = Evidence({"kind": "a", "id": "1"}), Evidence({"kind": "b", "snippet": "“words”"})

    def step(entry_id: str, content: str, *evidence: Evidence) -> str:
        after = state(content=content, shelf=RECORDS, owner="w", evidence=evidence)
        return store.write(lambda transaction: write(transaction, entry_id, Action.EDIT, after)).id

    made = step("", "1", first, second)
    step(made, "2", first, second)
    step(made, "3", second)
    step(made, "4")

    def evidence_of(number: int) -> tuple[Evidence, ...]:
        version = store.read(lambda transaction: entries.version(transaction, made, number))
        assert version is not None
        return version.state.evidence

    assert [evidence_of(number) for number in (1, 2, 3, 4)] == [(first, second), (first, second), (second,), ()]
    assert rows(store, "SELECT count(*) FROM evidence") == [(3,)]


def test_a_whole_state_comes_back_as_it_was_written(store: Store) -> None:
    after = State(
        RECORDS.tier, "records", "w", "", "said of it", "text\n\twith “everything”\n", "semantic_fact", 2.5, True, 0.75, "alice",
        superseded_by="x", supersedes="y", extra={"sourceType": "file", "n": [1, None]}, evidence=(Evidence({"a": 1}),),
    )  # fmt: skip
    made = store.write(lambda transaction: write(transaction, "", Action.CREATE, after))
    found = store.read(lambda transaction: entries.entry(transaction, made.id))
    version = store.read(lambda transaction: entries.version_by_id(transaction, made.version_id))
    assert found is not None
    assert version is not None
    assert entries.state(found) == version.state == after


@pytest.mark.parametrize("content", ["", "x" * 1_048_576, "\U0001f9ff" * 1000, "a\u0301", "line\n" * 10_000])
def test_texts_of_every_kind_come_back_as_they_were(store: Store, content: str) -> None:
    made = add(store, "One", content)
    found = store.read(lambda transaction: entries.entry(transaction, made.id))
    assert found is not None
    assert found.content == content
    assert found.info.size == len(content.encode())


def test_an_id_or_number_that_no_column_can_hold_is_bad_input(store: Store) -> None:
    with pytest.raises(InvalidInput, match="position 2"):
        store.read(lambda transaction: entries.info(transaction, "ab\ud800"))
    with pytest.raises(InvalidInput, match="larger"):
        store.read(lambda transaction: entries.version(transaction, "x", 10**30))
    with pytest.raises(InvalidInput, match="lone surrogate"):
        store.write(lambda transaction: events.record(transaction, stamp().trace, "\udfff"))
    assert unsound(store) == {}
