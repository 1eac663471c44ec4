"""`purge`, `doctor` and `scan`: erasing for good, and looking after a store."""

from __future__ import annotations

import argparse

from memorypane.cli.context import Context
from memorypane.cli.output import Output, table
from memorypane.cli.parser import Commands, Parser, command, entry_id
from memorypane.cli.words import UsageError
from memorypane.scan.scanner import explain

__all__ = ["register"]


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    purge = command(
        group, "purge", _purge, summary="Erase an entry's words for good",
        detail="Text, older versions, proposals and index: only numbers and times stay. This is the one thing that cannot be undone.\n"
        "Exports and files that were made earlier are out of reach.",
        example="purge 3f0c9a52-… --yes --copies",
    )
    entry_id(purge)
    purge.add_argument("--yes", action="store_true", help="say that you mean it")
    purge.add_argument("--copies", action="store_true", help="erase it from this home's backups and other channels as well")
    doctor = command(
        group, "doctor", _doctor, summary="Check that the store is sound",
        detail="Looks at the file, the versions, the search index, the audit trail and the permissions, and says what to do.",
        example="doctor",
    )
    doctor.add_argument("--repair", action="store_true", help="rebuild what can be made again; never deletes memory")
    command(
        group, "scan", _scan, summary="Look through all live entries for findings",
        detail="Injection wording, imitated markers, hidden characters and credentials; values of credentials are not shown.",
        example="scan",
    )


def _purge(context: Context, arguments: argparse.Namespace) -> Output:
    """Erase an entry."""
    if not arguments.yes:
        raise UsageError("A purge cannot be undone. Say --yes if you mean it; `remove` hides an entry and keeps its text.")
    done = context.person.purge(arguments.id, copies=arguments.copies)
    copies = [{"where": copy.where, "cleaned": copy.cleaned} for copy in done.copies]
    lines = ["Erased." if not done.erasing else "Erased from every table; the file is rewritten as soon as no other program reads it."]
    lines += [f"{'Cleaned' if copy.cleaned else 'Still holds it (use --copies)'}: {copy.where}" for copy in done.copies]
    return Output({"id": done.id, "purged": True, "erasing": done.erasing, "copies": copies}, "\n".join(lines))


def _doctor(context: Context, arguments: argparse.Namespace) -> Output:
    """Check the store."""
    checkup = context.person.examine(repair=arguments.repair)
    rows = [(check.name, "ok" if check.ok else "PROBLEM", check.detail) for check in checkup.checks]
    data = {"ok": checkup.ok, "checks": [{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checkup.checks]}
    return Output(data, table(("CHECK", "", "DETAIL"), rows), code=0 if checkup.ok else 1)


def _scan(context: Context, arguments: argparse.Namespace) -> Output:
    """Scan the live entries again."""
    del arguments
    result = context.person.rescan()
    findings = [{"entry_id": entry, **finding.as_dict()} for entry, finding in result.findings]
    rows = [(entry, finding.rule, f"{finding.field} {finding.start}–{finding.end}", explain(finding)) for entry, finding in result.findings]
    laid = table(("ENTRY", "RULE", "WHERE", "WHAT IT MEANS"), rows)
    return Output({"entries": result.entries, "findings": findings}, laid if rows else f"{result.entries} entries, no finding.")
