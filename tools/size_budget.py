# SPDX-License-Identifier: Apache-2.0
"""Compare the number of lines of each part of the tree with its budget, and check new commits.

    python tools/size_budget.py            # exit status 1 if something is beyond its limit
    python tools/size_budget.py --table    # print lines and budget of each part

Lines are those of the tracked source files, blank lines and comments included. Files below a folder
``tests`` count for ``tests`` only. The budgets are in ``tools/size_budget.toml``.

A commit has a subject of at most 72 characters, and a body if it changes more than 40 lines. This
holds for the commits after the one that added this file; a shallow clone may lack older ones.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path, PurePosixPath

from repository import ROOT, git, toml

BUDGETS = "tools/size_budget.toml"
#: The folders of the parts whose name is not that of their folder.
FOLDERS = {"binding": "python/binding", "tvm_ffi": "python/tvm_ffi"}
SUFFIXES = frozenset((".h", ".cc", ".c", ".py", ".pyi", ".rs"))
SUBJECT = 72
LINES_WITHOUT_BODY = 40


def part_of(path: PurePosixPath, parts: list[str]) -> str | None:
    """Return the part that a file belongs to, or None if it has no budget."""
    if "tests" in path.parts[:-1]:
        return "tests"
    return next((part for part in parts if path.is_relative_to(FOLDERS.get(part, part))), None)


def lines_of_parts(root: Path, parts: list[str]) -> Counter[str]:
    """Return the number of lines of each part."""
    count: Counter[str] = Counter()
    for name in git(root, "ls-files", "-z").split("\0"):
        path = PurePosixPath(name)
        part = part_of(path, parts) if path.suffix in SUFFIXES else None
        if part and (root / path).is_file():
            count[part] += (root / path).read_bytes().count(b"\n")
    return count


def beyond_budget(count: Counter[str], budgets: dict[str, int]) -> list[str]:
    """Return a sentence for each part that has more lines than its budget."""
    return [
        f"{part} has {count[part]:,} lines; its budget is {budget:,} ({BUDGETS}): remove lines, or"
        " raise the budget in a commit of its own that says why"
        for part, budget in budgets.items()
        if count[part] > budget
    ]


def new_commits(root: Path) -> list[str]:
    """Return the commits after the one that added this tool; none if the clone lacks that one."""
    tool = Path(__file__).relative_to(ROOT).as_posix()
    added = git(root, "log", "--no-merges", "--diff-filter=A", "--format=%H", "--", tool).split()
    shallow = git(root, "rev-parse", "--is-shallow-repository") == "true"
    if not added or shallow:
        return []
    return git(root, "rev-list", "--no-merges", f"{added[-1]}..HEAD").split()


def bad_commit(root: Path, commit: str) -> str | None:
    """Return what is wrong with the message of a commit, or None."""
    message = git(root, "show", "-s", "--format=%B", commit)
    subject, _, body = message.partition("\n")
    if len(subject) > SUBJECT:
        return f"the subject of {commit[:12]} has {len(subject)} characters, more than {SUBJECT}"
    rows = (
        row.split("\t") for row in git(root, "show", "--numstat", "--format=", commit).split("\n")
    )
    changed = sum(int(number) for row in rows for number in row[:2] if number.isdigit())
    if changed > LINES_WITHOUT_BODY and not body.strip():
        return (
            f"{commit[:12]} ({subject}) changes {changed} lines without a body: say symptom, cause"
            " and remedy"
        )
    return None


def problems(root: Path) -> list[str]:
    """Return a sentence for each part beyond its budget, and for each commit with a bad message."""
    budgets: dict[str, int] = toml(root / BUDGETS)["lines"]
    found = beyond_budget(lines_of_parts(root, list(budgets)), budgets)
    return found + [said for commit in new_commits(root) if (said := bad_commit(root, commit))]


def table(root: Path) -> str:
    """Return lines and budget of each part, one part in a line."""
    budgets = toml(root / BUDGETS)["lines"]
    count = lines_of_parts(root, list(budgets))
    return "\n".join(f"{part:16}{count[part]:9,}{n:9,}" for part, n in budgets.items())


if __name__ == "__main__":
    if "--table" in sys.argv[1:]:
        print(table(ROOT))
        sys.exit()
    sys.exit("\n".join(problems(ROOT)) or 0)
