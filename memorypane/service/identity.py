"""Who is at the door: an agent is who its token says, or unverified under the name it claims."""

from __future__ import annotations

import hmac
import uuid
from dataclasses import dataclass

from memorypane.control.peers import program_of
from memorypane.home.tokens import hash_token
from memorypane.model import text
from memorypane.model.errors import NotAllowed
from memorypane.model.values import Agent, Connection
from memorypane.service import places
from memorypane.service.author import Author
from memorypane.store import agents, events
from memorypane.store.transaction import Transaction

__all__ = ["Caller", "Hello", "admit"]


@dataclass(frozen=True, slots=True)
class Hello:
    """What a connection says of itself, and what was observed of it (`pid` of the peer, `parent_pid` of the peer's parent)."""

    agent: str
    token: str = ""
    workspace: str = ""
    families: tuple[str, ...] = ()
    pid: int = 0
    parent_pid: int = 0
    client_name: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """An admitted connection: the agent, whether its token was right, its workspace's id ("" = none) and the families it asked for."""

    agent: str
    verified: bool
    connection: str
    workspace: str
    families: tuple[str, ...]
    channel: str
    isolated: bool
    via: str

    @property
    def author(self) -> Author:
        """The author of every call on this connection."""
        return Author.of_agent(
            self.agent, via=self.via, channel=self.channel, verified=self.verified, connection=self.connection, workspace=self.workspace
        )


def admit(transaction: Transaction, hello: Hello, *, channel: str, isolated: bool, via: str) -> Caller:
    """Let a connection in under a verified or an unverified name.

    Raises `NotAllowed` for a wrong token, a revoked agent, and a registered name without its token: none of these is downgraded to
    unverified, since that would hand the agent's name to anybody.
    """
    name = text.slug_agent(hello.agent)
    known = agents.agent(transaction, name)
    verified = _verify(name, known, agents.token_hash(transaction, name), hello.token)
    families = tuple(family for family in hello.families if not (known and known.families) or family in known.families)
    families = families or (known.families if known else ())
    workspace = places.workspace_of(transaction, hello.workspace) if hello.workspace else None
    made = Connection(
        id=str(uuid.uuid4()),
        agent=name,
        verified=verified,
        channel=channel,
        workspace=workspace.id if workspace else "",
        pid=hello.pid,
        program=program_of(hello.pid),
        parent_pid=hello.parent_pid,
        parent_program=program_of(hello.parent_pid),
        started_at=transaction.now,
    )
    caller = Caller(name, verified, made.id, made.workspace, families, channel, isolated, via)
    if agents.seen(transaction, name):
        events.record(transaction, caller.author.trace(""), "agent_seen", detail={"agent": name, "verified": False})
    agents.connected(transaction, made, hello.client_name)
    return caller


def _verify(name: str, known: Agent | None, kept: str, token: str) -> bool:
    if known is not None and known.revoked:
        raise NotAllowed(f"The person has revoked the agent {name!r}. Its memory stays; ask the person if it should be let in again.")
    if kept:
        if token and hmac.compare_digest(kept, hash_token(token)):
            return True
        missing = "brought a wrong token" if token else "brought no token"
        raise NotAllowed(
            f"The agent {name!r} is registered, and this connection {missing}. The person can make a new one in the agent's settings."
        )
    if token:
        raise NotAllowed(
            f"This connection brought a token, but no agent {name!r} is registered in this channel. Check the agent's name and the channel."
        )
    return False
