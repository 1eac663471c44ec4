"""Folders known to the pane."""

from __future__ import annotations

import uuid

from sqlalchemy import or_, select

from memorypane.model.values import Workspace
from memorypane.store import tables
from memorypane.store.transaction import Transaction

__all__ = ["add", "by_path", "close", "closed", "confirm", "open_again", "relink", "workspace", "workspaces"]

_workspace = tables.workspace.c
_closed = tables.workspace_closed.c
_COLUMNS = (_workspace.id, _workspace.path, _workspace.name, _workspace.state)


def workspace(transaction: Transaction, workspace_id: str) -> Workspace | None:
    """Return the workspace of an id."""
    row = transaction.connection.execute(select(*_COLUMNS).where(_workspace.id == workspace_id)).first()
    return Workspace(*row) if row else None


def by_path(transaction: Transaction, path: str) -> Workspace | None:
    """Return the workspace of exactly that real path."""
    row = transaction.connection.execute(select(*_COLUMNS).where(_workspace.path == path)).first()
    return Workspace(*row) if row else None


def workspaces(transaction: Transaction) -> tuple[Workspace, ...]:
    """Return all workspaces by name."""
    return tuple(Workspace(*row) for row in transaction.connection.execute(select(*_COLUMNS).order_by(_workspace.name, _workspace.path)))


def add(transaction: Transaction, path: str, name: str, *, confirmed: bool) -> Workspace:
    """Register a folder; `confirmed` by the person, or *new* when an agent brought it."""
    made = Workspace(str(uuid.uuid4()), path, name, "confirmed" if confirmed else "new")
    values = {"id": made.id, "path": path, "name": name, "state": made.state, "created_at": transaction.now}
    transaction.connection.execute(tables.workspace.insert(), values)
    transaction.touched.workspaces = True
    return made


def confirm(transaction: Transaction, workspace_id: str, *, name: str = "") -> None:
    """Let agents write there; a name replaces the one it had."""
    values = {"state": "confirmed", **({"name": name} if name else {})}
    transaction.connection.execute(tables.workspace.update().where(_workspace.id == workspace_id).values(values))
    transaction.touched.workspaces = True


def closed(transaction: Transaction, workspace_id: str, agent: str) -> bool:
    """Whether the person closed a workspace to an agent or to all."""
    query = select(_closed.agent).where(_closed.workspace_id == workspace_id, or_(_closed.agent == agent, _closed.agent == ""))
    return transaction.connection.execute(query).first() is not None


def close(transaction: Transaction, workspace_id: str, agent: str) -> None:
    """Close a workspace to an agent ("" = to all)."""
    if (
        transaction.connection.execute(select(_closed.agent).where(_closed.workspace_id == workspace_id, _closed.agent == agent)).first()
        is None
    ):
        transaction.connection.execute(tables.workspace_closed.insert(), {"workspace_id": workspace_id, "agent": agent})
    transaction.touched.workspaces = True


def open_again(transaction: Transaction, workspace_id: str, agent: str) -> None:
    """Open a workspace to an agent again; "" lifts every closing."""
    where = [_closed.workspace_id == workspace_id, *([_closed.agent == agent] if agent else [])]
    transaction.connection.execute(tables.workspace_closed.delete().where(*where))
    transaction.touched.workspaces = True


def relink(transaction: Transaction, workspace_id: str, path: str) -> None:
    """Note that a workspace's folder lies somewhere else now."""
    transaction.connection.execute(tables.workspace.update().where(_workspace.id == workspace_id).values(path=path))
    transaction.touched.workspaces = True
