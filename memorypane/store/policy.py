"""Presets, settings and remembered rejections; read inside the write transaction, so a change holds from the next call on."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, select

from memorypane.store import tables
from memorypane.store.prepared import Prepared
from memorypane.store.rows import as_json, from_json
from memorypane.store.transaction import Transaction

__all__ = ["presets", "put_preset", "put_setting", "rejected", "settings"]

_rejected = tables.rejected_text.c
_PRESETS = Prepared(select(tables.policy.c.scope, tables.policy.c.preset))
_SETTINGS = Prepared(select(tables.setting.c.key, tables.setting.c.value))
_REJECTED = Prepared(
    select(_rejected.agent, _rejected.created_at).where(_rejected.digest == bindparam("digest"), _rejected.created_at >= bindparam("since"))
)


def presets(transaction: Transaction) -> dict[str, str]:
    """Return the preset of every scope that has one ("" = the store's own)."""
    return dict(_PRESETS.rows(transaction, {}))


def put_preset(transaction: Transaction, scope: str, preset: str) -> None:
    """Set the preset of a scope; "" takes it out."""
    transaction.connection.execute(tables.policy.delete().where(tables.policy.c.scope == scope))
    if preset:
        transaction.connection.execute(tables.policy.insert(), {"scope": scope, "preset": preset})
    transaction.touched.policy = True


def settings(transaction: Transaction) -> dict[str, Any]:
    """Return the settings that are not at their defaults."""
    return {key: from_json(value) for key, value in _SETTINGS.rows(transaction, {})}


def put_setting(transaction: Transaction, key: str, value: object) -> None:
    """Keep a setting; None puts it back to its default."""
    transaction.connection.execute(tables.setting.delete().where(tables.setting.c.key == key))
    if value is not None:
        transaction.connection.execute(tables.setting.insert(), {"key": key, "value": as_json(value)})
    transaction.touched.policy = True


def rejected(transaction: Transaction, digest: str, since: int) -> dict[str, int]:
    """Return which agents' same text was rejected since a time, and when."""
    return dict(_REJECTED.rows(transaction, {"digest": digest, "since": since}))
