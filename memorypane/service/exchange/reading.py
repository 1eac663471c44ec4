"""Reads one file as text: bounded, without following links, with a sentence for everything that is no text."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from memorypane.model.errors import InvalidInput
from memorypane.model.text import normalise

__all__ = ["LARGEST", "NotReadable", "read_text"]

LARGEST = 16 * 1024 * 1024
"""Most bytes of one file; the limit of an entry is the shelf's, and a file may hold many."""


class NotReadable(Exception):
    """The file gives no text; `reason` says why in a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_text(path: Path) -> str:
    """The normalised text of a regular file (LF line ends, no BOM); `NotReadable` with the reason otherwise."""
    data = _read_bytes(path)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise NotReadable("It is UTF-16 text. Save it as UTF-8 and import it again.")
    if b"\0" in data:
        raise NotReadable("It is binary, not text.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise NotReadable(f"It is not UTF-8: byte 0x{data[problem.start]:02X} at offset {problem.start}. Save it as UTF-8.") from None
    try:
        text = normalise(text, "file")
    except InvalidInput as problem:
        raise NotReadable(problem.message) from problem
    if not text.strip():
        raise NotReadable("It is empty.")
    return text


def _read_bytes(path: Path) -> bytes:
    """The bytes of a regular file, opened so that links and pipes can neither lead elsewhere nor block."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as problem:
        raise NotReadable(f"It cannot be read: {problem.strerror or problem}.") from problem
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise NotReadable("It is no regular file.")
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(LARGEST + 1)
    except OSError as problem:
        raise NotReadable(f"It cannot be read: {problem.strerror or problem}.") from problem
    finally:
        os.close(handle)
    if len(data) > LARGEST:
        raise NotReadable(f"It has more than {LARGEST} bytes, too many to be instructions.")
    return data
