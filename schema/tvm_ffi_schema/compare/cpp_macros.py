# SPDX-License-Identifier: Apache-2.0
"""Replace macros with blanks of the same length, because the grammar has no preprocessor.

This module replaces export macros, macros that declare classes, words between `class` and the name
of a class, and words in capitals on a line of their own where a declaration can begin. It records
the macros that declare classes. Comments and literals are not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..files import tokens
from . import cpp_branches
from .cpp_facts import EXPORT_MACROS, NODE_TYPE_MACRO, OBJECT_MACROS, REF_MACROS, Macro
from .cpp_tokens import Cursor, Lines

_WORDS = (
    r"(?:\[\[[^\]]*\]\]|(?:alignas|__declspec|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)"
    r"|[A-Z_][A-Z0-9_]*(?:\([^()]*\))?)"
)
# Matches the words between `class` and the name in a class definition.
_BEFORE_NAME = re.compile(
    rf"(?:class|struct)\b(?P<words>(?:\s+{_WORDS})+)"
    r"(?=\s+[A-Za-z_]\w*\s*(?:final\s*)?(?::(?!:)|\{))"
)
_ALONE = re.compile(
    r"\n[ \t]*(?P<word>[A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z][A-Z0-9]+(?=\())"
    r"(?P<call>\((?:[^();{}]|\([^()]*\))*\))?[ \t]*(?://[^\r\n]*)?(?=\r?\n|\Z)"
)
_SIGN_AFTER = re.compile(r"\s*(?:[A-Za-z_~}#]|/[/*]|\[\[)")


_LONGEST_CALL = 4_000


@dataclass
class Plain:
    """The text of a file without macros, and the macros that declare classes or node types."""

    lines: Lines
    macros: list[tuple[int, Macro]]
    node_types: list[tuple[int, str]]


def blanked(
    path: str, text: str, export_macros: Iterable[str], object_macros: Iterable[str]
) -> Plain:
    """Return a file without its macros.

    Parameters
    ----------
    path : str
        The path that spans contain.
    text : str
        The content of the file.
    export_macros : Iterable[str]
        Further words that are replaced with blanks.
    object_macros : Iterable[str]
        Macros of the project, with or without arguments, that are replaced with blanks.

    """
    exports = {*EXPORT_MACROS, *export_macros} - {""}
    known = {*OBJECT_MACROS, *REF_MACROS, NODE_TYPE_MACRO}
    own = set(object_macros) - known - {""}
    found = Plain(Lines(path, text), [], [])
    text = found.lines.text = cpp_branches.settled(text)
    present = [name for name in sorted(exports | known | own) if name in text]
    if present:
        found.lines.text = text = _without(found, text, present, (exports, known, own))
    found.lines.text = _without_other_macros(text)
    return found


def _without(
    found: Plain, text: str, present: list[str], sets: tuple[set[str], set[str], set[str]]
) -> str:
    """Replace the macros with these names by blanks; record macros that declare classes."""
    exports, known, own = sets
    wanted = exports | known | own
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
    return "".join([*pieces, text[at:]])


def _without_other_macros(text: str) -> str:
    """Replace words by blanks that can only be macros because of their position."""

    def named(m: re.Match[str]) -> str:
        if tokens.is_word_char(text[m.start() - 1 : m.start()]):
            return m[0]  # `class` is only the last part of a longer word
        return m[0][: m.start("words") - m.start()] + _blank(m["words"])

    text = _BEFORE_NAME.sub(named, text)
    return _ALONE.sub(lambda m: _blank(m[0]) if _is_macro(text, m) else m[0], text)


def _is_macro(text: str, match: re.Match[str]) -> bool:
    """Return whether a word on its own line is a macro.

    It is a macro if a declaration could begin at the word, and one begins after the line.
    """
    before = text[max(0, match.start() - 400) : match.start()].rstrip()
    while before.rpartition("\n")[2].lstrip().startswith(("//", "#")):
        before = before.rpartition("\n")[0].rstrip()
    starts = not before or before[-1] in "{};:/" or (before[-1] == ")" and not match["call"])
    return starts and _SIGN_AFTER.match(text, match.end()) is not None


def _record(found: Plain, name: str, start: int, end: int) -> None:
    cursor = Cursor(found.lines, start, end)
    if name == NODE_TYPE_MACRO:
        found.node_types.append((start, cursor.joined(2, cursor.closing(1))))
        return
    ranges = cursor.arguments(1)
    args = [cursor.joined(first, last) for first, last in ranges]
    spans = [cursor.span(first, last - 1) for first, last in ranges]
    found.macros.append((start, Macro(name, args, spans, cursor.span(0))))


def _call_end(text: str, at: int) -> int:
    """Return the end of the parentheses that begin at `at`; `at` if no parenthesis is there."""
    depth = 0
    for word, offset in tokens.code(text, at, min(len(text), at + _LONGEST_CALL)):
        if not depth and word != "(":
            break
        depth += (word == "(") - (word == ")")
        if not depth:
            return offset + 1
    return at


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
