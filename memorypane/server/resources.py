"""What an agent may read without a tool: the startup text, the index of what it may read, and single entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import mcp_types as types
from mcp.shared.exceptions import MCPError

from memorypane.model.errors import MemoryPaneError
from memorypane.model.values import EntryInfo
from memorypane.service.desk import Desk
from memorypane.service.identity import Caller

__all__ = ["ENTRY_PREFIX", "INDEX_URI", "STARTUP_URI", "Resources"]

STARTUP_URI = "memorypane://startup"
INDEX_URI = "memorypane://index"
ENTRY_PREFIX = "memorypane://entry/"
MARKDOWN = "text/markdown"


class Resources:
    """The resources of one caller; reading them goes through the service as everything an agent does."""

    def __init__(self, desk: Desk, caller: Caller) -> None:
        self._face = desk.agent(caller)

    def listed(self) -> list[types.Resource]:
        """What `resources/list` answers; the entries are named by the index."""
        return [
            types.Resource(
                uri=STARTUP_URI, name="startup", title="Startup memory", mime_type=MARKDOWN,
                description="What to read before anything else: the person's rules, facts and notes for this agent.",
            ),
            types.Resource(
                uri=INDEX_URI, name="index", title="Index of memory", mime_type=MARKDOWN,
                description="Every entry this agent may read, by shelf, each with the address of its text.",
            ),
        ]

    def templates(self) -> list[types.ResourceTemplate]:
        """What `resources/templates/list` answers."""
        return [
            types.ResourceTemplate(
                uri_template=f"{ENTRY_PREFIX}{{id}}", name="entry", title="One entry", mime_type=MARKDOWN,
                description="The text of one entry, by the id that the index, the lists and the search show.",
            )
        ]

    def check(self, uri: str) -> None:
        """Raise a JSON-RPC error unless the address is one that can be read."""
        if uri not in (STARTUP_URI, INDEX_URI):
            if not uri.startswith(ENTRY_PREFIX):
                raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri[:120]!r}. resources/list names the ones there are.")
            self.read(uri)

    def read(self, uri: str) -> types.ReadResourceResult:
        """Return the text behind an address; a JSON-RPC error says what is wrong."""
        try:
            if uri == STARTUP_URI:
                text = self._face.startup_text().text
            elif uri == INDEX_URI:
                text = "\n".join(_index(self._face.index())) + "\n"
            elif uri.startswith(ENTRY_PREFIX):
                text = self._face.entry(uri.removeprefix(ENTRY_PREFIX)).content
            else:
                raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri[:120]!r}. resources/list names the ones there are.")
        except MemoryPaneError as problem:
            raise MCPError(types.INVALID_PARAMS, problem.message, problem.as_dict()) from problem
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)])


def _index(found: Iterable[EntryInfo]) -> Iterator[str]:
    heading = ""
    yield "# What you may read"
    for each in found:
        here = f"{each.tier}/{each.shelf}"
        if here != heading:
            heading = here
            yield f"\n## {heading}\n"
        about = f": {each.description}" if each.description else ""
        yield f"- [{' '.join(each.title.split())}]({ENTRY_PREFIX}{each.id}) version {each.version}{' '.join(about.split())}"
