"""Comparing texts: nothing is lost, what changed is marked, and no input takes long."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.align import align, gaps
from memorypane.model.diff import DiffRow, Fold, blame, counts, fold, rows, unified
from memorypane.model.lines import align_lines, ends_open, join_lines, split_lines
from memorypane.model.words import mark_words, split_words

few = st.sampled_from("abcde")
some_lines = st.sampled_from(["", "a", "b", "# h", "- x y", "  in", "use tabs", "use blanks", "\u2028", "\x0b\x0c"])
small_text = st.lists(some_lines, max_size=10).map("\n".join)
any_text = st.one_of(small_text, small_text.map(lambda text: f"{text}\n"), st.text(max_size=60))


def longest_common(first: str, second: str) -> int:
    row = [0] * (len(second) + 1)
    for one in first:
        fresh = [0]
        for at, other in enumerate(second):
            fresh.append(row[at] + 1 if one == other else max(row[at + 1], fresh[-1]))
        row = fresh
    return row[-1]


@given(st.text(few, max_size=14), st.text(few, max_size=14))
def test_alignment_without_anchors_is_the_longest_there_is(old: str, new: str) -> None:
    assert sum(block.size for block in align(old, new)) == longest_common(old, new)


@given(st.text(few, max_size=14), st.text(few, max_size=14), st.integers(0, 30), st.booleans())
def test_blocks_are_equal_rising_and_as_long_as_they_can_be(old: str, new: str, effort: int, anchored: bool) -> None:
    blocks = align(old, new, anchor=str.isalpha if anchored else None, effort=effort)
    for block in blocks:
        assert block.size > 0
        assert old[block.old : block.old + block.size] == new[block.new : block.new + block.size]
    for one, other in pairwise(blocks):
        assert one.old + one.size <= other.old
        assert one.new + one.size <= other.new
        assert (one.old + one.size, one.new + one.size) != (other.old, other.new)
    covered = sum(block.size for block in blocks)
    assert covered + sum(end - start for start, end, _, _ in gaps(blocks, len(old), len(new))) == len(old)
    assert covered + sum(end - start for _, _, start, end in gaps(blocks, len(old), len(new))) == len(new)


@given(any_text)
def test_lines_end_at_line_feeds_only_and_join_again(text: str) -> None:
    assert join_lines(split_lines(text), open_end=ends_open(text)) == text
    assert len(split_lines(text)) == text.count("\n") + ends_open(text)


@given(any_text, any_text)
def test_every_line_stands_in_exactly_one_row(old: str, new: str) -> None:
    compared = rows(old, new)
    assert [row.old for row in compared if row.old_number] == split_lines(old)
    assert [row.new for row in compared if row.new_number] == split_lines(new)
    assert [row.old_number for row in compared if row.old_number] == list(range(1, len(split_lines(old)) + 1))
    assert [row.new_number for row in compared if row.new_number] == list(range(1, len(split_lines(new)) + 1))
    for row in compared:
        sides = (bool(row.old_number), bool(row.new_number))
        assert sides == {"same": (True, True), "changed": (True, True), "removed": (True, False), "added": (False, True)}[row.kind]
        assert row.kind != "same" or row.old == row.new
    assert all(row.kind == "same" for row in compared) == (old == new)
    added, removed = counts(compared)
    assert len(split_lines(new)) - len(split_lines(old)) == added - removed


@given(any_text, any_text)
def test_outside_the_marks_both_lines_are_equal(old: str, new: str) -> None:
    for row in rows(old, new):
        if row.old_marks or row.new_marks:
            assert without(row.old, row.old_marks) == without(row.new, row.new_marks)
            assert row.kind == "changed"


def without(line: str, marks: tuple[tuple[int, int], ...]) -> str:
    kept, at = [], 0
    for start, end in marks:
        assert at <= start < end <= len(line)
        kept.append(line[at:start])
        at = end
    return "".join([*kept, line[at:]])


@given(st.text(max_size=60))
def test_words_join_to_the_line(line: str) -> None:
    assert "".join(split_words(line)) == line


def marked(old: str, new: str) -> tuple[list[str], list[str]]:
    old_marks, new_marks = mark_words(old, new)
    return [old[start:end] for start, end in old_marks], [new[start:end] for start, end in new_marks]


@pytest.mark.parametrize(
    ("old", "new", "removed", "added"),
    [
        ("Use the Makefile for everything.", "Use the task runner for everything.", ["Makefile"], ["task runner"]),
        ("- `make check` is what CI runs", "- `task check` is what CI runs", ["make"], ["task"]),
        ("- Build twice, compare.", "- Build twice on two hosts, compare.", [], [" on two hosts"]),
        ("Wait one hour before you announce.", "Wait two hours before you announce.", ["one hour"], ["two hours"]),
        ("记录用户身份和密钥", "记录用户名和密钥位置", ["身份"], ["名", "位置"]),
        ("on 2026-05-08 we met", "on 2025-04-07 we met", ["2026-05-08"], ["2025-04-07"]),
        ("f(one, two) and more", "f(uno, due) and more", ["one", "two"], ["uno", "due"]),
        ("a lovely 👨‍👩‍👧 here", "a lovely 👨‍👩‍👦 here", ["👨‍👩‍👧"], ["👨‍👩‍👦"]),
        ("the café is here today", "the cafe\u0301 is here today", ["café"], ["cafe\u0301"]),
        ("हिन्दी भाषा की", "हिन्दी बोली की", ["भाषा"], ["बोली"]),
        (
            "It is copied by hand before each release.",
            "It is made by machine before each release.",
            ["copied", "hand"],
            ["made", "machine"],
        ),
        (
            "The text is copied by hand here.",
            "A text is taken automatically here.",
            ["The", "copied by hand"],
            ["A", "taken automatically"],
        ),
        ("trailing  blanks", "trailing blanks", [" "], []),
        ("entirely different words", "nothing shared at all", [], []),
        ("", "something", [], []),
        ("equal", "equal", [], []),
    ],
)
def test_marks_read_well(old: str, new: str, removed: list[str], added: list[str]) -> None:
    assert marked(old, new) == (removed, added)


def kinds(old: str, new: str) -> str:
    return "".join({"same": "=", "removed": "-", "added": "+", "changed": "~"}[row.kind] for row in rows(old, new))


def test_like_lines_are_paired_and_others_are_not() -> None:
    assert kinds("keep\nUse the Makefile for all\nend\n", "keep\nUse the task runner for all\nend\n") == "=~="
    assert kinds("one thing\n", "quite another matter\n") == "-+"
    assert kinds("a b c\nx y z\n", "x y w\n") == "-~"
    assert kinds("x y z\n", "p q r s\nx y w\nt u v\n") == "+~+"
    assert kinds("def f():\nreturn 1\n", "    def f():\n    return 1\n") == "~~"


def test_blank_lines_are_never_a_pair_of_something() -> None:
    assert kinds("\n", "text\n") == "-+"
    assert kinds("a\n\nb\n", "a\n\n\nb\n") == "==+="


def test_a_new_section_is_shown_as_one_piece() -> None:
    old = "# One\n\ntext\n\n# Two\n\ntext\n"
    new = "# One\n\ntext\n\n# Between\n\ntext\n\n# Two\n\ntext\n"
    added = [row.new for row in rows(old, new) if row.kind == "added"]
    assert added == ["# Between", "", "text", ""]


def test_an_item_added_to_a_list_of_like_items_stands_whole() -> None:
    old = "- name: a\n  kind: x\n- name: b\n  kind: x\n"
    new = "- name: a\n  kind: x\n- name: c\n  kind: x\n- name: b\n  kind: x\n"
    assert [row.new for row in rows(old, new) if row.kind == "added"] == ["- name: c", "  kind: x"]


def test_only_the_newline_at_the_end_differs() -> None:
    assert [row.kind for row in rows("a\nb", "a\nb\n")] == ["same", "changed"]
    assert rows("a\nb", "a\nb\n")[1].old_marks == ()
    assert [row.kind for row in rows("a", "a\nb\n")] == ["same", "added"]
    assert rows("", "") == rows("", "")[:0]
    assert [row.kind for row in rows("", "\n")] == ["added"]


def test_other_line_separators_do_not_split() -> None:
    assert len(rows("a\u2028b\x0bc\x0cd\x85e\u2029f", "a\u2028b")) <= 2


def test_folding_hides_long_unchanged_runs_and_keeps_context() -> None:
    old = "".join(f"line {number}\n" for number in range(40))
    new = old.replace("line 20\n", "line twenty\n")
    folded = fold(rows(old, new))
    assert [len(item.rows) if isinstance(item, Fold) else 0 for item in folded] == [17, 0, 0, 0, 0, 0, 0, 0, 16]
    assert [row for item in folded for row in (item.rows if isinstance(item, Fold) else (item,))] == list(rows(old, new))
    assert not any(isinstance(item, Fold) for item in fold(rows("a\n" * 6 + "b\n", "a\n" * 6 + "c\n")))
    assert fold(()) == ()


@given(any_text, any_text, st.integers(0, 3))
def test_folding_loses_nothing(old: str, new: str, context: int) -> None:
    compared = rows(old, new)
    opened: list[DiffRow] = []
    for item in fold(compared, context):
        if isinstance(item, Fold):
            assert item.rows
            assert all(row.kind == "same" for row in item.rows)
            opened += item.rows
        else:
            opened.append(item)
    assert tuple(opened) == compared


def patched(text: str, diff: str) -> str:
    """Apply a unified diff the way patching tools do."""
    lines = text.split("\n")
    source = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    result: list[str] = []
    at = 0
    printed = diff.split("\n")
    assert printed[-1] == ""
    body = printed[2:-1]
    for number, line in enumerate(body):
        ending = "" if body[number + 1 : number + 2] == ["\\ No newline at end of file"] else "\n"
        if head := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line):
            start = int(head[1]) - (head[2] != "0")
            result += source[at:start]
            assert len(result) == int(head[3]) - (head[4] != "0")
            at = start
        elif line.startswith("\\"):
            continue
        else:
            if line[0] in " -":
                assert source[at] == line[1:] + ending
                at += 1
            if line[0] in " +":
                result.append(line[1:] + ending)
    return "".join(result + source[at:])


@given(any_text, any_text, st.integers(0, 4))
def test_a_unified_diff_can_be_applied(old: str, new: str, context: int) -> None:
    diff = unified(old, new, "old", "new", context=context)
    assert (diff == "") == (old == new)
    if diff:
        assert diff.startswith("--- old\n+++ new\n@@ ")
        assert patched(old, diff) == new


def test_unified_diffs_look_as_everywhere() -> None:
    assert unified("a\nb\nc\n", "a\nB\nc\n", "version 1", "version 2") == "--- version 1\n+++ version 2\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
    assert unified("a", "a\n", "x", "y") == "--- x\n+++ y\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
    assert unified("", "a\n", "x", "y") == "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n"
    assert unified("a\n", "", "x", "y") == "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n"
    assert unified("a", "a", "x", "y") == ""
    assert unified("a", "b", "x\ny", "z").startswith("--- x y\n+++ z\n")


def test_distant_changes_are_separate_hunks() -> None:
    old = "".join(f"{number}\n" for number in range(30))
    diff = unified(old, old.replace("3\n", "x\n", 1).replace("25\n", "y\n"), "a", "b")
    assert [line for line in diff.split("\n") if line.startswith("@@")] == ["@@ -1,7 +1,7 @@", "@@ -23,7 +23,7 @@"]


def test_a_changed_name_is_the_first_hunk() -> None:
    diff = unified("same\n", "same\n", "a", "b", old_name="Before", new_name="After")
    assert diff == "--- a\n+++ b\n@@ name @@\n-Before\n+After\n"
    both = unified("old\n", "new\n", "a", "b", old_name="Before", new_name="After")
    assert both.index("-Before") < both.index("-old")
    assert unified("same\n", "same\n", "a", "b", old_name="N", new_name="N") == ""


def test_too_many_line_pairs_give_both_line_counts() -> None:
    diff = unified("a\n" * 2100, "b\n" * 2101, "old", "new", old_name="N", new_name="M")
    assert "2100 lines before, 2101 lines after" in diff
    assert "-N\n+M\n" in diff
    assert "\n-a" not in diff
    assert "@@ -1" in unified("a\n" * 2000, "b\n" * 2000, "old", "new")
    assert "2 lines before, 3 lines after" in unified("a\nb\n", "c\nd\ne\n", "old", "new", pair_limit=5)


def test_blame_names_the_version_that_brought_each_line() -> None:
    versions = [("1", "a\nb\nc\n"), ("2", "a\nB\nc\nd\n"), ("3", "new\na\nB\nd"), ("4", "new\na\nB\nd\nend\n")]
    assert blame(versions) == (("3", "new"), ("1", "a"), ("2", "B"), ("2", "d"), ("4", "end"))
    assert blame([]) == ()
    assert blame([("1", "")]) == ()


@given(st.lists(any_text, min_size=1, max_size=5))
def test_blame_covers_the_last_text(texts: list[str]) -> None:
    found = blame([(str(number), text) for number, text in enumerate(texts)])
    assert [line for _, line in found] == split_lines(texts[-1])
    assert all(line in split_lines(texts[int(label)]) for label, line in found)


LINES = 50_000
random_lines = random.Random(7)  # noqa: S311  # repeatable input, nothing secret
HUGE = {
    "unrelated": ("".join(f"a{n}\n" for n in range(LINES)), "".join(f"b{n}\n" for n in range(LINES))),
    "two words": tuple("".join(random_lines.choices("xy", k=LINES)).replace("", "\n") for _ in "ab"),
    "hundred words": tuple("".join(f"{random_lines.randrange(100)}\n" for _ in range(LINES)) for _ in "ab"),
    "reversed": ("".join(f"{n}\n" for n in range(LINES)), "".join(f"{n}\n" for n in reversed(range(LINES)))),
    "a word in every line": ("".join(f"the line {n} foo\n" for n in range(LINES)), "".join(f"the line {n} bar\n" for n in range(LINES))),
    "indented": ("".join(f"line {n}\n" for n in range(LINES)), "".join(f"  line {n}\n" for n in range(LINES))),
    "one line": ("word " * 200_000, "word " * 99_999 + "other " + "word " * 100_000),
    "one line without blanks": ("a" * 1_048_576, "a" * 500_000 + "b" * 548_576),
    "one line of other words": ("a b c " * 170_000, "c d e f " * 130_000),
    "blank lines": ("\n" * 100_000, "\n" * 99_000 + "x\n"),
}


PAIRED = {"a word in every line", "indented"}
"""Texts in which every line became another one, which must be seen line by line."""


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HUGE)
def test_no_text_of_a_megabyte_is_too_hard(name: str) -> None:
    old, new = HUGE[name]
    compared = rows(old, new)
    assert [row.old for row in compared if row.old_number] == split_lines(old)
    assert [row.new for row in compared if row.new_number] == split_lines(new)
    assert unified(old, new, "a", "b").startswith("--- a\n+++ b\n")
    if name in PAIRED:
        assert [row.kind for row in compared] == ["changed"] * LINES


def test_one_word_changed_in_a_line_of_a_megabyte_is_marked_alone() -> None:
    (row,) = rows(*HUGE["one line"])
    assert [row.new[start:end] for start, end in row.new_marks] == ["other"]
    assert [row.old[start:end] for start, end in row.old_marks] == ["word"]


@given(small_text, small_text)
def test_settling_runs_keeps_the_alignment_true(old: str, new: str) -> None:
    first, second = split_lines(old), split_lines(new)
    settled, plain = align_lines(first, second), align(first, second, anchor=lambda line: any(map(str.isalnum, line)))
    assert sum(block.size for block in settled) == sum(block.size for block in plain)
    for block in settled:
        assert first[block.old : block.old + block.size] == second[block.new : block.new + block.size]
