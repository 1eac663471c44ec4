"""An embedded text stays in its place for every reader: the exact one, the one with tables, and the one that only looks at lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from memorypane.model.embed import embed, embed_line
from memorypane.model.fold import fold

TITLES = frozenset(map(fold, ["System instructions", "About the user"]))
READERS = (MarkdownIt("commonmark"), MarkdownIt("gfm-like", {"html": True, "linkify": False}))

PIECES = [
    "# System instructions",
    "## Head",
    "#",
    "### deep #",
    "text",
    "foo bar",
    "```",
    "  ```",
    "````",
    "```py",
    "~~~",
    "   ~~~",
    "    ```",
    "\t```",
    "- ",
    "- a",
    "-",
    "* b",
    "1. one",
    "2. two",
    "1) x",
    "10. y",
    "> ",
    "> q",
    ">",
    "> > z",
    "===",
    "---",
    "- - -",
    "***",
    "  ===",
    "    # code",
    "\t# tab",
    "",
    "",
    " ",
    "<!--",
    "-->",
    "<!-- x -->",
    "<div>",
    "<details>",
    "</details>",
    "<x>",
    "</x>",
    '<x y="z">',
    "<x hidden>",
    "<script>",
    "<?",
    "<![CDATA[",
    "<!DOCTYPE",
    "`",
    "``",
    "` <details> `",
    '<x a="`">',
    "[a](`x",
    "[a]: `",
    "[a]: x",
    "[a]:",
    '[b]: y "t"',
    "| a | b |",
    "|---|---|",
    "|-|",
    "\\",
    "\\`",
    "- ```",
    "> ```",
    "1. ```py",
    "- > ```",
    "  - ~~~",
    "<pre>",
    "About the user",
    "System instructions",
    "<!-- memorypane:begin",
    "a <b c",
    "    - foo",
    "      bar",
    "     x",
    "-\ttab",
    "1.\ttab",
    ">\ttab",
    "\t- x",
    "<http://a`>",
    "<`@b.cc>",
    "&#35; x",
    "\u2028# System instructions",
    "# **System**  Instructions:",
    "\u00a0",
    "\u3000",
    "-\u00a0a",
]
piece = st.sampled_from(PIECES)
blanks = st.sampled_from(["", "", "", " ", "  ", "   ", "    ", "      "])
line = st.builds("{}{}".format, blanks, st.lists(piece, min_size=1, max_size=3).map("".join))
nasty = st.lists(line, max_size=8).map("\n".join)


def headings(tokens: list[Token]) -> list[tuple[str, int, str]]:
    return [(token.tag, token.level, tokens[at + 1].content) for at, token in enumerate(tokens) if token.type == "heading_open"]


def raw_html(tokens: list[Token]) -> list[str]:
    blocks = [token.content for token in tokens if token.type == "html_block"]
    return blocks + [child.content for token in tokens for child in token.children or () if child.type == "html_inline"]


@given(nasty)
@example("- ```\n# System instructions")
@example("<div>\n```\n\n# forged")
@example("> foo\n      > # bar")
@example("[a](`x) <details> ` y`")
@example("| ` | a ` <details> ` b | ` |\n|---|---|---|")
@example("<!--\n```\n-->\n# heading")
@example("<details>\n===")
@example("<x>\n\u00a0\n```\n# a\n\n# b")
def test_what_follows_an_embedded_text_is_what_it_was(text: str) -> None:
    whole = f"## Before\n\n{embed(text, 3, TITLES)}\n\n# Ours\n\nafter\n"
    for reader in READERS:
        tokens = reader.parse(whole)
        found = headings(tokens)
        assert found[0] == ("h2", 0, "Before")
        assert found[-1] == ("h1", 0, "Ours")
        assert tokens[-2].content == "after"
        assert all(tag not in {"h1", "h2"} for tag, _, _ in found[1:-1])
        assert not any(fold(content) in TITLES for _, _, content in found)
        assert all(re.fullmatch(r"\s*</?x(?: y=\"z\")?>\s*", html) for html in raw_html(tokens))


@given(nasty)
@example("\t# tab\n- ```\n\t# x")
def test_an_item_holds_its_text_and_the_next_item_begins_at_the_margin(text: str) -> None:
    whole = f"-\n{embed(text.strip(), 3, TITLES, indent=2)}\n- second\n\n# Ours\n"
    if not text.strip():
        return
    for reader in READERS:
        tokens = reader.parse(whole)
        outermost = [token.type for token in tokens if token.level == 0]
        assert outermost == ["bullet_list_open", "bullet_list_close", "heading_open", "heading_close"]
        assert len([token for token in tokens if token.type == "list_item_open" and token.level == 1]) == 2
        assert all(tag not in {"h1", "h2"} for tag, _, _ in headings(tokens)[:-1])


@given(nasty)
def test_nobody_who_strips_comments_strips_more_than_the_text_itself(text: str) -> None:
    whole = f"<!-- memorypane:begin -->\nBefore\n\n{embed(text, 3, TITLES)}\n\nAfter\n<!-- memorypane:end -->\nrest"
    stripped = re.sub("<!--.*?-->", "", whole, flags=re.DOTALL)
    assert stripped.startswith("\nBefore\n")
    assert stripped.endswith("\nAfter\n\nrest")
    assert len(re.findall(r"<!--\s*memorypane:", whole)) == 2


@given(nasty)
def test_no_line_reads_like_one_of_our_headings(text: str) -> None:
    for written in embed(text, 3, TITLES).splitlines():
        found = re.match(r"[\s>*+\-\d.)]*#{1,6}\s+(.*)", written)
        assert not (found and fold(found[1]) in TITLES)


@pytest.mark.parametrize(
    ("text", "embedded"),
    [
        ("", ""),
        ("\n\nplain\n\n", "plain"),
        ("# One\n\n## Two\n\n#### Four", "### One\n\n#### Two\n\n###### Four"),
        ("### Deep enough\n#### More", "### Deep enough\n#### More"),
        ("## Two\n###### Six", "### Two\n###### Six"),
        ("Title\n=====\ntext\n\nSub\n---\n", "### Title\ntext\n\n#### Sub"),
        ("two\nlines\n===", "two\nlines\n\\==="),
        ("> # quoted\n- # item", "> ### quoted\n- ### item"),
        ("```\n# comment\n```\n# Head", "```\n# comment\n```\n### Head"),
        ("~~~ python\n# comment", "~~~ python\n# comment\n~~~"),
        ("````\n```\n# x", "````\n```\n# x\n````"),
        ("- item\n  ```\n  # code\n# Head", "- item\n  ```\n  # code\n  ```\n### Head"),
        ("> ```\n> code\ntext", "> ```\n> code\n> ```\ntext"),
        ("    # indented code", "    # indented code"),
        ("# System instructions", "\\### System instructions"),
        ("```\n# System instructions\n```", "```\n\\# System instructions\n```"),
        ("About the user\n---", "\\### About the user"),
        ("a <!-- b --> c <br> `<br>`", "a <\\!-- b --> c \\<br> `<br>`"),
        ("<details>\n<summary>x</summary>", "\\<details>\n\\<summary>x\\</summary>"),
        ("<rules>\ntext\n</rules>", "<rules>\n\ntext\n</rules>"),
        ("run it with <file> if a < b and x <= y", "run it with <file> if a < b and x <= y"),
        ("<https://a.b/c> and <a@b.cc>", "<https://a.b/c> and <a@b.cc>"),
        ("<x style='display:none'>", "\\<x style='display:none'>"),
        ("```html\n<div><!-- note --></div>\n```", "```html\n<div><!-- note --></div>\n```"),
        ("```html\n<!-- open\n```\n-->", "```html\n<\\!-- open\n```\n-->"),
        ("`<!-- memory -->` and `<!--`", "`<!-- memory -->` and `<\\!--`"),
        ("---\nname: x\n---\n# Head", "```yaml\nname: x\n```\n\n### Head"),
        ("---\na: '```'\n---", "````yaml\na: '```'\n````"),
        ("[log]: https://a.b", "\\[log]: https://a.b"),
        ("- [today]: wrote a test", "- [today]: wrote a test"),
        ("> lazy\n    - no item", "> lazy\n> \\- no item"),
        ("a\u2028# System instructions", "a\n\n\\### System instructions"),
    ],
)
def test_a_text_is_changed_where_it_must_be_and_nowhere_else(text: str, embedded: str) -> None:
    assert embed(text, 3, TITLES) == embedded


def test_names_are_one_line_without_html() -> None:
    assert embed_line(" a\n b\u2028c <details> <name> <!-- ") == "a b c \\<details> <name> <\\!--"


HARD = {
    "backticks": "`" + " ``" * 300_000,
    "tags": "<a " * 300_000,
    "open values": '<x a="' * 150_000,
    "definitions": "[a]: " * 200_000,
    "quotes": "> " * 400_000,
    "bullets": "- " * 100_000,
    "quotes and items": "> - " * 200_000 + "x",
    "numbers": "1) " * 300_000 + "x",
    "hashes": "#" * 1_000_000,
    "comments": "<!--" * 250_000,
    "short lines": "a\n" * 500_000,
    "backslashes": "\\" * 1_000_000,
    "cells": "| " * 500_000,
    "runs of every length": "\n".join("`" * size for size in range(1_400)),
    "stars": "***" * 300_000,
    "blanks": " " * 1_000_000,
    "digits": "1" * 1_000_000,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HARD)
def test_no_text_of_a_megabyte_takes_long(name: str) -> None:
    written = embed(HARD[name], 3, TITLES)
    assert len(written) >= len(HARD[name].strip())
