"""Makes the stored store of the newest schema: `python -m tests.store.make_stored`.

A store of each schema that was ever released stays in `stored/`, so that every later program is tried on it. The one of a released schema
is never made again.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memorypane.home.paths import Home
from memorypane.model.shelves import FILES, INSTRUCTIONS, NOTES, PROFILE, RECORDS, SYSTEM, TOPICS
from memorypane.service.desk import Desk
from memorypane.service.importing import ImportItem
from memorypane.service.person import PersonFace
from memorypane.store.schema import SCHEMA_VERSION
from tests.service.support import Agent, Clock

STORED = Path(__file__).with_name("stored")
JEKT = {"source": "jekt"}


def make(folder: Path) -> Path:
    """Fill a store with a row of every kind, by the service alone, and return its file."""
    home, clock = Home(folder), Clock()
    with Desk.open(home, clock=clock) as desk:
        person = desk.person(via="window")
        person.set_policy("strict", shelf="global/topics")
        person.set_setting("quota.writes_per_minute", "1000")
        shared, other = person.add_workspace(Path("/usr/share"), name="Shared things"), Path("/usr/lib")
        alice = Agent.enter(desk, "alice", person.add_agent("alice", families=["global", "workspace"]).token, workspace=shared.path)
        Agent.enter(desk, "mallory", workspace=str(other))
        person.close_workspace(shared.id, agent="mallory")
        person.add_agent("carol")
        person.revoke_agent("carol")
        fill_with_entries(person, alice, clock)
        fill_with_records(person, alice, shared.id)
        fill_with_proposals(person, alice)
        desk.leave(alice.caller)
    return home.shared_store


def fill_with_entries(person: PersonFace, alice: Agent, clock: Clock) -> None:
    """Entries of every shelf but the records, and every verb on one of them."""
    made = alice.write("Style", "Use café-quality words.\n用户身份 stays.\n", provenance={"source": "human", "detail": {"said": "so"}})
    person.add(PROFILE, content="Likes tea.")
    person.add(TOPICS, name="areas/tea", description="All about tea", content="Green.\n")
    person.add(NOTES, owner="alice", content="The build takes long.")
    file = alice.do("MemoryWrite", filename="MEMORY.md", content="---\nmetadata:\n  type: index\n---\nIndex\n")["id"]
    verbs: list[Callable[[], object]] = [
        lambda: person.edit(made, content="Use plain words.\n"), lambda: person.pin(made), lambda: person.unpin(made),
        lambda: person.reorder(person.add(INSTRUCTIONS, name="Second", content="text").id, before=made),
        lambda: person.promote(made, name="Style rule"), lambda: person.demote(made), lambda: person.remove(made),
        lambda: person.restore(made), lambda: person.revert(made, 1), lambda: person.move(file, INSTRUCTIONS),
    ]  # fmt: skip
    for verb in verbs:
        clock.pass_by(seconds=1)
        verb()
    person.add(SYSTEM, name="Kindness", content="Be kind.")
    person.import_entries([ImportItem(INSTRUCTIONS, "AGENTS.md", "Imported", "From a file.")])
    person.remove(person.add(INSTRUCTIONS, name="Removed", content="Gone, and can come back.").id)
    person.purge(person.add(FILES, owner="alice", name="erased.md", content="never to be seen again").id)


def fill_with_records(person: PersonFace, alice: Agent, workspace: str) -> None:
    """Records with evidence: one that stands, one that was corrected, one that is hidden."""

    def remember(content: str) -> str:
        evidence = [{"type": "library_file", "id": "README.md", "snippet": content}]
        words = {"folderId": workspace, "kind": "semantic_fact", "content": content, "evidenceRefs": evidence, "confidence": 0.9}
        return str(alice.do("remember_workspace_memory", **words)["memory"]["id"])

    remember("The parser reads lines.")
    wrong, hidden = remember("The writer writes pages."), remember("Somebody's phone number.")
    alice.do("correct_workspace_memory", folderId=workspace, memoryId=wrong, content="The writer writes lines.")
    alice.do("forget_workspace_memory", folderId=workspace, memoryId=hidden)
    person.add(RECORDS, owner=workspace, content="The person's own.", kind="procedural_preference")


def fill_with_proposals(person: PersonFace, alice: Agent) -> None:
    """Proposals in every state, a kept and a reverted entry, a refusal, and a decision that was undone."""

    def hold(name: str, content: str, entry_id: str | None = None) -> str:
        words = {"name": name, "content": content, "provenance": JEKT, **({"id": entry_id} if entry_id else {})}
        return str(alice.do("GlobalMemoryWrite", **words)["proposalId"])

    [approved] = person.approve(hold("Approved", "first text")).entries
    person.reject(hold("Rejected", "an unwanted text"), reason="not so")
    hold("Approved", "second text", approved.id)
    hold("Approved", "third text", approved.id)
    hold("Waiting", "still to be looked at")
    person.keep(alice.write("Kept", "text"))
    person.reject(alice.write("Reverted", "not kept"))
    person.keep(alice.write("Kept and not", "text"))
    person.undo()
    alice.refused("GlobalMemoryWrite", name="", content="text")


def main() -> None:
    """Write the file of the newest schema."""
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    target = STORED / f"schema-{SCHEMA_VERSION}.db"
    target.parent.mkdir(exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(make(folder))) as made:
            made.execute("VACUUM INTO ?", (str(target),))
    finally:
        shutil.rmtree(folder)
    sys.stdout.write(f"{target.relative_to(Path.cwd())}: {target.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
