# SPDX-License-Identifier: Apache-2.0
"""Compute layouts: size, alignment and offset of every field, for 64-bit systems."""

from __future__ import annotations

from dataclasses import dataclass

from .. import ty
from ..ir import TypeRef
from .program import Class, Program

HEADER_BYTES = 24


@dataclass(frozen=True)
class Slot:
    """The position of a field in an object; `carrier` is the C type of the stored bytes.

    The carrier is a number type or a type of the ABI, for example ``TVMFFIAny`` for any value and
    ``TVMFFIObject*`` for a reference. It is empty for a type that only C++ knows.
    """

    name: str
    offset: int
    size: int
    align: int
    carrier: str = ""


@dataclass(frozen=True)
class Layout:
    """The positions of all fields of a class; `opaque` is the reason if one is not known."""

    size: int
    slots: tuple[Slot, ...]
    opaque: str = ""


def size_of(type_: TypeRef) -> tuple[int, int] | None:
    """Return (size, alignment) of a type in a field; None if the type has no known size."""
    if type_.cpp is not None:
        return (type_.cpp.size, type_.cpp.align) if type_.cpp.size and type_.cpp.align else None
    if type_.origin in ("class", "Self"):
        return 8, 8
    if type_.origin == "Optional":
        inner = type_.args[0]
        if ty.is_optional_pointer(inner):
            return 8, 8
        return (16, 8) if inner.cpp is None else None
    row = ty.row_of(type_.origin)
    return None if row is None else (row.size, row.align)


_CARRIERS = {"DataType": "DLDataType", "Device": "DLDevice", "Handle": "void*"}


def _carrier(type_: TypeRef, size: int) -> str:
    """Return the C type of the bytes that a field of this type and size stores."""
    if type_.cpp is not None:
        return ""
    if size == 16:
        return "TVMFFIAny"
    if ty.is_object_pointer(type_) or type_.origin == "Optional":
        return "TVMFFIObject*"
    return _CARRIERS.get(type_.origin, type_.origin)


def compute(cls: Class, program: Program, in_python: bool = False) -> Layout:
    """Return the layout of a class, inherited fields first.

    With `in_python`, own fields have the sizes of a class that is defined in Python: 16 bytes for
    optional and union fields.

    The fields of a derived class begin at the end of the last member of the parent. The C++ ABI of
    Unix systems has this rule for classes that are not plain data.
    """
    chain = [*reversed(list(cls.ancestors())), cls]
    top = chain[0].parent
    if not isinstance(top, Class) and top.type_key != "ffi.Object":
        return Layout(0, (), f"parent {top.type_key} is outside the schema")
    at, align = HEADER_BYTES, 8
    slots: list[Slot] = []
    for owner in chain:
        for one in owner.d.fields:
            size = size_of(one.type)
            if in_python and owner is cls and one.type.origin in ("Optional", "Union"):
                size = 16, 8
            if size is None:
                return Layout(0, tuple(slots), f"the size of {one.name} is not known")
            at = -(-at // size[1]) * size[1]
            slots.append(Slot(one.name, at, *size, _carrier(one.type, size[0])))
            at += size[0]
            align = max(align, size[1])
    return Layout(-(-at // align) * align, tuple(slots))
