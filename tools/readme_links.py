# SPDX-License-Identifier: Apache-2.0
"""Make the links of the README absolute, since PyPI shows the README outside of the repository.

The host comes from the entry ``Repository`` of ``[project.urls]`` in ``pyproject.toml``; no other
file may name a host of the project. Without this entry, the links stay relative, and the README
must not contain links to a host of the project.
"""

from __future__ import annotations

import re
from pathlib import Path

from repository import toml

_LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def project_url(root: Path, name: str) -> str:
    """Return a URL that ``pyproject.toml`` states for the project, or an empty string."""
    urls: dict[str, str] = toml(root / "pyproject.toml")["project"].get("urls", {})
    return urls.get(name, "").rstrip("/")


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


def texts(root: Path) -> dict[str, str]:
    """Return the README."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    return {"README.md": linked(readme, project_url(root, "Repository"))}
