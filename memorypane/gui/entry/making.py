"""Makes the pages under the tabs of an entry."""

from __future__ import annotations

from memorypane.gui.editor.drafts import DraftBox
from memorypane.gui.editor.page import EditorPage
from memorypane.gui.entry.pages import EntryPages
from memorypane.gui.entry.provenance import ProvenancePage
from memorypane.gui.history.page import HistoryPage
from memorypane.gui.reader.page import ReaderPage
from memorypane.gui.theme.theme import Theme
from memorypane.gui.work import Work
from memorypane.service.person import PersonFace

__all__ = ["make_pages"]


def make_pages(theme: Theme, work: Work, person: PersonFace, drafts: DraftBox) -> EntryPages:
    """Return new pages; they belong to the column they are put into, unsaved texts go to `drafts`."""
    return EntryPages(
        reader=ReaderPage(theme, work, person),
        editor=EditorPage(theme, work, person, drafts),
        history=HistoryPage(theme, work, person),
        provenance=ProvenancePage(theme, work, person),
    )
