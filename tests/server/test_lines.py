"""Cutting a stream into lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorypane.server.lines import LineCutter, TooLong, readable_id


@given(st.binary(max_size=400), st.lists(st.integers(1, 50), max_size=20))
def test_lines_do_not_depend_on_how_the_bytes_arrive(data: bytes, sizes: list[int]) -> None:
    whole, pieces = LineCutter(1000), LineCutter(1000)
    at, cut = 0, []
    for size in sizes:
        cut += list(pieces.feed(data[at : at + size]))
        at += size
    cut += list(pieces.feed(data[at:]))
    assert cut == list(whole.feed(data)) == data.split(b"\n")[:-1]
    assert (pieces.finish() or b"") == (whole.finish() or b"") == data.split(b"\n")[-1]


@given(st.lists(st.integers(0, 40), min_size=1, max_size=12), st.integers(1, 30))
def test_only_the_lines_that_are_too_long_are_thrown_away(lengths: list[int], piece: int) -> None:
    cutter = LineCutter(20)
    data = b"".join(b"x" * length + b"\n" for length in lengths)
    cut = [line for at in range(0, len(data), piece) for line in cutter.feed(data[at : at + piece])]
    assert [len(line) if isinstance(line, bytes) else None for line in cut] == [length if length <= 20 else None for length in lengths]


def test_a_long_line_keeps_nothing_of_itself_but_its_ends() -> None:
    cutter = LineCutter(1000)
    for _ in range(1000):
        assert list(cutter.feed(b"y" * 1000)) == []
    assert cutter.inside
    assert list(cutter.feed(b"\nshort\n")) == [TooLong(None), b"short"]
    assert not cutter.inside


@pytest.mark.parametrize("piece", [7, 10_000])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"%s"}}', 7),
        (b'{"jsonrpc": "2.0", "id": "abc", "params": {"x":"%s"}}', "abc"),
        (b'{"method":"m","params":{"x":"%s"},"id":-3}', -3),
        (b'{"method":"m","params":{"id":5,"x":"%s"}}', None),
        (b'{"params":{"x":"%s","id":5}}', None),
        (b'{"id":true,"x":"%s"}', None),
    ],
)
def test_the_id_of_a_long_request_is_told_only_where_it_is_certain(line: bytes, expected: object, piece: int) -> None:
    cutter, data = LineCutter(500), line % (b"z" * 3000) + b"\n"
    assert [found for at in range(0, len(data), piece) for found in cutter.feed(data[at : at + piece])] == [TooLong(expected)]  # type: ignore[arg-type]


def test_an_id_inside_a_text_is_not_taken_for_the_requests() -> None:
    assert readable_id('{"method":"m","text":"{\\"id\\":4,"', '","a":1}') is None
