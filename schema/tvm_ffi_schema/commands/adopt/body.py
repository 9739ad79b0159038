# SPDX-License-Identifier: Apache-2.0
"""Split a class body into declarations, each with the comments before the declaration."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...compare import cpp_body
from ...compare.cpp_facts import OBJECT_MACROS, REF_MACROS, CppClass, Member
from ...ir import Span
from .tree import Head, Refused

#: Constants that the generator writes, so that adoption does not put them into custom sections.
CONSTANTS = frozenset(
    (
        *("_type_key", "_type_final", "_type_child_slots", "_type_child_slots_can_overflow"),
        *("_type_mutable", "_type_s_eq_hash_kind"),
    )
)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*\w+", re.MULTILINE)
_SAME_LINE = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*(?=\r?\n))")
_WORDS_OF_TYPES = ("alignas", "decltype", "__attribute__", "operator", "static_assert")


@dataclass
class Piece:
    """One declaration in a class body.

    `kind` is "field", "constant", "method", "constructor", "macro", "label" or "other". `text`
    begins at the end of the previous piece, so it contains the comments before the declaration. It
    ends with the last line of the declaration.
    """

    kind: str
    names: list[str]
    text: str
    span: Span
    code: list[str]
    before: str = ""
    after: str = ""
    members: tuple[Member, ...] = ()
    access: str = "public"


def pieces(head: Head, name: str, object_macros: frozenset[str]) -> list[Piece]:
    """Return the declarations of a class in order.

    Raises
    ------
    Refused
        If the preprocessor or an unknown macro may hide declarations.

    """
    file, c = head.file, head.file.cursor
    text = file.text
    at, close = file.end(head.opening), file.offset(head.closing)
    _refuse_directive(head, name)
    out: list[Piece] = []
    facts = CppClass(name, [], c.span(head.name), c.span(head.name))
    before = _counts(facts)
    is_struct = c.words[head.first] == "struct"
    for first, stop, access in cpp_body.pieces(c, facts, head.opening + 1, head.closing, is_struct):
        now = _counts(facts)
        last = stop - 1
        if first < last and c.words[last] == "}" and c.words[stop : stop + 1] == [";"]:
            last += 0 if stop >= head.closing else 1
        if c.words[first : last + 1] == [";"]:
            at = file.end(last)
            continue
        end = file.end(last)
        tail = _SAME_LINE.match(text, end, close)
        end = tail.end() if tail is not None else end
        kind, names, members = _kind(c.words[first : last + 1], facts, before, now, name)
        span = c.span(first, last)
        if kind == "macro" and names[0] not in object_macros | set(OBJECT_MACROS) | set(REF_MACROS):
            why = f"the macro {names[0]} in {name} may declare fields"
            raise Refused(why, span, "if it declares none, name it in `object_macros`")
        out.append(
            Piece(
                kind,
                names,
                text[at:end],
                span,
                c.words[first : last + 1],
                text[at : file.offset(first)],
                text[file.end(last) : end],
                members,
                access,
            )
        )
        at, before = end, now
    rest = text[at:close]
    if rest.strip():
        out.append(Piece("other", [], rest.rstrip(" \t"), c.span(head.closing), []))
    return out


def _refuse_directive(head: Head, name: str) -> None:
    file = head.file
    found = _DIRECTIVE.search(file.text, file.end(head.opening), file.offset(head.closing))
    if found is not None:
        text = f"{name} has the directive {found.group().strip()} in its body"
        span = file.cursor.lines.span(found.start(), found.end())
        raise Refused(text, span, "move it out of the class")


def _counts(facts: CppClass) -> tuple[int, int, int, int]:
    overloads = sum(map(len, facts.overloads.values()))
    return len(facts.members), len(facts.constants), overloads, len(facts.constructors)


def _kind(
    words: list[str],
    facts: CppClass,
    before: tuple[int, int, int, int],
    now: tuple[int, int, int, int],
    name: str,
) -> tuple[str, list[str], tuple[Member, ...]]:
    """Return the kind of a declaration, the declared names, and the declared data members."""
    if words[-1] == ":" and len(words) == 2:
        return "label", [words[0]], ()
    is_call = words[1:2] == ["("] and words[2:3] not in (["*"], ["&"])
    if is_call and words[0] not in (name, "~", *_WORDS_OF_TYPES):
        return "macro", [words[0]], ()
    if now[0] > before[0]:
        members = tuple(facts.members[before[0] :])
        return "field", [one.name for one in members], members
    if now[1] > before[1]:
        return "constant", list(facts.constants)[before[1] :], ()
    if now[2] > before[2]:
        at = words.index("(") if "(" in words else len(words)
        return "method", [words[at - 1]], ()
    if now[3] > before[3]:
        return "constructor", [name], ()
    return "other", [], ()
