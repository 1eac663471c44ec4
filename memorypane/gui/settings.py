"""The window's own settings: theme, text size, layout; one typed value, kept as TOML in the home."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from memorypane.gui.theme.theme import Mode
from memorypane.gui.theme.tokens import WIDTH
from memorypane.home.paths import Home, write_private
from memorypane.model.errors import Unavailable

__all__ = ["Settings", "load_settings", "save_settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the window remembers; sizes in px at 100 %, `text_size` 0 is the system's own, `place` is the page last open."""

    theme: Mode = "system"
    text_size: int = 0
    sidebar: int = WIDTH.sidebar
    list: int = WIDTH.list
    width: int = WIDTH.window
    height: int = WIDTH.window_height
    maximized: bool = False
    place: str = ""


_RANGES: Mapping[str, tuple[int, int]] = {
    "text_size": (0, 28), "sidebar": (WIDTH.sidebar_min, WIDTH.sidebar_max), "list": (WIDTH.list_min, WIDTH.list_max),
    "width": (WIDTH.window_min, 16_384), "height": (WIDTH.window_min_height, 16_384),
}


def load_settings(home: Home) -> tuple[Settings, str]:
    """Return the settings and "" or a sentence saying why a file that is there was not used; unknown and odd values are passed over."""
    try:
        found = tomllib.loads(home.settings.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        return Settings(), f"The settings in {home.settings} could not be read ({problem}); the defaults are in force."
    return _checked(found.get("window", {})), ""


def save_settings(home: Home, settings: Settings) -> str:
    """Write the settings, keeping what else stands in the file; return "" or a sentence saying why that failed."""
    try:
        others = tomllib.loads(home.settings.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        others = {}
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    text = _toml({**others, "window": {**_table(others.get("window")), **values}})
    try:
        write_private(home.settings, text.encode())
    except Unavailable as problem:
        return problem.message
    return ""


def _checked(table: object) -> Settings:
    settings = Settings()
    for name, value in _table(table).items():
        if name == "theme" and value in ("system", "light", "dark"):
            settings = replace(settings, theme=cast("Mode", value))
        elif name in _RANGES and type(value) is int:
            low, high = _RANGES[name]
            settings = replace(settings, **cast("dict[str, Any]", {name: min(high, max(low, value))}))
        elif name == "maximized" and isinstance(value, bool):
            settings = replace(settings, maximized=value)
        elif name == "place" and isinstance(value, str):
            settings = replace(settings, place=value)
    return settings


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _toml(tables: Mapping[str, Any]) -> str:
    """Write tables of plain values; what is no table of those stands at the top or is left out."""
    plain = [f"{_key(name)} = {_value(value)}" for name, value in tables.items() if _plain(value)]
    for name, table in tables.items():
        if isinstance(table, dict):
            plain += ["", f"[{_key(name)}]"] if plain else [f"[{_key(name)}]"]
            plain += [f"{_key(key)} = {_value(value)}" for key, value in table.items() if _plain(value)]
    return "\n".join(plain) + "\n"


def _plain(value: object) -> bool:
    return isinstance(value, bool | int | float | str)


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _value(name)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = "".join(f"\\u{ord(sign):04x}" if sign < " " or sign in '"\\\x7f' else sign for sign in value)
        return f'"{escaped}"'
    return repr(value)
