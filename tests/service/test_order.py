"""The order of entries: one version a drag, whatever the gaps and ties."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput, NotAllowed, NotFound
from memorypane.model.shelves import INSTRUCTIONS, PROFILE
from memorypane.model.values import ListQuery
from memorypane.service.desk import Desk
from memorypane.service.person import PersonFace

QUERY = ListQuery(tier="global", shelf="instructions", owner="")


def add(person: PersonFace, names: str) -> dict[str, str]:
    return {name: person.add(INSTRUCTIONS, name=name).id for name in names}


def order(person: PersonFace) -> str:
    return "".join(one.name for one in person.page(QUERY).entries)


def versions(person: PersonFace) -> int:
    return sum(one.version for one in person.page(QUERY).entries)


@pytest.mark.parametrize(
    ("moved", "before", "after"),
    [
        ("C", "A", "CABD"), ("A", "D", "BCAD"), ("D", "B", "ADBC"), ("A", "", "BCDA"), ("B", "A", "BACD"), ("C", "B", "ACBD"),
        ("A", "C", "BACD"),
    ],
)
def test_an_entry_is_put_right_before_another(person: PersonFace, moved: str, before: str, after: str) -> None:
    ids = add(person, "ABCD")
    person.reorder(ids[moved], before=ids[before] if before else "")
    assert order(person) == after
    assert versions(person) == 5


@pytest.mark.parametrize(("moved", "before"), [("A", "B"), ("D", ""), ("A", "A"), ("C", "D")])
def test_an_entry_that_stands_there_already_stays_as_it_is(person: PersonFace, moved: str, before: str) -> None:
    ids = add(person, "ABCD")
    person.reorder(ids[moved], before=ids[before] if before else "")
    assert order(person) == "ABCD"
    assert versions(person) == 4


def test_a_place_in_which_many_were_put_is_spread_anew(person: PersonFace) -> None:
    ids = add(person, "ABCD")
    moves = 80
    for number in range(moves):
        person.reorder(ids["CD"[number % 2]], before=ids["B"])
        assert order(person) == ("ADCB" if number % 2 == 0 and number else "ACDB" if number else "ACBD")
    # B was never dragged: only the spreading moved it.
    assert person.entry(ids["B"]).info.version > 1
    assert versions(person) < moves + 4 + 10


def test_an_entry_can_be_put_first_again_and_again(person: PersonFace) -> None:
    ids = add(person, "ABC")
    for number in range(20):
        first, wanted = order(person)[0], order(person)[-1]
        person.reorder(ids[wanted], before=ids[first])
        assert order(person)[0] == wanted, number


def tie(desk: Desk, *names: str) -> None:
    """Put entries at one position, as a restored one may come to stand."""
    statement = text("UPDATE entry SET position = 5.0 WHERE name = :name")
    desk._store.write(lambda transaction: transaction.connection.execute(statement, [{"name": name} for name in names]))


@pytest.mark.parametrize(("moved", "before", "after"), [("A", "C", "BACD"), ("D", "C", "ABDC"), ("A", "", "BCDA"), ("D", "B", "ADBC")])
def test_entries_at_the_same_position_are_put_in_order_too(desk: Desk, person: PersonFace, moved: str, before: str, after: str) -> None:
    ids = add(person, "ABCD")
    tie(desk, "B", "C", "D")
    assert order(person) == "ABCD"
    person.reorder(ids[moved], before=ids[before] if before else "")
    assert order(person) == after


def test_a_restored_entry_whose_place_was_taken_is_put_in_order(person: PersonFace) -> None:
    ids = add(person, "ABC")
    person.remove(ids["C"])
    ids |= add(person, "D")
    person.restore(ids["C"])
    assert order(person) == "ABCD"
    person.reorder(ids["A"], before=ids["D"])
    assert order(person) == "BCAD"


def test_a_new_entry_stands_at_the_end(person: PersonFace) -> None:
    ids = add(person, "BCA")
    person.reorder(ids["C"])
    add(person, "D")
    assert order(person) == "BACD"


def test_only_entries_of_one_shelf_are_put_in_order(person: PersonFace) -> None:
    ids = add(person, "AB")
    other = person.add(PROFILE, content="text").id
    with pytest.raises(InvalidInput, match="same shelf"):
        person.reorder(ids["A"], before=other)
    with pytest.raises(NotFound):
        person.reorder(ids["A"], before="nothing")
    person.remove(ids["B"])
    with pytest.raises(NotAllowed):
        person.reorder(ids["A"], before=ids["B"])


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=15))
def test_any_row_of_moves_gives_the_order_that_a_list_would(home: Home, moves: list[tuple[int, int]]) -> None:
    with Desk.open(home) as desk:
        person = desk.person(via="window")
        for one in person.page(QUERY).entries:
            person.remove(one.id)
        ids = add(person, "ABCDEF")
        expected = list("ABCDEF")
        for which, where in moves:
            moved, target = "ABCDEF"[which], "ABCDEF"[where] if where < 6 else ""
            if moved != target:
                expected.remove(moved)
                expected.insert(expected.index(target) if target else len(expected), moved)
            person.reorder(ids[moved], before=ids[target] if target else "")
            assert order(person) == "".join(expected)
