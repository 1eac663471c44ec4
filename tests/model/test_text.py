"""Input is checked as the contracts say, and measured the same way everywhere."""

from __future__ import annotations

import hashlib
import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.model.errors import InvalidInput
from memorypane.model.text import (
    check_agent_name,
    check_filename,
    check_name,
    check_source,
    content_hash,
    estimate_tokens,
    excerpt,
    name_key,
    normalise,
    short,
    size_of,
    slug_agent,
)

REFUSED = [*map(chr, (*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0))), "\ud800", "\udbff", "\udc00", "\udfff"]
ALLOWED_ODDITIES = "\t\n\u00a0\u00ad\u200b\u2028\u2029\ufeff\u202e\U000e0041\uffff\U0010ffff\ue000e\u0301"

any_text = st.text(st.characters(blacklist_categories=[]), max_size=200)


def without_bom(text: str) -> str:
    return text[1:] if text.startswith("\ufeff") else text


def test_line_ends_and_one_leading_bom_are_folded_and_nothing_else() -> None:
    assert normalise("\ufeffa\r\nb\rc\td\u00a0e\u0301 \n", "content") == "a\nb\nc\td\u00a0e\u0301 \n"
    assert normalise("\r\n\r\r\n", "content") == "\n\n\n"
    assert normalise("\ufeff\ufeffa\ufeff", "content") == "\ufeffa\ufeff"
    assert normalise(ALLOWED_ODDITIES, "content") == ALLOWED_ODDITIES
    assert normalise("café cafe\u0301 \u212b \ufb01", "content") == "café cafe\u0301 \u212b \ufb01"


@pytest.mark.parametrize("char", REFUSED, ids=lambda char: f"U+{ord(char):04X}")
def test_control_characters_and_lone_surrogates_are_refused_by_name_and_position(char: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        normalise(f"ab\U0001f600c{char}d{char}", "content")
    assert f"U+{ord(char):04X}" in caught.value.message
    assert "position 4 " in caught.value.message
    assert "content" in caught.value.message
    assert caught.value.data == {"field": "content", "position": 4}
    caught.value.message.encode()


@given(any_text)
def test_normalising_is_done_once_and_leaves_no_refused_character(text: str) -> None:
    refused = [position for position, char in enumerate(text) if char in REFUSED or "\ud800" <= char <= "\udfff"]
    if refused:
        with pytest.raises(InvalidInput) as caught:
            normalise(text, "content")
        assert caught.value.data["position"] == refused[0]
        return
    once = normalise(text, "content")
    assert "\r" not in once
    assert normalise(once, "content") == without_bom(once)
    assert once.split("\n") == without_bom(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    once.encode()


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("x", "x"),
        ("  padded  ", "padded"),
        ("\u3000名前\u00a0", "名前"),
        ("trailing\n", "trailing"),
        ("ü" * 200, "ü" * 200),
        (f" {'😀' * 200} ", "😀" * 200),
    ],
)
def test_a_name_is_trimmed(given_name: str, kept: str) -> None:
    assert check_name(given_name) == kept


@pytest.mark.parametrize(
    "name", ["", "   ", "\n", "two\nlines", "a\rb", "a\u2028b", "a\u2029b", "n" * 201, "B\u0007ad", "a\tb", "a\x85", "\ud800"]
)
def test_a_name_of_other_shape_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_name(name, "title")
    assert "title" in caught.value.message
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("name", ["a.md", "MEMORY.md", "-.md", "_.md", "0.md", f"{'x' * 200}.md", "com10.md", "console.md", "md.md"])
def test_good_file_names_pass_unchanged(name: str) -> None:
    assert check_filename(name) == name


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("", "empty"),
        ("a/b.md", "separator"),
        ("..\\b.md", "separator"),
        ("../b.md", "separator"),
        ("..", ".md"),
        (".md", "nothing before"),
        ("a.b.md", "dot"),
        ("..md", "dot"),
        ("%2e%2e.md", "percent"),
        ("C:a.md", "colon"),
        (" a.md", "white space"),
        ("a.md ", "white space"),
        ("a.md\n", "white space"),
        ("a\n.md", "ASCII"),
        ("a.MD", ".md"),
        ("a.txt", ".md"),
        ("a", ".md"),
        ("é.md", "ASCII"),
        ("a b.md", "ASCII"),
        ("a\x00.md", "ASCII"),
        ("٣.md", "ASCII"),
        ("\ud800.md", "ASCII"),
        (f"{'x' * 201}.md", "200"),
        ("con.md", "Windows"),
        ("CoN.md", "Windows"),
        ("com0.md", "Windows"),
        ("LPT9.md", "Windows"),
        ("nul.md", "Windows"),
        ("aux.md", "Windows"),
        ("prn.md", "Windows"),
        ("a.md.md", "dot"),
        ("a.md\u200b", ".md"),
        ("ａ.md", "ASCII"),
    ],
)
def test_other_file_names_are_refused_with_the_broken_rule(name: str, rule: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_filename(name)
    assert rule in caught.value.message
    assert "\n" not in caught.value.message
    caught.value.message.encode()


@given(st.one_of(any_text, st.text("ab-_./\\%: \n", max_size=8).map(lambda stem: stem + ".md")))
def test_a_file_name_passes_only_if_it_is_the_rule(name: str) -> None:
    allowed = set(string.ascii_letters + string.digits + "-_")
    fits = name.endswith(".md") and 1 <= len(name) - 3 <= 200 and set(name[:-3]) <= allowed
    try:
        assert check_filename(name) == name
        passed = True
    except InvalidInput:
        passed = False
    assert passed == fits


def test_a_source_claim_is_trimmed_and_bounded() -> None:
    assert check_source("  human ") == "human"
    assert check_source("s" * 80) == "s" * 80
    for source in ("", " \t ", "s" * 81, "a\x00", "a\nb", "\ud800"):
        with pytest.raises(InvalidInput):
            check_source(source)


def test_names_are_compared_without_case_and_composition() -> None:
    assert name_key("Café") == name_key("CAFE\u0301") == name_key("cafÉ")
    assert name_key("Straße") == name_key("STRASSE")
    assert name_key("ΣΊΣΥΦΟΣ") == name_key("σίσυφος")
    assert name_key("a b") != name_key("ab")
    assert name_key("Cafe") != name_key("Café")


@given(st.text(max_size=40))
def test_the_name_key_is_stable_under_normal_forms(name: str) -> None:
    for other in (unicodedata.normalize("NFD", name), unicodedata.normalize("NFC", name), name_key(name)):
        assert name_key(other) == name_key(name)


@pytest.mark.parametrize("name", ["a", "0", "build-helper", "x" * 64, "a.b_c-d"])
def test_valid_agent_names_stay(name: str) -> None:
    assert check_agent_name(name) == slug_agent(name) == name


@pytest.mark.parametrize("name", ["", "human", "import", "watch", "system", "you", "-a", "A", "a b", "x" * 65, "a\n", "é"])
def test_other_agent_names_are_refused_and_slugged(name: str) -> None:
    with pytest.raises(InvalidInput):
        check_agent_name(name)
    assert check_agent_name(slug_agent(name))


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Claude Code", "claude-code"), ("  Élan/Vital! ", "elan-vital"), ("SYSTEM", "agent-system"), ("you", "agent-you"), ("a__b", "a__b")],
)
def test_slugs_are_readable(name: str, slug: str) -> None:
    assert slug_agent(name) == slug


def test_slugs_of_names_in_other_scripts_stay_apart() -> None:
    slugs = {slug_agent(name) for name in ("用户", "用户1", "助手", "Привет", "", "!!!", "y" * 64 + "a", "y" * 64 + "b")}
    assert len(slugs) == 8


@given(any_text)
def test_every_text_has_a_valid_slug(name: str) -> None:
    slug = slug_agent(name)
    assert check_agent_name(slug) == slug == slug_agent(name)


def test_values_are_cut_and_made_harmless_for_messages() -> None:
    assert short("x" * 80) == "x" * 80
    assert short("x" * 81) == "x" * 80 + "…"
    assert short("a\nb\t\x1b[31m\u202e\ud800\U000e0041") == "a\\nb\\t\\u001b[31m\\u202e\\ud800\\U000e0041"
    assert short("Zoë 用户 👨‍👩‍👧") == "Zoë 用户 👨‍👩‍👧"
    assert short(17) == "17"
    assert short("abcdef", 3) == "abc…"


@given(any_text)
def test_a_shortened_value_is_one_encodable_line(value: str) -> None:
    line = short(value, 20)
    assert len(line.splitlines()) <= 1
    line.encode()


@given(st.text(max_size=100))
def test_hash_and_size_are_of_the_utf8_bytes(text: str) -> None:
    assert content_hash(text) == hashlib.sha256(text.encode()).hexdigest()
    assert size_of(text) == len(text.encode())


def test_token_estimates_know_dense_scripts() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1
    assert estimate_tokens("four") == 1
    assert estimate_tokens("word " * 400) == 500
    assert estimate_tokens("记录用户身份") == 6
    assert estimate_tokens("한국어") == 3
    assert estimate_tokens("abcd记录") == 3
    assert estimate_tokens("Привет, мир") == 5


@given(st.text(max_size=60), st.text(max_size=60))
def test_token_estimates_grow_with_the_text(first: str, second: str) -> None:
    both = estimate_tokens(first + second)
    assert max(estimate_tokens(first), estimate_tokens(second)) <= both <= estimate_tokens(first) + estimate_tokens(second)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("plain", "plain"),
        ("\n\n  \n# Heading #\nbody", "Heading"),
        ("- [x] done  twice", "done twice"),
        ("> * 12) quoted\tlist", "quoted list"),
        ("## C# and F#", "C# and F#"),
        ("---\n\n***\n```python\nprint()\n```", "print()"),
        ("---\nname: x\n---\n\n# Real\n", "Real"),
        ("#hashtag", "#hashtag"),
        ("-5 degrees", "-5 degrees"),
        ("**bold** start", "**bold** start"),
        ("1. One", "One"),
        ("| a | b |\n|---|---|", "| a | b |"),
        ("---", "---"),
        ("🎉", "🎉"),
    ],
)
def test_the_excerpt_is_the_first_line_that_says_something(text: str, line: str) -> None:
    assert excerpt(text) == line


def test_a_long_excerpt_is_cut_between_whole_characters() -> None:
    assert excerpt("x" * 200) == "x" * 119 + "…"
    assert excerpt("ab" + "e\u0301" * 9, 6) == "abe\u0301…"
    assert excerpt("a👨\u200d👩\u200d👧b", 4) == "a…"
    assert excerpt("word " * 100, 11) == "word word…"


@given(any_text, st.integers(2, 50))
def test_an_excerpt_is_one_short_line(text: str, limit: int) -> None:
    line = excerpt(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert line == line.strip()
