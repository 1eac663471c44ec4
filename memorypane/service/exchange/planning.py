"""Plans an import of instruction files by reading them; nothing is written and no store is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from memorypane.model.errors import InvalidInput
from memorypane.model.text import content_hash
from memorypane.service.exchange.finding import Bounds, Found, find_files, is_instruction_file, shown_path
from memorypane.service.exchange.header import Header, read_header
from memorypane.service.exchange.naming import place_label, section_name, unique_name, whole_name
from memorypane.service.exchange.pointers import points_elsewhere
from memorypane.service.exchange.reading import NotReadable, read_text
from memorypane.service.exchange.sections import split_sections, title_only
from memorypane.service.exchange.values import FORMAT, ImportPlan, Origin, Planned, Skipped

__all__ = ["plan_import"]

OTHER_NAME = f"No tool reads a file of this name as instructions. With --format {FORMAT} it is taken all the same."


def plan_import(sources: Sequence[Path], *, split: bool = False, any_name: bool = False, bounds: Bounds | None = None) -> ImportPlan:
    """Read the files behind `sources` and plan one entry a file, or with `split` one a `##` section.

    A source is a file, or a folder that is searched for the names that tools read. A named file of another name is skipped with a
    reason unless `any_name`. Raises `NotFound` for a source that does not exist and `InvalidInput` without sources; whatever is wrong
    with a file is an item of the plan.
    """
    if not sources:
        raise InvalidInput("Name a file or a folder to import from.")
    items: list[Planned | Skipped] = []
    taken: set[str] = set()
    texts: dict[str, str] = {}
    for found in find_files(tuple(sources), bounds or Bounds()):
        path = found.path
        if not isinstance(found, Found):
            items.append(_skipped(path, found.reason))
        elif found.named and not any_name and not is_instruction_file(path):
            items.append(_skipped(path, OTHER_NAME))
        else:
            try:
                items += _plan_file(path, read_text(path), split=split, taken=taken, texts=texts)
            except NotReadable as problem:
                items.append(_skipped(path, problem.reason))
    return ImportPlan(FORMAT, tuple(items))


def _plan_file(path: Path, text: str, *, split: bool, taken: set[str], texts: dict[str, str]) -> Iterator[Planned | Skipped]:
    """The items of one file's text; `taken` holds the names and `texts` the whole texts planned so far."""
    if target := points_elsewhere(text):
        yield _skipped(path, f"It only points to {target}.")
        return
    header = read_header(text)
    if not header.body.strip():
        yield _skipped(path, "There is nothing after its front matter.")
        return
    digest = content_hash(header.body)
    if twin := texts.get(digest):
        yield _skipped(path, f"It has the same text as {twin}.")
        return
    texts[digest] = shown_path(path)
    parts = split_sections(header.body) if split else ()
    if len(parts) < 2:
        yield _whole(path, header, taken)
        return
    label = place_label(path)
    for part in parts:
        name = section_name(part.heading, part.number, _own_name(path, header), label)
        if part.number == 0 and title_only(part.text):
            yield Skipped(shown_path(path), name, "There is nothing but the title before the first section.")
            continue
        yield Planned(
            shown_path(path), unique_name(name, path, taken), part.heading, header.description if part.number == 0 else "", part.text,
            Origin(shown_path(path), part.heading, part.number), _detail(header),
        )


def _whole(path: Path, header: Header, taken: set[str]) -> Planned:
    """One entry with the whole body of a file."""
    name = unique_name(whole_name(_own_name(path, header), place_label(path)), path, taken)
    return Planned(shown_path(path), name, "", header.description, header.body, Origin(shown_path(path)), _detail(header))


def _own_name(path: Path, header: Header) -> str:
    """What a file calls itself: the `name` of its front matter, a rule file's stem, else the file's name."""
    return header.name or shown_path(Path(path.stem if path.suffix == ".mdc" else path.name))


def _detail(header: Header) -> dict[str, object]:
    """What the file said about itself, for the provenance."""
    detail: dict[str, object] = {"format": FORMAT}
    if header.fields:
        detail["front_matter"] = dict(header.fields)
    if header.note:
        detail["note"] = header.note
    return detail


def _skipped(path: Path, reason: str) -> Skipped:
    return Skipped(shown_path(path), shown_path(Path(path.name)), reason)
