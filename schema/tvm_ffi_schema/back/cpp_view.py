# SPDX-License-Identifier: Apache-2.0
"""Write view headers: C++ structs through which a program can read objects of other libraries.

A `static_assert` checks the size of each struct. The module `tvm_ffi.stub.view_text` writes the
text, so the package `tvm_ffi` must be installed. The layouts come from the schema, so the other
libraries need not be present.
"""

from __future__ import annotations

from collections.abc import Iterator

from tvm_ffi.stub import view_text
from tvm_ffi.stub.view_text import Member, Struct

from .. import ty
from ..ir import FieldDef, TypeRef
from ..link import layout
from ..link.program import RUNTIME, Class, Foreign, Program
from .cpp_file import FIRST_LINE
from .writer import Pieces

_FFI = "::tvm::ffi::"


FILE = "schema_view.h"


def emit(program: Program) -> Pieces:
    """Return the view header; a class with an unknown layout is omitted and named in a comment."""
    view = _View(program)
    structs, notes = [], []
    for cls in _parents_first(program):
        found = layout.compute(cls, program)
        if found.opaque:
            notes.append(f"// {cls.type_key} is left out: {found.opaque}.")
        else:
            structs.append(view.struct(cls, found))
    known = {struct.key for struct in structs}
    opaque = [(key, view.depth(key)) for key in sorted(view.referenced - known)]
    lines = view_text.header(structs, opaque).splitlines()
    return [f"// {FIRST_LINE} the schema.", *notes, *lines]


def _parents_first(program: Program) -> list[Class]:
    return sorted(program.order, key=lambda c: (len(list(c.ancestors())), c.type_key))


class _View:
    """Finds the C++ types of members; adds the type keys of classes in them to `referenced`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.referenced: set[str] = set()

    def depth(self, key: str) -> int:
        """Return the number of known ancestors of a type, except `ffi.Object`."""
        found = self.program.find(key)
        depth = 1
        while isinstance(found, Class):
            depth, found = depth + 1, found.parent
        return depth if isinstance(found, Foreign) and found.type_key != "ffi.Object" else depth - 1

    def struct(self, cls: Class, found: layout.Layout) -> Struct:
        """Return the struct for a class; the members are the class's own fields."""
        places = {slot.name: slot for slot in found.slots}
        members = []
        for one in cls.d.fields:
            slot = places[one.name]
            name = one.reflected_name or one.name
            text = self._member(cls, one)
            members.append(Member(name, slot.offset, slot.size, slot.align, text))
        alignment = max([8, *(slot.align for slot in found.slots)])
        return Struct(
            cls.type_key, self.depth(cls.type_key), self._base(cls), found.size, alignment, members
        )

    def _base(self, cls: Class) -> str:
        if isinstance(cls.parent, Class):
            return view_text.qualified(cls.parent.type_key)
        obj = RUNTIME.get(cls.parent.type_key, ("Object",))[0]
        return f"{_FFI}{obj}"

    def _member(self, cls: Class, one: FieldDef) -> str:
        if one.storage == "any":
            return f"{_FFI}Any"
        return "".join(self._type(one.type))

    def _type(self, type_: TypeRef) -> Iterator[str]:
        if type_.cpp is not None:
            # The header of the type may be unknown, so write storage with its size and alignment.
            yield f"::std::aligned_storage_t<{type_.cpp.size}, {type_.cpp.align}>"
            return
        if type_.origin == "class":
            yield self._object(type_.name, self._is_nullable(type_.name))
            return
        if type_.origin == "Optional" and type_.args[0].origin == "class":
            yield self._object(type_.args[0].name, True)
            return
        row = ty.row_of(type_.origin)
        assert row is not None, type_.origin
        if type_.origin == "Function":
            yield f"{_FFI}Function"
            return
        yield row.cpp.replace("~", _FFI)
        if type_.args:
            yield "<" + ", ".join("".join(self._type(arg)) for arg in type_.args) + ">"

    def _object(self, key: str, nullable: bool) -> str:
        self.referenced.add(key)
        return f"{_FFI}{'ObjectPtr' if nullable else 'Arc'}<{view_text.qualified(key)}>"

    def _is_nullable(self, key: str) -> bool:
        found = self.program.classes.get(key)
        return found is None or found.d.ref is None or found.d.ref.nullable
