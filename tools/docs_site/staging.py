# SPDX-License-Identifier: Apache-2.0
"""Copy the Markdown documents of the repository into one source tree for Sphinx.

Only the links of a document are changed. A link to another document becomes a link to its page on
the site. A link to any other file becomes a link to the repository if ``pyproject.toml`` states the
URL of the repository, and plain text otherwise.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

#: A file or a pattern of files in the repository -> its page or folder on the site.
_PAGES = (
    ("docs/*.md", "."),
    ("docs/tutorial/*.md", "tutorial"),
    ("docs/reference/*.md", "reference"),
    ("docs/decisions/*.md", "project/decisions"),
    ("schema/README.md", "schema/index.md"),
    ("schema/docs/*.md", "schema"),
    ("schema/examples/README.md", "schema/examples.md"),
    ("ARCHITECTURE.md", "project/architecture.md"),
    ("CHANGELOG.md", "project/changelog.md"),
    ("CONTRIBUTING.md", "project/contributing.md"),
    ("SECURITY.md", "project/security.md"),
    ("bench/README.md", "project/benchmarks.md"),
)
#: Links to the README become links to the first page of the site.
_SAME = {"README.md": "index.md"}
#: Match a block of code, and a link.
_CODE = r"^(?P<fence>```+|~~~+).*\n(?:.*\n)*?(?P=fence)[`~]* *$"
_LINK = r"(?<!!)\[((?:[^\[\]`\n]|`[^`\n]*`)*)\]\(([^)\s]+)\)"


def pages(root: Path) -> dict[str, str]:
    """Return the pages of the site: path in the repository -> path on the site."""
    found = {}
    for pattern, place in _PAGES:
        for path in sorted(root.glob(pattern)):
            name = place if place.endswith(".md") else str(PurePosixPath(place) / path.name)
            found[path.relative_to(root).as_posix()] = name
    return found


def stage(root: Path, target: Path, repository: str) -> list[Path]:
    """Write the sources of all documents below ``target``; return the files."""
    places = pages(root)
    written = []
    for source, place in places.items():
        text = relink((root / source).read_text(encoding="utf-8"), source, places, root, repository)
        written.append(target / place)
        write_if_changed(written[-1], text)
    for picture in root.glob("docs/_static/*.svg"):
        written.append(target / picture.relative_to(root / "docs"))
        write_if_changed(written[-1], picture.read_text(encoding="utf-8"))
    return written


def relink(text: str, source: str, places: dict[str, str], root: Path, repository: str) -> str:
    """Return the text of a document with the links of the site."""
    known = {**places, **_SAME}

    def replaced(match: re.Match[str]) -> str:
        title, target = match.groups()[1:]
        if match["fence"] or "://" in target or target.startswith(("#", "mailto:")):
            return match[0]
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(source), path))
        page = known.get(full) or known.get(f"{full}/index.md") or known.get(f"{full}/README.md")
        if page is not None:
            here = os.path.dirname(known[source])
            # The first page of the site does not have the sections of the README.
            anchor = "" if full in _SAME else anchor
            link = os.path.relpath(page, here or ".")
            return f"[{title}]({link}{'#' + anchor if anchor else ''})"
        if repository and (root / full).exists():
            return f"[{title}]({repository.rstrip('/')}/blob/main/{full})"
        return title

    return re.sub(f"{_CODE}|{_LINK}", replaced, text, flags=re.MULTILINE)


def write_if_changed(path: Path, text: str) -> None:
    """Write a file unless it has the text already, so that Sphinx skips unchanged files."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
