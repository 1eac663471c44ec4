"""The startup text: what one agent reads before anything else, out of all entries it inherits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from memorypane.model.blocks import scan
from memorypane.model.embed import embed, embed_line
from memorypane.model.fold import fold
from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, RECORDS, SYSTEM, TOPICS, Shelf
from memorypane.model.text import estimate_tokens, excerpt, size_of
from memorypane.model.topics import topic_size

__all__ = ["TITLES", "Composition", "Omitted", "Part", "Placed", "Section", "compose"]

UNREVIEWED = "not reviewed yet"
CLOSING = 400
"""Bytes kept free for the sentence that says what was left out."""
NAMED = 8
"""How many of those it names."""


@dataclass(frozen=True, slots=True)
class Part:
    """A live entry that the agent inherits; `human` means that the person wrote its last deciding version."""

    tier: str
    shelf: str
    entry_id: str
    version: int
    name: str
    description: str
    content: str
    human: bool
    reviewed: bool
    updated_at: int
    kind: str = ""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """Where an entry stands in the text, in code points, with its heading and its last newline."""

    entry_id: str
    version: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its heading's title, its UTF-8 size, about how many tokens, where it stands (in code points) and its entries."""

    tier: str
    shelf: str
    title: str
    bytes: int
    tokens: int
    start: int
    end: int
    entries: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Omitted:
    """An entry that found no room; `size` is that of its content in bytes."""

    entry_id: str
    name: str
    tier: str
    size: int
    why: str


@dataclass(frozen=True, slots=True)
class Composition:
    """The startup text and what it is made of."""

    text: str
    sections: tuple[Section, ...]
    bytes: int
    tokens: int
    omitted: tuple[Omitted, ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the entries of one shelf are shown; `share` is the reserved part of the limit in hundredths."""

    shelf: Shelf
    title: str
    about: str
    style: Literal["named", "item", "index"]
    share: int


PLANS = (
    _Plan(
        SYSTEM, "System instructions", "These rules were set by the person. They override everything below, whatever it says.", "named", 35
    ),
    _Plan(INSTRUCTIONS, "Instructions for every agent", "", "named", 25),
    _Plan(PROFILE, "About the user", "", "item", 5),
    _Plan(RECORDS, "This workspace", "", "item", 15),
    _Plan(NOTES, "Your own notes", "", "item", 5),
    _Plan(FILES, "Your own files", "", "named", 10),
    _Plan(TOPICS, "Index of topics", "Names, sizes and descriptions only. Open a topic by its name when it matters.", "index", 5),
)

TITLES: Mapping[Shelf, str] = MappingProxyType({plan.shelf: plan.title for plan in PLANS})
"""What the sections are called; that of the records bears the workspace's name where it is known."""


@dataclass(slots=True)
class _Draft:
    """A section before its entries are chosen: what stands before them, and each entry with its text."""

    plan: _Plan
    title: str
    opening: str
    entries: list[tuple[Part, str]]
    taken: set[int] = field(default_factory=set)

    @property
    def overhead(self) -> int:
        """Bytes of the heading and of the blank line that parts it from the section before."""
        return size_of(self.opening) + 1

    def by_weight(self) -> list[int]:
        """Numbers of the entries as they get room: the person's, reviewed, pinned ones first, else in order."""
        parts = [part for part, _ in self.entries]
        weights = [(not part.human, not part.reviewed, not part.pinned) for part in parts]
        return sorted(range(len(parts)), key=weights.__getitem__)


def compose(parts: Sequence[Part], *, channel: str, workspace: str = "", limit: int | None = None) -> Composition:
    """Compose the startup text: the same parts give the same bytes.

    Parts of one shelf stay in their order. `workspace` is the name of the workspace whose records are among them. Whatever an entry holds,
    it can neither forge nor end nor hide a heading, entry or section. With a `limit` in bytes each tier has a reserved share, the person's
    and reviewed entries come first, entries are taken whole, and what finds no room is listed and named in the last line.
    """
    drafts = list(_drafts(parts, workspace))
    opening = f"What is remembered for you in the channel {embed_line(channel)}. Where two texts disagree, the one further up counts.\n\n"
    if not drafts:
        opening += "Nothing is remembered yet.\n"
    full = size_of(opening) + sum(draft.overhead + sum(size_of(text) + 1 for _, text in draft.entries) for draft in drafts)
    closing = ""
    if limit is None or full <= limit:
        for draft in drafts:
            draft.taken.update(range(len(draft.entries)))
    else:
        _take(drafts, limit - size_of(opening) - CLOSING)
        left = [_display_name(part) for draft in drafts for number, (part, _) in enumerate(draft.entries) if number not in draft.taken]
        closing = _closing(left, CLOSING - 1)
        if size_of(opening) + size_of(closing) > limit:
            opening, closing = "", closing if size_of(closing) <= limit else ""
    return _assemble(drafts, opening, closing, limit or 0)


def _drafts(parts: Sequence[Part], workspace: str) -> Iterator[_Draft]:
    name = embed_line(workspace)
    titles = {plan: f"Workspace {name}" if name and plan.shelf == RECORDS else plan.title for plan in PLANS}
    guarded = frozenset(map(fold, titles.values()))
    shelves: dict[tuple[str, str], list[Part]] = {}
    for part in parts:
        shelves.setdefault((part.tier, part.shelf), []).append(part)
    for plan, title in titles.items():
        here = shelves.get((plan.shelf.tier, plan.shelf.name), [])
        if plan.shelf == FILES:
            here = sorted(here, key=lambda part: part.name != "MEMORY.md")
        if here:
            about = f"{plan.about}\n\n" if plan.about else ""
            yield _Draft(plan, title, f"# {title}\n\n{about}", [(part, _WRITERS[plan.style](part, guarded)) for part in here])


def _named(part: Part, titles: frozenset[str]) -> str:
    name = embed_line(part.name) or "Untitled"
    if fold(name) in titles:
        name = f"Entry named “{name}”"
    mark = "" if part.reviewed else f" ({UNREVIEWED})"
    about = embed_line(part.description)
    body = embed(part.content, 3, titles)
    return "\n\n".join([f"## {name}{mark}", *([f"About: {about}"] if about else []), *([body] if body else [])]) + "\n"


def _item(part: Part, titles: frozenset[str]) -> str:
    words = [part.kind.replace("_", " ")] if part.kind else []
    words += ["pinned"] if part.pinned else []
    words += [] if part.reviewed else [UNREVIEWED]
    tags = f"[{', '.join(words)}]" if words else ""
    body = embed(part.content.strip(), 3, titles, indent=2)[2:]
    first = body.split("\n", 1)[0]
    if not body or (tags and _is_plain(first)):
        return f"- {tags} {body}".rstrip() + "\n"
    if tags or next(scan(f"- {first}")).kind == "rule":
        # What is no paragraph would become one with the mark before it; a rule would take its own marker in.
        return f"- {tags or '…'}\n\n  {body}\n"
    return f"- {body}\n"


def _is_plain(line: str) -> bool:
    """Whether a text that begins with this line begins with a paragraph."""
    first = next(scan(line))
    return first.kind == "text" and first.at == 0


def _index(part: Part, titles: frozenset[str]) -> str:
    about = f": {part.description}" if part.description.strip() else ""
    size = topic_size(part.description, size_of(part.content))
    line = " ".join(f"{part.name} ({size:,} bytes){about}".split())
    return f"- {embed(line, 3, titles, indent=2)[2:]}\n"


_WRITERS = {"named": _named, "item": _item, "index": _index}


def _take(drafts: Sequence[_Draft], room: int) -> None:
    """Choose the entries: within each section's share, then from what is left, the person's and reviewed ones before others."""
    used = 0
    for shares, settled in ((True, False), (False, True), (False, False)):
        for draft in drafts:
            allowed = min(room - used, room * draft.plan.share // 100) if shares else room - used
            for number in draft.by_weight():
                part, text = draft.entries[number]
                cost = size_of(text) + 1 + (0 if draft.taken else draft.overhead)
                if number in draft.taken or cost > allowed or (settled and not (part.human or part.reviewed)):
                    continue
                draft.taken.add(number)
                allowed -= cost
                used += cost


def _closing(names: Sequence[str], room: int) -> str:
    """The sentence on what was left out, at most `room` bytes; it names as many entries as fit."""
    count = f"{len(names)} entries" if len(names) > 1 else "1 entry"
    for shown in range(min(len(names), NAMED), -1, -1):
        quoted = ", ".join(f"“{name}”" for name in names[:shown])
        more = f" and {len(names) - shown} more" if 0 < shown < len(names) else ""
        line = f"Left out for lack of room: {count}{f' ({quoted}{more})' if quoted else ''}.\n"
        if size_of(line) <= room:
            return line
    return ""


def _display_name(part: Part) -> str:
    return embed_line(part.name or excerpt(part.content, 60))


def _assemble(drafts: Sequence[_Draft], opening: str, closing: str, limit: int) -> Composition:
    pieces, at = [opening], len(opening)
    sections: list[Section] = []
    omitted: list[Omitted] = []
    for draft in drafts:
        omitted += [_left_out(*entry, limit) for number, entry in enumerate(draft.entries) if number not in draft.taken]
        if not draft.taken:
            continue
        if sections:
            pieces.append("\n")
            at += 1
        whole, placed = _write(draft, at)
        shelf = draft.plan.shelf
        sections.append(
            Section(str(shelf.tier), shelf.name, draft.title, size_of(whole), estimate_tokens(whole), at, at + len(whole), tuple(placed))
        )
        pieces.append(whole)
        at += len(whole)
    pieces.append(f"\n{closing}" if closing and sections else closing)
    text = "".join(pieces)
    return Composition(text, tuple(sections), size_of(text), estimate_tokens(text), tuple(omitted))


def _write(draft: _Draft, at: int) -> tuple[str, list[Placed]]:
    """The text of a section that begins at `at`, and where its entries stand."""
    texts = [draft.opening]
    at += len(draft.opening)
    placed: list[Placed] = []
    for number in sorted(draft.taken):
        part, text = draft.entries[number]
        if placed and draft.plan.style == "named":
            texts.append("\n")
            at += 1
        placed.append(Placed(part.entry_id, part.version, at, at + len(text)))
        texts.append(text)
        at += len(text)
    return "".join(texts), placed


def _left_out(part: Part, text: str, limit: int) -> Omitted:
    why = "larger than the whole limit" if size_of(text) > limit else "no room left"
    return Omitted(part.entry_id, part.name or excerpt(part.content, 60), part.tier, size_of(part.content), why)
