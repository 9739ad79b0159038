# SPDX-License-Identifier: Apache-2.0
"""Make the model of the C++ that a schema means, for `compare`.

The generator takes every decision about C++: names, types, constants, constructors, which entries a
registration has. `lower` takes the decisions from the generator: it reads the macros, constants and
statements that `back` would write, so that no decision is made in two places.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..back import cpp_classic, cpp_info, cpp_methods, cpp_object, cpp_ref, cpp_source
from ..back.cpp_type import CppNames
from ..back.writer import Pieces, lines_of
from ..ir import Span
from ..link.program import Class
from .body import read_body
from .chains import read_statement
from .constructs import CHAINS
from .cursor import Cursor, Lines
from .model import CppClass, Function, Member, Statement
from .pattern import NOWHERE

_CHAIN = re.compile(rf"\b(?:{'|'.join(CHAINS)})(?=<)")


@dataclass
class Lowered:
    """The model of one class: the object class, the reference class and the statements.

    `ref` is None for a class without a reference class. The default of a member is empty if the
    schema has none, and None if the value is made when the program runs.
    """

    obj: CppClass
    ref: CppClass | None
    statements: list[Statement]


def lower(cls: Class, names: CppNames) -> Lowered:
    """Return the model of a class, spelled with `names`."""
    classic = cpp_classic.is_classic(cls, names)
    static: Pieces = [*cpp_classic.members(cls, names)] if classic else cpp_info.emit(cls, names)
    obj = _read(cls.obj, static)
    obj.bases = [names.object_class(cls.parent.type_key)]
    for one in cls.d.fields:
        type_, name = names.field_type(cls, one), cls.member(one)
        default = names.default(cls, one)
        obj.members.append(Member(name, type_, default, NOWHERE, one.access, bool(default)))
    if cls.d.ctor and cls.init_fields() and not cpp_object.hand_inits(cls):
        params = cpp_object.parameters(cls, names, for_reference=False)
        obj.constructors = [Function(cls.obj, "", params, NOWHERE)]
    obj.methods = {}
    for method in cls.d.methods:
        if method.native and method.name != "__init__":
            name = method.cpp_name or method.name
            text = " ".join("".join(cpp_methods.signature(method, names, cls=cls)).split())
            made = _read(cls.obj, [f"{text};"]).methods[name][0]
            made.text = text
            obj.methods.setdefault(name, []).append(made)
    return Lowered(obj, _reference(cls, names), _statements(cls, names))


def _reference(cls: Class, names: CppNames) -> CppClass | None:
    if cls.d.ref is None:
        return None
    made = _read(cls.ref, [*cpp_ref.macro(cls, names)])
    made.bases = [names.ref_class(cls.parent.type_key)]
    if ref_has_constructor(cls):
        params = cpp_object.parameters(cls, names, for_reference=True)
        made.constructors = [Function(cls.ref, "", params, NOWHERE)]
    return made


def ref_has_constructor(cls: Class) -> bool:
    """Return whether the reference class has a constructor with the fields of the class."""
    made = cpp_ref.has_constructor(cls) and bool(cls.init_fields())
    return made and not cpp_object.hand_inits(cls)


class _Made(Lines):
    """Text of the generator; constructs in it have no place."""

    def span(self, first: int, last: int) -> Span:
        return NOWHERE


def _read(name: str, body: Pieces) -> CppClass:
    c = Cursor(_Made("", "\n".join(lines_of(body))))
    made = CppClass(name, [], NOWHERE, NOWHERE)
    read_body(c, made, 0, len(c), is_struct=True)
    return made


def _statements(cls: Class, names: CppNames) -> list[Statement]:
    lines = _Made("", "\n".join(cpp_source.statements(cls, names)))
    made: list[Statement] = []
    match = _CHAIN.search(lines.text)
    while match is not None:
        c = Cursor(lines, match.start(), single=True)
        found = read_statement(c)
        made += [found] if found is not None else []
        match = _CHAIN.search(lines.text, c.span_end(-1))
    return made
