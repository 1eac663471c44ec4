"""Who makes a call, and the call itself, as the pipeline sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorypane.control.peers import ancestors
from memorypane.model.values import HUMAN, Change, Entry, Provenance, agent_actor
from memorypane.store.events import Trace

__all__ = ["COMMAND", "JEKT", "Author", "Call", "Plan", "Request", "is_jekt"]

COMMAND = "command"
"""The way in of the person's commands; an agent with a shell can take it too."""
JEKT = "jekt"
"""The claim that the text is another agent's message, and the reason for which such writes wait."""


def is_jekt(claim: Provenance) -> bool:
    """Whether a claim is `jekt`, in any letter case."""
    return claim.source.casefold() == JEKT


@dataclass(frozen=True, slots=True)
class Author:
    """The actor as the server knows it, and the way the call came.

    `agent` is "" for the person and for imports; rules bind agents only. `ancestors` names the programs behind a command, nearest first:
    an agent with a shell runs as the person's user, so what commands decided is shown with where it came from.
    """

    actor: str
    via: str
    channel: str
    agent: str = ""
    verified: bool = True
    connection: str = ""
    workspace: str = ""
    ancestors: tuple[str, ...] = ()

    @classmethod
    def person(cls, *, via: str, channel: str) -> Author:
        """The person at the window or a command."""
        return cls(HUMAN, via, channel, ancestors=ancestors() if via == COMMAND else ())

    @classmethod
    def of_agent(cls, name: str, *, via: str, channel: str, verified: bool, connection: str, workspace: str) -> Author:
        """An agent behind a connection."""
        return cls(agent_actor(name), via, channel, agent=name, verified=verified, connection=connection, workspace=workspace)

    def trace(self, tool: str) -> Trace:
        """What the audit trail keeps of a call of this author."""
        return Trace(self.actor, tool, self.via, self.channel, self.connection)


@dataclass(frozen=True, slots=True)
class Call:
    """One write as it was made.

    `whole_text` marks calls that carry an entry's whole text: a newer one replaces an older proposal. `asks` holds hold reasons that the
    call itself brings beside its provenance (`asks_pinned`, `asks_purge`, `jekt`).
    """

    author: Author
    tool: str
    provenance: Provenance
    arguments: Mapping[str, Any] = field(default_factory=dict)
    whole_text: bool = True
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What of a tool's call stands in history and review beside its outcome: the tool, the writer's claim, the arguments as made."""

    tool: str
    provenance: Provenance
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def call(self, author: Author, *, whole_text: bool = False, asks: tuple[str, ...] = ()) -> Call:
        """The call of an author."""
        return Call(author, self.tool, self.provenance, self.arguments, whole_text=whole_text, asks=asks)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a call would change, computed against the heads that `changes` name; no changes = it already stands so.

    `current` is the entry the call was about, where it was about one. `fragile` plans depend on more than those heads (a bounded list,
    a position) and are computed again inside the write transaction.
    """

    changes: Sequence[Change]
    current: Entry | None = None
    fragile: bool = False
