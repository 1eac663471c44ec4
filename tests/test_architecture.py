"""The rules that hold for the whole tree: layers, sizes, names at the top, pins, and nothing of the machine it was written on."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import TOP

LONGEST_MODULE = 600
AGREED = {"README.md", "memorypane", "packaging", "pyproject.toml", "resources", "tests"}
LOCKS = ["requirements.lock", "requirements-dev.lock"]
LOCK_LINE = re.compile(r"#.*|[a-z0-9-]+==[^ ]+( ; .+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")


def ignored() -> list[str]:
    return [line.rstrip("/") for line in (TOP / ".gitignore").read_text().splitlines() if line and not line.startswith("#")]


def tree_files() -> Iterator[Path]:
    patterns = [*ignored(), ".git"]
    folders = [TOP]
    while folders:
        for entry in folders.pop().iterdir():
            if any(fnmatch(entry.name, pattern) for pattern in patterns):
                continue
            if entry.is_dir():
                folders.append(entry)
            else:
                yield entry


def requirements(*, dev: bool) -> list[Requirement]:
    settings = tomllib.loads((TOP / "pyproject.toml").read_text())
    words = list(settings["project"]["dependencies"])
    return [Requirement(word) for word in (words + settings["dependency-groups"]["dev"] if dev else words)]


def locked(name: str) -> dict[str, str]:
    found = re.findall(r"^([a-z0-9-]+)==([^ ]+)", (TOP / "packaging" / name).read_text(), re.MULTILINE)
    return dict(found)


def test_every_layer_knows_only_the_ones_below_it() -> None:
    # As a process of its own: the linter sets up logging for a whole process.
    lint = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    ended = subprocess.run([sys.executable, "-c", lint], cwd=TOP, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "0 broken" in ended.stdout


def test_no_module_is_longer_than_one_can_keep_in_mind() -> None:
    lengths = {path: len(path.read_bytes().splitlines()) for path in tree_files() if path.suffix == ".py"}
    assert len(lengths) > 10
    assert {str(path.relative_to(TOP)): length for path, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_every_module_says_what_it_is() -> None:
    modules = [path for path in tree_files() if path.suffix == ".py" and path.is_relative_to(TOP / "memorypane")]
    silent = [str(path.relative_to(TOP)) for path in modules if not ast.get_docstring(ast.parse(path.read_bytes()))]
    assert silent == []


def test_the_top_folder_holds_the_agreed_entries_and_dotfiles_alone() -> None:
    patterns = ignored()
    names = {entry.name for entry in TOP.iterdir() if not any(fnmatch(entry.name, pattern) for pattern in patterns)}
    assert {name for name in names if not name.startswith(".")} == AGREED


def test_no_file_names_a_place_of_the_machine_it_was_made_on() -> None:
    places = [f"{place}/".encode() for place in {TOP, Path.home()} if place.name]
    found = [str(path.relative_to(TOP)) for path in tree_files() if any(place in path.read_bytes() for place in places)]
    assert found == []


def test_the_library_of_the_window_keeps_its_references_to_none() -> None:
    from PySide6.QtCore import QObject

    target = QObject()
    before = sys.getrefcount(None)
    for _ in range(1000):
        target.setObjectName("x")
    assert sys.getrefcount(None) > before - 100


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_pinned_and_hashed_packages_alone(name: str) -> None:
    lines = (TOP / "packaging" / name).read_text().splitlines()
    assert len(lines) > 100
    assert [line for line in lines if not LOCK_LINE.fullmatch(line)] == []


@pytest.mark.parametrize(("name", "dev"), [("requirements.lock", False), ("requirements-dev.lock", True)])
def test_a_lock_fits_what_the_project_asks_for(name: str, *, dev: bool) -> None:
    found = locked(name)
    unmet = [str(one) for one in requirements(dev=dev) if not one.specifier.contains(found.get(canonicalize_name(one.name), "0"))]
    assert unmet == []


def test_the_lock_of_the_tests_has_the_very_versions_of_the_program() -> None:
    dev = locked("requirements-dev.lock")
    assert {name: dev.get(name) for name in locked("requirements.lock")} == locked("requirements.lock")


def test_the_broken_release_of_the_windows_library_is_shut_out() -> None:
    [window] = [one for one in requirements(dev=False) if one.name == "PySide6-Essentials"]
    assert not window.specifier.contains("6.12.0")
    assert window.specifier.contains("6.11.3")
