"""Carrying out a plan on a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorypane.home.paths import Home
from memorypane.model.errors import InvalidInput
from memorypane.model.shelves import INSTRUCTIONS, NOTES, PROFILE, SYSTEM, Shelf
from memorypane.model.values import ListQuery
from memorypane.service.desk import Desk
from memorypane.service.exchange.planning import plan_import
from memorypane.service.exchange.running import PAGE, run_import
from memorypane.service.exchange.values import FORMAT, ImportPlan, Origin, Planned, Skipped
from memorypane.service.importing import ImportItem
from memorypane.service.person import PersonFace


@pytest.fixture
def person(home: Home) -> Iterator[PersonFace]:
    with Desk.open(home) as desk:
        yield desk.person(via="window")


def plan_of(*names: str) -> ImportPlan:
    return ImportPlan(FORMAT, tuple(Planned(f"/x/{name}", name, "", "", f"text of {name}", Origin(f"/x/{name}")) for name in names))


def test_an_empty_plan_writes_nothing(person: PersonFace) -> None:
    report = run_import(person, ImportPlan(FORMAT, (Skipped("/x/a", "a", "It is empty."),)))
    assert [(item.outcome, item.reason) for item in report.items] == [("skipped", "It is empty.")]
    assert person.events() == ()


def test_a_dry_run_tells_what_the_run_does(person: PersonFace) -> None:
    plan = plan_of("a", "b")
    before = [(item.name, item.outcome) for item in run_import(person, plan, dry_run=True).items]
    assert person.totals().active == 0
    assert [(item.name, item.outcome) for item in run_import(person, plan).items] == before
    assert [(item.name, item.outcome) for item in run_import(person, plan, dry_run=True).items] == [("a", "unchanged"), ("b", "unchanged")]


def test_all_of_a_run_is_one_transaction_and_keeps_the_order(person: PersonFace) -> None:
    run_import(person, plan_of("b", "a", "c"))
    listed = person.page(ListQuery(tier="global", shelf="instructions")).entries
    assert [info.name for info in listed] == ["b", "a", "c"]
    assert len({person.history(info.id)[0].created_at for info in listed}) == 1


def test_names_are_free_however_many_there_are(person: PersonFace) -> None:
    person.import_entries([ImportItem(INSTRUCTIONS, f"origin {number}", f"n{number}", "x") for number in range(PAGE + 1)])
    report = run_import(person, plan_of("n0", f"n{PAGE}"))
    assert [(item.name, item.outcome) for item in report.items] == [("n0 2", "added"), (f"n{PAGE} 2", "added")]


@pytest.mark.parametrize("shelf", [SYSTEM, PROFILE, NOTES])
def test_some_shelves_take_no_files(person: PersonFace, shelf: Shelf) -> None:
    with pytest.raises(InvalidInput, match="cannot be imported"):
        run_import(person, plan_of("a"), shelf=shelf)


def test_the_origin_of_a_text_is_kept_with_its_version(person: PersonFace, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("# T\nintro\n## One\n1\n")
    report = run_import(person, plan_import([tmp_path], split=True))
    origins = [person.history(item.entry_id)[0].detail["origin"] for item in report.items]
    assert origins == [f"{tmp_path}/CLAUDE.md#0:", f"{tmp_path}/CLAUDE.md#1:One"]
