# SPDX-License-Identifier: Apache-2.0
"""Make the model of the C++ that a schema means.

`back` takes every decision about C++: names, types, constants, constructors, which entries a
registration has. `lower` asks `back`, so that no decision is made in two places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..back import cpp_info, cpp_methods, cpp_object, cpp_ref, cpp_source
from ..back.cpp_type import CppNames
from ..cxx.cursor import normal
from ..cxx.model import Call, CppClass, Function, Macro, Member, Statement
from ..cxx.pattern import NOWHERE, Construct, Hole
from ..ir import MethodDef
from ..link.program import Class


@dataclass
class Lowered:
    """The model of one class: the object class, the reference class if any, and the statements."""

    obj: CppClass
    ref: CppClass | None
    statements: list[Statement]


def lower(cls: Class, names: CppNames) -> Lowered:
    """Return the model of a class, spelled with `names`."""
    obj = CppClass(cls.obj, [names.object_class(cls.parent.type_key)], NOWHERE, NOWHERE)
    for constant in cpp_info.constants(cls, names):
        obj.constants[constant.row.constant] = normal(constant.text("value")), NOWHERE
    obj.macro = _macro(cpp_info.macro(cls, names))
    for one in cls.d.fields:
        type_, name = names.field_type(cls, one), cls.member(one)
        default = names.default(cls, one)
        obj.members.append(Member(name, type_, default, NOWHERE, one.access, bool(default)))
    if cls.d.ctor and cls.init_fields() and not cls.hand_inits:
        obj.constructors = [_constructor(cls, names, for_reference=False)]
    for method in cls.native:
        if method.name != "__init__":
            made = _method(cls, method, names)
            obj.methods.setdefault(made.name, []).append(made)
    statements = [_statement(cls, *one) for one in cpp_source.registered(cls, names)]
    return Lowered(obj, _reference(cls, names), statements)


def _constructor(cls: Class, names: CppNames, for_reference: bool) -> Function:
    params = cpp_object.parameters(cls, names, for_reference)
    return Function(cls.ref if for_reference else cls.obj, "", params, NOWHERE)


def _method(cls: Class, method: MethodDef, names: CppNames) -> Function:
    params = cpp_methods.method_parameters(method, names, True, cls)
    returned = cpp_methods.exported(cls, names) + names.signature_type(cls, method.returns)
    return Function(
        method.cpp_name or method.name,
        " ".join("".join(cpp_methods.signature(method, names, cls=cls)).split()),
        [normal(one) for one in params],
        NOWHERE,
        returns=normal(returned),
        is_static=method.static,
        is_const=method.const and not method.static,
    )


def _reference(cls: Class, names: CppNames) -> CppClass | None:
    if cls.d.ref is None:
        return None
    made = CppClass(cls.ref, [names.ref_class(cls.parent.type_key)], NOWHERE, NOWHERE)
    made.macro = _macro(cpp_ref.macro(cls, names))
    if cpp_ref.has_constructor(cls) and cls.init_fields() and not cls.hand_inits:
        made.constructors = [_constructor(cls, names, for_reference=True)]
    return made


def _macro(one: Construct) -> Macro:
    return Macro(one.row, _values(one), name=one.row.first)


def _statement(cls: Class, head: Construct, calls: list[Construct]) -> Statement:
    entries = [
        Call(one.row, _values(one), method=str(one.row.parts[1]), name=one.text("name"))
        for one in calls
    ]
    made = Construct(head.row, _values(head))
    return Statement(head.kind, cls.obj, entries, NOWHERE, NOWHERE, made, word=head.row.first)


def _values(one: Construct) -> dict[str, Any]:
    """Return the values of the holes of a construct, as the reader would find them."""
    out: dict[str, Any] = {}
    for hole in one.row.parts:
        if isinstance(hole, Hole) and hole.is_list:
            traits = one.items(hole.name)
            out[hole.name] = [Construct(trait.row, _values(trait)) for trait in traits]
        elif isinstance(hole, Hole):
            text = one.text(hole.name)
            out[hole.name] = text if hole.kind == "str" else normal(text)
    return out
