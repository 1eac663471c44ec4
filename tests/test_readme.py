"""What the README says is there is there, and what is there it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memorypane.cli.groups import GROUPS
from memorypane.home.paths import Home
from memorypane.service.administration import FAMILIES
from memorypane.service.desk import Desk
from memorypane.service.limits import DEFAULTS
from memorypane.service.policy import PRESETS
from memorypane.tools.toolbox import Toolbox

TOP = Path(__file__).resolve().parents[1]
README = (TOP / "README.md").read_text("utf-8")


def section(title: str) -> str:
    """The text under a heading of the second level."""
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def named(text: str) -> set[str]:
    """Everything in the text's code marks."""
    return set(re.findall(r"`([^`\n]+)`", text))


def test_the_commands_are_the_real_ones() -> None:
    rows = [line.split("|")[1] for line in section("Commands").splitlines() if line.startswith("| `")]
    assert {word for row in rows for word in named(row)} == {command for _, commands in GROUPS for command in commands}


def test_the_tools_and_families_are_the_real_ones(home: Home) -> None:
    with Desk.open(home) as desk:
        definitions = Toolbox(desk).definitions()
    rows = [line.split("|") for line in section("The tools agents call").splitlines() if line.startswith("| `")]
    told = {(family.strip(" `"), tool) for _, family, tools, *_ in rows for tool in named(tools)} | {("always", "read_startup_memory")}
    assert told == {(one.family, one.name) for one in definitions}
    assert {family for family, _ in told} - {"always"} == set(FAMILIES)


def test_the_settings_and_presets_are_the_real_ones() -> None:
    text = section("Policy and settings")
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]
    told: dict[str, str] = {}
    for _, keys, defaults, *_ in rows:
        names = re.findall(r"`([^`]+)`", keys)
        values = [value.strip() for value in defaults.split(",")]
        told |= dict(zip(names, values if len(values) == len(names) else values * len(names), strict=True))
    assert told == {key: str(value) for key, value in DEFAULTS.items()}
    assert set(PRESETS) <= named(text)


def test_the_packages_are_the_real_ones() -> None:
    rows = [line.split("|")[1] for line in section("How it is built").splitlines() if line.startswith("| `")]
    packages = {path.parent.name for path in (TOP / "memorypane").glob("*/__init__.py")}
    assert {word for row in rows for word in named(row)} == packages


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_what_it_links_to_is_there(target: str) -> None:
    assert (TOP / target).is_file()
