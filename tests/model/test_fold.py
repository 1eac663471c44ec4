"""Search folding: what finds what, checked against a real full-text index."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.fold import FOLD_VERSION, fold, fold_stamp, fts_query, query_tokens, snippet, tokens

INDEX = """CREATE VIRTUAL TABLE words USING fts5(
    content, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'", prefix = '1 2 3')"""

SCRIPTS = (
    "abcXYZ 019 äéøßıİæ ΆΐςΣ Йёя 用户一 かがｶﾞｷ゛ー 한국ᄒ\u1161\u11ab गङ\u093c\u094d قرآ ไทยน้ำ \u0301\u0308\u3099 "
    "\u200b\u200d\u00ad\ufe0f _-.:\"'*()😀½²Ⅳ①٣\ue000"
)
mixed_text = st.one_of(st.text(SCRIPTS, max_size=40), st.text(max_size=40))


@pytest.fixture
def index() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute(INDEX)
    yield connection
    connection.close()


def finds(index: sqlite3.Connection, text: str, query: str) -> bool:
    index.execute("DELETE FROM words")
    index.execute("INSERT INTO words (content) VALUES (?)", (fold(text),))
    wanted = fts_query(query)
    return bool(wanted) and index.execute("SELECT count(*) FROM words WHERE words MATCH ?", (wanted,)).fetchone()[0] == 1


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Meet at the CAFÉ", "cafe"),
        ("cafe\u0301", "café"),
        ("the cafe", "CAFÉ"),
        ("记录用户身份和密钥位置", "用户"),
        ("记录用户身份", "户身"),
        ("重跑gen-itgc后再看", "gen-itgc"),
        ("重跑gen-itgc后再看", "itgc"),
        ("重跑gen-itgc后再看", "重跑gen"),
        ("TODO: fix the parser", "TODO: fix"),
        ('she said "hi there', 'said "hi'),
        ("set 100%_done here", "100%_done"),
        ("may08 2026-05-08 log", "may08 2026-05-08"),
        ("may08", "may"),
        ("Δοκιμή Привет", "δοκιμη"),
        ("Δοκιμή Привет", "прив"),
        ("ΣΊΣΥΦΟΣ", "σισυφος"),
        ("ᾳ", "α"),
        ("Łódź, Ærø, Đà Nẵng", "lodz aero da nang"),
        ("ISPARTA ısparta", "isparta"),
        ("İstanbul", "istanbul"),
        ("Straße", "STRASSE"),
        ("snake_case_name", "case"),
        ("v2ключ", "ключ"),
        ("第3章", "3"),
        ("２０２６年", "2026年"),
        ("ＡＢＣ", "abc"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        (unicodedata.normalize("NFD", "ガイド"), "イド"),
        (unicodedata.normalize("NFD", "사용자의"), "사용자"),
        ("사용자의 이름", "자의"),
        ("ภาษาไทย", "ไทย"),
        ("pass\u200bword", "password"),
        ("trust\u00adworthy", "trustworthy"),
        ("می‌خواهم", "میخواهم"),
        ("Hawaiʻi", "hawai'i"),
        ("Hawaiʻi", "hawai’i"),
        ("x² and Ⅳ", "x2 iv"),
        ("٢٠٢٦", "2026"),
        ("ﬁne", "fine"),
        ("\ue000\ue001", "\ue000"),
        ("fix OR done", "or"),
        ("a\u2028b", "b"),
        ("हिन्दी भाषा", "हिन्दी"),
    ],
)
def test_what_must_be_found(index: sqlite3.Connection, text: str, query: str) -> None:
    assert finds(index, text, query)
    piece, matches = snippet(text, query)
    assert piece
    assert matches


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("fix the parser", "fix OR done"),
        ("fix the parser", "fixes"),
        ("said", 'say "hi'),
        ("用户", "户用"),
        ("one two", "two-one"),
        ("anything", "***"),
        ("anything", ""),
        ("हिन्दी", "हन्दी"),
        ("fix the", "NEAR(fix, parser)"),
        ("itgc", "gen-itgc"),
        ("not here", "nothere"),
        ("x", "-x y"),
    ],
)
def test_what_must_not_be_found(index: sqlite3.Connection, text: str, query: str) -> None:
    assert not finds(index, text, query)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        ("Hello, World", "hello world"),
        ("重跑gen-itgc后", "重 跑 gen itgc 后"),
        ("may08 08may", "may08 08may"),
        ("abcДеф", "abc деф"),
        ("😀 👍🏽 🎉", ""),
        ("1️⃣ ①", "1 1"),
        ("カーソル", "カ ー ソ ル"),
        ("don't", "don t"),
        ("e\u0301\u0302te\u0301", "ete"),
        ("½", "½"),
        ("\u0301\u0302", ""),
        ("나라 이름", "나 라 이 름"),
        ("が", "が"),
    ],
)
def test_the_folded_form(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(mixed_text)
def test_folding_is_stable_and_blind_to_normal_forms(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert fold(unicodedata.normalize("NFD", text)) == folded
    assert fold(unicodedata.normalize("NFC", text)) == folded


@given(mixed_text)
def test_every_folded_word_is_one_word_of_the_index(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(INDEX)
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(words, instance)")
    connection.execute("INSERT INTO words (content) VALUES (?)", (fold(text),))
    assert connection.execute("SELECT count(*) FROM terms").fetchone()[0] == len(fold(text).split(" ")) - (not fold(text))
    connection.close()


@given(mixed_text)
def test_spans_lie_in_order_and_fold_to_their_word(text: str) -> None:
    end = 0
    for word, start, stop in tokens(text):
        assert end <= start < stop <= len(text)
        assert fold(text[start:stop]) == word
        assert " " not in word
        end = stop
    assert fold(text) == " ".join(word for word, _, _ in tokens(text))


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_the_short_way_for_ascii_gives_the_same(text: str) -> None:
    assert fold(text) == fold(f"{text} …")


@given(mixed_text)
def test_no_query_is_an_error_and_none_carries_syntax(query: str) -> None:
    wanted = fts_query(query)
    assert wanted.count('"') == 2 * len(query_tokens(query)) or len(set(map(tuple, query_tokens(query)))) < len(query_tokens(query))
    connection = sqlite3.connect(":memory:")
    connection.execute(INDEX)
    connection.execute("INSERT INTO words (content) VALUES (?)", (fold(query),))
    if wanted:
        assert connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (wanted,)).fetchone()[0] == 1
    connection.close()


@pytest.mark.parametrize(
    "query", ["name:x* AND ^", "NEAR(a b, 3)", '"', "a OR b NOT c", "content : secret", "{a b} : c", "a + b", "(python", "x\x00y", "*"]
)
def test_operators_are_plain_words(index: sqlite3.Connection, query: str) -> None:
    words = [word for group in query_tokens(query) for word in group]
    assert finds(index, query, query) == bool(words)


def test_a_whole_page_as_query_is_bounded(index: sqlite3.Connection) -> None:
    page = " ".join(f"word{number}" for number in range(20_000))
    assert finds(index, page, page)
    assert fts_query(page).count('"') == 128
    piece, found = marked(page, page)
    assert len(piece) <= 160
    assert found


def test_the_query_is_phrases_with_a_prefix_at_the_end() -> None:
    assert fts_query("TODO: fix") == '"todo" "fix"*'
    assert fts_query("fix fix gen-itgc -") == '"fix" "gen itgc"*'
    assert fts_query(" - ") == ""
    assert query_tokens('say "hi-there" 用户') == [["say"], ["hi", "there"], ["用", "户"]]


def test_the_stamp_names_both_versions() -> None:
    assert fold_stamp() == f"{FOLD_VERSION}-{unicodedata.unidata_version}"


def marked(text: str, query: str, width: int = 160) -> tuple[str, list[str]]:
    piece, matches = snippet(text, query, width)
    return piece, [piece[start:end] for start, end in matches]


def test_a_snippet_is_verbatim_and_marks_what_was_found() -> None:
    assert marked("Use the blue CAFÉ for releases.", "cafe") == ("Use the blue CAFÉ for releases.", ["CAFÉ"])
    assert marked("记录用户身份和密钥位置", "用户") == ("记录用户身份和密钥位置", ["用户"])
    assert marked("重跑gen-itgc后再看", "gen-itgc")[1] == ["gen-itgc"]
    assert marked("Привет, мир", "прив")[1] == ["Привет"]
    assert marked("fix it, fixed, refix", "it fix")[1] == ["fix", "it", "fixed"]
    assert marked("aa aaa", "a")[1] == ["aa", "aaa"]
    assert marked("nothing here", "absent") == ("nothing here", [])
    assert marked("text", "***") == ("text", [])
    assert marked("", "x") == ("", [])


def test_a_snippet_of_a_long_text_shows_the_place_with_most_of_the_query() -> None:
    text = "alpha once. " + "filler words stand here. " * 400 + "Then alpha and beta meet. " + "more filler. " * 400
    piece, found = marked(text, "alpha beta", 80)
    assert found == ["alpha", "beta"]
    assert len(piece) <= 80
    assert piece in text
    assert piece == piece.strip()
    assert text[text.index(piece) - 1] == " "


def test_a_snippet_begins_at_a_paragraph_when_one_is_near() -> None:
    text = "x " * 500 + "\n\n# Rules\nUse tabs always. " + "y " * 500
    assert marked(text, "tabs")[0].startswith("# Rules\nUse tabs always.")


def test_a_match_far_down_in_a_text_without_blanks_is_shown() -> None:
    piece, found = marked("记" * 30_000 + "密钥" + "录" * 30_000, "密钥", 20)
    assert found == ["密钥"]
    assert len(piece) <= 20


@given(mixed_text, mixed_text, st.integers(1, 60))
def test_every_snippet_keeps_its_promises(text: str, query: str, width: int) -> None:
    piece, matches = snippet(text, query, width)
    assert piece in text
    assert len(piece) <= width
    end = -1
    for start, stop in matches:
        assert end < start < stop <= len(piece)
        end = stop


@given(st.lists(mixed_text, min_size=1, max_size=4), st.data())
def test_what_the_index_finds_the_snippet_marks(parts: list[str], data: st.DataObject) -> None:
    text = " | ".join(parts)
    words = [word for word, _, _ in tokens(text)]
    if words:
        assert snippet(text, data.draw(st.sampled_from(words)))[1]
