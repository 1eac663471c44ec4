"""Raw HTML in Markdown: which of it is harmless, and how the rest is escaped so that it reads as it was typed."""

from __future__ import annotations

import re
from bisect import bisect_left

__all__ = ["escape_comments", "escape_inline", "escape_line_start", "escape_open_comments", "is_lone_tag"]

# Every element that HTML knows or knew, and those of SVG that matter: a reader may act on them. Names that HTML does not know, as prompts
# use them for structure, do nothing and stay.
ELEMENT_NAMES = """
    a abbr acronym address animate animatemotion animatetransform annotation-xml applet area article aside audio b base basefont bdi
    bdo bgsound big blink blockquote body br button canvas caption center circle cite clippath code col colgroup command content data
    datalist dd defs del desc details dfn dialog dir div dl dt element ellipse em embed fencedframe fieldset figcaption figure filter
    font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex
    kbd keygen label legend li line link listing main map mark marker marquee mask math menu menuitem meta metadata meter multicol nav
    nextid nobr noembed noframes noscript object ol optgroup option output p param path pattern picture plaintext polygon polyline
    portal pre progress q rb rect rp rt rtc ruby s samp script search section select selectedcontent set shadow slot small source
    spacer span strike strong style sub summary sup svg switch symbol table tbody td template text textarea textpath tfoot th thead
    time title tr track tspan tt u ul use var video view wbr xmp
"""
ELEMENTS = frozenset(ELEMENT_NAMES.split())
HIDING = re.compile(r"\s(?:hidden|inert|popover|style|class|slot|is|on\w+)(?=[\s=/>])", re.IGNORECASE)

NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|\Z)")
_VALUE = r"""[^\s"'=<>`]+|'[^'<>`]*'|"[^"<>`]*\""""
_ATTRIBUTE = rf"[ \t\n]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t\n]*=[ \t\n]*(?:{_VALUE}))?"
PLAIN_TAG = re.compile(rf"<(?:/[A-Za-z][A-Za-z0-9-]*[ \t\n]*|[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*[ \t\n]*/?)>")
LONGEST_TAG = 1_000
AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20\x7f<>`]*>")
# Readers differ in what they take for white space after a tag; whichever is meant, a blank line follows it (see `embed`).
SPACES = " \t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff"
RUN = re.compile(r"[^\s<>]*")
STOP = re.compile(r"\\.|`+|<", re.DOTALL)
BACKTICKS = re.compile("`+")
COMMENT = re.compile("<!--")
ESCAPED_COMMENT = r"<\!--"

TABLE_LINE = re.compile(r"[ \t]*[|:\-][ \t|:\-]*", re.MULTILINE)
LINK_TARGET = re.compile(r"\]\(")
PLAIN_TARGET = re.compile(r"\]\([^\s`<>\"'()\\]*\)")


def escape_open_comments(code: str, also: re.Pattern[str] | None = None) -> str:
    r"""`code` with each `<!--` that nothing in it closes, or that `also` matches after it, as `<\!--`, which nobody takes for a comment."""
    closed = code.rfind("-->")

    def escaped(found: re.Match[str]) -> str:
        reaches_out = found.end() > closed or (also is not None and also.match(code, found.end()))
        return ESCAPED_COMMENT if reaches_out else found[0]

    return COMMENT.sub(escaped, code)


def escape_comments(text: str) -> str:
    """`text` with each `<!--` escaped."""
    return text.replace("<!--", ESCAPED_COMMENT)


def is_lone_tag(line: str) -> bool:
    """Whether `line` is one harmless tag and nothing else, which begins an HTML block unless it stands within a paragraph."""
    tag = line.rstrip(SPACES)
    return PLAIN_TAG.fullmatch(tag) is not None and _is_harmless(tag)


def escape_line_start(line: str) -> str:
    """`line` without what would begin an HTML block at its beginning, wherever it stands."""
    if line.startswith("<!--"):
        return rf"<\{line[1:]}"
    found = NAME.match(line)
    return rf"\{line}" if line.startswith(("<!", "<?")) or (found and found[1].lower() in ELEMENTS) else line


def escape_inline(text: str) -> str:
    """The lines of one paragraph, or a heading, with raw HTML escaped; code spans stay but for comments that they leave open."""
    if "<" not in text:
        return text
    spans = _code_spans(text) if "`" in text and _has_plain_spans(text) else {}
    done: list[str] = []
    at = 0
    while found := STOP.search(text, at):
        start, end = found.span()
        piece = found[0]
        if piece == "<":
            end, piece = _angle(text, start)
        elif start in spans:
            end = spans[start]
            piece = escape_open_comments(text[start:end])
        done += (text[at:start], piece)
        at = end
    return "".join([*done, text[at:]])


def _is_harmless(tag: str) -> bool:
    found = NAME.match(tag)
    return found is not None and found[1].lower() not in ELEMENTS and not HIDING.search(tag)


def _angle(text: str, start: int) -> tuple[int, str]:
    """What to write for the `<` at `start`, and where to go on."""
    if text.startswith("<!--", start):
        return start + 4, ESCAPED_COMMENT
    run = RUN.match(text, start + 1)
    if text.startswith(("<!", "<?"), start) or (run and "`" in run[0]):
        return start + 1, r"\<"
    if link := AUTOLINK.match(text, start):
        return link.end(), link[0]
    if not NAME.match(text, start):
        return start + 1, "<"
    tag = PLAIN_TAG.match(text, start, start + LONGEST_TAG)
    return (tag.end(), tag[0]) if tag and _is_harmless(tag[0]) else (start + 1, r"\<")


def _has_plain_spans(text: str) -> bool:
    """Whether backticks alone decide what is code in this paragraph: no table cell or link target can hold one of a pair."""
    if len(LINK_TARGET.findall(text)) != len(PLAIN_TARGET.findall(text)):
        return False
    return "|" not in text or not any(TABLE_LINE.fullmatch(line) for line in text.split("\n"))


def _code_spans(text: str) -> dict[int, int]:
    """Where runs of backticks begin that open a code span if they are not in one, and where that span ends."""
    starts: dict[int, list[int]] = {}
    runs = [found.span() for found in BACKTICKS.finditer(text)]
    for start, end in runs:
        starts.setdefault(end - start, []).append(start)
    spans: dict[int, int] = {}
    for start, end in runs:
        # A backslash before a run takes its first backtick away, but a run is closed by its full length only.
        for opening in (start, start + 1):
            size = end - opening
            same = starts.get(size, [])
            place = bisect_left(same, end)
            if size and place < len(same):
                spans[opening] = same[place] + size
    return spans
