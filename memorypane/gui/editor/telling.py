"""What the editor says: on the save button, beside it, and about what somebody else changed; pure functions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from memorypane.gui import words
from memorypane.gui.diffview.panel import Comparison
from memorypane.gui.editor.measures import Budget, Measure
from memorypane.gui.editor.session import Session
from memorypane.model.values import Entry, Status

__all__ = ["obstacle", "open_conflicts", "save_words", "their_change", "warning_words"]


def _tr(text: str) -> str:
    return QCoreApplication.translate("editor", text)


def save_words(session: Session) -> str:
    """What stands on the save button."""
    if session.base is None:
        return _tr("Save new entry")
    return _tr("Save as version {number}").format(number=session.next_version)


def open_conflicts(count: int) -> str:
    """What keeps one from saving a merge, "" if everything is decided."""
    if not count:
        return ""
    return _tr("Decide 1 conflict first") if count == 1 else _tr("Decide {count} conflicts first").format(count=count)


def obstacle(session: Session, problem: str, *, blank: bool, dirty: bool) -> str:
    """What keeps one from saving what is typed, "" if nothing does; `problem` is what the fields say."""
    if session.base is not None and session.base.info.status is not Status.ACTIVE:
        return _tr("This entry was removed. Restore it to go on")
    if session.theirs is not None:
        return _tr("Decide first what to do with version {number}").format(number=session.theirs.info.version)
    if problem:
        return problem
    if blank and not session.shelf.named:
        return _tr("Write something first")
    return _tr("Nothing is changed yet") if not dirty and session.base is not None else ""


def warning_words(measured: Measure, budget: Budget | None) -> str:
    """What one should know before saving, though it can be saved; "" for nothing."""
    return (budget.warning() if budget is not None else "") or measured.hidden_words() or measured.long_words()


def their_change(session: Session, theirs: Entry, now: int) -> Comparison:
    """What somebody else changed since the version that the writing started from."""
    start, current = session.version, theirs.info.version
    by = f"{words.actor_words(theirs.info.actor)}, {words.when(theirs.info.updated_at, now)}"
    version = _tr("Version {number}")
    return Comparison(
        session.before.content, theirs.content, _tr("Version {start} → {current}").format(start=start, current=current),
        _tr("what changed while you were writing"), (version.format(number=start), _tr("where you started")),
        (version.format(number=current), by),
    )
