"""`workspace close|open|relink`: what agents see of a folder, and where it lies."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., subprocess.CompletedProcess[str]]


def _json(run: Run, *words: str, code: int = 0) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.returncode == code, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_a_closed_workspace_is_out_of_one_agents_sight_until_it_is_opened(run_memorypane: Run, tmp_path: Path) -> None:
    folder = tmp_path / "ledger"
    folder.mkdir()
    made = _json(run_memorypane, "workspace", "add", str(folder))
    for agent in ("alice", "bob"):
        _json(run_memorypane, "agent", "add", agent)
    call = ("call", "list_workspace_memory", json.dumps({"folderId": made["id"]}), "--agent")
    _json(run_memorypane, "workspace", "close", "ledger", "--agent", "alice")
    assert _json(run_memorypane, *call, "alice", code=1)["structuredContent"]["error"]["code"] == "not_found"
    assert _json(run_memorypane, *call, "bob")["structuredContent"]["total"] == 0
    _json(run_memorypane, "workspace", "close", "ledger")
    assert _json(run_memorypane, *call, "bob", code=1)["structuredContent"]["error"]["code"] == "not_found"
    _json(run_memorypane, "workspace", "open", "ledger")
    assert _json(run_memorypane, *call, "alice")["structuredContent"]["total"] == 0


def test_a_moved_folder_is_missing_until_it_is_linked_again(run_memorypane: Run, tmp_path: Path) -> None:
    old, new, other = tmp_path / "old", tmp_path / "new", tmp_path / "other"
    old.mkdir()
    other.mkdir()
    made = _json(run_memorypane, "workspace", "add", str(old))
    _json(run_memorypane, "workspace", "add", str(other))
    old.rename(new)
    states = {one["id"]: one["state"] for one in _json(run_memorypane, "workspace", "list")["workspaces"]}
    assert states[made["id"]] == "missing"
    assert _json(run_memorypane, "workspace", "relink", made["id"], str(other), code=1)["error"]["code"] == "conflict"
    linked = _json(run_memorypane, "workspace", "relink", made["id"], str(new))
    assert (linked["id"], linked["path"], linked["state"]) == (made["id"], str(new), "confirmed")
    assert _json(run_memorypane, "workspace", "relink", "nowhere", str(new), code=1)["error"]["code"] == "not_found"
