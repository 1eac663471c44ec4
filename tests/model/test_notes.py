from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from memorypane.model.errors import Ambiguous, InvalidInput, MemoryPaneError, NotFound
from memorypane.model.notes import Done, Note, Operation, carry_out, measure, read_operation, usage


def run(
    texts: Sequence[str], *operations: Operation, earlier: Mapping[str, Sequence[str]] | None = None
) -> tuple[list[str], list[Done]]:
    """Carry operations out on a list whose entries have their texts as keys."""
    notes, done = carry_out([Note(text, text) for text in texts], operations, lambda key: (earlier or {}).get(key, [key]))
    return [note.text for note in notes], done


def failure(kind: type[MemoryPaneError], texts: Sequence[str], *operations: Operation) -> MemoryPaneError:
    with pytest.raises(kind) as raised:
        run(texts, *operations)
    return raised.value


def add(text: str) -> Operation:
    return Operation("add", text)


def patch(old: str, text: str) -> Operation:
    return Operation("patch", text, old)


def remove(old: str) -> Operation:
    return Operation("remove", old=old)


# measuring


def test_gaps_count_three_and_ends_nothing() -> None:
    assert [measure(texts) for texts in ([], ["a"], ["a", "b"], ["a", "b", "c"], ["é用🧭", "e\u0301"])] == [0, 1, 5, 9, 8]


@pytest.mark.parametrize(
    ("used", "limit", "said"),
    [
        (1474, 2200, "67% — 1,474/2,200 chars"),
        (1374, 1375, "99% — 1,374/1,375 chars"),
        (2200, 2200, "100% — 2,200/2,200 chars"),
        (9000, 2200, "100% — 9,000/2,200 chars"),
        (0, 2200, "0% — 0/2,200 chars"),
        (12, 0, "12 chars, no limit"),
    ],
)
def test_usage_floors_the_percentage_and_groups_thousands(used: int, limit: int, said: str) -> None:
    assert usage(used, limit) == said


# reading operations


def test_content_wins_over_its_alias_unless_it_is_empty() -> None:
    assert read_operation("add", {"content": "a", "new_text": "b"}).text == "a"
    assert read_operation("add", {"content": "", "new_text": "b"}).text == "b"
    assert read_operation("add", {"content": None, "new_text": "b", "old_text": None}) == Operation("add", "b", "")


@pytest.mark.parametrize("field", ["content", "new_text", "old_text"])
def test_control_characters_are_refused_in_every_field(field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        read_operation("patch", {"content": "fine", field: "a\x07b"})


def test_line_ends_are_folded_and_a_byte_order_mark_goes() -> None:
    assert read_operation("patch", {"content": "\ufeffa\r\nb", "old_text": "c\rd"}) == Operation("patch", "a\nb", "c\nd")


# add


def test_add_strips_and_appends() -> None:
    assert run(["first"], add(" \n\t keep  this\n\n  inside \n "))[0] == ["first", "keep  this\n\n  inside"]


def test_add_of_the_same_text_writes_nothing_and_says_so() -> None:
    texts, done = run(["Uses pnpm."], add(" Uses pnpm.\n"))
    assert texts == ["Uses pnpm."]
    assert "already" in done[0].said
    assert done[0].after == ""


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_add_needs_a_text(text: str) -> None:
    failure(InvalidInput, [], add(text))


# finding


def test_an_equal_entry_wins_over_those_that_contain_the_text() -> None:
    assert run(["all tests pass", "tests"], patch("tests", "checks"))[0] == ["all tests pass", "checks"]
    assert run(["long text with x", "x"], remove("x"))[0] == ["long text with x"]


def test_different_entries_that_match_are_ambiguous_with_previews() -> None:
    first, second = "shared " + "a" * 100, "shared " + "b" * 100
    for operation in (patch("shared", "x"), remove("shared")):
        problem = failure(Ambiguous, [first, second], operation)
        assert problem.data["matches"] == [first[:80], second[:80]]


def test_equal_duplicates_count_as_one() -> None:
    notes, done = carry_out([Note("1", "twin"), Note("2", "twin"), Note("3", "x")], [remove("twin")], lambda _: [])
    assert [note.key for note in notes] == ["2", "3"]
    assert done[0].before == "twin"


def test_several_places_in_the_one_entry_matter_for_patch_only() -> None:
    problem = failure(Ambiguous, ["B then B then B then B"], patch("B", "C"))
    assert problem.data["count"] == 4
    assert run(["dog dog"], remove("dog"))[0] == []


def test_overlapping_places_count() -> None:
    assert failure(Ambiguous, ["aaa"], patch("aa", "b")).data["count"] == 2
    assert run(["x abab y"], patch("aba", "c"))[0] == ["x cb y"]


def test_no_match_shows_the_entries() -> None:
    for operation in (patch("fact three", "x"), remove("fact three")):
        assert failure(NotFound, ["fact one", "fact two"], operation).data["current_entries"] == ["fact one", "fact two"]


def test_a_miss_by_look_alikes_names_the_characters() -> None:
    assert "U+00E9" in failure(NotFound, ["plain", "café corner"], patch("cafe\u0301", "x")).message
    assert "U+2014" in failure(NotFound, ["mode — always"], remove("mode - always")).message
    assert "U+" not in failure(NotFound, ["café"], remove("cafe")).message


@pytest.mark.parametrize("operation", [patch("", "x"), remove(""), remove(" \n"), patch(" \n", "x"), patch("", "")])
def test_without_old_text_the_entries_are_shown(operation: Operation) -> None:
    problem = failure(InvalidInput, ["one thing"], operation)
    assert "old_text" in problem.message
    assert problem.data["current_entries"] == ["one thing"]


# patch


def test_the_span_is_replaced_and_the_rest_kept() -> None:
    texts, done = run(["todo: item A; item B; item C"], patch("item B", "item B (done)"))
    assert texts == ["todo: item A; item B (done); item C"]
    assert (done[0].before, done[0].after) == ("todo: item A; item B; item C", texts[0])


def test_the_raw_old_text_is_tried_first_and_then_the_replacement_is_raw_too() -> None:
    assert run(["B and B"], patch(" B", "!"))[0] == ["B and!"]
    assert run(["salt and pepper"], patch(" and ", " "))[0] == ["salt pepper"]
    assert run(["a\n- b: 2\n- c"], patch("- b: 2\n", "- b: 9\n"))[0] == ["a\n- b: 9\n- c"]


def test_the_stripped_old_text_comes_with_the_stripped_replacement() -> None:
    assert run(["alpha beta gamma"], patch("\n beta gamma \n", "\n delta \n"))[0] == ["alpha delta"]


def test_only_the_assembled_entry_is_stripped() -> None:
    assert run(["alpha beta"], patch("beta", "gamma \n"))[0] == ["alpha gamma"]


@pytest.mark.parametrize(("old", "text"), [("keep", ""), ("keep me whole", "  "), ("\nkeep\n", "  ")])
def test_a_patch_without_a_new_text_or_with_an_empty_result_is_no_removal(old: str, text: str) -> None:
    assert "remove" in failure(InvalidInput, ["keep me whole"], patch(old, text)).message


def test_a_patch_into_another_entrys_text_leaves_one() -> None:
    texts, done = run(["port 80", "port 443", "host a"], patch("port 80", "port 443"))
    assert texts == ["port 443", "host a"]
    assert "one of the two was left" in done[0].said


def test_the_stored_one_of_two_twins_is_left() -> None:
    notes, _ = carry_out([Note("stored", "old")], [add("new"), patch("old", "new")], lambda _: ["old"])
    assert notes == [Note("stored", "new")]


def test_a_patch_that_changes_nothing_was_already_applied() -> None:
    texts, done = run(["same"], patch("same", "same"))
    assert texts == ["same"]
    assert "already applied" in done[0].said
    assert done[0].before == done[0].after == "same"


@pytest.mark.parametrize(
    ("versions", "old", "new"),
    [
        (["make, by hand", "make, with ansible"], "by hand", "with ansible"),
        (["item B", "item B (done)"], "item B", "item B (done)"),  # the old text is still found: a repeat must not grow it
        (["a: 1; b: 1", "a: 2; b: 1", "a: 2; b: 3"], "a: 1", "a: 2"),  # later patches of the same entry
        (["red x", "blue y"], "red", "blue"),  # two patches in one call
    ],
)
def test_a_repeat_of_a_patch_that_took_effect_writes_nothing(versions: list[str], old: str, new: str) -> None:
    texts, done = run([versions[-1]], patch(old, new), earlier={versions[-1]: versions})
    assert texts == [versions[-1]]
    assert "already applied" in done[0].said


def test_a_patch_back_and_forth_is_applied_each_time() -> None:
    versions = ["mode: off", "mode: on", "mode: off"]
    assert run(["mode: off"], patch("off", "on"), earlier={"mode: off": versions})[0] == ["mode: on"]


@pytest.mark.parametrize(
    ("versions", "operation"),
    [
        (["uses make", "uses ninja"], patch("make", "bazel")),
        (["ninja make", "ninja uses"], patch("make", "ninja")),  # it stood there before the old text went
        (["make", "make and cmake", "cmake"], patch("gnu make", "cmake")),  # the old text never was there
    ],
)
def test_a_word_that_only_happens_to_stand_there_is_no_proof_that_a_patch_took_effect(versions: list[str], operation: Operation) -> None:
    with pytest.raises(NotFound):
        run([versions[-1]], operation, earlier={versions[-1]: versions})


# the delimiter


@pytest.mark.parametrize("text", ["a\n§\nb", "§", "foo\n§", "\n\n§\nfoo", "a\n \t§  \nb", "a\n\u2003§\nb"])
def test_a_line_that_is_only_the_delimiter_is_refused(text: str) -> None:
    failure(InvalidInput, [], add(text))
    failure(InvalidInput, ["plain"], patch("plain", text))


@pytest.mark.parametrize("text", ["prefers § for sections", "§ 5", "§§", "a\n§x\nb", "a\u2028§\u2028b"])
def test_the_sign_within_a_line_is_ordinary(text: str) -> None:
    assert run([], add(text))[0] == [text]


def test_no_patch_assembles_a_delimiter_line() -> None:
    failure(InvalidInput, ["head\n§tail"], patch("tail", "\nmore"))
    failure(InvalidInput, ["head\n§tail"], patch("tail", " "))


# several


def test_later_operations_see_what_earlier_ones_left() -> None:
    texts, done = run(["anchor"], add("draft text"), patch("draft", "final"), patch("final text", "final words"), add("final words"))
    assert texts == ["anchor", "final words"]
    assert [one.action for one in done] == ["add", "patch", "patch", "add"]
    assert run([], add("tmp"), remove("tmp"))[0] == []


def test_the_first_failure_is_named_by_number_and_the_list_is_untouched() -> None:
    notes = [Note("1", "walrus")]
    with pytest.raises(NotFound) as raised:
        carry_out(notes, [remove("walrus"), add("ibis"), remove("walrus"), add("")], lambda _: [])
    assert raised.value.data["operation"] == 3
    assert notes == [Note("1", "walrus")]


def test_a_value_is_quoted_as_the_caller_wants_it() -> None:
    with pytest.raises(NotFound, match="hidden"):
        carry_out([], [remove("value")], lambda _: [], lambda _: "hidden")
