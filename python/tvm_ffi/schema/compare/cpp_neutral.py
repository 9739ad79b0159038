# SPDX-License-Identifier: Apache-2.0
"""C++ text made plain for a parser that knows no preprocessor; every offset stays what it was.

Export macros become blanks; macros that declare classes are recorded and become blanks too. What
stands in comments and literals is no macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..weave import tokens
from .cpp_facts import EXPORT_MACROS, NODE_TYPE_MACRO, OBJECT_MACROS, REF_MACROS, Macro, last_name
from .cpp_tokens import Cursor, Lines


@dataclass
class Neutral:
    """A file after neutralising."""

    lines: Lines
    macros: list[tuple[int, Macro]]
    node_types: set[str]


def neutralise(
    path: str, text: str, export_macros: Iterable[str], object_macros: Iterable[str]
) -> Neutral:
    """Return a file without its macros.

    Parameters
    ----------
    path : str
        The name for places.
    text : str
        The file.
    export_macros : Iterable[str]
        Words that are left out, besides the usual ones.
    object_macros : Iterable[str]
        Macros of the project, called with or without arguments, that are left out.

    """
    exports = {*EXPORT_MACROS, *export_macros} - {""}
    known = {*OBJECT_MACROS, *REF_MACROS, NODE_TYPE_MACRO}
    own = set(object_macros) - known - {""}
    wanted = exports | known | own
    present = [name for name in sorted(wanted) if name in text]
    found = Neutral(Lines(path, text), [], set())
    if not present:
        return found
    pieces: list[str] = []
    at = 0
    for match in tokens.hiding_or(present).finditer(text):
        name, start = match.group(), match.start()
        if name not in wanted or start < at or tokens.is_word_char(text[start - 1 : start]):
            continue
        end = match.end()
        if name not in exports:
            end = _call_end(text, end)
            if name in known and end > match.end():
                _record(found, name, start, end)
            elif name in known:
                continue
            if name not in own and text[end : end + 1] == ";":
                end += 1
        pieces += [text[at:start], _blank(text[start:end])]
        at = end
    found.lines.text = "".join([*pieces, text[at:]])
    return found


def _record(found: Neutral, name: str, start: int, end: int) -> None:
    cursor = Cursor(found.lines, start, end)
    if name == NODE_TYPE_MACRO:
        found.node_types.add(last_name(cursor.joined(2, cursor.closing(1))))
        return
    ranges = cursor.arguments(1)
    args = [cursor.joined(first, last) for first, last in ranges]
    spans = [cursor.span(first, last - 1) for first, last in ranges]
    found.macros.append((start, Macro(name, args, spans, cursor.span(0))))


def _call_end(text: str, at: int) -> int:
    """Return the end of the parentheses that follow; `at` when there are none."""
    depth = 0
    for word, offset in tokens.code(text, at, len(text)):
        if not depth and word != "(":
            break
        depth += (word == "(") - (word == ")")
        if not depth:
            return offset + 1
    return at


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
