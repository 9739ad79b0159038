# SPDX-License-Identifier: Apache-2.0
"""The table of contents of the site: the order of the pages in the sidebar."""

from __future__ import annotations

#: Caption of a part of the sidebar -> its pages, in order.
SIDEBAR: dict[str, tuple[str, ...]] = {
    "Tutorial": (
        "tutorial/install",
        "tutorial/first-function",
        "tutorial/objects",
        "tutorial/enums",
        "tutorial/inline",
        "tutorial/wheel",
    ),
    "Functions and kernels": (
        "functions",
        "errors",
        "tensors",
        "cuda",
        "pytorch",
        "jax",
        "cupy",
        "threads",
        "rust",
        "embedding",
    ),
    "Objects and compilers": (
        "objects",
        "dataclasses",
        "enums",
        "structural",
        "serialization",
        "schema/object_schema",
        "schema/settings",
        "schema/rules",
        "schema/examples",
        "schema/index",
    ),
    "Shipping": (
        "packaging",
        "installing",
        "pythons",
        "platforms",
        "clusters",
        "environment",
    ),
    "Help": (
        "faq",
        "debugging",
        "notebooks",
        "tools",
        "switching",
        "from-pybind11",
        "from-nanobind",
    ),
    "Reference": (
        "reference/python/index",
        "reference/cpp/index",
        "reference/c/index",
        "reference/index",
    ),
    "Project": (
        "figures",
        "figures",
        "project/architecture",
        "project/benchmarks",
        "project/decisions/index",
        "project/security",
        "project/contributing",
        "maintaining",
        "project/changelog",
    ),
}
#: A page -> the pattern of the pages that are below it in the sidebar.
_BELOW = {
    "reference/index.md": "*",
    "project/decisions/index.md": "*",
}

#: Pages that are written from the code.
GENERATED = frozenset(("reference/python/index", "reference/cpp/index", "reference/c/index"))


def toctrees_of(place: str, known: set[str]) -> str:
    """Return the toctree directives to append to a page; they list only the pages in ``known``."""
    if place == "index.md":
        return "".join(
            _toctree([p for p in found if p in GENERATED or f"{p}.md" in known], caption)
            for caption, found in SIDEBAR.items()
        )
    if place in _BELOW:
        return _toctree([_BELOW[place]], None, pattern=True)
    return ""


def _toctree(entries: list[str], caption: str | None, pattern: bool = False) -> str:
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    options += [":glob:"] if pattern else []
    return "\n".join(["", "```{toctree}", *options, "", *entries, "```", ""])
