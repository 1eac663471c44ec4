from __future__ import annotations

from typing import Any

import pytest

from memorypane.model.errors import InvalidInput
from memorypane.tools.schema import ArgumentCheck

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "note": {"type": "string"},
        "id": {"type": "string", "format": "uuid"},
        "size": {"type": "integer"},
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"kind": {"type": "string"}, "text": {"type": "string"}}, "required": ["kind"]},
        },
    },
    "required": ["name"],
}
check = ArgumentCheck("tool", SCHEMA)


def test_null_means_absent_for_optional_texts_and_lists_at_every_level() -> None:
    given = {"name": "n", "note": None, "id": None, "items": [{"kind": "k", "text": None}], "other": None}
    assert check(given) == {"name": "n", "items": [{"kind": "k"}], "other": None}
    assert check({"name": "n", "items": None}) == {"name": "n"}
    assert given["items"] == [{"kind": "k", "text": None}]


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"name": None}, "name"),
        ({}, "name"),
        ({"name": "n", "size": None}, "size"),
        ({"name": "n", "items": [{"kind": None}]}, "items.0.kind"),
        ({"name": "n", "items": [{"text": "t"}]}, "items.0.kind"),
        ({"name": "n", "items": [None]}, "items.0"),
        ({"name": "n", "id": "no uuid"}, "id"),
        ({"name": "n", "items": [{"kind": "k", "text": "\ud800"}]}, "items.0.text"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        check(arguments)
    assert raised.value.data["path"] == path
    assert path in raised.value.message


def test_a_uuid_is_taken() -> None:
    assert check({"name": "n", "id": "123e4567-e89b-42d3-a456-426614174000"})["id"]
