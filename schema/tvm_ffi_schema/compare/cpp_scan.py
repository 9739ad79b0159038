# SPDX-License-Identifier: Apache-2.0
"""The built-in engine: object classes and registrations found by scanning tokens.

Not a C++ parser: it follows brackets, and understands what classes of objects look like. What it
does not understand it passes over.
"""

from __future__ import annotations

from .cpp_body import read_body
from .cpp_chain import read_chain
from .cpp_facts import CHAINS, Alias, CppClass, FileFacts
from .cpp_neutral import Neutral
from .cpp_tokens import Cursor

_ACCESS = ("public", "protected", "private", "virtual")
#: The words at which something begins that is read.
_STARTS = frozenset(("class", "struct", *CHAINS, "RegisterReflection", "using"))


def read(file: Neutral) -> FileFacts:
    """Return what a file says; its classes have no macros yet."""
    c = Cursor(file.lines)
    found = FileFacts()
    at, end_of_file, words = 0, len(c), c.words
    while at < end_of_file:
        word = words[at]
        if word not in _STARTS:
            at += 1
        elif word in ("class", "struct"):
            at = _class(c, at, found)
        elif word in CHAINS and _word(c, at + 1) == "<":
            chain, at = read_chain(c, at)
            found.chains += [chain] if chain else []
        elif word == "RegisterReflection" and _word(c, at - 1) == "::":
            if _word(c, c.closing(at + 1) + 1) != "{":
                start = at - 1
                while _word(c, start) == "::" and at - start < 40 and c.is_word(start - 1):
                    start -= 2
                found.calls.append((c.offsets[at], c.joined(start + 1, at - 1)))
            at += 1
        elif word == "using" and _word(c, at + 2) == "=":
            end = _until(c, at, ";")
            params = template_parameters(c, at)
            alias = Alias(c.joined(at + 3, end), params)
            found.aliases.append((c.offsets[at], c.words[at + 1], alias))
            at = end
        else:
            at += 1
    return found


def template_parameters(c: Cursor, at: int) -> tuple[str, ...]:
    """Return the parameters of the template that the token before `at` ends the head of."""
    start, depth = at - 1, 0
    while start > 0 and at - start < 200:
        depth += (c.words[start] == ">") - (c.words[start] == "<")
        if not depth:
            break
        start -= 1
    if start < 1 or c.words[start] != "<" or c.words[start - 1] != "template":
        return ()
    return tuple(c.words[last - 1] for _, last in c.split(start + 1, at - 1))


def class_at(c: Cursor, at: int) -> tuple[CppClass, int] | None:
    """Return the class whose keyword is at `at`, with the index of its brace; None for others."""
    start = at + 1
    while _word(c, start) in ("[", "alignas", "__attribute__"):
        start = c.closing(start + (_word(c, start) != "[")) + 1
    brace, colon = start, -1
    while brace < len(c) and c.words[brace] != "{":
        word = c.words[brace]
        if word in (";", "(", ")", "=", "}") or (word in ("<", ">") and colon < 0):
            return None
        if word in ("class", "struct") and c.words[brace - 1] not in ("<", ","):
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
    found = CppClass(c.words[name_at], bases, c.span(name_at), base_span)
    found.params = template_parameters(c, at)
    return found, brace


def _class(c: Cursor, at: int, into: FileFacts) -> int:
    read = class_at(c, at)
    if read is None:
        return at + 1
    found, brace = read
    end = c.closing(brace)
    read_body(c, found, brace + 1, end, c.words[at] == "struct")
    found.damaged = end == len(c)
    last = c.offsets[end] if end < len(c) else len(c.lines.text)
    into.classes.append((c.offsets[brace], last, found))
    return brace + 1


def _word(c: Cursor, at: int) -> str:
    return c.words[at] if 0 <= at < len(c) else ""


def _until(c: Cursor, at: int, mark: str) -> int:
    while at < len(c) and c.words[at] != mark:
        at = c.closing(at) if c.words[at] in ("(", "{", "[") else at
        at += 1
    return at
