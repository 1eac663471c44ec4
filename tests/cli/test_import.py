"""Importing instruction files by command into real stores."""

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.inside import Inside
from tests.support import Program


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "ledger-app"
    (root / ".git").mkdir(parents=True)
    (root / ".cursor" / "rules").mkdir(parents=True)
    (root / "CLAUDE.md").write_bytes(b"# Ledger\r\n\r\nBe short.\r\n\r\n## Build\r\nmake\r\n## Test\r\nmake test")
    (root / "AGENTS.md").write_text("CLAUDE.md")
    (root / ".cursor" / "rules" / "sql.mdc").write_text("---\ndescription: How we write SQL\nglobs: *.sql\n---\nUpper case.\n")
    return root


def brought(inside: Inside, *words: str | Path) -> dict[str, Any]:
    report: dict[str, Any] = inside.json("import", *map(str, words))
    assert set(report) == {"format", "dry_run", "items", "added", "unchanged", "updated", "held", "skipped"}
    outcomes = [item["outcome"] for item in report["items"]]
    assert {name: report[name] for name in ("added", "unchanged", "updated", "held", "skipped")} == {
        name: outcomes.count(name) for name in ("added", "unchanged", "updated", "held", "skipped")
    }
    for item in report["items"]:
        assert set(item) <= {"source", "name", "outcome", "entry_id", "reason"}
        assert item["outcome"] != "skipped" or item["reason"]
    return report


def counts(report: dict[str, Any]) -> tuple[int, ...]:
    return tuple(report[name] for name in ("added", "unchanged", "updated", "skipped"))


def item_of(report: dict[str, Any], name: str) -> dict[str, Any]:
    [found] = [item for item in report["items"] if item["name"] == name]
    return dict(found)


def test_files_become_instructions_and_a_second_run_changes_nothing(inside: Inside, repository: Path) -> None:
    dry = brought(inside, repository, "--dry-run")
    assert (dry["dry_run"], counts(dry)) == (True, (2, 0, 0, 1))
    assert inside.json("list")["total"] == 0
    report = brought(inside, repository)
    assert (report["format"], counts(report)) == ("instruction-files", (2, 0, 0, 1))
    assert "points to CLAUDE.md" in item_of(report, "AGENTS.md")["reason"]
    whole = inside.json("show", item_of(report, "CLAUDE.md (ledger-app)")["entry_id"])
    assert whole["content"] == "# Ledger\n\nBe short.\n\n## Build\nmake\n## Test\nmake test"
    assert (whole["actor"], whole["tier"], whole["shelf"]) == ("import", "global", "instructions")
    rule = inside.json("show", item_of(report, "sql (ledger-app)")["entry_id"])
    assert (rule["content"], rule["description"]) == ("Upper case.\n", "How we write SQL")
    [version] = inside.json("history", rule["id"])["versions"]
    assert version["action"] == "import"
    assert version["source_detail"]["front_matter"] == {"globs": "*.sql"}
    assert version["source_detail"]["origin"] == str(repository / ".cursor" / "rules" / "sql.mdc")
    before = inside.json("list")
    assert counts(brought(inside, repository)) == (0, 2, 0, 1)
    assert inside.json("list") == before


def test_a_changed_file_becomes_a_new_version(inside: Inside, repository: Path) -> None:
    entry = item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["entry_id"]
    inside.json("edit", entry, "--name", "Ours")
    inside.json("pin", entry)
    assert counts(brought(inside, repository)) == (0, 2, 0, 1)
    (repository / "CLAUDE.md").write_text("New text.\n")
    assert item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["outcome"] == "skipped"
    assert inside.json("show", entry)["name"] == "Ours"


def test_an_untouched_entry_follows_its_file(inside: Inside, repository: Path) -> None:
    entry = item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["entry_id"]
    inside.json("pin", entry)
    (repository / "CLAUDE.md").write_text("New text.\n")
    assert counts(brought(inside, repository, "--dry-run")) == (0, 1, 1, 1)
    assert counts(brought(inside, repository)) == (0, 1, 1, 1)
    shown = inside.json("show", entry)
    assert (shown["content"], shown["version"], shown["pinned"]) == ("New text.\n", 3, True)


def test_what_the_person_wrote_since_is_left_alone(inside: Inside, repository: Path) -> None:
    entry = item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["entry_id"]
    inside.json("edit", entry, "--content", "mine")
    assert item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["outcome"] == "unchanged"
    (repository / "CLAUDE.md").write_text("New text.\n")
    item = item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")
    assert (item["outcome"], item["reason"] != "") == ("skipped", True)
    assert inside.json("show", entry)["content"] == "mine"


def test_a_removed_entry_does_not_come_back_by_itself(inside: Inside, repository: Path) -> None:
    entry = item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["entry_id"]
    inside.json("remove", entry)
    assert item_of(brought(inside, repository), "CLAUDE.md (ledger-app)")["outcome"] == "skipped"
    assert inside.json("list")["total"] == 1


def test_sections_become_entries_and_follow_their_headings(inside: Inside, repository: Path) -> None:
    report = brought(inside, repository / "CLAUDE.md", "--split", "headings")
    assert [item["name"] for item in report["items"]] == [
        "Opening (CLAUDE.md, ledger-app)", "Build (CLAUDE.md, ledger-app)", "Test (CLAUDE.md, ledger-app)",
    ]
    joined = "".join(inside.json("show", item["entry_id"])["content"] for item in report["items"])
    assert joined == "# Ledger\n\nBe short.\n\n## Build\nmake\n## Test\nmake test"
    (repository / "CLAUDE.md").write_text("# Ledger\n\nBe short.\n\n## New\nx\n## Test\nmake test\n## Build\nmake\n")
    again = brought(inside, repository / "CLAUDE.md", "--split", "headings")
    assert {item["name"].split(" (")[0]: item["outcome"] for item in again["items"]} == {
        "Opening": "unchanged", "New": "added", "Test": "updated", "Build": "unchanged",
    }


def test_a_taken_name_gets_a_number(inside: Inside, repository: Path) -> None:
    inside.json("add", "--tier", "global", "--shelf", "instructions", "--name", "claude.md (LEDGER-APP)", "--content", "x")
    report = brought(inside, repository / "CLAUDE.md")
    assert [(item["name"], item["outcome"]) for item in report["items"]] == [("CLAUDE.md (ledger-app) 2", "added")]


def test_a_workspace_and_an_agent_can_have_them_too(inside: Inside, repository: Path) -> None:
    workspace = inside.json("workspace", "add", str(repository))["id"]
    inside.json("agent", "add", "bob")
    brought(inside, repository)
    records = brought(inside, repository, "--tier", "workspace", "--owner", str(repository))
    assert counts(records) == (2, 0, 0, 1)
    listed = inside.json("list", "--tier", "workspace")["entries"]
    assert {(entry["owner"], entry["kind"], entry["name"]) for entry in listed} == {(workspace, "project_preference", "")}
    assert counts(brought(inside, repository, "--tier", "workspace", "--owner", "ledger-app")) == (0, 2, 0, 1)
    files = brought(inside, repository, "--tier", "personal", "--shelf", "files", "--owner", "bob")
    assert [item["name"] for item in files["items"] if item["outcome"] == "added"] == ["CLAUDE-md-ledger-app.md", "sql-ledger-app.md"]
    topics = brought(inside, repository, "--shelf", "topics")
    assert [item["name"] for item in topics["items"] if item["outcome"] == "added"] == [
        "topics/claude-md-ledger-app", "topics/sql-ledger-app",
    ]
    topic = inside.json("show", next(item["entry_id"] for item in topics["items"] if "claude" in item["name"]))
    assert topic["description"]
    assert topic["content"].endswith("make test\n")


def test_what_does_not_fit_is_skipped_and_the_rest_is_taken(inside: Inside, repository: Path) -> None:
    inside.json("workspace", "add", str(repository))
    (repository / "GEMINI.md").write_text("x" * 4001)
    (repository / ".windsurfrules").write_text("The key is ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8" + "\n")
    report = brought(inside, repository, "--tier", "workspace", "--owner", str(repository))
    reasons = {Path(item["source"]).name: item.get("reason", "") for item in report["items"]}
    assert reasons["GEMINI.md"].startswith("over_limit")
    assert reasons[".windsurfrules"].startswith("secret")
    assert "ghp_a1" not in str(report)
    assert report["added"] == 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("gone",), "not_found"),
        ((".", "gone"), "not_found"),
        ((".", "--tier", "system"), "invalid_input"),
        ((".", "--shelf", "profile"), "invalid_input"),
        ((".", "--tier", "workspace", "--owner", "nobody"), "not_found"),
    ],
)
def test_places_that_cannot_be_are_refused_before_anything_is_written(
    inside: Inside, repository: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: str,
) -> None:
    monkeypatch.chdir(repository)
    assert inside.refusal("import", *words)["code"] == code
    assert inside.json("list")["total"] == 0


def test_an_agents_shelf_needs_a_known_agent(inside: Inside, repository: Path) -> None:
    report = brought(inside, repository, "--tier", "personal", "--shelf", "files", "--owner", "nobody")
    assert report["added"] == 0
    assert all(item["outcome"] == "skipped" for item in report["items"])


def test_words_of_the_import_are_checked(inside: Inside, repository: Path) -> None:
    place = str(repository)
    for words in ((), (place, "--split", "pages"), (place, "--format", "moon"), (place, "--tier", "workspace")):
        inside.refusal("import", *words, exit_code=2)


def test_a_folder_without_such_files_is_no_failure(inside: Inside, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("x")
    assert counts(brought(inside, tmp_path)) == (0, 0, 0, 0)
    assert inside.run("import", str(tmp_path))[1] == "No instruction file was found there.\n"


def test_the_program_imports_real_files_byte_for_byte(program: Program, shared: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(shared / "data" / "real.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "instruction-files"
    report = program.json("import", folder)
    assert (report["added"], report["skipped"]) == (9, 2)
    for item in report["items"]:
        if item["outcome"] == "added":
            content = program.json("show", item["entry_id"])["content"] if item["name"].startswith("CLAUDE") else None
            text = Path(item["source"]).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
            assert content is None or content == text
    shutil.rmtree(folder / "06-fastmcp")
    again = program.json("import", folder)
    assert (again["added"], again["unchanged"], again["updated"], again["skipped"]) == (0, 7, 0, 1)
