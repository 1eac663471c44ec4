"""Planning an import by reading files, and the counts of real files."""

import csv
import re
import zipfile
from pathlib import Path

import pytest

from memorypane.model.errors import InvalidInput
from memorypane.model.text import check_name, name_key
from memorypane.service.exchange.planning import plan_import
from memorypane.service.exchange.sections import title_only
from memorypane.service.exchange.values import ImportPlan, Planned, Skipped

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def planned(plan: ImportPlan) -> list[Planned]:
    return [item for item in plan.items if isinstance(item, Planned)]


def skipped(plan: ImportPlan) -> list[Skipped]:
    return [item for item in plan.items if isinstance(item, Skipped)]


def repository(tmp_path: Path, name: str = "ledger-app") -> Path:
    root = tmp_path / name
    (root / ".git").mkdir(parents=True)
    return root


def test_whole_files_are_named_after_file_and_repository(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / "packages" / "api").mkdir(parents=True)
    (root / ".github").mkdir()
    (root / "AGENTS.md").write_text("Use tabs.\n")
    (root / "packages" / "api" / "AGENTS.md").write_text("Use spaces.\n")
    (root / ".github" / "copilot-instructions.md").write_text("Be short.\n")
    names = [item.name for item in planned(plan_import([root]))]
    assert names == ["AGENTS.md (ledger-app)", "copilot-instructions.md (ledger-app)", "AGENTS.md (ledger-app/packages/api)"]


def test_a_rule_file_carries_its_front_matter_beside_the_text(tmp_path: Path) -> None:
    rules = repository(tmp_path) / ".cursor" / "rules"
    rules.mkdir(parents=True)
    (rules / "tests.mdc").write_text("---\ndescription: How to test\nglobs: *.py\nalwaysApply: false\n---\nRun them all.\n")
    [item] = planned(plan_import([rules.parent.parent]))
    assert (item.name, item.description, item.content) == ("tests (ledger-app)", "How to test", "Run them all.\n")
    assert item.detail["front_matter"] == {"globs": "*.py", "alwaysApply": False}


def test_split_gives_one_entry_a_section_and_keeps_the_opening(tmp_path: Path) -> None:
    root = repository(tmp_path)
    text = "# T\nRead this.\n## Build\nmake\n```\n## no\n```\n## Build\nagain\n## **Test** [it](x)\n"
    (root / "CLAUDE.md").write_text(text)
    items = planned(plan_import([root / "CLAUDE.md"], split=True))
    assert [item.name for item in items] == [
        "Opening (CLAUDE.md, ledger-app)", "Build (CLAUDE.md, ledger-app)",
        "Build 2 (CLAUDE.md, ledger-app)", "Test it (CLAUDE.md, ledger-app)",
    ]
    assert "".join(item.content for item in items) == text
    assert len({item.origin.key for item in items}) == 4


def test_a_file_without_sections_stays_whole_when_split(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("One rule.\n")
    [whole] = planned(plan_import([tmp_path / "CLAUDE.md"]))
    [split] = planned(plan_import([tmp_path / "CLAUDE.md"], split=True))
    assert whole == split


def test_the_same_text_under_two_names_is_imported_once(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("One rule.\n")
    (tmp_path / "CLAUDE.md").write_bytes(b"One rule.\r\n")
    plan = plan_import([tmp_path])
    assert len(planned(plan)) == 1
    assert "same text" in skipped(plan)[0].reason


def test_names_are_told_apart(tmp_path: Path) -> None:
    for folder in ("one/app", "two/app", "three/x/app"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "AGENTS.md").write_text(f"Rules of {folder}.\n")
    names = [item.name for item in planned(plan_import([tmp_path]))]
    assert len({name_key(name) for name in names}) == 3
    assert "AGENTS.md (app, in two)" in names


def test_long_and_odd_names_stay_valid(tmp_path: Path) -> None:
    folder = tmp_path / ("f" * 200) / "line\nbreak\x1b"
    folder.mkdir(parents=True)
    (folder / "x\ty.mdc").write_text("## " + "h" * 500 + "\na\n## \nb\n")
    for item in planned(plan_import([folder], split=True)):
        check_name(item.name)


def test_a_file_of_another_name_needs_to_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("x\n")
    assert "format" in skipped(plan_import([tmp_path / "notes.md"]))[0].reason
    assert len(planned(plan_import([tmp_path / "notes.md"], any_name=True))) == 1


def test_what_cannot_be_read_is_an_item_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"\xff")
    (tmp_path / "CLAUDE.md").write_text("")
    (tmp_path / "GEMINI.md").write_text("---\nname: x\n---\n\n")
    plan = plan_import([tmp_path])
    reasons = [item.reason.split(":")[0] for item in skipped(plan)]
    assert reasons == ["It is not UTF-8", "It is empty.", "There is nothing after its front matter."]


def test_without_a_source_there_is_nothing_to_plan() -> None:
    with pytest.raises(InvalidInput):
        plan_import([])


def manifest() -> list[dict[str, str]]:
    path = DATA / "MANIFEST.tsv"
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["format"] == "instruction-files"]


@pytest.fixture(scope="module")
def real_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real")
    with zipfile.ZipFile(DATA / "real.zip") as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.skipif(not (DATA / "MANIFEST.tsv").is_file(), reason="the folder of real files, ../shared/data, is not there")
@pytest.mark.parametrize("row", manifest(), ids=lambda row: row["path"])
def test_real_files_have_as_many_entries_as_a_reader_counts(real_files: Path, row: dict[str, str]) -> None:
    path = real_files / row["path"]
    counts = row["entries (human count)"]
    whole = re.match(r"\d+", counts)
    assert whole
    plan = plan_import([path])
    assert len(planned(plan)) == int(whole[0])
    assert len(skipped(plan)) == (1 if int(whole[0]) == 0 else 0)
    if sections := re.search(r"(\d+) by ## sections", counts):
        parts = planned(plan_import([path], split=True))
        assert sum(part.origin.number > 0 for part in parts) == int(sections[1])
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        joined = "".join(part.content for part in parts)
        assert text.endswith(joined)
        assert title_only(text.removesuffix(joined))
