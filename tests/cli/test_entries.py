"""Commands that read and write entries: a few as the real program, the many cases inside the test's process."""

from pathlib import Path

import pytest

from memorypane.cli.inputs import LARGEST
from tests.cli.inside import Inside
from tests.support import Program

PLACE = ("--tier", "global", "--shelf", "instructions")
ENTRY_KEYS = {
    "id", "tier", "shelf", "owner", "name", "description", "kind", "status", "version", "reviewed", "pinned", "actor", "source", "size",
    "created_at", "updated_at",
}


def add(inside: Inside, name: str, content: str = "text") -> str:
    return str(inside.json("add", *PLACE, "--name", name, f"--content={content}")["id"])


def names(inside: Inside, *words: str) -> list[str]:
    return [str(entry["name"]) for entry in inside.json("list", *words)["entries"]]


def test_the_program_adds_shows_and_lists(program: Program) -> None:
    made = program.json("add", *PLACE, "--name", "  Style ", "--description", "d", "-", stdin="- tabs\r\n日本\u202e")
    assert set(made) == ENTRY_KEYS
    assert (made["name"], made["version"], made["reviewed"], made["actor"], made["status"]) == ("Style", 1, 1, "human", "active")
    shown = program.json("show", made["id"])
    assert (shown["content"], shown["evidence"], shown["superseded_by"], shown["description"]) == ("- tabs\n日本\u202e", [], "", "d")
    assert program.json("list") == {"entries": [made], "total": 1}
    said = program.run("show", made["id"])
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith("Style\n")
    assert said.stdout.endswith("- tabs\n日本<U+202E>\n")


@pytest.mark.parametrize("text", ["- item", "---\nname: x\n---\n", "", "--content", "日本語 \u202e é e\u0301"])
def test_any_text_can_be_given_as_word_and_file(inside: Inside, tmp_path: Path, text: str) -> None:
    file = tmp_path / "text.md"
    file.write_text(text, encoding="utf-8", newline="")
    for number, words in enumerate([(f"--content={text}",), ("--file", str(file))]):
        made = inside.json("add", *PLACE, "--name", f"n{number}", *words)
        assert inside.json("show", made["id"])["content"] == text


def test_edits_are_versions_that_can_be_compared_and_reverted(inside: Inside) -> None:
    entry = add(inside, "A", "one\n")
    assert inside.json("edit", entry, "--content", "two\n")["version"] == 2
    assert inside.json("edit", entry, "--name", "B", "--description", "b")["version"] == 3
    assert "-one" in inside.json("diff", entry, "1", "2")["diff"]
    assert inside.json("revert", entry, "1")["version"] == 4
    versions = inside.json("history", entry)["versions"]
    assert [(one["version"], one["action"], one["actor"]) for one in versions] == [
        (4, "revert", "human"), (3, "edit", "human"), (2, "edit", "human"), (1, "create", "human"),
    ]
    assert versions[0]["source_detail"] == {"reverted_to": versions[3]["version_id"]}
    old = inside.json("show", entry, "--version", "2")
    assert (old["content"], old["name"], old["version"]) == ("two\n", "A", 2)
    assert inside.json("show", entry)["content"] == "one\n"


def test_a_moved_head_is_a_conflict_that_writes_nothing(inside: Inside) -> None:
    entry = add(inside, "A", "one")
    inside.json("edit", entry, "--content", "two")
    for words in (("edit", entry, "--content", "mine"), ("remove", entry), ("revert", entry, "1")):
        error = inside.refusal(*words, "--expected-version", "1")
        assert (error["code"], error["current_version"], error["current"]) == ("conflict", 2, "two")
    assert inside.json("show", entry)["version"] == 2


def test_a_removed_entry_frees_its_name_and_comes_back(inside: Inside) -> None:
    entry = add(inside, "A")
    assert inside.json("remove", entry)["status"] == "removed"
    assert names(inside) == []
    assert names(inside, "--removed") == ["A"]
    second = add(inside, "a")
    assert inside.refusal("restore", entry)["code"] == "duplicate_name"
    inside.json("remove", second)
    assert inside.json("restore", entry)["version"] == 3


def test_a_taken_name_names_its_holder(inside: Inside) -> None:
    entry = add(inside, "Straße")
    error = inside.refusal("add", *PLACE, "--name", "STRASSE", "--content", "x")
    assert (error["code"], error["holder"]) == ("duplicate_name", entry)


def test_lists_are_narrowed_and_paged(inside: Inside) -> None:
    for name in ("alpha one", "beta two", "gamma three"):
        add(inside, name)
    assert names(inside, *PLACE) == ["alpha one", "beta two", "gamma three"]
    assert names(inside, "--shelf", "global/instructions", "--limit", "1", "--offset", "1") == ["beta two"]
    assert names(inside, "--query", "tw") == ["beta two"]
    assert names(inside, "--tier", "system") == []
    assert names(inside, "--unreviewed") == []
    assert inside.json("list", "--limit", "0") == {"entries": [], "total": 3}


def test_search_finds_by_folded_words(inside: Inside) -> None:
    entry = add(inside, "Café", 'Öffne das Fenster, say "hi')
    assert inside.json("search", "oeffne")["total"] == 0
    assert inside.json("search", 'say "hi')["total"] == 1
    [hit] = inside.json("search", "offne fen")["results"]
    assert (hit["id"], hit["name"], hit["tier"], hit["version"]) == (entry, "Café", "global", 1)
    assert [hit["snippet"][start:end] for start, end in hit["matches"]] == ["Öffne", "Fenster"]
    assert inside.json("search", "cafe", "--tier", "system")["total"] == 0


def test_entries_are_promoted_demoted_pinned_and_put_in_order(inside: Inside) -> None:
    first, second, third = add(inside, "1"), add(inside, "2"), add(inside, "3")
    assert inside.json("promote", second)["tier"] == "system"
    assert inside.json("demote", second)["tier"] == "global"
    inside.json("reorder", third, "--before", first)
    inside.json("reorder", first)
    assert names(inside, *PLACE) == ["3", "2", "1"]
    inside.json("reorder", first, "--before", third)
    assert names(inside, *PLACE) == ["1", "3", "2"]
    assert inside.json("pin", first)["pinned"] is True
    assert inside.json("unpin", first)["pinned"] is False


def test_records_have_kinds_and_owners_and_can_leave_their_shelf(inside: Inside, tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    workspace = inside.json("workspace", "add", str(folder))["id"]
    note = inside.json("add", "--tier", "workspace", "--owner", str(folder), "--kind", "open_question", "--content", "why")
    assert (note["owner"], note["kind"], note["name"]) == (workspace, "open_question", "")
    assert inside.json("add", "--tier", "workspace", "--owner", "code", "--content", "x")["kind"] == "project_preference"
    assert inside.json("list", "--tier", "workspace", "--owner", "code")["total"] == 2
    assert " code " in inside.run("list")[1]
    moved = inside.json("move", note["id"], "--tier", "global", "--shelf", "profile")
    assert (moved["tier"], moved["shelf"], moved["owner"]) == ("global", "profile", "")
    assert inside.refusal("promote", note["id"])["code"] == "invalid_input"
    assert inside.json("promote", note["id"], "--name", "Why")["name"] == "Why"


def test_people_get_sentences_and_tables(inside: Inside) -> None:
    assert inside.run("list") == (0, "There are no entries yet.\n", "")
    entry = add(inside, "Style")
    code, out, _ = inside.run("list")
    assert code == 0
    assert entry in out
    assert "global/instructions" in out
    assert inside.run("search", "nothing") == (0, "No entry matches “nothing”.\n", "")
    code, out, err = inside.run("show", "nope")
    assert (code, out) == (1, "")
    assert err.startswith("memorypane: There is no entry 'nope'.")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "nope"), "not_found"),
        (("show", ""), "not_found"),
        (("history", "nope"), "not_found"),
        (("diff", "nope", "1", "2"), "not_found"),
        (("edit", "nope", "--content", "x"), "not_found"),
        (("remove", "nope"), "not_found"),
        (("restore", "nope"), "not_found"),
        (("revert", "nope", "1"), "not_found"),
        (("promote", "nope"), "not_found"),
        (("demote", "nope"), "not_found"),
        (("move", "nope", "--tier", "global", "--shelf", "profile"), "not_found"),
        (("reorder", "nope"), "not_found"),
        (("pin", "nope"), "not_found"),
        (("unpin", "nope"), "not_found"),
        (("add", *PLACE, "--name", "a\x1bb", "--content", "x"), "invalid_input"),
        (("add", *PLACE, "--name", "", "--content", "x"), "invalid_input"),
        (("add", *PLACE, "--name", "n" * 201, "--content", "x"), "invalid_input"),
        (("add", *PLACE, "--name", "two\nlines", "--content", "x"), "invalid_input"),
        (("add", *PLACE, "--name", "x", "--content", "a\x07b"), "invalid_input"),
        (("add", *PLACE, "--name", "x", "--description", "a\x01b", "--content", "x"), "invalid_input"),
        (("add", "--shelf", "profile", "--name", "x", "--content", "x"), "invalid_input"),
        (("add", "--shelf", "topics", "--name", "No Slug", "--content", "x"), "invalid_input"),
        (("add", "--shelf", "files", "--owner", "nobody", "--name", "a.md", "--content", "x"), "not_found"),
        (("add", "--tier", "workspace", "--owner", "nobody", "--content", "x"), "not_found"),
        (("list", "--tier", "workspace", "--owner", "nobody"), "not_found"),
    ],
)
def test_what_cannot_be_done_is_a_sentence_with_a_code(inside: Inside, words: tuple[str, ...], code: str) -> None:
    kept = inside.json("add", *PLACE, "--name", "Kept", "--content", "text")
    assert inside.refusal(*words)["code"] == code
    assert inside.json("list")["entries"] == [kept]


@pytest.mark.parametrize(
    "words",
    [
        ("add", *PLACE, "--name", "x"),
        ("add", *PLACE, "--name", "x", "--content", "a", "-"),
        ("add", "--tier", "global", "--name", "x", "--content", "a"),
        ("add", "--tier", "system", "--shelf", "global/instructions", "--name", "x", "--content", "a"),
        ("add", *PLACE, "--owner", "bob", "--name", "x", "--content", "a"),
        ("add", *PLACE, "--kind", "open_question", "--name", "x", "--content", "a"),
        ("add", "--tier", "workspace", "--content", "a"),
        ("add", "--tier", "moon", "--content", "a"),
        ("edit", "some-id"),
        ("list", "--shelf", "nowhere"),
        ("list", "--limit", "-1"),
        ("list", "--limit", "many"),
        ("show", "some-id", "--version", "0"),
        ("diff", "some-id", "1"),
        ("revert", "some-id", "one"),
        ("search",),
        ("lists",),
        ("review",),
        ("--home",),
    ],
)
def test_words_that_make_no_command_are_a_usage_error(inside: Inside, words: tuple[str, ...]) -> None:
    code, out, err = inside.run(*words)
    assert (code, out) == (2, "")
    assert "memorypane: " in err
    assert inside.refusal(*words, exit_code=2)["code"] == "invalid_input"


def test_bytes_that_are_no_text_are_refused_with_their_place(program: Program, inside: Inside, tmp_path: Path) -> None:
    file = tmp_path / "bad.md"
    file.write_bytes(b"abc\xffdef")
    assert "offset 3" in inside.refusal("add", *PLACE, "--name", "x", "--file", str(file))["message"]
    answer = program.json("add", *PLACE, "--name", "x", "-", stdin=b"ab\xff", exit_code=1)
    assert "offset 2" in answer["error"]["message"]
    ended = program.run("add", *PLACE, "--name", "x", "--content", "a\udcff")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "UTF-8" in ended.stderr
    assert names(inside) == []


@pytest.mark.parametrize("word", ["\udcff", "a\ud800"])
def test_arguments_that_are_no_text_are_refused_everywhere(inside: Inside, word: str) -> None:
    commands = (
        ("show", word), ("search", word), ("list", "--query", word), ("list", "--owner", word),
        ("add", *PLACE, "--name", word, "--content", "x"),
        ("add", *PLACE, "--name", "x", "--content", "x", "--description", word), ("agent", "add", word), ("agent", "revoke", word),
        ("workspace", "confirm", word), ("policy", "set", word), ("settings", "set", word, "1"), ("render", "--agent", word),
        ("call", word, "{}", "--agent", "x"), ("call", "GlobalMemoryList", word, "--agent", "x"), ("tools", "--families", word),
    )
    for words in commands:
        assert inside.refusal(*words)["code"] == "invalid_input", words
    assert inside.json("list")["total"] == 0


def test_files_that_cannot_be_read_are_named(inside: Inside, tmp_path: Path) -> None:
    for file in (tmp_path / "gone.md", tmp_path):
        assert str(file) in inside.refusal("add", *PLACE, "--name", "x", "--file", str(file))["message"]


def test_a_text_beyond_every_limit_is_refused_before_it_is_read_whole(inside: Inside, tmp_path: Path) -> None:
    file = tmp_path / "huge.md"
    with file.open("wb") as stream:
        stream.truncate(LARGEST + 1)
    assert str(LARGEST) in inside.refusal("add", *PLACE, "--name", "x", "--file", str(file))["message"]
