# SPDX-License-Identifier: Apache-2.0
"""Split a class body into declarations, each with the comments before the declaration."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from ...cxx.constructs import TABLE
from ...cxx.model import MACROS, CppClass, Member
from ...ir import Span
from .tree import CppFile, Refused

#: Constants that the generator writes, so that adoption does not put them into custom sections.
CONSTANTS = frozenset(row.constant for row in TABLE.rows if row.constant)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*\w+", re.MULTILINE)
#: A semicolon behind the body of a function, and a comment on the same line.
_BEHIND = re.compile(r"(?:\s*;)?(?:[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*(?=\r?\n)))?")


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


def pieces(found: CppClass, file: CppFile, object_macros: frozenset[str]) -> list[Piece]:
    """Return the declarations of a class in order.

    Raises
    ------
    Refused
        If the preprocessor or an unknown macro may hide declarations.

    """
    text, lines = file.text, file.lines
    at, close = found.opening + 1, found.closing
    _refuse_directive(found, file)
    out: list[Piece] = []
    members = iter(found.members)
    for one in found.declared:
        span = lines.span(one.first, one.last)
        if one.kind == "macro" and one.names[0] not in object_macros | MACROS:
            why = f"the macro {one.names[0]} in {found.name} may declare fields"
            raise Refused(why, span, "if it declares none, name it in `object_macros`")
        before = file.code(at, one.first)
        if one.kind == "field" and before:
            text_ = f"{' '.join(before)} before {one.names[0]} may change the declaration"
            raise Refused(text_, span)
        tail = _BEHIND.match(text, one.last, close)
        end = tail.end() if tail is not None else one.last
        own = len(one.names) if one.kind == "field" else 0
        out.append(
            Piece(
                one.kind,
                one.names,
                text[at:end],
                span,
                file.code(one.first, one.last),
                text[at : one.first],
                text[one.last : end],
                tuple(itertools.islice(members, own)),
                one.access,
            )
        )
        at = end
    rest = text[at:close]
    if rest.strip():
        span = lines.span(close, close + 1)
        out.append(Piece("other", [], rest.rstrip(" \t"), span, []))
    return out


def _refuse_directive(found: CppClass, file: CppFile) -> None:
    match = _DIRECTIVE.search(file.text, found.opening + 1, found.closing)
    if match is not None:
        text = f"{found.name} has the directive {match.group().strip()} in its body"
        span = file.lines.span(match.start(), match.end())
        raise Refused(text, span, "move it out of the class")
