#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the links of the README absolute, since PyPI shows the README outside of the repository.

    python tools/readme_links.py [--check]

The host comes from the entry ``Repository`` of ``[project.urls]`` in ``pyproject.toml``; no other
file may name a host of the project. Without this entry, the links stay relative, and the README
must not contain links to a host of the project.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_SECTION = re.compile(r"^\[project\.urls\]\n((?:[^\[\n].*\n)*)", re.MULTILINE)


def project_url(pyproject: str, name: str) -> str:
    """Return a URL that ``pyproject.toml`` states for the project, or an empty string."""
    section = _SECTION.search(pyproject)
    found = re.search(rf'^{name} *= *"(.*)"', section[1], re.MULTILINE) if section else None
    return found[1].rstrip("/") if found else ""


def linked(readme: str, repository: str) -> str:
    """Return the README with absolute links, or with relative links if `repository` is empty."""
    base = f"{repository}/blob/main/"

    def absolute(match: re.Match[str]) -> str:
        target = match[2]
        if not repository or "://" in target or target.startswith("#"):
            return match[0]
        picture = "?raw=true" if target.endswith((".svg", ".png")) else ""
        return f"{match[1]}{base}{target}{picture}{match[3]}"

    return _LINK.sub(absolute, readme)


def main() -> int:
    """Write the README; with ``--check``, only return 1 if the README would change."""
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    wanted = linked(text, project_url(pyproject, "Repository"))
    if text == wanted:
        return 0
    if "--check" in sys.argv[1:]:
        print("README.md: relative links; run python tools/readme_links.py", file=sys.stderr)
        return 1
    path.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
