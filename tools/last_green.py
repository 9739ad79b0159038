# SPDX-License-Identifier: Apache-2.0
"""Record and check the last green run of the chores that are too slow for continuous integration.

    python tools/last_green.py asan     # `make asan` calls this after it has passed

``tools/last_green.json`` contains, for each chore, the date and the commit of its last green run. A
record is written only for a clean working tree, since the commit must identify the tested files.
`make lint` warns of old records. It fails if a recorded commit does not exist, as after a rebase;
in a shallow clone, which lacks commits, it only warns.
Commit the changed ``last_green.json`` together with the next change.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import repository

RECORDS = Path("tools") / "last_green.json"
CHORES = ("asan", "bench", "fuzz", "leaks", "model", "test-freethreaded", "tsan")
MAX_COMMITS = 100


def git(root: Path, *arguments: str) -> str | None:
    """Return the output of a git command, or None when it fails."""
    try:
        return repository.git(root, *arguments)
    except subprocess.CalledProcessError:
        return None


def read_records(root: Path) -> dict[str, dict[str, str]]:
    """Return chore -> record; the result is empty if the file does not exist."""
    path = root / RECORDS
    records: dict[str, dict[str, str]] = json.loads(path.read_text()) if path.exists() else {}
    return records


def uncommitted_files(root: Path) -> list[str] | None:
    """Return the changed files except ``last_green.json``; None outside a git checkout."""
    status = git(root, "status", "--porcelain", "--untracked-files=all")
    if status is None:
        return None
    paths = [line.split(maxsplit=1)[1] for line in status.splitlines()]
    return [path for path in paths if path != RECORDS.as_posix()]


def record(root: Path, chore: str) -> str:
    """Record that `chore` passed on the current commit; return a sentence about the record."""
    changed = uncommitted_files(root)
    if changed is None:
        return f"{chore} passed; not recorded, because this is not a git checkout"
    if changed:
        return f"{chore} passed; not recorded, because {changed[0]} is not committed"
    commit = git(root, "rev-parse", "HEAD") or ""
    records = read_records(root)
    records[chore] = {"commit": commit, "date": datetime.date.today().isoformat()}
    text = json.dumps(records, indent=2, sort_keys=True) + "\n"
    (root / RECORDS).write_text(text)
    return f"{chore} passed on {commit[:12]}; commit {RECORDS.as_posix()}"


def warning(root: Path, chore: str, entry: dict[str, str] | None) -> str | None:
    """Return a warning if the record is absent or old, or if its commit is unknown; else None."""
    if entry is None:
        return f"`make {chore}` has no recorded green run"
    count = git(root, "rev-list", "--count", f"{entry['commit']}..HEAD")
    if count is None:
        return f"`make {chore}`: this clone lacks the recorded commit {entry['commit'][:12]}"
    if int(count) <= MAX_COMMITS:
        return None
    return f"`make {chore}` was last green {count} commits ago, on {entry['date']}; run it again"


def missing_commits(root: Path) -> list[str]:
    """Return one error for each record whose commit is not an ancestor of the current commit.

    The result is empty outside a git checkout, and in a shallow clone, which lacks commits.
    """
    if git(root, "rev-parse", "--is-shallow-repository") != "false":
        return []
    return [
        f"the commit {entry['commit'][:12]} of `make {chore}` does not exist in this history: "
        f"remove the record from {RECORDS.as_posix()}, or run `make {chore}` again"
        for chore, entry in read_records(root).items()
        if git(root, "merge-base", "--is-ancestor", entry["commit"], "HEAD") is None
    ]


def warnings(root: Path) -> list[str]:
    """Return one warning for each chore whose record is absent or more than MAX_COMMITS old."""
    records = read_records(root)
    found = [warning(root, chore, records.get(chore)) for chore in CHORES]
    return [text for text in found if text is not None]


def problems(root: Path) -> list[str]:
    """Print the warnings; return the records of commits that do not exist."""
    for text in warnings(root):
        print(f"warning: {text}", file=sys.stderr)
    return missing_commits(root)


if __name__ == "__main__":
    (name,) = sys.argv[1:]
    print(record(repository.ROOT, name))
