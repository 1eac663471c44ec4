"""Agents and their connections."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from memorypane.model.values import Agent, Connection
from memorypane.store import tables
from memorypane.store.rows import as_json, from_json
from memorypane.store.transaction import Transaction

__all__ = ["agent", "agents", "connected", "connection", "disconnected", "put", "revoke", "seen", "token_hash"]

_agent = tables.agent.c
_connection = tables.connection.c
_COLUMNS = (_agent.name, _agent.token_hash, _agent.revoked, _agent.families, _agent.first_seen, _agent.last_seen)


def _value(name: str, token: str, revoked: int, families: str, first_seen: int, last_seen: int) -> Agent:
    return Agent(name, bool(token), bool(revoked), tuple(from_json(families)), first_seen, last_seen)


def agent(transaction: Transaction, name: str) -> Agent | None:
    """Return the agent of that name."""
    row = transaction.connection.execute(select(*_COLUMNS).where(_agent.name == name)).first()
    return _value(*row) if row else None


def agents(transaction: Transaction) -> tuple[Agent, ...]:
    """Return all agents by name."""
    return tuple(_value(*row) for row in transaction.connection.execute(select(*_COLUMNS).order_by(_agent.name)))


def token_hash(transaction: Transaction, name: str) -> str:
    """Return what is kept of the agent's token, "" for an unverified or unknown one."""
    return transaction.connection.execute(select(_agent.token_hash).where(_agent.name == name)).scalar() or ""


def put(transaction: Transaction, name: str, token: str, families: Sequence[str]) -> None:
    """Register an agent, or give a known one a new token and lift its revocation; `token` is the hash."""
    values = {"token_hash": token, "revoked": 0, "families": as_json(list(families))}
    if agent(transaction, name) is None:
        transaction.connection.execute(tables.agent.insert(), {**values, "name": name, "first_seen": transaction.now, "last_seen": 0})
    else:
        transaction.connection.execute(tables.agent.update().where(_agent.name == name).values(values))
    transaction.touched.agents = True


def revoke(transaction: Transaction, name: str) -> None:
    """Refuse this agent from now on."""
    transaction.connection.execute(tables.agent.update().where(_agent.name == name).values(revoked=1, token_hash=""))
    transaction.touched.agents = True


def seen(transaction: Transaction, name: str) -> bool:
    """Note that an agent connected; an unknown one becomes known, unverified. Returns whether it was unknown."""
    updated = transaction.connection.execute(tables.agent.update().where(_agent.name == name).values(last_seen=transaction.now))
    transaction.touched.agents = True
    if updated.rowcount:
        return False
    values = {"name": name, "token_hash": "", "revoked": 0, "families": "[]", "first_seen": transaction.now, "last_seen": transaction.now}
    transaction.connection.execute(tables.agent.insert(), values)
    return True


def connected(transaction: Transaction, made: Connection, client_name: str) -> None:
    """Keep what was observed of a new connection."""
    transaction.connection.execute(
        tables.connection.insert(),
        {
            "id": made.id,
            "agent": made.agent,
            "verified": int(made.verified),
            "channel": made.channel,
            "workspace": made.workspace,
            "client_name": client_name,
            "pid": made.pid,
            "program": made.program,
            "parent_pid": made.parent_pid,
            "parent_program": made.parent_program,
            "started_at": made.started_at,
            "ended_at": 0,
        },
    )


def disconnected(transaction: Transaction, connection_id: str) -> None:
    """Note when a connection ended."""
    transaction.connection.execute(tables.connection.update().where(_connection.id == connection_id).values(ended_at=transaction.now))
    transaction.touched.agents = True


def connection(transaction: Transaction, connection_id: str) -> Connection | None:
    """Return what was observed of a connection."""
    query = select(
        _connection.id,
        _connection.agent,
        _connection.verified,
        _connection.channel,
        _connection.workspace,
        _connection.pid,
        _connection.program,
        _connection.parent_pid,
        _connection.parent_program,
        _connection.started_at,
    ).where(_connection.id == connection_id)
    row = transaction.connection.execute(query).first()
    if row is None:
        return None
    found_id, name, verified, channel, workspace, pid, program, parent_pid, parent_program, started_at = row
    return Connection(found_id, name, bool(verified), channel, workspace, pid, program, parent_pid, parent_program, started_at)
