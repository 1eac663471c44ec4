from __future__ import annotations

import pytest

from memorypane.model.errors import Ambiguous, InvalidInput, NotFound
from memorypane.model.topics import Edited, edit_topic, index_lines, topic_size, with_line_end

BODY = "line one\nline two\nline three\n"


def edit(body: str = BODY, *, old: str = "", new: str | None = None, wanted: str = "") -> Edited:
    return edit_topic("areas/demo", "Demo", body, old=old, new=new, wanted=wanted)


def test_the_frame_has_23_bytes_and_the_description_counts_in_utf8() -> None:
    assert topic_size("Ann", 0) == 26
    assert topic_size("größe", 10) == 23 + 7 + 10


@pytest.mark.parametrize(("body", "kept"), [("", ""), ("a", "a\n"), ("a\n", "a\n"), ("a\n\n", "a\n\n")])
def test_a_body_is_empty_or_ends_with_a_newline(body: str, kept: str) -> None:
    assert with_line_end(body) == kept


@pytest.mark.parametrize(
    ("body", "old", "new", "after", "action"),
    [
        (BODY, "two", "2", "line one\nline 2\nline three\n", "replaced"),
        (BODY, "line two", "", "line one\n\nline three\n", "replaced"),
        (BODY, "line two", None, "line one\nline three\n", "removed"),
        (BODY, " one", None, "lineline two\nline three\n", "removed"),
        ("a b c\n\nd\n", "a ", None, "b c\n\nd\n", "removed"),
        ("b c\n\nd\n", " c", None, "b\nd\n", "removed"),
        ("only\n", "only", None, "", "removed"),
        ("a\nb\n", "b\n", "c", "a\nc\n", "replaced"),
        ("a (x)* b\n", "(x)*", r"\g<0> $&", "a \\g<0> $& b\n", "replaced"),
        ("one\n", "", "two", "one\ntwo\n", "appended"),
        ("one\n", "", "two\n", "one\ntwo\n", "appended"),
        ("one\n", "", "two\n\n", "one\ntwo\n\n", "appended"),
        ("", "", "  first", "  first\n", "appended"),
        ("no end", "", "two", "no end\ntwo\n", "appended"),
    ],
)
def test_edits_of_the_body(body: str, old: str, new: str | None, after: str, action: str) -> None:
    assert edit(body, old=old, new=new) == Edited("Demo", after, (action,))


def test_a_description_comes_with_any_edit_and_is_named_only_where_it_differs() -> None:
    assert edit(old="one", new="1", wanted="Demo 2").actions == ("replaced", "description refreshed")
    assert edit(new="x", wanted="Demo").actions == ("appended",)
    assert edit(wanted="Other") == Edited("Other", BODY, ("description refreshed",))
    assert edit(new="", wanted="Other").actions == ("description refreshed",)


@pytest.mark.parametrize(("new", "wanted"), [(None, ""), ("", ""), (None, "Demo"), ("", "Demo")])
def test_a_call_that_asks_for_nothing_is_refused(new: str | None, wanted: str) -> None:
    with pytest.raises(InvalidInput, match="Nothing to do"):
        edit(new=new, wanted=wanted)


def test_an_edit_that_changes_nothing_says_no_action() -> None:
    assert edit(old="two", new="two").actions == ()


def test_old_must_stand_there_exactly_once() -> None:
    with pytest.raises(Ambiguous, match="3 times") as several:
        edit(old="line")
    assert several.value.data["count"] == 3
    with pytest.raises(Ambiguous, match="2 times"):
        edit("aaa\n", old="aa", new="b")
    with pytest.raises(NotFound):
        edit(old="Line one")


def test_a_miss_by_look_alikes_names_the_characters() -> None:
    with pytest.raises(NotFound, match=r"U\+0065 U\+0301"):
        edit("café\n", old="cafe\u0301", new="x")


def test_index_lines_pad_names_and_right_align_sizes() -> None:
    rows = [("areas/a", 28, "First"), ("people/bob", 32, "Second"), ("topics/zebra", 128, "Last")]
    assert index_lines(rows) == ["areas/a        28  First", "people/bob     32  Second", "topics/zebra  128  Last"]
    assert index_lines([]) == []
