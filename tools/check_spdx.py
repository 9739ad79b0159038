#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that every file of the tree names its licence in one of its first lines.

python tools/check_spdx.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = "SPDX-License-Identifier: Apache-2.0"

# Files that need not contain the line: files that cannot contain a comment, the licence itself,
# expected output of tests, and texts that become part of CHANGELOG.md.
WITHOUT_COMMENTS = {".json", ".png", ".svg"}
NAMES = {"LICENSE", "py.typed", "Cargo.lock"}
FOLDERS = ("docs/news/", "fuzz/seeds/", "schema/tests/golden/")


def tracked_files(root: Path) -> list[Path]:
    """Return the files that git tracks or would add, relative to ``root``."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted(Path(name) for name in set(out.split("\0")) if name and (root / name).is_file())


def needs_line(path: Path) -> bool:
    """Return whether a file of this name must contain the licence line."""
    if path.as_posix().startswith(FOLDERS):
        return False
    return path.name not in NAMES and path.suffix not in WITHOUT_COMMENTS


def has_line(path: Path) -> bool:
    """Return whether one of the first five lines is the licence line; a shebang may come first."""
    head = path.read_bytes()[:1024].decode("utf-8", "replace").splitlines()[:5]
    return any(LINE in line for line in head)


def missing(root: Path, files: list[Path]) -> list[Path]:
    """Return the files that lack the licence line."""
    return [f for f in files if needs_line(f) and not has_line(root / f)]


def main() -> int:
    """Print the files that lack the licence line."""
    bad = missing(ROOT, tracked_files(ROOT))
    for path in bad:
        print(f"{path}: no '{LINE}' in the first lines", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
