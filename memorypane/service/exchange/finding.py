"""Finds the instruction files in a folder: the names that tools read, no links out of the folder, within bounds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memorypane.model.errors import NotFound

__all__ = ["Bounds", "Found", "Passed", "find_files", "is_instruction_file", "is_there", "shown_path"]

NAMES = frozenset({"CLAUDE.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules"})
COPILOT = (".github", "copilot-instructions.md")
CURSOR_SUFFIX = ".mdc"
# Folders of tools and dependencies: what lies there speaks to others' projects.
PASSED_FOLDERS = frozenset({
    ".git", ".hg", ".svn", "node_modules", "bower_components", "site-packages", "__pycache__", ".venv", "venv", ".tox", ".nox", ".cache",
})
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
VENV_MARK = "pyvenv.cfg"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search goes: folders below the named one, looked-at names, files taken."""

    depth: int = 24
    names: int = 200_000
    files: int = 2_000


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read; `named` says that the person named it, rather than its folder."""

    path: Path
    named: bool


@dataclass(frozen=True, slots=True)
class Passed:
    """A file or folder that is not read, and why."""

    path: Path
    reason: str


def shown_path(path: Path) -> str:
    r"""A path as text of one line: bytes that are not UTF-8 and control characters are written `\xNN`."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def is_instruction_file(path: Path) -> bool:
    """Whether a tool reads a file of this name and place as instructions."""
    return path.name in NAMES or path.parts[-2:] == COPILOT or (path.suffix == CURSOR_SUFFIX and path.stem != "")


def find_files(sources: tuple[Path, ...], bounds: Bounds) -> Iterator[Found | Passed]:
    """Yield the files behind the sources in a fixed order, each once; `NotFound` for a source that does not exist."""
    for source in sources:
        if not os.path.lexists(source):
            raise NotFound(f"There is no file or folder {shown_path(source)} that can be seen from here. Check the path.")
    seen: set[Path] = set()
    for source in sources:
        for item in _walk(_real(source), bounds) if _is_folder(source) else _single(source):
            if item.path not in seen:
                seen.add(item.path)
                yield item


def is_there(path: Path) -> bool:
    """Whether the path leads to something; False where it may not be looked at."""
    try:
        return path.exists()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _real(path: Path) -> Path:
    """The path without links; unlike `Path.resolve` it takes loops and folders that may not be read."""
    return Path(os.path.realpath(path))


def _single(source: Path) -> Iterator[Found | Passed]:
    """One named file; a link is not followed, so that the file itself is what the entry remembers."""
    place = _real(source.parent) / source.name
    if source.is_symlink():
        target = shown_path(_real(source))
        yield Passed(place, f"It is a link to {target}; import that file itself.")
    else:
        yield Found(place, named=True)


def _walk(root: Path, bounds: Bounds) -> Iterator[Found | Passed]:
    """The instruction files below `root`, folder by folder, by name."""
    looked, taken = 0, 0
    waiting: list[tuple[Path, int]] = [(root, 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                found = sorted(listing, key=lambda item: item.name)
        except OSError as problem:
            yield Passed(folder, f"The folder cannot be read: {problem.strerror or problem}.")
            continue
        if depth and any(item.name == VENV_MARK for item in found):
            continue
        looked += len(found)
        below: list[tuple[Path, int]] = []
        for item in found:
            path = folder / item.name
            if item.is_dir(follow_symlinks=False):
                if item.name not in PASSED_FOLDERS:
                    below.append((path, depth + 1))
            elif is_instruction_file(path):
                if taken == bounds.files:
                    yield Passed(root, f"The search stopped after {bounds.files} files. Name smaller folders.")
                    return
                taken += 1
                yield _link(path, root) if item.is_symlink() else Found(path, named=False)
        if looked > bounds.names:
            yield Passed(root, f"The search stopped after {looked} names in folders. Name smaller folders.")
            return
        if below and depth == bounds.depth:
            yield Passed(folder, f"Folders more than {bounds.depth} deep are not searched. Name this folder itself.")
            continue
        waiting += reversed(below)


def _link(path: Path, root: Path) -> Found | Passed:
    """A link within a searched folder: read where it leads to a file of other name inside, else passed with the reason."""
    target = _real(path)
    if not is_there(target):
        return Passed(path, "It is a link to a file that is not there.")
    if not target.is_relative_to(root):
        return Passed(path, f"It is a link out of the folder, to {shown_path(target)}; import that file itself.")
    if is_instruction_file(target):
        return Passed(path, f"It is a link to {shown_path(target.relative_to(root))}, which is read itself.")
    return Found(target, named=False)
