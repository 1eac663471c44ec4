"""Names of imported entries."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.text import check_name, name_key
from memorypane.service.exchange.naming import place_label, plain_heading, section_name, unique_name, whole_name


def test_headings_lose_their_marks() -> None:
    assert plain_heading("**Run `make`** in [the folder](http://x/y)  now") == "Run make in the folder now"


def test_a_place_without_repository_is_its_folder() -> None:
    assert place_label(Path("/nowhere/app/.cursor/rules/x.mdc")) == "app"
    assert place_label(Path("/CLAUDE.md")) == ""


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=400), st.integers(0, 9), st.text("ab/…", max_size=60))
def test_names_always_pass_the_check(text: str, number: int, label: str) -> None:
    for name in (whole_name(text or "x", label), section_name(text, number, text, label)):
        if name.strip():
            check_name(name)


def test_variants_never_repeat() -> None:
    taken: set[str] = set()
    names = [unique_name("A (b)", Path("/x/b/A"), taken) for _ in range(5)]
    assert len({name_key(name) for name in names}) == 5
    assert names[1] == "A (b, in x)"
