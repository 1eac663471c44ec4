"""`import`: bring in the instruction files that people and agents have already."""

from __future__ import annotations

import argparse
from collections import Counter

from memorypane.cli.context import Context
from memorypane.cli.inputs import find_place, resolve_owner
from memorypane.cli.output import Output, table
from memorypane.cli.parser import Commands, Parser, command, path, place
from memorypane.model.shelves import INSTRUCTIONS
from memorypane.service.exchange.planning import plan_import
from memorypane.service.exchange.values import FORMAT, ImportReport, ItemReport

__all__ = ["register"]

OUTCOMES = ("added", "unchanged", "updated", "held", "skipped")


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    bring = command(
        group, "import", _import, summary="Import instruction files",
        detail=(
            "SOURCE is a file, or a folder that is searched for CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, .windsurfrules,\n"
            ".cursor/rules/*.mdc and .github/copilot-instructions.md. A second run adds nothing: what changed in a file becomes\n"
            "a new version, what you changed here is left alone. Without a place the texts become global instructions."
        ),
        example="import ~/code/ledger-app --split headings --dry-run\nimport CLAUDE.md --tier workspace --owner ledger-app",
    )
    bring.add_argument("sources", type=path, nargs="+", metavar="SOURCE", help="a file or a folder")
    bring.add_argument("--format", choices=[FORMAT], default="", help=f"{FORMAT}: take a named file whatever its name is")
    place(bring)
    bring.add_argument("--split", choices=["headings"], default="", help="one entry a section (##) instead of one a file")
    bring.add_argument("--dry-run", action="store_true", help="say what would happen and write nothing")


def _import(context: Context, arguments: argparse.Namespace) -> Output:
    """Plan and carry out an import."""
    from memorypane.service.exchange.running import run_import

    shelf = find_place(arguments.tier, arguments.shelf) if arguments.tier or arguments.shelf else INSTRUCTIONS
    plan = plan_import(arguments.sources, split=bool(arguments.split), any_name=bool(arguments.format))
    owner = resolve_owner(shelf, arguments.owner, context.person.workspaces() if shelf.owner == "workspace" else ())
    report = run_import(context.person, plan, shelf=shelf, owner=owner, dry_run=arguments.dry_run)
    data = {"format": report.format, "dry_run": report.dry_run, "items": [_item_data(item) for item in report.items]}
    return Output({**data, **{outcome: report.count(outcome) for outcome in OUTCOMES}}, _text(report))


def _item_data(item: ItemReport) -> dict[str, object]:
    data: dict[str, object] = {"source": item.source, "name": item.name, "outcome": item.outcome}
    if item.entry_id:
        data["entry_id"] = item.entry_id
    if item.reason:
        data["reason"] = item.reason
    return data


def _text(report: ImportReport) -> str:
    """The report for people."""
    if not report.items:
        return "No instruction file was found there."
    laid = table(("OUTCOME", "NAME", "FROM", "WHY"), [(one.outcome, one.name, one.source, one.reason) for one in report.items])
    counts = Counter(one.outcome for one in report.items)
    said = ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome])
    return f"{laid}\n\n{said}{'. Nothing was written: this was a dry run.' if report.dry_run else '.'}"
