"""Workspaces by path: which folder a connection stands in."""

from __future__ import annotations

import os
from pathlib import Path

from memorypane.model import text
from memorypane.model.errors import InvalidInput
from memorypane.model.values import Workspace
from memorypane.store import events, workspaces
from memorypane.store.transaction import Transaction

__all__ = ["check_folder", "workspace_of"]


def check_folder(path: str | Path) -> str:
    """Return the real path of a folder that may be a workspace; `InvalidInput` for `/`, the home folder, a file, or nothing there."""
    shown = text.short(str(path))
    try:
        real = Path(os.path.realpath(Path(path).expanduser()))
        text.normalise(str(real), "path")
        if not real.is_dir():
            raise InvalidInput(f"{shown} is not a folder that can be seen from here. A workspace is an existing folder.")
    except (OSError, ValueError) as problem:
        raise InvalidInput(f"{shown} cannot be a workspace: {problem}.") from problem
    if real in {Path("/"), Path(os.path.realpath(Path.home()))}:
        raise InvalidInput(f"{shown} cannot be a workspace: it holds everything. Choose the folder of one project.")
    return str(real)


def workspace_of(transaction: Transaction, path: str) -> Workspace | None:
    """Return the workspace of a folder; an unknown folder becomes known as *new*, a path that cannot be one is none."""
    try:
        real = check_folder(path)
    except InvalidInput:
        return None
    found = workspaces.by_path(transaction, real)
    if found is None:
        found = workspaces.add(transaction, real, Path(real).name, confirmed=False)
        events.record(transaction, events.Trace("watch"), "workspace_new", detail={"workspace": found.id})
    return found
