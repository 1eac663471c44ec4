"""Agents, workspaces, policy and settings: what only the person manages, each change with its audit event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memorypane.home import tokens
from memorypane.home.paths import Home
from memorypane.model import text
from memorypane.model.errors import Conflict, InvalidInput, NotAllowed, NotFound
from memorypane.model.shelves import SHELVES
from memorypane.model.values import Agent, Workspace
from memorypane.service import limits, places
from memorypane.service import policy as rules
from memorypane.service.author import Author
from memorypane.service.decisions import check_may_decide
from memorypane.store import agents, events, workspaces
from memorypane.store import policy as stored
from memorypane.store.store import Store
from memorypane.store.transaction import Transaction

__all__ = [
    "FAMILIES",
    "NewAgent",
    "add_agent",
    "add_workspace",
    "check_families",
    "close_workspace",
    "confirm_agent",
    "confirm_workspace",
    "known_agent",
    "known_workspace",
    "open_workspace",
    "presets",
    "relink_workspace",
    "revoke_agent",
    "set_policy",
    "set_setting",
    "settings",
]

FAMILIES = ("global", "notes", "topics", "workspace", "search")


@dataclass(frozen=True, slots=True)
class NewAgent:
    """A registered agent with the token that was just made; the token is shown this once and lies in the file."""

    name: str
    token: str
    token_file: Path


def check_families(families: Sequence[str]) -> tuple[str, ...]:
    """Return the families in their own order, or raise `InvalidInput` with the ones there are."""
    if unknown := [family for family in families if family not in FAMILIES]:
        raise InvalidInput(f"There is no tool family {text.short(unknown[0])!r}. The families are: {', '.join(FAMILIES)}.")
    return tuple(family for family in FAMILIES if family in families)


def known_agent(transaction: Transaction, name: str) -> Agent:
    """Return an agent, or raise `NotFound`."""
    found = agents.agent(transaction, name)
    if found is None:
        raise NotFound(f"There is no agent {text.short(name)!r}. `memorypane agent list` shows the ones there are.")
    return found


def known_workspace(transaction: Transaction, workspace_id: str) -> Workspace:
    """Return a workspace, or raise `NotFound`."""
    found = workspaces.workspace(transaction, workspace_id)
    if found is None:
        raise NotFound(f"There is no workspace {text.short(workspace_id)!r}. `memorypane workspace list` shows the ones there are.")
    return found


def add_agent(store: Store, home: Home, author: Author, name: str, families: Sequence[str]) -> NewAgent:
    """Register an agent, or give a known one a new token; then its old token no longer opens the door."""
    text.check_agent_name(name)
    offered = check_families(families)
    token = tokens.make_token()

    def job(transaction: Transaction) -> Path:
        check_may_decide(transaction, author)
        agents.put(transaction, name, tokens.hash_token(token), offered)
        events.record(transaction, author.trace(author.via), "agent_add", detail={"agent": name, "families": list(offered)})
        # Inside the transaction: a token that could not be handed over must not lock the agent out.
        return tokens.write_token(home, store.store_id, name, token)

    return NewAgent(name, token, store.write(job))


def confirm_agent(store: Store, home: Home, author: Author, name: str, families: Sequence[str]) -> NewAgent:
    """Register an agent that connected without a token; `Conflict` for one that has one, `NotAllowed` for a revoked one."""
    found = store.read(lambda transaction: known_agent(transaction, name))
    if found.revoked:
        raise NotAllowed(f"{name} was revoked. Add it again to let it in.")
    if found.verified:
        raise Conflict(f"{name} is registered already; `agent add` gives it a new token.")
    return add_agent(store, home, author, name, families)


def revoke_agent(store: Store, home: Home, author: Author, name: str) -> Agent:
    """Refuse an agent from now on; its memory stays."""

    def job(transaction: Transaction) -> Agent:
        check_may_decide(transaction, author)
        known_agent(transaction, name)
        agents.revoke(transaction, name)
        events.record(transaction, author.trace(author.via), "agent_revoke", detail={"agent": name})
        return known_agent(transaction, name)

    revoked = store.write(job)
    tokens.remove_token(home, store.store_id, name)
    return revoked


def add_workspace(store: Store, author: Author, path: Path, name: str) -> Workspace:
    """Register a folder as confirmed; a known one is confirmed, and renamed if a name is given."""
    real = places.check_folder(path)
    title = text.check_name(name) if name else ""

    def job(transaction: Transaction) -> Workspace:
        check_may_decide(transaction, author)
        found = workspaces.by_path(transaction, real)
        if found is None:
            found = workspaces.add(transaction, real, title or text.check_name(Path(real).name), confirmed=True)
        else:
            workspaces.confirm(transaction, found.id, name=title)
        events.record(transaction, author.trace(author.via), "workspace_add", detail={"workspace": found.id})
        return known_workspace(transaction, found.id)

    return store.write(job)


def confirm_workspace(store: Store, author: Author, workspace_id: str) -> Workspace:
    """Let agents write in a workspace that one of them brought."""

    def job(transaction: Transaction) -> Workspace:
        check_may_decide(transaction, author)
        known_workspace(transaction, workspace_id)
        workspaces.confirm(transaction, workspace_id)
        events.record(transaction, author.trace(author.via), "workspace_confirm", detail={"workspace": workspace_id})
        return known_workspace(transaction, workspace_id)

    return store.write(job)


def close_workspace(store: Store, author: Author, workspace_id: str, agent: str) -> Workspace:
    """Take a workspace out of sight of an agent ("" = of all); its records stay."""
    return _change_workspace(store, author, workspace_id, agent, "workspace_close", workspaces.close)


def open_workspace(store: Store, author: Author, workspace_id: str, agent: str) -> Workspace:
    """Let an agent (or all) see a workspace again."""
    return _change_workspace(store, author, workspace_id, agent, "workspace_open", workspaces.open_again)


def _change_workspace(
    store: Store, author: Author, workspace_id: str, agent: str, action: str, change: Callable[[Transaction, str, str], None]
) -> Workspace:
    def job(transaction: Transaction) -> Workspace:
        check_may_decide(transaction, author)
        known_workspace(transaction, workspace_id)
        if agent:
            known_agent(transaction, agent)
        change(transaction, workspace_id, agent)
        events.record(transaction, author.trace(author.via), action, detail={"workspace": workspace_id, "agent": agent})
        return known_workspace(transaction, workspace_id)

    return store.write(job)


def relink_workspace(store: Store, author: Author, workspace_id: str, path: Path) -> Workspace:
    """Point a workspace to the folder it lies in now; `Conflict` when that folder is another workspace."""
    real = places.check_folder(path)

    def job(transaction: Transaction) -> Workspace:
        known_workspace(transaction, workspace_id)
        holder = workspaces.by_path(transaction, real)
        if holder is not None and holder.id != workspace_id:
            raise Conflict(f"{text.short(real)} is the workspace {holder.name!r} already. Nothing was changed.", holder=holder.id)
        workspaces.relink(transaction, workspace_id, real)
        events.record(transaction, author.trace(author.via), "workspace_relink", detail={"workspace": workspace_id})
        return known_workspace(transaction, workspace_id)

    return store.write(job)


def presets(transaction: Transaction) -> Mapping[str, str]:
    """The preset of every scope that has one, and the store's own."""
    return {"": rules.DEFAULT_PRESET, **stored.presets(transaction)}


def set_policy(store: Store, author: Author, preset: str, *, shelf: str, agent: str) -> None:
    """Set or lift a preset; from the next call on it holds."""
    if preset or not (shelf or agent):
        rules.check_preset(preset)
    if shelf and shelf not in {one.key for one in SHELVES if one.family}:
        raise InvalidInput(
            f"Agents write to no shelf {text.short(shelf)!r}. The shelves are: {', '.join(one.key for one in SHELVES if one.family)}."
        )
    scope = f"shelf:{shelf}" if shelf else f"agent:{agent}" if agent else ""

    def job(transaction: Transaction) -> None:
        check_may_decide(transaction, author)
        if agent:
            known_agent(transaction, agent)
        stored.put_preset(transaction, scope, preset)
        events.record(transaction, author.trace(author.via), "policy_set", detail={"scope": scope, "preset": preset})

    store.write(job)


def settings(transaction: Transaction) -> dict[str, int | str]:
    """Every setting in force."""
    return limits.Settings(stored.settings(transaction)).as_dict()


def set_setting(store: Store, author: Author, key: str, value: str) -> int | str:
    """Change a setting and return its value."""
    checked = limits.check_setting(key, value)

    def job(transaction: Transaction) -> None:
        check_may_decide(transaction, author)
        stored.put_setting(transaction, key, None if checked == limits.DEFAULTS[key] else checked)
        events.record(transaction, author.trace(author.via), "policy_setting", detail={"key": key, "value": checked})

    store.write(job)
    return checked
