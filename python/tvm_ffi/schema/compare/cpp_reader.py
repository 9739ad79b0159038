# SPDX-License-Identifier: Apache-2.0
"""Hand-written C++ read by one of two engines, which say the same about what both understand.

``scan`` is built in. ``tree-sitter`` needs the packages of the extra ``schema``; it understands
more of C++ and knows which classes it could not read whole. ``auto`` takes it where it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import cpp_neutral, cpp_scan
from .cpp_facts import Sources

ENGINES = ("auto", "scan", "tree-sitter")
Engine = Callable[[cpp_neutral.Neutral, Sources], list[cpp_scan.Found]]


class NoEngine(Exception):  # noqa: N818 - the reason why an engine cannot be had
    """The engine that was asked for cannot run here; the text says why."""


def engine(name: str) -> tuple[str, Engine, str]:
    """Return an engine: its name, what reads a file, and why `auto` did not take the other one.

    Raises
    ------
    NoEngine
        If tree-sitter is asked for by name and cannot be had.

    """
    if name == "scan":
        return "scan", cpp_scan.read, ""
    try:
        from . import cpp_tree

        return "tree-sitter", cpp_tree.Tree().read, ""
    except ImportError as error:
        reason = f"the packages tree-sitter and tree-sitter-cpp are needed: {error}"
        missing = True
    except (ValueError, TypeError, AttributeError, OSError) as error:
        reason = f"tree-sitter and its grammar do not fit together: {error}"
        missing = False
    if name == "tree-sitter":
        raise NoEngine(reason)
    return "scan", cpp_scan.read, "" if missing else reason


def read(
    path: str,
    text: str,
    into: Sources,
    export_macros: Sequence[str] = (),
    object_macros: Sequence[str] = (),
    use: Engine = cpp_scan.read,
) -> None:
    """Add what one file says."""
    file = cpp_neutral.neutralise(path, text, export_macros, object_macros)
    into.node_types |= file.node_types
    classes = sorted(use(file, into), key=lambda item: item[0])
    for offset, macro in file.macros:
        around = [item for item in classes if item[0] < offset < item[1]]
        if around:
            around[-1][2].macro = macro  # the innermost one begins last
    for _, _, found in classes:
        into.add_class(found)
