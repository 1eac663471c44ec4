"""The table classes describe what the steps make, and the hot statements use the indexes that were made for them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import Column, text
from sqlalchemy.dialects import sqlite

from memorypane.model.shelves import FILES, INSTRUCTIONS
from memorypane.model.values import Action, ListQuery
from memorypane.store import entries, erasing, proposals, search, tables, usage
from memorypane.store.schema import APPLICATION_ID, SCHEMA_VERSION
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction
from tests.store.support import add, change

INDEX_TABLES = {"search", "search_data", "search_idx", "search_content", "search_docsize", "search_config"}


def run(store: Store, statement: str) -> list[Any]:
    return [tuple(row) for row in store.read(lambda transaction: transaction.connection.execute(text(statement)).all())]


def kind_of(column: Column[Any]) -> str:
    return {"INTEGER": "INTEGER", "FLOAT": "REAL", "VARCHAR": "TEXT"}[column.type.compile(sqlite.dialect())]


@pytest.mark.parametrize("name", sorted(tables.__all__))
def test_a_table_class_has_the_columns_of_its_table(store: Store, name: str) -> None:
    described = [
        (column.name, kind_of(column), column.nullable or column.name == "seq", column.primary_key)
        for column in getattr(tables, name).columns
    ]
    made = [
        (column, kind, not required or column == "seq", bool(key))
        for _, column, kind, required, _, key in run(store, f"PRAGMA table_info({name})")
    ]
    assert described == made


def test_every_table_but_those_of_the_index_has_a_class(store: Store) -> None:
    made = {name for (name,) in run(store, "SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert made - INDEX_TABLES == set(tables.__all__)


def test_the_keys_to_other_tables_are_described_too(store: Store) -> None:
    for name in tables.__all__:
        described = {(key.parent.name, key.target_fullname) for key in getattr(tables, name).foreign_keys}
        assert described == {(row[3], f"{row[2]}.{row[4]}") for row in run(store, f"PRAGMA foreign_key_list({name})")}


def test_every_table_checks_the_kinds_of_its_values(store: Store) -> None:
    statements = dict(run(store, "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"))
    assert [name for name in tables.__all__ if not statements[name].split(")")[-1].strip().startswith("STRICT")] == []


def test_the_file_says_whose_it_is_and_which_schema_it_has(store: Store) -> None:
    assert run(store, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert run(store, "PRAGMA user_version") == [(SCHEMA_VERSION,)]


def hot_reads(transaction: Transaction) -> None:
    """What single calls of agents read, whatever the size of the store."""
    found = entries.by_name(transaction, INSTRUCTIONS, "", "entry 1", removed=True)
    assert found is not None
    entries.by_name(transaction, FILES, "alice", "gone.md", removed=True)
    entries.info(transaction, found.id)
    entries.history(transaction, found.id)
    entries.version(transaction, found.id, 1)
    entries.version_by_id(transaction, found.info.version_id)
    entries.by_version(transaction, found.info.version_id)
    entries.by_origin(transaction, "somewhere")
    entries.lookalikes(transaction, "entry I", without=found.id)
    entries.last_position(transaction, INSTRUCTIONS, "")
    usage.writes_since(transaction, "alice", 0, 600)
    usage.unreviewed(transaction, "agent:alice", 5000)
    usage.pending(transaction, "alice")
    proposals.untold(transaction, "alice", 200)
    search.find(transaction, "entry 1", [entries.visible_to("alice", "", ())], 10)
    entries.page(transaction, ListQuery(unreviewed=True), 0, 10)
    entries.counts(transaction)
    erasing.erasing(transaction)


def hot_writes(store: Store) -> None:
    """What single calls of agents write."""
    made = add(store, "one more", actor="agent:alice")
    change(store, made.id, "other text", actor="agent:alice")
    change(store, made.id, "other text", actor="agent:alice", action=Action.PIN)


def plans(store: Store) -> list[tuple[str, str]]:
    """Every statement of the hot paths with each step by which SQLite carries it out."""
    statements: list[str] = []
    for run in (store.read, store.write):
        run(lambda transaction: transaction.driver.set_trace_callback(statements.append))
    store.read(hot_reads)
    hot_writes(store)
    for run in (store.read, store.write):
        run(lambda transaction: transaction.driver.set_trace_callback(None))
    # The index of words asks its own tables ('main'.'search_…') too.
    ours = [one for one in dict.fromkeys(statements) if one.startswith(("SELECT", "UPDATE", "INSERT", "DELETE")) and "'main'." not in one]

    def explained(transaction: Transaction) -> list[tuple[str, str]]:
        return [(one, row[3]) for one in ours for row in transaction.driver.execute(f"EXPLAIN QUERY PLAN {one}").fetchall()]

    return store.read(explained)


# Walked through as a whole: tables of a few rows, the index of words by its own means, the few entries of an index of their own, and the
# newest event, which is where the walk begins and ends.
SMALL = re.compile(r"SCAN (policy|setting|search VIRTUAL TABLE|anon_1|entry USING (COVERING )?INDEX entry_(unreviewed|erasing))\b")
NEWEST = re.compile(r"SCAN event\b")


def test_no_statement_of_a_hot_path_walks_through_a_table(store: Store) -> None:
    for number in range(3):
        add(store, f"entry {number}")
    steps = plans(store)
    assert len(steps) > 30
    walks = [(statement, step) for statement, step in steps if step.startswith("SCAN") and not SMALL.match(step)]
    assert [(statement, step) for statement, step in walks if not (NEWEST.match(step) and "LIMIT" in statement)] == []


def test_names_are_found_by_the_index_of_names(store: Store) -> None:
    add(store, "entry 1")
    steps = plans(store)
    by_name = {step for statement, step in steps if "entry.name_key = '" in statement}
    assert {re.sub(r".* INDEX (\w+) .*", r"\1", step) for step in by_name} == {"entry_live_name", "entry_gone_name"}


def test_a_search_walks_through_the_matches_and_not_through_the_entries(store: Store) -> None:
    add(store, "entry 1")
    matches = [step for statement, step in plans(store) if " MATCH " in statement and "VIRTUAL TABLE" in step]
    # "=" is how the plan says that the index is asked about one entry at a time.
    assert matches
    assert [step for step in matches if re.search(r"INDEX \d+:=", step)] == []


def test_an_update_of_an_entry_looks_for_no_rows_of_other_tables(store: Store) -> None:
    add(store, "entry 1")
    assert {step for statement, step in plans(store) if statement.startswith("UPDATE entry")} == {
        "SEARCH entry USING INTEGER PRIMARY KEY (rowid=?)"
    }
