"""Files that only show the way to another file."""

import pytest

from memorypane.service.exchange.pointers import points_elsewhere


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("CLAUDE.md", "CLAUDE.md"),
        ("../docs/agents.md", "../docs/agents.md"),
        (".cursorrules\n", ".cursorrules"),
        ("@AGENTS.md\n", "AGENTS.md"),
        ("See CLAUDE.md\n", "CLAUDE.md"),
        ("# Agents\n\nPlease read [the guide](./CLAUDE.md) first; here are all rules.\n", "./CLAUDE.md"),
        ("All instructions are in `.github/copilot-instructions.md`.\n", ".github/copilot-instructions.md"),
        ("**Follow AGENTS.md and GEMINI.md.**", "AGENTS.md"),
    ],
)
def test_a_pointer_names_its_target(text: str, target: str) -> None:
    assert points_elsewhere(text) == target


@pytest.mark.parametrize(
    "text",
    [
        "See CLAUDE.md. Never push to main.\n",
        "Use the style of AGENTS.md but with tabs.\n",
        "@AGENTS.md\n\n- Answer in French.\n",
        "Read the docs before you code.\n",
        "# CLAUDE.md\n",
        "Use tabs.\n",
        "See CLAUDE.md. " * 100,
        "",
    ],
)
def test_text_that_says_anything_else_is_kept(text: str) -> None:
    assert points_elsewhere(text) == ""
