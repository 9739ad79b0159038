# SPDX-License-Identifier: Apache-2.0
"""The outputs that a project can choose: built-in outputs, and outputs of registered backends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..diag import Bag
from ..files import installed
from ..ir import Span

OUTPUTS = (
    *("cpp", "cpp-view", "ir", "python", "pyi", "rust", "docs"),
    *("json", "mermaid", "tfs"),
)
#: Name of an output -> backend class; `tvm_ffi_schema.back.base.register` adds the backends.
BACKENDS: dict[str, Any] = {}
GROUP = "tvm_ffi_schema.backends"
#: An option of every backend: the path of the directory for its files.
ROOT = "root"


def names(bag: Bag) -> list[str]:
    """Import the backends of installed packages; return the names of all backends."""
    for point in installed.entry_points_of(GROUP):
        try:
            found = point.load()
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            problem = f"importing it failed: {type(error).__name__}: {error}"
        else:
            is_one = found in BACKENDS.values()
            problem = "" if is_one else "it was not made by tvm_ffi_schema.back.base.register"
        if problem:
            bag.add("TS014", f"the back end {point.name} = {point.value!r}: {problem}", Span("."))
    return sorted(BACKENDS)


def options_of(name: str) -> dict[str, Any]:
    """Return the options of a backend with their defaults."""
    return {ROOT: "", **BACKENDS[name].options}


def unknown(words: Iterable[str], bag: Bag) -> tuple[list[str], list[str]]:
    """Return two lists: the words that are not outputs, and the names of all outputs.

    If all words are built-in outputs, both lists are empty, and backends are not imported.
    """
    others = [word for word in words if word not in OUTPUTS]
    if not others:
        return [], []
    known = [*OUTPUTS, *names(bag)]
    return [word for word in others if word not in known], known
