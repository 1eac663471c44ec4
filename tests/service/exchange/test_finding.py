"""Finding the instruction files of a folder."""

import os
from pathlib import Path

import pytest

from memorypane.model.errors import NotFound
from memorypane.service.exchange.finding import Bounds, Found, Passed, find_files, is_instruction_file


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")


def found(*sources: Path, bounds: Bounds | None = None) -> list[str]:
    return [str(item.path) for item in find_files(sources, bounds or Bounds()) if isinstance(item, Found)]


def passed(*sources: Path, bounds: Bounds | None = None) -> list[tuple[str, str]]:
    return [(item.path.name, item.reason) for item in find_files(sources, bounds or Bounds()) if isinstance(item, Passed)]


def test_exactly_the_names_that_tools_read_are_found(tmp_path: Path) -> None:
    wanted = [
        ".cursor/rules/a.mdc", ".cursor/rules/deep/b.mdc", ".cursorrules", ".github/copilot-instructions.md", ".windsurfrules", "AGENTS.md",
        "CLAUDE.md", "GEMINI.md", "packages/api/AGENTS.md",
    ]
    other = ["README.md", "agents.md", "CLAUDE.md.bak", "copilot-instructions.md", "docs/CLAUDE.txt", ".mdc"]
    make(tmp_path, *wanted, *other)
    assert sorted(os.path.relpath(path, tmp_path) for path in found(tmp_path)) == sorted(wanted)


def test_folders_of_tools_and_environments_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path, ".git/CLAUDE.md", "node_modules/x/AGENTS.md", ".venv/AGENTS.md", "own/pyvenv.cfg", "own/lib/AGENTS.md", "src/AGENTS.md")
    assert found(tmp_path) == [str(tmp_path / "src/AGENTS.md")]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    make(tmp_path, "outside/CLAUDE.md", "inside/AGENTS.md")
    (inside / "CLAUDE.md").symlink_to(outside / "CLAUDE.md")
    (inside / "sub").symlink_to(outside)
    assert found(inside) == [str(inside / "AGENTS.md")]
    [(name, reason)] = passed(inside)
    assert name == "CLAUDE.md"
    assert "out of the folder" in reason


def test_a_link_to_a_sibling_that_is_read_itself_is_named(tmp_path: Path) -> None:
    make(tmp_path, "AGENTS.md")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert found(tmp_path) == [str(tmp_path / "AGENTS.md")]
    assert "which is read itself" in passed(tmp_path)[0][1]


def test_a_link_to_another_file_inside_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, "docs/rules.md")
    (tmp_path / "AGENTS.md").symlink_to("docs/rules.md")
    (tmp_path / "CLAUDE.md").symlink_to("docs/rules.md")
    assert found(tmp_path) == [str(tmp_path / "docs/rules.md")]


def test_dead_links_and_loops_have_a_reason(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").symlink_to("gone.md")
    (tmp_path / "CLAUDE.md").symlink_to("CLAUDE.md")
    assert [name for name, _ in passed(tmp_path)] == ["AGENTS.md", "CLAUDE.md"]


def test_a_named_link_is_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "AGENTS.md")
    link = tmp_path / "CLAUDE.md"
    link.symlink_to("AGENTS.md")
    assert found(link) == []
    assert str(tmp_path / "AGENTS.md") in passed(link)[0][1]


def test_a_file_named_twice_or_found_again_comes_once(tmp_path: Path) -> None:
    make(tmp_path, "AGENTS.md")
    assert found(tmp_path / "AGENTS.md", tmp_path, tmp_path) == [str(tmp_path / "AGENTS.md")]


def test_a_missing_source_stops_before_anything_is_read(tmp_path: Path) -> None:
    make(tmp_path, "AGENTS.md")
    with pytest.raises(NotFound, match=r"gone\.md"):
        found(tmp_path, tmp_path / "gone.md")


def test_the_search_is_bounded_and_says_so(tmp_path: Path) -> None:
    make(tmp_path, "a/AGENTS.md", "b/AGENTS.md", "c/d/e/AGENTS.md")
    assert "after 1 files" in passed(tmp_path, bounds=Bounds(files=1))[0][1]
    assert "more than 1 deep" in passed(tmp_path, bounds=Bounds(depth=1))[0][1]
    assert "names in folders" in passed(tmp_path, bounds=Bounds(names=2))[0][1]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read every folder")
def test_a_folder_that_cannot_be_read_has_a_reason(tmp_path: Path) -> None:
    make(tmp_path, "shut/AGENTS.md")
    (tmp_path / "shut").chmod(0)
    try:
        assert "cannot be read" in passed(tmp_path)[0][1]
    finally:
        (tmp_path / "shut").chmod(0o700)


def test_rule_files_are_known_by_their_ending() -> None:
    assert is_instruction_file(Path("anywhere/x.mdc"))
    assert not is_instruction_file(Path("docs/copilot-instructions.md"))
