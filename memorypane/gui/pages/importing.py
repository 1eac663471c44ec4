"""Import of instruction files: choose, see what would become of each, then bring them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QVBoxLayout
from typing_extensions import override

from memorypane.gui import words
from memorypane.gui.entries.header import ColumnHeader
from memorypane.gui.keys import KeyAction
from memorypane.gui.places import shelf_place, workspace_place
from memorypane.gui.shell.screen import Known, Screen
from memorypane.gui.table.model import Cell, Column, Row
from memorypane.gui.table.view import Table
from memorypane.gui.theme.bars import BusyLine
from memorypane.gui.theme.buttons import Button, SegmentedControl
from memorypane.gui.theme.fields import Combo
from memorypane.gui.theme.labels import Label
from memorypane.gui.theme.paint import Badge, Tone
from memorypane.gui.theme.panels import Panel
from memorypane.gui.theme.states import EmptyState
from memorypane.gui.theme.theme import Theme
from memorypane.gui.theme.tokens import HEIGHT
from memorypane.gui.work import Work
from memorypane.model.errors import MemoryPaneError
from memorypane.model.shelves import INSTRUCTIONS, RECORDS
from memorypane.service.exchange.planning import plan_import
from memorypane.service.exchange.running import run_import
from memorypane.service.exchange.values import ImportPlan, ImportReport, ItemReport, Planned
from memorypane.service.person import PersonFace

__all__ = ["ImportScreen"]

_LEFT_OUT = "left out"
_TONES: dict[str, Tone] = {"added": "success", "updated": "accent", "held": "warning", "skipped": "plain", "unchanged": "plain"}


@dataclass(frozen=True, slots=True)
class _Tried:
    """A plan and what would become of it."""

    plan: ImportPlan
    report: ImportReport


def _try(person: PersonFace, paths: Sequence[Path], split: bool, owner: str) -> _Tried:  # noqa: FBT001  # handed on by the worker
    plan = plan_import(paths, split=split, any_name=True)
    return _Tried(plan, _run(person, plan, owner, dry_run=True))


def _run(person: PersonFace, plan: ImportPlan, owner: str, *, dry_run: bool) -> ImportReport:
    return run_import(person, plan, shelf=RECORDS if owner else INSTRUCTIONS, owner=owner, dry_run=dry_run)


class ImportScreen(Screen):
    """Three steps on one page: sources and target above, a table of what would happen, the act below."""

    def __init__(self, theme: Theme, work: Work, person: PersonFace) -> None:
        ground = Panel(theme)
        super().__init__(None, ground)
        self._theme, self._work, self._person = theme, work, person
        self._paths: tuple[Path, ...] = ()
        self._tried: _Tried | None = None
        self._left_out: frozenset[int] = frozenset()
        self._known = Known()
        self._ground = ground
        self._header = ColumnHeader(theme)
        self._header.show_title(self.tr("Import instruction files"))
        self._files = Button(theme, self.tr("Choose files…"), icon="file-text")
        self._folder = Button(theme, self.tr("Choose a folder…"), icon="folder")
        self._target = Combo(theme, self.tr("Into"))
        self._split = SegmentedControl(theme, (self.tr("By file"), self.tr("By section")))
        self._busy = BusyLine(theme)
        self.table = Table(theme, (
            Column(self.tr("Entry"), 0), Column(self.tr("From"), 300, "meta", drop=1), Column(self.tr("Outcome"), 110, "badge"),
            Column(self.tr("Why"), 280, "meta"),
        ), self.tr("What would be imported"))
        self._empty = EmptyState(theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.table)
        self._sentence = Label(theme, "", "body", "muted")
        self.act = Button(theme, self.tr("Import"), kind="primary")
        self._build(ground)
        self._files.clicked.connect(self._on_files_clicked)
        self._folder.clicked.connect(self._on_folder_clicked)
        self._target.activated.connect(self._try)
        self._split.chosen.connect(self._try)
        self.act.clicked.connect(self._on_import_clicked)
        self.table.opened.connect(self._on_row_opened)
        self._show_nothing()

    def _build(self, ground: Panel) -> None:
        theme = self._theme
        tools = Panel(theme, ground="surface", bottom=True)
        row = QHBoxLayout(tools)
        row.setContentsMargins(24, 12, 24, 13)
        row.setSpacing(8)
        row.addWidget(self._files)
        row.addWidget(self._folder)
        row.addSpacing(16)
        row.addWidget(Label(theme, self.tr("Into"), "body", "muted"))
        row.addWidget(self._target)
        row.addStretch(1)
        row.addWidget(self._split)
        foot = Panel(theme, ground="surface_alt", top=True, height=HEIGHT.action_bar)
        bar = QHBoxLayout(foot)
        bar.setContentsMargins(24, 0, 24, 0)
        bar.setSpacing(12)
        bar.addWidget(self._sentence, 1)
        bar.addWidget(self.act)
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._header, tools, self._busy):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        column.addWidget(foot)
        ground.setFocusProxy(self._files)

    @override
    def know(self, known: Known) -> None:
        if known.workspaces == self._known.workspaces and self._target.count():
            return
        self._known = known
        chosen = self._target.currentData() or ""
        self._target.clear()
        self._target.addItem(self.tr("Instructions"), "")
        for each in known.workspaces.values():
            self._target.addItem(self.tr("Workspace {name}").format(name=each.name), each.id)
        self._target.setCurrentIndex(max(0, self._target.findData(chosen)))

    @override
    def keys(self) -> tuple[KeyAction, ...]:
        return (
            KeyAction("J", self.tr("next, previous"), lambda: self.table.step(1)),
            KeyAction("K", self.tr("next, previous"), lambda: self.table.step(-1)),
            KeyAction("Space", self.tr("leave out, take in"), self._toggle),
            KeyAction("O", self.tr("choose files"), self._on_files_clicked),
            KeyAction("Ctrl+Return", self.tr("import"), self._on_import_clicked),
        )

    def try_paths(self, paths: Sequence[Path]) -> None:
        """Look at files and folders and show what an import of them would do."""
        self._paths = tuple(paths)
        self._try()

    # choosing

    def _dialog(self, title: str, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self._ground, title)
        dialog.setFileMode(mode)
        dialog.finished.connect(dialog.deleteLater)
        dialog.filesSelected.connect(self._on_paths_chosen)
        dialog.open()

    def _on_files_clicked(self) -> None:
        self._dialog(self.tr("Choose instruction files"), QFileDialog.FileMode.ExistingFiles)

    def _on_folder_clicked(self) -> None:
        self._dialog(self.tr("Choose a folder with instruction files"), QFileDialog.FileMode.Directory)

    def _on_paths_chosen(self, paths: list[str]) -> None:
        self.try_paths([Path(path) for path in paths])

    # trying

    def _try(self) -> None:
        self._left_out = frozenset()
        if not self._paths:
            return
        self._busy.begin()
        split, owner = self._split.index == 1, self._target.currentData() or ""
        self._work.run(
            _try, self._person, self._paths, split, owner, done=self._on_tried, failed=self._on_failed, lane="write", key="try",
        )

    def _on_tried(self, tried: _Tried) -> None:
        self._busy.end()
        self._tried = tried
        self._show_report(tried.report)

    def _show_nothing(self) -> None:
        self._empty.show_words(self.tr(
            "Choose CLAUDE.md, AGENTS.md, GEMINI.md, editor rules, or a folder that holds them. Nothing is written before you say so."
        ))
        self._stack.setCurrentWidget(self._empty)
        self._sentence.show_text("")
        self.act.setEnabled(False)

    def _show_report(self, report: ImportReport) -> None:
        rows = [self._row(number, item, dry=report.dry_run) for number, item in enumerate(report.items)]
        self.table.show_rows(rows)
        if rows:
            self._stack.setCurrentWidget(self.table)
        else:
            self._empty.show_words(self.tr("No instruction file was found there. Choose another folder, or the files themselves."))
            self._stack.setCurrentWidget(self._empty)
        parts = [
            self.tr("{number} {outcome}").format(number=words.count(report.count(outcome)), outcome=outcome)
            for outcome in ("added", "updated", "unchanged", "held", "skipped") if report.count(outcome)
        ]
        listed = ", ".join(parts)
        if not report.dry_run:
            self._sentence.show_text(self.tr("Done: {parts}.").format(parts=listed))
            self.act.setEnabled(False)
            return
        number = self._to_write(report)
        outcome = self.tr("This would be the outcome: {parts}. Nothing is written yet.").format(parts=listed)
        self._sentence.show_text(outcome if parts else "")
        many = self.tr("Import {number} entries").format(number=words.count(number))
        self.act.show_text(self.tr("Import 1 entry") if number == 1 else many)
        self.act.setEnabled(number > 0)

    def _to_write(self, report: ImportReport) -> int:
        return sum(
            item.outcome in ("added", "updated", "held") and number not in self._left_out for number, item in enumerate(report.items)
        )

    def _row(self, number: int, item: ItemReport, *, dry: bool) -> Row:
        outcome = _LEFT_OUT if number in self._left_out and dry else item.outcome
        badge = Badge(outcome, _TONES.get(outcome, "plain"))
        return Row(str(number), (Cell(item.name), Cell(item.source), Cell(outcome, badge=badge), Cell(item.reason)), item)

    def _toggle(self) -> None:
        row = self.table.chosen
        if row is None or self._tried is None:
            return
        number = int(row.key)
        if isinstance(self._tried.plan.items[number], Planned):
            self._left_out ^= {number}
            self._show_report(self._tried.report)

    # doing

    def _on_import_clicked(self) -> None:
        if self._tried is None or not self._to_write(self._tried.report) or not self.act.isEnabled():
            return
        items = tuple(item for number, item in enumerate(self._tried.plan.items) if number not in self._left_out)
        owner = self._target.currentData() or ""
        self._busy.begin()
        self.act.setEnabled(False)
        plan = replace(self._tried.plan, items=items)
        self._work.write(_run, self._person, plan, owner, dry_run=False, done=self._on_imported, failed=self._on_failed)

    def _on_imported(self, report: ImportReport) -> None:
        self._busy.end()
        self._tried, self._left_out = None, frozenset()
        self._show_report(report)
        owner = self._target.currentData() or ""
        written = report.count("added") + report.count("updated")
        self.noted.emit(self.tr("Imported {entries}.").format(entries=words.entries_words(written)), None)
        if written:
            self.place_asked.emit(workspace_place(owner) if owner else shelf_place(INSTRUCTIONS))

    def _on_failed(self, problem: MemoryPaneError) -> None:
        self._busy.end()
        self.failed.emit(problem.message)
        if self._tried is not None:
            self._show_report(self._tried.report)

    def _on_row_opened(self, _row: Row) -> None:
        self._toggle()
