# SPDX-License-Identifier: Apache-2.0
"""Split a class body into declarations, each with the comments before the declaration."""

from __future__ import annotations

import bisect
import itertools
import re
from dataclasses import dataclass

from ...cxx.body import read_body
from ...cxx.constructs import MACROS
from ...cxx.model import CppClass, Member
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
    read_body(c, facts, head.opening + 1, head.closing, c.words[head.first] == "struct")
    members = iter(facts.members)
    for one in facts.declared:
        first = bisect.bisect_left(c.offsets, one.first)
        stop = bisect.bisect_left(c.offsets, one.last)
        last = stop - 1
        if first < last and c.words[last] == "}" and c.words[stop : stop + 1] == [";"]:
            last += 0 if stop >= head.closing else 1
        end = file.end(last)
        tail = _SAME_LINE.match(text, end, close)
        end = tail.end() if tail is not None else end
        span = c.span(first, last)
        if one.kind == "macro" and one.names[0] not in object_macros | MACROS:
            why = f"the macro {one.names[0]} in {name} may declare fields"
            raise Refused(why, span, "if it declares none, name it in `object_macros`")
        out.append(
            Piece(
                one.kind,
                one.names,
                text[at:end],
                span,
                c.words[first : last + 1],
                text[at : file.offset(first)],
                text[file.end(last) : end],
                tuple(itertools.islice(members, len(one.names) if one.kind == "field" else 0)),
                one.access,
            )
        )
        at = end
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
