# SPDX-License-Identifier: Apache-2.0
"""Replace macros with blanks of the same length, because the grammar has no preprocessor.

This module replaces export macros, macros that declare classes, words between `class` and the name
of a class, and words in capitals on a line of their own where a declaration can begin. A second
text keeps the macros with arguments, for `body`. Comments and literals are not changed.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..files import tokens
from . import branches
from .constructs import NODE_TYPE_MACRO
from .cursor import Cursor, Lines
from .model import EXPORT_MACROS, MACROS, Use

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
    """The text of a file without macros, and the uses of the macro that registers node types.

    `bodies` has the same text, but with the macros that declare classes and with unknown macros
    that have arguments, also those of the project.
    """

    lines: Lines
    bodies: Lines
    node_types: list[Use]


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
    known = {*MACROS, NODE_TYPE_MACRO}
    own = set(object_macros) - known - {""}
    lines = Lines(path, text)
    found = Plain(lines, copy.copy(lines), [])
    text = lines.text = found.bodies.text = branches.settled(text)
    present = [name for name in sorted(exports | known | own) if name in text]
    if present:
        lines.text, found.bodies.text = _without(found, text, present, (exports, known, own))
    lines.text = _without_other_macros(lines.text, with_calls=True)
    found.bodies.text = _without_other_macros(found.bodies.text, with_calls=False)
    return found


def _without(
    found: Plain, text: str, present: list[str], sets: tuple[set[str], set[str], set[str]]
) -> tuple[str, str]:
    """Return the text without the macros with these names, and the text with known macros."""
    exports, known, own = sets
    wanted = exports | known | own
    pieces: list[str] = []
    bodies: list[str] = []
    at = 0
    for match in tokens.hiding_or(present).finditer(text):
        name, start = match.group(), match.start()
        if name not in wanted or start < at or tokens.is_word_char(text[start - 1 : start]):
            continue
        end = match.end()
        if name not in exports:
            end = _call_end(text, end)
            if name in known and end == match.end():
                continue
            if name == NODE_TYPE_MACRO:
                cursor = Cursor(found.lines, start, end)
                name_ = cursor.joined(2, cursor.closing(1))
                last = end + (text[end : end + 1] == ";")
                found.node_types.append(Use("node_type", name_, found.lines.path, start, last))
            if name not in own and text[end : end + 1] == ";":
                end += 1
        blank = _blank(text[start:end])
        pieces += [text[at:start], blank]
        is_kept = name in known or (name in own and end > match.end())
        bodies += [text[at:start], text[start:end] if is_kept else blank]
        at = end
    return "".join([*pieces, text[at:]]), "".join([*bodies, text[at:]])


def _without_other_macros(text: str, with_calls: bool) -> str:
    """Replace words by blanks that can only be macros because of their position."""

    def named(m: re.Match[str]) -> str:
        if tokens.is_word_char(text[m.start() - 1 : m.start()]):
            return m[0]  # `class` is only the last part of a longer word
        return m[0][: m.start("words") - m.start()] + _blank(m["words"])

    def alone(m: re.Match[str]) -> str:
        is_meant = (with_calls or not m["call"]) and _is_macro(text, m)
        return _blank(m[0]) if is_meant else m[0]

    text = _BEFORE_NAME.sub(named, text)
    return _ALONE.sub(alone, text)


def _is_macro(text: str, match: re.Match[str]) -> bool:
    """Return whether a word on its own line is a macro.

    It is a macro if a declaration could begin at the word, and one begins after the line.
    """
    before = text[max(0, match.start() - 400) : match.start()].rstrip()
    while before.rpartition("\n")[2].lstrip().startswith(("//", "#")):
        before = before.rpartition("\n")[0].rstrip()
    starts = not before or before[-1] in "{};:/" or (before[-1] == ")" and not match["call"])
    return starts and _SIGN_AFTER.match(text, match.end()) is not None


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
