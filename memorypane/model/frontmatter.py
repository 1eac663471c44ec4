"""The front matter of a Markdown text: told apart from the body, not parsed."""

from __future__ import annotations

import re

__all__ = ["split"]

OPENING = re.compile(r"---[ \t]*\n")
CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)


def split(text: str) -> tuple[str | None, str]:
    """Split `text` into the lines between its front matter fences and the body after them; `(None, text)` if it has no front matter.

    The first line must be `---`, the block ends at the first line that is `---` or `...` (blanks after them allowed). Both parts are
    verbatim: the block keeps its last newline and the body whatever follows the closing line. An opening without a closing is body.
    """
    opening = OPENING.match(text)
    if not opening:
        return None, text
    closing = CLOSING.search(text, opening.end())
    if not closing:
        return None, text
    return text[opening.end() : closing.start()], text[closing.end() :]
