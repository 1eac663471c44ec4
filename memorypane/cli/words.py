"""Reads the words that every command shares, wherever they stand; imports nothing, since every start passes here."""

from __future__ import annotations

__all__ = ["FREE_TEXT", "UsageError", "Words", "split"]

FREE_TEXT = frozenset({"--content", "--name", "--description", "--query", "--reason"})
"""Options whose value may begin with a dash, as a Markdown list or a front matter block does."""


class UsageError(Exception):
    """The words of the command line do not make a command; `usage` shows how they could."""

    def __init__(self, message: str, usage: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.usage = usage


class Words:
    """The shared options and what is left for the command; `home` is "" where `MEMORYPANE_HOME` or the default counts."""

    __slots__ = ("as_json", "channel", "debug", "home", "rest")

    def __init__(self) -> None:
        self.home = ""
        self.channel = ""
        self.as_json = False
        self.debug = False
        self.rest: list[str] = []

    @property
    def command(self) -> str:
        """The command's name, or "" for the window."""
        return self.rest[0] if self.rest else ""


def split(argv: list[str]) -> Words:
    """Take `--home`, `--channel`, `--json` and `--debug` out of `argv`, up to a `--`; raise `UsageError` for a missing value."""
    words = Words()
    at = 0
    while at < len(argv):
        word = argv[at]
        at += 1
        name, equals, value = word.partition("=")
        if word == "--":
            words.rest += argv[at - 1 :]
            break
        if word == "--json":
            words.as_json = True
        elif word == "--debug":
            words.debug = True
        elif name in ("--home", "--channel"):
            if not equals:
                if at == len(argv):
                    raise UsageError(f"{name} needs a value: {name} {'DIR' if name == '--home' else 'NAME'}.")
                value = argv[at]
                at += 1
            if not value:
                raise UsageError(f"{name} needs a value that is not empty.")
            if name == "--home":
                words.home = value
            else:
                words.channel = value
        elif word in FREE_TEXT and at < len(argv) and not _is_option(argv[at]):
            words.rest.append(f"{word}={argv[at]}")
            at += 1
        else:
            words.rest.append(word)
    return words


def _is_option(word: str) -> bool:
    """Whether a word can only be meant as an option: `-h`, `--json`, `--name=…`; `- item` and `---` are text."""
    head = word.partition("=")[0]
    return word == "-h" or (head.startswith("--") and head[2:3].isalpha() and head[2:].replace("-", "").isalnum())
