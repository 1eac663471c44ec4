"""Every failure a caller can act on.

    MemoryPaneError            code, sentence, extra data for the answer
    ├── InvalidInput           invalid_input   the caller's words are off
    ├── NotFound               not_found       nothing there that this caller may see
    ├── Ambiguous              ambiguous       several places fit
    ├── Conflict               conflict        the head moved; carries current_version and current
    ├── OverLimit              over_limit      too large, too many, too often
    ├── DuplicateName          duplicate_name  the name is taken; carries the holder's id
    ├── NotAllowed             not_allowed     a rule forbids it
    ├── SecretRefused          secret          a credential; never carries its value
    └── Unavailable            unavailable     the environment failed: disk, store, server
        ├── StoreDamaged                       the file cannot be read as a store
        ├── StoreForeign                       a database, but not one of ours
        └── StoreNewer                         written by a newer program

The codes are part of the outside interface; the wording of the sentences is not.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "Ambiguous", "Conflict", "DuplicateName", "InvalidInput", "MemoryPaneError", "NotAllowed", "NotFound", "OverLimit",
    "SecretRefused", "StoreDamaged", "StoreForeign", "StoreNewer", "Unavailable",
]


class MemoryPaneError(Exception):
    """A failure with a code for programs, a sentence for people and models, and data for the answer."""

    code: ClassVar[str] = "unavailable"

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = data

    def as_dict(self) -> dict[str, Any]:
        """Return `{code, message, …}` as it stands in answers."""
        return {"code": self.code, "message": self.message, **self.data}


class InvalidInput(MemoryPaneError):
    """The caller's words are off; the sentence names the place and the rule."""

    code = "invalid_input"


class NotFound(MemoryPaneError):
    """There is nothing of that id or name that this caller may see."""

    code = "not_found"


class Ambiguous(MemoryPaneError):
    """Several places fit where exactly one was needed."""

    code = "ambiguous"


class Conflict(MemoryPaneError):
    """The entry moved since the caller looked; `current_version` and `current` say where it stands."""

    code = "conflict"


class OverLimit(MemoryPaneError):
    """Too large, too many or too often."""

    code = "over_limit"


class DuplicateName(MemoryPaneError):
    """Another live entry of the shelf holds the name; `holder` is its id."""

    code = "duplicate_name"


class NotAllowed(MemoryPaneError):
    """A rule forbids it for this caller."""

    code = "not_allowed"


class SecretRefused(MemoryPaneError):
    """The text holds a credential; the kind is named, the value never."""

    code = "secret"


class Unavailable(MemoryPaneError):
    """The environment failed: disk, permissions, a busy or unreadable store, no server."""

    code = "unavailable"


class StoreDamaged(Unavailable):
    """The file cannot be read as a database, or its pages are broken."""


class StoreForeign(Unavailable):
    """The file is a database of another program."""


class StoreNewer(Unavailable):
    """The file was written by a newer version of this program."""
