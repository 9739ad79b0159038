# SPDX-License-Identifier: Apache-2.0
"""What the tools share: git commands, the files of a checkout, and files in TOML."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent


def git(root: Path, *arguments: str) -> str:
    """Return the output of a git command; raise CalledProcessError if it fails."""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def files(root: Path, *paths: str) -> list[Path]:
    """Return the files that git tracks or would add, relative to ``root``, in order."""
    listed = git(root, "ls-files", "-co", "--exclude-standard", "-z", "--", *paths)
    return sorted(Path(name) for name in set(listed.split("\0")) if (root / name).is_file())


def toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file."""
    content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return content
