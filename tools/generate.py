# SPDX-License-Identifier: Apache-2.0
"""Write the files that are generated from the headers, the ABI facts and ``pyproject.toml``.

python tools/generate.py    # write those that are not current; `make lint` reports them
"""

from __future__ import annotations

from pathlib import Path

import export_list
import generate_abi
import readme_links
import rust_declarations
from repository import ROOT


def texts(root: Path) -> dict[str, str]:
    """Return path -> text of each generated file."""
    sources = (export_list, generate_abi, readme_links, rust_declarations)
    return {name: text for source in sources for name, text in source.texts(root).items()}


def stale(root: Path) -> list[str]:
    """Return the paths of the files that have another text."""
    wanted = texts(root)
    return [n for n in wanted if not (root / n).exists() or (root / n).read_text() != wanted[n]]


def problems(root: Path) -> list[str]:
    """Return a message for each file that is not current."""
    return [f"{name} is not current: run python tools/generate.py" for name in stale(root)]


if __name__ == "__main__":
    for name in stale(ROOT):
        (ROOT / name).write_text(texts(ROOT)[name], encoding="utf-8")
