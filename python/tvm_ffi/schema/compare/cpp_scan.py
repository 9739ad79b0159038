# SPDX-License-Identifier: Apache-2.0
"""The built-in engine: object classes and registrations found by scanning tokens.

Not a C++ parser: it follows brackets, and understands what classes of objects look like. What it
does not understand it passes over.
"""

from __future__ import annotations

from .cpp_body import read_body
from .cpp_chain import read_chain
from .cpp_facts import CHAINS, CppClass, Sources
from .cpp_neutral import Neutral
from .cpp_tokens import Cursor

#: A class with the offsets of its body's braces.
Found = tuple[int, int, CppClass]
_ACCESS = ("public", "protected", "private", "virtual")
#: The words at which something begins that is read.
_STARTS = frozenset(("class", "struct", *CHAINS, "RegisterReflection", "using"))


def read(file: Neutral, into: Sources) -> list[Found]:
    """Add what a file says; return its classes, which have no macros yet."""
    c = Cursor(file.lines)
    classes: list[Found] = []
    at, end_of_file, words = 0, len(c), c.words
    while at < end_of_file:
        word = words[at]
        if word not in _STARTS:
            at += 1
        elif word in ("class", "struct"):
            at = _class(c, at, classes)
        elif word in CHAINS and _word(c, at + 1) == "<":
            chain, at = read_chain(c, at)
            into.chains += [chain] if chain else []
        elif word == "RegisterReflection" and _word(c, at - 1) == "::":
            if _word(c, c.closing(at + 1) + 1) != "{":
                into.register_calls.add(c.words[at - 2])
            at += 1
        elif word == "using" and _word(c, at + 2) == "=":
            end = _until(c, at, ";")
            into.aliases[c.words[at + 1]] = c.joined(at + 3, end)
            at = end
        else:
            at += 1
    return classes


def class_at(c: Cursor, at: int) -> tuple[CppClass, int] | None:
    """Return the class whose keyword is at `at`, with the index of its brace; None for others."""
    start = at + 1
    while _word(c, start) in ("[", "alignas", "__attribute__"):
        start = c.closing(start + (_word(c, start) != "[")) + 1
    brace, colon = start, -1
    while brace < len(c) and c.words[brace] != "{":
        word = c.words[brace]
        if word in (";", "(", ")", "=") or (word in ("<", ">") and colon < 0):
            return None
        if word == ":" and colon < 0:
            colon = brace
        brace += 1
    if brace >= len(c) or _word(c, at - 1) == "enum":
        return None
    name_at = (colon if colon >= 0 else brace) - 1
    if _word(c, name_at) == "final":
        name_at -= 1
    if name_at < start or not c.is_word(name_at):
        return None
    bases: list[str] = []
    base_span = c.span(name_at)
    for first, last in c.split(colon + 1, brace) if colon >= 0 else ():
        while first < last and c.words[first] in _ACCESS:
            first += 1
        if not bases and first < brace:
            base_span = c.span(first, brace - 1)
        bases.append(c.joined(first, last))
    return CppClass(c.words[name_at], bases, c.span(name_at), base_span), brace


def _class(c: Cursor, at: int, classes: list[Found]) -> int:
    read = class_at(c, at)
    if read is None:
        return at + 1
    found, brace = read
    end = c.closing(brace)
    read_body(c, found, brace + 1, end, c.words[at] == "struct")
    found.damaged = end == len(c)
    last = c.offsets[end] if end < len(c) else len(c.lines.text)
    classes.append((c.offsets[brace], last, found))
    return brace + 1


def _word(c: Cursor, at: int) -> str:
    return c.words[at] if 0 <= at < len(c) else ""


def _until(c: Cursor, at: int, mark: str) -> int:
    while at < len(c) and c.words[at] != mark:
        at = c.closing(at) if c.words[at] in ("(", "{", "[") else at
        at += 1
    return at
