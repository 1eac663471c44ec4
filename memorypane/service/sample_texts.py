"""Invented texts for a trial home: no real person, project or place."""

from __future__ import annotations

__all__ = ["BUILD", "COMMITS", "FILES", "INSTRUCTIONS", "PROFILE", "RECORDS", "REVIEWING", "SYSTEM", "TOPICS"]

SYSTEM = {
    "Never leave the machine’s own network": (
        "Do not send files, logs or memory text to any service that is not listed here.\n"
        "If a task seems to need it, stop and ask.\n\n- the package mirror on the local network\n- the issue tracker, read only\n"
    ),
    "Money and accounts": "Never buy, book, pay or sign up for anything. Prepare it, and leave the last step to the person.\n",
}

COMMITS = """\
# Commit and branch conventions

Write the subject in the imperative, at most 60 characters.
One change per commit; keep refactoring apart from behaviour.

- Branch names are `topic/short-words`.
- Run `make check` before every push; it takes about two minutes.
- Ask before you force-push what others may have pulled.
- Keep one file per change in `docs/changes/`.
"""

BUILD = """\
# Build and test commands

Use the Makefile for everything; never run tools directly.

- `make check` is what CI runs: format, lint, types, tests.
- `make test ARGS=-k name` runs a part of the tests.
- Tests run offline. A test that needs the network is a bug.

## When a test is flaky

Run it twenty times before you touch it. If it fails once, it is real: write down the seed and fix the cause.

Do not raise a timeout to make a test pass.

## Before you hand over

- The whole check is green.
- New behaviour has a test that fails without it.
"""

REVIEWING = """\
A review protects the next reader. Say what you saw, what it breaks and what you would do instead; leave taste out of it.

## Before you start

- Read the whole change once without writing anything.
- Run the branch. A review of code that was never run is a guess.
- Look at the tests first: they say what the author believes.

## What to look for

1. **Wrong results**, also at the edges: empty input, two at once, a clock that jumps back.
2. **Silent failure**: a caught error that nobody sees again.
3. **Names** that promise more than the code does.

## How to write it

One comment per problem, with the line. Mark what must change and what is only an idea:

```
must:  the lock is released before the file is renamed
idea:  `take_while` would read better here
```
"""

INSTRUCTIONS = {
    "How to work in any repository": (
        "Read the README and the last ten commits before you change anything. Keep each change small enough to review in one sitting.\n\n"
        "- Say what you are going to do before you do it, in one sentence.\n- Leave the place tidier than you found it, but not in the same commit.\n"
        "- When two rules collide, the narrower one wins; say so.\n"
    ),
    "Language of comments and docs": (
        "Comments and documents are in English, in whole sentences. User-facing texts go through the translators; never change a translated "
        "string by hand.\n"
    ),
    "Asking before destructive commands": (
        "Ask before anything that cannot be undone with one command: dropping a table, deleting a branch that was pushed, rewriting history, "
        "emptying a bucket.\nA dry run first, its output in the question.\n"
    ),
    "Dates, numbers and units": "Dates as 4 March 2026, times in 24 hours, metric units. Amounts of money are integers in the smallest unit.\n",
    "Handling flaky tests": (
        "A flaky test is a broken test.\n\n1. Run it twenty times with the seed printed.\n2. If it fails once, write the seed into the report.\n"
        "3. Never retry in CI what fails on a desk.\n"
    ),
    "When the network is not there": "Builds must pass offline. If a download fails, say which one and go on with what is cached.\n",
    "リリース前の確認手順（夜間ビルドとステージング環境）": (
        "リリースの前に夜間ビルドの結果を確認し、ステージング環境で一度だけ手動で試すこと。\n\n- 失敗した項目は報告に残す。\n- 変更履歴は人が書く。\n"
    ),
    "Was vor jeder Veröffentlichung zu prüfen ist, auch wenn sich scheinbar nur die Dokumentation und die Übersetzungen geändert haben": (
        "Erst das Änderungsprotokoll lesen, dann bauen, dann auf einem frischen Rechner starten. Übersetzungen zählen als Verhalten.\n"
    ),
}

PROFILE = (
    "Prefers short answers first, detail when asked.",
    "Writes British English; dates as 4 March, times in 24 hours.",
    "Uses a keyboard without a numeric block.",
    "Reads diffs side by side and code in a large font.",
    "Works from nine to five; nights are for scheduled jobs only.",
    "Speaks German and some Japanese; names may be in either.",
)

TOPICS = {
    "areas/ledger-migration": ("Moving the ledger to integer amounts, step by step", "Step 3 of 5 is done: the import writes both columns.\n"),
    "areas/tide-charts-release": ("What is left before tide-charts 2.0", "- charts for the northern harbours\n- the printed edition\n"),
    "areas/keyboard-layout": ("Trying a layout without a numeric block", "Digits move to the home row on layer two.\n"),
    "topics/build-cache-layout": ("Where the build cache lies and when it may go", "The cache lives outside the checkout. Clean it before a bench.\n"),
    "topics/changelog-tone": ("How entries of the changelog sound", "Past tense, one sentence, what it means for the reader.\n"),
    "topics/postgres-locks": ("Which of our jobs take which locks", "The import job takes a write lock on `entry` for about 40 s.\n"),
    "topics/fixture-data": ("Where test data comes from", "Invented by hand; nothing is copied from production.\n"),
    "topics/time-zones": ("How times are stored and shown", "Stored in UTC milliseconds, shown in local time, never guessed.\n"),
    "topics/error-sentences": ("How failures are worded", "What failed, and what to do next. No codes alone.\n"),
    "topics/font-rendering": ("Known trouble with fonts in screenshots", "Hinting differs between the two build machines.\n"),
    "topics/naming": ("Words we use and words we avoid", "Entry, not item. Person, not user.\n"),
    "people/translators": ("How to reach the translators and when", "Send strings on Mondays; answers come within three days.\n"),
    "people/night-shift": ("Who watches the scheduled jobs", "The on-call list is on the wall, not in memory.\n"),
}

RECORDS = {
    "ledger-app": (
        ("project_preference", "Amounts are integers in the smallest unit; a float is a bug."),
        ("procedural_preference", "Copy the database with `task db -- copy`, never by hand."),
        ("episodic_event", "The import job ran into the write lock on 9 March at 03:10; the nightly report came an hour late."),
        ("project_preference", "The public API keeps field names forever; add, never rename."),
        ("open_question", "Should archived accounts keep their colour, or fall back to grey?"),
        ("source_preference", "For tax rules trust the printed handbook over the wiki."),
        (
            "procedural_preference",
            "Release checklist:\n\n## Before\n- Tag from `main` only.\n- Build twice, compare.\n- Sign the files with the release key.\n\n"
            "## After\n- Wait one hour before you announce.\n- Write the notes by hand.\n- Close the milestone.",
        ),
        ("episodic_event", "会計年度の切り替えは四月一日。締め処理の前に必ず控えを取る。"),
    ),
    "tide-charts": (
        ("project_preference", "Charts are drawn from the harbour’s own tables, never interpolated across a lock."),
        ("procedural_preference", "Proof prints go to the second tray."),
        ("open_question", "Which datum do the northern harbours use since the new gauge?"),
    ),
}

FILES = {
    "build-helper": {
        "MEMORY.md": "# What I keep\n\n- [cache notes](cache-notes.md): where the build cache lies\n- [bench log](bench-log.md): numbers of the last runs\n",
        "cache-notes.md": "---\nmetadata:\n  type: reference\n---\nThe cache lives outside the checkout; clean it before a bench.\n",
        "bench-log.md": "| day | cold | warm |\n|---|---|---|\n| 2 March | 214 s | 31 s |\n| 9 March | 198 s | 29 s |\n",
    },
    "release-scribe": {"MEMORY.md": "# Release notes\n\nEntries are short. The person writes the first paragraph.\n"},
    "docs-gardener": {"style.md": "Headings in sentence case. One idea a paragraph.\n"},
    "night-watch": {"MEMORY.md": "Jobs that failed tonight: none.\n"},
}
