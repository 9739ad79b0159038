# SPDX-License-Identifier: Apache-2.0
"""Check that every file of the tree names its licence in one of its first five lines."""

from __future__ import annotations

from pathlib import Path

import repository

LINE = "SPDX-License-Identifier: Apache-2.0"
# Files that need not contain the line: files that cannot contain a comment, the licence itself,
# expected output of tests, and texts that become part of CHANGELOG.md.
WITHOUT_COMMENTS = {".json", ".png", ".svg"}
NAMES = {"LICENSE", "py.typed", "Cargo.lock"}
FOLDERS = ("docs/news/", "fuzz/seeds/", "schema/tests/golden/")


def needs_line(path: Path) -> bool:
    """Return whether a file of this name must contain the licence line."""
    if path.as_posix().startswith(FOLDERS):
        return False
    return path.name not in NAMES and path.suffix not in WITHOUT_COMMENTS


def has_line(path: Path) -> bool:
    """Return whether one of the first five lines is the licence line; a shebang may come first."""
    head = path.read_bytes()[:1024].decode("utf-8", "replace").splitlines()[:5]
    return any(LINE in line for line in head)


def problems(root: Path) -> list[str]:
    """Return a message for each file that lacks the licence line."""
    bad = [p for p in repository.files(root) if needs_line(p) and not has_line(root / p)]
    return [f"{path}: no '{LINE}' in the first lines" for path in bad]
