"""Checking and measuring of what people and agents type: texts, names, file names, source claims."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from memorypane.model.errors import InvalidInput
from memorypane.model.frontmatter import split

__all__ = [
    "check_agent_name",
    "check_filename",
    "check_name",
    "check_source",
    "content_hash",
    "estimate_tokens",
    "excerpt",
    "name_key",
    "normalise",
    "short",
    "size_of",
    "slug_agent",
]

NAME_LIMIT = 200
SOURCE_LIMIT = 80
RESERVED_AGENTS = frozenset({"human", "import", "watch", "system", "you"})
RESERVED_FILES = frozenset({"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))})

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
LINE_BREAK = re.compile("[\n\u2028\u2029]")
AGENT_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
FILE_STEM = re.compile(r"[A-Za-z0-9_-]+")
# What would break a message into lines, turn its reading direction or stand in it unseen.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]")
# Han with its extensions, kana, Hangul and full-width forms: about one token a character, where other text has one in four bytes.
CJK = re.compile("[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]+")
FENCE_LINE = re.compile(r"(?:```|~~~)[^`]*")
LINE_MARKS = re.compile(r"(?:\s*+(?:#{1,6}(?!\S)|[-*+](?!\S)|\d{1,9}[.)](?!\S)|>|\[[ xX]\](?=\s)))*+\s*+")
RULE_LINE = re.compile(r"[-=_*~|:+#\s]*+")
JOINED_TO_PREVIOUS = frozenset({"Mn", "Mc", "Me"})


def normalise(text: str, field: str) -> str:
    """Return `text` with CRLF and CR as LF and without one leading byte order mark; nothing else changes.

    `field` names the argument in the sentence. Raises `InvalidInput` for a control character (C0 but tab and newline, DEL, C1) or
    a lone surrogate, with `position` in code points of the text as it came, from 0. The rule is the contracts' common one on input.
    """
    if found := FORBIDDEN.search(text):
        code, position = ord(found[0]), found.start()
        kind = "a lone surrogate" if code >= 0xD800 else "the control character"
        raise InvalidInput(
            f"The {field} holds {kind} U+{code:04X} at position {position} (counted from 0). Take it out and send the text again.",
            field=field,
            position=position,
        )
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff")


def check_name(name: str, field: str = "name") -> str:
    """Return `name` trimmed, if it is one line of 1 to 200 code points without control characters; else raise `InvalidInput`."""
    name = _one_line(name, field)
    if not name:
        raise InvalidInput(f"The {field} is empty. Give it 1 to {NAME_LIMIT} characters.", field=field)
    if len(name) > NAME_LIMIT:
        raise InvalidInput(
            f"The {field} {short(name)!r} has {len(name)} characters; {NAME_LIMIT} are the most. Choose a shorter one.", field=field
        )
    return name


def check_source(source: str) -> str:
    """Return a source claim trimmed, if it is one line of 1 to 80 code points; else raise `InvalidInput`."""
    source = _one_line(source, "source")
    if not source:
        raise InvalidInput("The source is blank. Say in a word where the text comes from, or leave it out.", field="source")
    if len(source) > SOURCE_LIMIT:
        raise InvalidInput(
            f"The source {short(source)!r} has {len(source)} characters; {SOURCE_LIMIT} are the most. Put the rest into the detail.",
            field="source",
        )
    return source


def check_filename(filename: str) -> str:
    """Return `filename` unchanged if it is `<stem>.md` with 1 to 200 of `A-Z a-z 0-9 - _` before `.md`; else raise `InvalidInput`.

    Nothing is trimmed or decoded. Names that Windows reserves for devices are refused in any case. The sentence names the broken rule.
    """
    if problem := _filename_problem(filename):
        raise InvalidInput(f"The file name {short(filename)!r} {problem}", field="filename")
    return filename


def _filename_problem(filename: str) -> str:
    stem = filename.removesuffix(".md")
    if not filename:
        return "is empty. Use a name like `notes.md`."
    if "/" in filename or "\\" in filename:
        return "holds a path separator. Files stand in one flat folder; use a name like `notes.md`."
    if "%" in filename:
        return "holds a percent sign. Percent-encoding is not decoded; use ASCII letters, digits, - and _."
    if ":" in filename:
        return "holds a colon, as a drive letter has. Use ASCII letters, digits, - and _."
    if filename != filename.strip():
        return "begins or ends with white space. Leave it out."
    if stem == filename:
        return "does not end in `.md`. Use a name like `notes.md`."
    if not stem:
        return "has nothing before `.md`. Use a name like `notes.md`."
    if "." in stem:
        return "holds a dot before `.md`. Use ASCII letters, digits, - and _."
    if not FILE_STEM.fullmatch(stem):
        return "holds characters other than ASCII letters, digits, - and _. Use only these, then `.md`."
    if len(stem) > NAME_LIMIT:
        return f"has {len(stem)} characters before `.md`; {NAME_LIMIT} are the most. Choose a shorter one."
    if stem.lower() in RESERVED_FILES:
        return "is reserved for a device on Windows. Choose another one."
    return ""


def name_key(name: str) -> str:
    """The form in which names are compared for being taken: NFC, case-folded, NFC again."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def check_agent_name(name: str) -> str:
    """Return `name` if it may name an agent: `[a-z0-9][a-z0-9._-]{0,63}` and not a reserved word; else raise `InvalidInput`."""
    if not AGENT_NAME.fullmatch(name):
        raise InvalidInput(
            f"An agent's name has 1 to 64 of a-z, 0-9, ., _ and -, and begins with a letter or digit; {short(name)!r} does not.",
            field="agent",
        )
    if name in RESERVED_AGENTS:
        raise InvalidInput(f"{name!r} is reserved and cannot name an agent. Choose another name.", field="agent")
    return name


def slug_agent(name: str) -> str:
    """A valid agent name for any text: itself where it is one, else its ASCII form; equal texts give equal names.

    Where letters or digits would be lost (other scripts, overlong names), eight hex digits of a hash keep different names apart.
    """
    if AGENT_NAME.fullmatch(name) and name not in RESERVED_AGENTS:
        return name
    plain = unicodedata.normalize("NFKD", name.strip().casefold())
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    lost = any(char.isalnum() and not char.isascii() for char in kept)
    slug = re.sub(r"[^a-z0-9._]+", "-", kept).strip("-._")
    if slug in RESERVED_AGENTS:
        return f"agent-{slug}"
    if slug and len(slug) <= 64 and not lost:
        return slug
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{slug[:55].rstrip('-._') or 'agent'}-{digest}"


def short(value: object, limit: int = 80) -> str:
    r"""`value` for a message: one line, at most `limit` code points (then `…`), unseen and line-breaking characters as `\u…`."""
    text = str(value)
    cut = text[:limit] + "…" if len(text) > limit else text
    return UNSEEN.sub(_escaped, cut)


def content_hash(text: str) -> str:
    """SHA-256 of the UTF-8 bytes as 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def size_of(text: str) -> int:
    """How many bytes `text` has as UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8"))


def estimate_tokens(text: str) -> int:
    """About how many tokens a language model reads: one a CJK character, one for four bytes of anything else, rounded up."""
    if text.isascii():
        return (len(text) + 3) // 4
    runs = CJK.findall(text)
    dense = sum(map(len, runs))
    rest = size_of(text) - sum(map(size_of, runs))
    return dense + (rest + 3) // 4


def excerpt(text: str, limit: int = 120) -> str:
    """The first line that says something, without front matter, heading, list and quote marks; at most `limit` code points, "" if none.

    White space within becomes single blanks; a line that was cut ends in `…`, never within a character and its combining marks.
    """
    body = split(text)[1]
    start = 0
    while start < len(body):
        end = body.find("\n", start)
        end = len(body) if end < 0 else end
        # A line may be a megabyte long; what counts is at its beginning.
        line = body[start : min(end, start + 16 * limit + 4096)].strip()
        said = "" if FENCE_LINE.fullmatch(line) else LINE_MARKS.sub("", line, count=1)
        if line.startswith("#"):
            said = _without_closing_marks(said)
        if not RULE_LINE.fullmatch(said):
            return _cut(" ".join(said.split()), limit)
        start = end + 1
    return _cut(" ".join(text[: 16 * limit].split()), limit)


def _without_closing_marks(heading: str) -> str:
    bare = heading.rstrip("#")
    return bare.rstrip() if bare != bare.rstrip() else heading


def _cut(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    end = limit - 1
    while end > 1 and (line[end] == "\u200d" or line[end - 1] == "\u200d" or unicodedata.category(line[end]) in JOINED_TO_PREVIOUS):
        end -= 1
    return line[:end].rstrip() + "…"


def _one_line(value: str, field: str) -> str:
    value = normalise(value, field).strip()
    if LINE_BREAK.search(value):
        raise InvalidInput(f"The {field} {short(value)!r} has several lines. Put it on one line.", field=field)
    if "\t" in value:
        raise InvalidInput(f"The {field} {short(value)!r} holds a tab, the control character U+0009. Use a blank instead.", field=field)
    return value


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    if char in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char]
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
