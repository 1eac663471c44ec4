"""Reading one file as text."""

import os
from pathlib import Path

import pytest

from memorypane.service.exchange.reading import LARGEST, NotReadable, read_text


def test_text_is_kept_but_for_line_ends_and_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbf# T\r\n\r\ntab\there \xc3\xa9 e\xcc\x81  \rend")
    assert read_text(path) == "# T\n\ntab\there é e\u0301  \nend"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"ab\xffcd", "offset 2"),
        (b"\xff\xfea\x00", "UTF-16"),
        (b"\x89PNG\x00\x01", "binary"),
        (b"a\x1b[31mb", "U\\+001B"),
        (b"\xed\xa0\x80", "not UTF-8"),
        (b"x" * (LARGEST + 1), "more than"),
    ],
)
def test_what_is_no_text_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)
    with pytest.raises(NotReadable, match=reason):
        read_text(path)


def test_folders_links_pipes_and_missing_files_have_a_reason(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("x")
    (tmp_path / "link.md").symlink_to("real.md")
    os.mkfifo(tmp_path / "pipe.md")
    for path in (tmp_path, tmp_path / "link.md", tmp_path / "pipe.md", tmp_path / "gone.md"):
        with pytest.raises(NotReadable):
            read_text(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read every file")
def test_a_file_that_may_not_be_read_has_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(NotReadable, match="cannot be read"):
        read_text(path)
