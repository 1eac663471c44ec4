"""Unsaved texts on disk: written as one types, offered again after a crash, gone once saved or discarded."""

from __future__ import annotations

import json
import os
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from memorypane.home.paths import write_private
from memorypane.model.errors import Unavailable

__all__ = ["Draft", "DraftBox", "Words"]

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Words:
    """What can be written in an entry."""

    name: str = ""
    description: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody was writing.

    `entry_id` is "" for an entry that does not exist yet; `base` is the version the text started from and `before` its words, so that a
    merge is possible whatever happened since. `saved_at` is in ms UTC.
    """

    entry_id: str
    tier: str
    shelf: str
    owner: str
    base: int
    before: Words
    words: Words
    saved_at: int = 0

    @property
    def subject(self) -> str:
        """What the draft is for; one subject has at most one draft a window."""
        return self.entry_id or f"new {self.tier}/{self.shelf} {self.owner}"

    @property
    def dirty(self) -> bool:
        """Whether it differs from what it started from."""
        return self.words != self.before


def _draft(raw: dict[str, object]) -> Draft | None:
    """The draft in a file's values, None if they are not what this version writes."""
    texts = [raw.get(key) for key in ("entry_id", "tier", "shelf", "owner")]
    before, words = _words(raw.get("before")), _words(raw.get("words"))
    base, saved_at = raw.get("base"), raw.get("saved_at")
    strings = [text for text in texts if isinstance(text, str)]
    if raw.get("format") != _FORMAT or len(strings) != len(texts) or before is None or words is None:
        return None
    if not isinstance(base, int) or not isinstance(saved_at, int):
        return None
    entry_id, tier, shelf, owner = strings
    return Draft(entry_id, tier, shelf, owner, base, before, words, saved_at)


def _words(raw: object) -> Words | None:
    if not isinstance(raw, dict):
        return None
    name, description, content = raw.get("name"), raw.get("description"), raw.get("content")
    if not isinstance(name, str) or not isinstance(description, str) or not isinstance(content, str):
        return None
    return Words(name, description, content)


def _process_stamp(pid: int) -> str:
    """Something that differs between two processes of the same number; "" if there is no such process or no way to tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


class DraftBox:
    """The drafts of one store inside a home's drafts folder.

    Every window writes files of its own, so two windows never overwrite each other's drafts. Writing and removing may be
    asked for on different threads: each carries a rising `turn`, and an older turn never undoes a newer one.
    """

    def __init__(self, folder: Path, store: str) -> None:
        self._folder = folder
        self._store = store
        self._session = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._turns: dict[str, int] = {}
        self._next = 0
        self._files: dict[str, Path] = {}

    def turn(self) -> int:
        """A number for the next `write` or `remove`, higher than all before."""
        with self._lock:
            self._next += 1
            return self._next

    def write(self, draft: Draft, turn: int) -> None:
        """Keep the draft (0600, whole or not at all); `Unavailable` if the disk refuses."""
        body = {"format": _FORMAT, "store": self._store, "pid": os.getpid(), "process": _process_stamp(os.getpid()), **asdict(draft)}
        with self._lock:
            if self._turns.get(draft.subject, 0) > turn:
                return
            self._turns[draft.subject] = turn
            path = self._files.setdefault(draft.subject, self._folder / f"{self._session}-{len(self._files)}.json")
            write_private(path, json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def remove(self, subject: str, turn: int) -> None:
        """Forget the draft of a subject, also one taken over from an earlier session; a missing one is fine."""
        with self._lock:
            if self._turns.get(subject, 0) > turn:
                return
            self._turns[subject] = turn
            if path := self._files.pop(subject, None):
                self._unlink(path)

    def discard(self, found: Draft) -> None:
        """Remove every file that holds exactly this draft, whichever session wrote it."""
        for path, draft in self._readable():
            if replace(draft, saved_at=0) == replace(found, saved_at=0):
                self._unlink(path)

    def take_over(self, found: Draft) -> None:
        """Go on with a draft of an earlier session: later writes and removals of its subject act on that file."""
        with self._lock:
            for path, draft in self._readable():
                if draft == found:
                    self._files.setdefault(found.subject, path)
                    return

    def wrote(self, found: Draft) -> bool:
        """Whether this window wrote the draft of that subject, so that it need not be offered as a surprise."""
        with self._lock:
            return found.subject in self._files

    def abandoned(self) -> tuple[Draft, ...]:
        """Drafts whose window is gone (or is this one), newest first; damaged files are passed over and left alone."""
        found = [draft for path, draft in self._readable() if not self._in_use(path)]
        return tuple(sorted(found, key=lambda draft: -draft.saved_at))

    def find(self, subject: str) -> Draft | None:
        """The newest abandoned draft of one subject."""
        return next((draft for draft in self.abandoned() if draft.subject == subject), None)

    def _readable(self) -> list[tuple[Path, Draft]]:
        found = []
        try:
            paths = sorted(self._folder.glob("*.json"))
        except OSError as problem:
            raise Unavailable(f"The drafts in {self._folder} cannot be read: {problem.strerror or problem}.") from problem
        for path in paths:
            raw = self._load(path)
            if raw is not None and raw.get("store") == self._store and (draft := _draft(raw)) is not None:
                found.append((path, draft))
        return found

    def _in_use(self, path: Path) -> bool:
        raw = self._load(path) or {}
        pid, stamp = raw.get("pid"), raw.get("process")
        return isinstance(pid, int) and pid != os.getpid() and bool(stamp) and _process_stamp(pid) == stamp

    @staticmethod
    def _load(path: Path) -> dict[str, object] | None:
        try:
            raw = json.loads(path.read_bytes().decode("utf-8", "surrogatepass"))
        except (OSError, ValueError):
            return None
        return raw if isinstance(raw, dict) else None

    @staticmethod
    def _unlink(path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as problem:
            raise Unavailable(f"The draft {path} cannot be removed: {problem.strerror or problem}.") from problem
