"""Printing: objects, tables, and nothing that steers a terminal."""

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.cli.output import Output, age, cut, harmless, shown_size, shown_time, table, write_output
from memorypane.model.errors import Unavailable


def printed(output: Output, *, as_json: bool = False, encoding: str = "utf-8") -> bytes:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    write_output(output, as_json=as_json, stream=stream)
    stream.flush()
    return raw.getvalue()


@given(st.text())
def test_no_control_or_reordering_character_is_printed(text: str) -> None:
    shown = printed(Output({}, text)).decode()
    assert all(character in "\n\t" or unicodedata.category(character) != "Cc" for character in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def test_what_steers_is_shown_by_its_code() -> None:
    assert harmless("a\x1b[31mb\u202ec") == "a<U+001B>[31mb<U+202E>c"


@given(st.text())
def test_objects_come_out_as_they_went_in(text: str) -> None:
    for encoding in ("utf-8", "ascii", "latin-1"):
        assert json.loads(printed(Output({"a": text}, ""), as_json=True, encoding=encoding)) == {"a": text}


def test_names_of_files_that_are_not_utf8_do_not_break_the_object() -> None:
    assert json.loads(printed(Output({"file": "a\udcff"}, ""), as_json=True)) == {"file": "a\udcff"}


def test_a_narrow_terminal_gets_escapes_instead_of_a_failure() -> None:
    assert printed(Output({}, "naïve 日"), encoding="ascii") == b"na\\xefve \\u65e5\n"


def test_nothing_is_printed_where_there_is_nothing_to_say() -> None:
    assert printed(Output(None, ""), as_json=True) == b""


def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w", encoding="utf-8") as stream:  # noqa: PTH123  a device that fails when it is flushed
        with pytest.raises(Unavailable, match="No space"):
            write_output(Output({}, "x"), as_json=False, stream=stream)
        with pytest.raises(OSError, match="No space"):
            stream.close()


def test_columns_are_aligned_by_what_the_terminal_shows() -> None:
    laid = table(("A", "N"), [("日本", "1"), ("é\u0301", "22"), ("two\nlines", "3")], right=frozenset({1}))
    assert laid == "A           N\n日本        1\né\u0301          22\ntwo lines   3"


def test_lines_are_cut_to_columns() -> None:
    assert cut("日本語です", 5) == "日本…"
    assert cut("short", 5) == "short"


def test_times_and_sizes_are_short() -> None:
    assert [age(at, 10**9) for at in (10**9, 10**9 - 61_000, 10**9 - 7_200_000, 0, 2 * 10**9)] == ["now", "1 min", "2 h", "11 d", "now"]
    assert [shown_size(size) for size in (0, 999, 1_400, 2_000_000)] == ["0 B", "999 B", "1.4 KB", "2.0 MB"]
    assert shown_time(0) == "–"
