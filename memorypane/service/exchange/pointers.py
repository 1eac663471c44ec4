"""Recognises files that hold nothing but the way to another instruction file."""

from __future__ import annotations

import re

__all__ = ["points_elsewhere"]

FILE = r"(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md|copilot-instructions\.md|\.cursorrules|\.windsurfrules|[\w.-]+\.mdc"
PATH = re.compile(rf"@?(?:\.{{0,2}}/)?(?:[\w.-]+/)*(?P<name>{FILE})\b")
LINK = re.compile(r"\[[^\]\n]*\]\((?P<target>[^)\s]*)\)")
# The words of a sentence that only shows the way; any other word is an instruction of its own.
WAY_WORDS = frozenset(re.findall(r"\w+", """
    a about agent agents ai all also an and apply are as at be been before by can code coding context conventions default details
    development do docs document documentation file files find first follow following for found from full further go guidance guide
    guidelines have here how in include info information instructions instead into is it its kept load located main maintained more moved
    must of on only our please point pointer project read redirect refer reference repo repository root rules same see shared should source
    standards start symlink that the there these this to under up use using view want we with work workflow you your
"""))
GIT_LINK = re.compile(r"(?:[\w.@-]+/)*(?:[\w.@-]+\.(?:md|mdc|txt)|\.cursorrules|\.windsurfrules)")
LONGEST = 600


def points_elsewhere(text: str) -> str:
    """The path of the file that `text` only points to, or "" where it says anything else.

    Covers a link that git wrote as a plain file (a path and nothing else), `@FILE` imports, and short sentences such as
    "See CLAUDE.md for all rules"; headings do not count.
    """
    if len(text) > LONGEST:
        return ""
    if GIT_LINK.fullmatch(text.strip()):
        return text.strip().removeprefix("@")
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    body = " ".join(line for line in lines if not re.match(r"#{1,6}[ \t]", line))
    body = LINK.sub(lambda found: f" {found['target']} ", body).replace("`", " ").replace("*", " ").replace("<", " ").replace(">", " ")
    found = [match[0].removeprefix("@") for match in PATH.finditer(body)]
    if not found:
        return ""
    words = re.findall(r"[^\W_]+", PATH.sub(" ", body).casefold())
    return found[0] if all(word in WAY_WORDS for word in words) else ""
