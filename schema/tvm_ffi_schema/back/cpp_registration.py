# SPDX-License-Identifier: Apache-2.0
"""Where classes are registered: init blocks, definitions of `RegisterReflection`, node types."""

from __future__ import annotations

from ..cxx.constructs import NODE_TYPE_MACRO
from ..cxx.pattern import as_lambda, quoted
from ..link.program import Class
from . import cpp_classic, cpp_object, cpp_ref, cpp_source
from .cpp_layout import Call, chain
from .cpp_type import CppNames, passed
from .writer import Anchor, Pieces


def registration(classes: list[Class], names: CppNames) -> Pieces:
    """Return the lines that register the classes, parents before children."""
    out: list[str] = []
    block: list[str] = []
    for cls in classes:
        if cpp_classic.is_node_type(cls, names):
            out += _init_block(block, names)
            block = []
            out.append(f"{NODE_TYPE_MACRO}({cls.obj});")
        elif cls.registers_itself:
            block.append(f"  {cls.obj}::RegisterReflection();")
        else:
            block += cpp_source.statements(cls, names)
    pieces: Pieces = [*_members(classes, names)]
    if names.options.dialect == "classic":
        made = _constructors_of(classes, names)
        out += ["", *made] if out and made else made
    if out and block:
        out.append("")
    pieces += out
    if block:
        pieces += [*_init_block(block, names)[:-1], Anchor("registration"), "}"]
    return pieces


def _init_block(block: list[str], names: CppNames) -> list[str]:
    if not block:
        return []
    using = f"  namespace refl = {names.options.ffi}reflection;"
    return ["TVM_FFI_STATIC_INIT_BLOCK() {", using, *block, "}"]


def _members(classes: list[Class], names: CppNames) -> list[str]:
    """Return the definition of `RegisterReflection` for each class that declares this member."""
    out: list[str] = []
    for cls in classes:
        is_apart = cls.registers_itself and cls.d.registration != "inline"
        if is_apart and not cpp_classic.is_node_type(cls, names):
            head = f"void {cls.obj}::RegisterReflection()"
            out += [*cpp_source.member(cls, names, head), ""]
    return out


def _constructors_of(classes: list[Class], names: CppNames) -> list[str]:
    """Return, for each class, the registration of a global function that creates an object."""
    calls: list[Call] = []
    for cls in classes:
        passable = all(f.type.cpp is None or f.type.cpp.as_type for f in cls.init_fields())
        passable = passable and not cls.d.deprecated and not cls.hand_inits
        if cpp_ref.has_constructor(cls) and cls.init_fields() and passable:
            params = cpp_object.parameters(cls, names, for_reference=True)
            given = ", ".join(passed(one, names) for one in cls.init_fields())
            made = as_lambda(params, f"return {cls.ref}({given});")
            calls.append((".def", [quoted(cls.type_key), made]))
    if not calls:
        return []
    lines = chain(f"{names.options.ffi}reflection::GlobalDef()", calls)
    return ["TVM_FFI_STATIC_INIT_BLOCK() {", *lines, "}"]
