"""A bounded list of unnamed notes: finding one, changing it, adding and removing, on a copy; nothing here reads or writes a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from memorypane.model.errors import Ambiguous, InvalidInput, MemoryPaneError, NotFound
from memorypane.model.spans import explain_miss, occurrences, replace_once
from memorypane.model.text import normalise, short

__all__ = ["DELIMITER", "Done", "Note", "NoteAction", "Operation", "carry_out", "measure", "read_operation", "usage"]

DELIMITER = "§"
GAP = len(f"\n{DELIMITER}\n")
"""What lies between two entries counts this much."""
PREVIEW = 80
NoteAction = Literal["add", "patch", "remove"]
Earlier = Callable[[str], Sequence[str]]
"""The texts of an entry's stored versions by its key, oldest first; none for an entry that is not stored."""


@dataclass(frozen=True, slots=True)
class Note:
    """One entry of the list; `key` is its stored id, "" for one that this call adds."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One change as asked for, line ends folded, nothing stripped; "" = not given."""

    action: NoteAction
    text: str = ""
    old: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one operation: a sentence, and the entry's text before ("" = added) and after ("" = removed), where one changed."""

    action: NoteAction
    said: str
    before: str = ""
    after: str = ""


def read_operation(action: NoteAction, fields: Mapping[str, str | None]) -> Operation:
    """Read an operation from `content`, `new_text` (its alias; `content` wins unless it is empty) and `old_text`.

    Raises `InvalidInput` for control characters in any of them.
    """
    content, alias, old = (normalise(fields.get(name) or "", name) for name in ("content", "new_text", "old_text"))
    return Operation(action, content or alias, old)


def measure(texts: Iterable[str]) -> int:
    """Code points of the entries joined by the delimiter on a line of its own."""
    lengths = [len(text) for text in texts]
    return sum(lengths) + GAP * max(0, len(lengths) - 1)


def usage(used: int, limit: int) -> str:
    """How full the list is, as answers say it: percent floored and at most 100, thousands grouped; a limit of 0 is none."""
    return f"{min(100, used * 100 // limit)}% — {used:,}/{limit:,} chars" if limit else f"{used:,} chars, no limit"


def carry_out(
    notes: Sequence[Note], operations: Sequence[Operation], earlier: Earlier, quote: Callable[[str], str] = short
) -> tuple[list[Note], list[Done]]:
    """Apply the operations in order to a copy of the list, each seeing what those before it left; return list and report.

    The first that fails raises `InvalidInput`, `NotFound` or `Ambiguous` with its number (from 1) as `operation`, and `current_entries`,
    `matches` or `count` where they help. `quote` makes a caller's text fit for a message.
    """
    working, done = list(notes), []
    for number, operation in enumerate(operations, 1):
        try:
            done.append(_STEPS[operation.action](working, operation, earlier, quote))
        except MemoryPaneError as problem:
            raise type(problem)(problem.message, **problem.data, operation=number) from problem
    return working, done


def _add(working: list[Note], operation: Operation, _earlier: Earlier, _quote: Callable[[str], str]) -> Done:
    text = operation.text.strip()
    if not text:
        raise InvalidInput("add needs the text of the new entry in content; it is empty.")
    _refuse_delimiter(text)
    if any(note.text == text for note in working):
        return Done("add", "That text is in the list already; nothing was written.")
    working.append(Note("", text))
    return Done("add", "Added.", after=text)


def _patch(working: list[Note], operation: Operation, earlier: Earlier, quote: Callable[[str], str]) -> Done:
    if not operation.old:
        raise _without_old_text("patch", working)
    if not operation.text:
        raise InvalidInput("patch needs the replacement in content; it is empty. To delete an entry, use remove.")
    _refuse_delimiter(operation.text)
    stripped = (operation.old.strip(), operation.text.strip())
    pairs = [pair for pair in ((operation.old, operation.text), stripped) if pair[0]]
    for old, new in pairs:
        if found := _matching(working, old):
            if not new:
                break
            return _patch_one(working, _only(found, old, quote), old, new, earlier)
    if not stripped[0]:
        raise _without_old_text("patch", working)
    if not stripped[1]:
        raise InvalidInput("patch needs the replacement in content; it is blank. To delete an entry, use remove.")
    for note in working:
        if any(_took_effect([*earlier(note.key), note.text], old, new) for old, new in pairs):
            return _already(note)
    raise _no_match(working, stripped[0], quote)


def _patch_one(working: list[Note], note: Note, old: str, new: str, earlier: Earlier) -> Done:
    if any(occurrences(text, old) == 1 and text != note.text == replace_once(text, old, new).strip() for text in earlier(note.key)):
        return _already(note)
    if (count := occurrences(note.text, old)) > 1:
        raise Ambiguous(
            f"The text in old_text stands {count} times in that entry. Send a longer piece that stands there once.", count=count
        )
    after = replace_once(note.text, old, new).strip()
    if not after:
        raise InvalidInput("This patch would leave an empty entry. To delete it, use remove.")
    _refuse_delimiter(after)
    if after == note.text:
        return _already(note)
    at = working.index(note)
    twin = next((other for number, other in enumerate(working) if number != at and other.text == after), None)
    if twin is None:
        working[at] = replace(note, text=after)
        return Done("patch", "Replaced.", note.text, after)
    if note.key and not twin.key:
        working[at] = replace(note, text=after)
        working.remove(twin)
    else:
        del working[at]
    return Done("patch", "Replaced; another entry had that text already, so one of the two was left.", note.text, after)


def _remove(working: list[Note], operation: Operation, _earlier: Earlier, quote: Callable[[str], str]) -> Done:
    old = operation.old.strip()
    if not old:
        raise _without_old_text("remove", working)
    found = _matching(working, old)
    if not found:
        raise _no_match(working, old, quote)
    note = _only(found, old, quote)
    working.remove(note)
    return Done("remove", "Removed.", before=note.text)


_STEPS = {"add": _add, "patch": _patch, "remove": _remove}


def _matching(working: Sequence[Note], old: str) -> list[Note]:
    """The entries that equal `old`, else those that contain it."""
    return [note for note in working if note.text == old] or [note for note in working if old in note.text]


def _only(found: Sequence[Note], old: str, quote: Callable[[str], str]) -> Note:
    """The entry that matches; equal ones count as one."""
    texts = list(dict.fromkeys(note.text for note in found))
    if len(texts) > 1:
        raise Ambiguous(
            f"{len(texts)} entries hold {quote(old)!r}. Send a longer piece that only one of them holds.",
            matches=[text[:PREVIEW] for text in texts],
        )
    return found[0]


def _took_effect(texts: Sequence[str], old: str, new: str) -> bool:
    """Whether a patch that matches nothing any more stands already in an entry (its versions' texts, oldest first, the last one current).

    Either an earlier text with the replacement made is the current one, or one step took `old` out and brought `new` in, and `new` is
    still there.
    """
    *before, now = texts
    if any(occurrences(text, old) == 1 and replace_once(text, old, new).strip() == now for text in before):
        return True
    if not new.strip() or new not in now:
        return False
    return any(occurrences(one, old) == 1 and old not in two and two.count(new) > one.count(new) for one, two in pairwise(texts))


def _already(note: Note) -> Done:
    return Done("patch", "That was already applied; nothing was written.", note.text, note.text)


def _no_match(working: Sequence[Note], old: str, quote: Callable[[str], str]) -> NotFound:
    near = next((said for note in working if (said := explain_miss(note.text, old))), "")
    advice = near or "Send a piece of an entry exactly as it stands."
    return NotFound(f"No entry holds {quote(old)!r}. {advice}", current_entries=[note.text for note in working])


def _without_old_text(action: str, working: Sequence[Note]) -> InvalidInput:
    return InvalidInput(
        f"{action} needs old_text: a piece of the entry you mean, exactly as it stands, that no other entry holds. "
        "Send the call again with it.",
        current_entries=[note.text for note in working],
    )


def _refuse_delimiter(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() == DELIMITER:
            raise InvalidInput(
                f"Line {number} of the text would be only the sign {DELIMITER}, which parts entries. "
                "Leave that line out, or write more on it."
            )
