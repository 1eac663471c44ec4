"""`review …`: what waits for the person, and the decisions on it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

from memorypane.cli.context import Context
from memorypane.cli.inputs import read_file, read_stdin
from memorypane.cli.output import Output, age, cut, table
from memorypane.cli.parser import Commands, Parser, command, path, subcommands, text
from memorypane.cli.views import entry_data, entry_line
from memorypane.cli.words import UsageError
from memorypane.model.diff import unified
from memorypane.model.errors import MemoryPaneError
from memorypane.model.review import ReviewDetail, ReviewItem
from memorypane.model.values import Finding
from memorypane.service.decisions import Decided

__all__ = ["register"]

NAME_COLUMNS = 44


def register(group: Commands[Parser]) -> None:
    """Add the commands of this module."""
    verbs = subcommands(group, "review", summary="See what agents wrote, and decide on it", example="review list")
    command(
        verbs, "list", _list, summary="List held and unreviewed writes, oldest first",
        detail="Held ones are not live until you approve them; unreviewed ones are live and wait to be kept or reverted.",
        example="review list",
    )
    show = command(
        verbs, "show", _show, summary="Show one of them: before, after, why it waits",
        detail="The printed mark (seen) binds a decision to exactly this text.", example="review show 3f0c9a52-…",
    )
    show.add_argument("id", type=text, metavar="ID", help="the item's id, as `review list` shows it")
    approve = command(
        verbs, "approve", _approve, summary="Let held writes go live",
        detail="With --file your text goes live instead; several ids are decided one by one.",
        example="review approve 3f0c9a52-… --seen 9f2c…\nreview approve 3f0c9a52-… --file merged.md",
    )
    _ids(approve)
    approve.add_argument("--file", type=path, default=None, metavar="F", help="the text to approve instead (- = standard input)")
    keep = command(
        verbs, "keep", _keep, summary="Keep unreviewed entries as they stand", example="review keep 3f0c9a52-…",
    )
    _ids(keep)
    reject = command(
        verbs, "reject", _reject, summary="Turn a held write down, or take an unreviewed change back",
        detail="An unreviewed entry goes back to what you last kept, or is removed if you never kept it.",
        example='review reject 3f0c9a52-… --reason "not true any more"',
    )
    reject.add_argument("id", type=text, metavar="ID", help="the item's id, as `review list` shows it")
    reject.add_argument("--reason", type=text, default="", metavar="R", help="why; the agent is told")
    _seen(reject)
    command(verbs, "undo", _undo, summary="Take the newest decision back", example="review undo")
    lift = command(
        verbs, "lift", _lift, summary="Forget that a text was turned down",
        detail="The same text may then be written again.", example="review lift 3f0c9a52-…",
    )
    lift.add_argument("id", type=text, metavar="ID", help="the rejected proposal's or reverted entry's id")


def _ids(parser: Parser) -> None:
    parser.add_argument("ids", type=text, nargs="+", metavar="ID", help="the items' ids, as `review list` shows them")
    _seen(parser)


def _seen(parser: Parser) -> None:
    parser.add_argument("--seen", type=text, default="", metavar="HASH", help="the mark that `review show` printed")


def _finding(finding: Finding) -> dict[str, Any]:
    return {**finding.as_dict(), "text": finding.text}


def item_data(item: ReviewItem) -> dict[str, Any]:
    """An item as the commands print it."""
    return {
        "id": item.id, "lane": item.lane, "entry_id": item.entry_id, "tier": item.tier.value, "shelf": item.shelf, "owner": item.owner,
        "name": item.name, "title": item.name or item.excerpt, "action": item.action.value, "actor": item.actor, "verified": item.verified,
        "source": item.source, "reasons": list(item.reasons), "findings": [_finding(finding) for finding in item.findings],
        "stale": item.stale, "created_at": item.created_at,
    }


def _list(context: Context, arguments: argparse.Namespace) -> Output:
    """Print the items."""
    del arguments
    items = context.person.review()
    now = int(time.time() * 1000)
    rows = [
        (
            item.id, item.lane, f"{item.tier}/{item.shelf}", cut(item.name or item.excerpt or "(empty)", NAME_COLUMNS), item.actor,
            ", ".join([*item.reasons, *(["stale"] if item.stale else [])]), age(item.created_at, now),
        )
        for item in items
    ]
    laid = table(("ID", "LANE", "SHELF", "NAME", "WRITTEN BY", "BECAUSE", "AGE"), rows, right=frozenset({6}))
    return Output({"items": [item_data(item) for item in items]}, laid if rows else "Nothing waits for review.")


def detail_data(detail: ReviewDetail) -> dict[str, Any]:
    """An item with everything it would change."""
    first = detail.changes[0]
    return {
        **item_data(detail.item), "before": first.before_text, "after": first.after_text,
        "diff": unified(first.before_text, first.after_text, "before", "after"), "call": dict(detail.call), "seen": detail.seen,
        "merged": detail.merged, "conflict": detail.conflict,
        "changes": [
            {
                "entry_id": change.entry_id, "action": change.action.value, "base": change.base, "before": change.before_text,
                "after": change.after_text, "name": change.after.name,
            }
            for change in detail.changes
        ],
    }


def _show(context: Context, arguments: argparse.Namespace) -> Output:
    """Print one item whole."""
    detail = context.person.review_item(arguments.id)
    data, item = detail_data(detail), detail.item
    lines = [
        f"{item.name or item.excerpt or '(empty)'}: {item.lane}, {item.action} by {item.actor}, claims {item.source}",
        *([f"because: {', '.join(item.reasons)}"] if item.reasons else []),
        *[f"finding: {finding.rule} in {finding.field} {finding.start}–{finding.end}" for finding in item.findings],
        *(["stale: the entry changed since; the texts merge cleanly"] if detail.merged else []),
        *([f"stale: {detail.conflict}"] if detail.conflict else []),
        f"seen: {detail.seen}", "", data["diff"] or "(no difference in the text)",
    ]
    return Output(data, "\n".join(lines))


def decided_data(decided: Decided) -> dict[str, Any]:
    """The first entry of a decision, and all of them where there are several."""
    first, *more = decided.entries
    data = entry_data(first)
    return {**data, "changes": [entry_data(one) for one in decided.entries]} if more else data


def _one_or_many(arguments: argparse.Namespace, decide: Callable[[str], Decided]) -> Output:
    if len(arguments.ids) == 1:
        decided = decide(arguments.ids[0])
        return Output(decided_data(decided), entry_line(decided.entries[0]))
    if arguments.seen:
        raise UsageError("--seen belongs to one text; give one ID with it.")
    items: list[Mapping[str, Any]] = []
    for item_id in arguments.ids:
        try:
            items.append({"id": item_id, "ok": True, "entry": decided_data(decide(item_id))})
        except MemoryPaneError as problem:
            items.append({"id": item_id, "ok": False, "error": problem.as_dict()})
    failed = [item for item in items if not item["ok"]]
    lines = [f"{item['id']}: {'done' if item['ok'] else item['error']['message']}" for item in items]
    return Output({"items": items}, "\n".join(lines), code=1 if failed else 0)


def _approve(context: Context, arguments: argparse.Namespace) -> Output:
    """Approve one or many."""
    edited = None
    if arguments.file is not None:
        if len(arguments.ids) > 1:
            raise UsageError("--file gives the text of one item; give one ID with it.")
        edited = read_stdin() if str(arguments.file) == "-" else read_file(arguments.file)
    return _one_or_many(arguments, lambda item_id: context.person.approve(item_id, edited=edited, seen=arguments.seen))


def _keep(context: Context, arguments: argparse.Namespace) -> Output:
    """Keep one or many."""
    return _one_or_many(arguments, lambda item_id: context.person.keep(item_id, seen=arguments.seen))


def _reject(context: Context, arguments: argparse.Namespace) -> Output:
    """Reject a proposal, or revert an entry."""
    decided = context.person.reject(arguments.id, reason=arguments.reason, seen=arguments.seen)
    if decided.entries:
        return Output(decided_data(decided), entry_line(decided.entries[0]))
    return Output({"id": arguments.id, "rejected": True}, "Rejected. This agent's same text is refused from now on, until `review lift`.")


def _undo(context: Context, arguments: argparse.Namespace) -> Output:
    """Undo the newest decision."""
    del arguments
    undone = context.person.undo()
    data: dict[str, Any] = {"undone": undone.kind, "id": undone.id}
    if undone.entry is not None:
        data["entry"] = entry_data(undone.entry)
    return Output(data, f"Taken back: {undone.kind} of {undone.id}.")


def _lift(context: Context, arguments: argparse.Namespace) -> Output:
    """Forget a rejection."""
    marks = context.person.lift(arguments.id)
    return Output({"id": arguments.id, "lifted": marks}, f"{marks} remembered {'text is' if marks == 1 else 'texts are'} forgotten.")
