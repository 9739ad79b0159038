# SPDX-License-Identifier: Apache-2.0
"""C++ structs that view registered objects, written from what is reflected."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .cpp_types import (
    HEADER_SIZE,
    BaseType,
    Carrier,
    CarrierTable,
    escape_identifier,
    quote_key,
    struct_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["gen_abi_cpp"]

_FIRST_OBJECT = 64
_FIRST_DYNAMIC = 128

# Static types that C++ has: classes to derive from, and whether a selector may name them.
_STATIC_TYPES: dict[str, str] = {
    "ffi.Object": "Object",
    "ffi.String": "details::StringObj",
    "ffi.Bytes": "details::BytesObj",
    "ffi.Error": "ErrorObj",
    "ffi.Function": "FunctionObj",
    "ffi.Shape": "ShapeObj",
    "ffi.Tensor": "TensorObj",
    "ffi.Array": "ArrayObj",
    "ffi.Map": "MapObj",
    "ffi.Module": "ModuleObj",
    "ffi.List": "ListObj",
    "ffi.Dict": "DictObj",
}

_WARNINGS_OFF = """\
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4749)
#endif"""
_WARNINGS_ON = """\
#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif"""


def gen_abi_cpp(type_keys: str | Sequence[str]) -> str:
    """Return a C++17 header of plain structs that view objects of registered types.

    It needs the headers of this package and nothing else. The structs register no types; their
    ``static_assert`` lines compare sizes, alignments and offsets with what is reflected. The text
    depends on the selected types alone.

    Parameters
    ----------
    type_keys
        Keys, or shell patterns that keys are matched with.

    Raises
    ------
    TypeError
        If ``type_keys`` is neither a string nor a sequence of strings.
    ValueError
        If a selector matches no object type, or the layout of a type cannot be expressed.

    """
    is_many = hasattr(type_keys, "__iter__") and not isinstance(type_keys, str)
    selectors: list[Any] = list(type_keys) if is_many else [type_keys]
    for selector in selectors:
        if not isinstance(selector, str):
            got = f"{type(selector).__name__}: {selector!r}"
            raise TypeError(f"type_keys must be a string or a sequence of strings, got {got}")
    selected = _select(selectors)
    return _Header(selected).text()


# ---- which types ----


def _select(selectors: Iterable[str]) -> dict[str, BaseType]:
    """Return the dynamic types that selectors match, with their ancestors, by key."""
    from tvm_ffi import _ffi_api, core

    keys = sorted(map(str, _ffi_api.GetRegisteredTypeKeys()))
    indices = {key: core._object_type_key_to_index(key) for key in keys}
    found: dict[str, BaseType] = {}
    for selector in selectors:
        matched = [k for k in keys if k == selector or fnmatch.fnmatchcase(k, selector)]
        if not matched:
            raise ValueError(f"Type-key selector {selector!r} did not match any registered type")
        objects = [k for k in matched if (indices[k] or 0) >= _FIRST_OBJECT]
        if not objects:
            raise ValueError(
                f"Type-key selector {selector!r} did not match any registered object type"
            )
        for key in objects:
            _add(key, indices[key] or 0, found)
    return found


def _add(key: str, index: int, found: dict[str, BaseType]) -> None:
    if index < _FIRST_DYNAMIC:
        if key not in _STATIC_TYPES:
            raise ValueError(f"Static TVM-FFI type {key!r} is not supported")
        return
    entry: BaseType | None = describe(key)
    while entry is not None and entry.key not in found and entry.index >= _FIRST_DYNAMIC:
        found[entry.key] = entry
        entry = entry.parent


def describe(key: str) -> BaseType:
    """Return what the registry knows of a type."""
    from tvm_ffi import core

    info = core._lookup_or_register_type_info_from_type_key(key)
    parent = info.parent_type_info
    spec: Any = core._describe_type(info.type_index)
    return BaseType(
        key=str(info.type_key),
        index=info.type_index,
        depth=len(info.type_ancestors),
        total_size=spec[2] if spec is not None else 0,
        parent=None if parent is None else describe(str(parent.type_key)),
        info=info,
    )


# ---- the text ----


@dataclass
class _Struct:
    """A struct, and the members that it shall have."""

    entry: BaseType
    base: str
    size: int
    alignment: int
    members: list[tuple[Any, Carrier]] = field(default_factory=list)


class _Header:
    """Puts a header together."""

    def __init__(self, selected: dict[str, BaseType]) -> None:
        self._selected = sorted(selected.values(), key=lambda e: (e.depth, e.key))
        self._table = CarrierTable()
        self._structs = [self._struct(entry) for entry in self._selected]
        known = {entry.key for entry in self._selected}
        self._opaque = [describe(key) for key in sorted(self._table.referenced) if key not in known]

    def text(self) -> str:
        """Return the whole header."""
        every = sorted([*self._selected, *self._opaque], key=lambda e: e.key)
        parts = ["#pragma once", "#include <tvm/ffi/tvm_ffi.h>"]
        parts += _grouped([(e.key, [f"struct {struct_name(e.key)};"]) for e in every])
        marks = [
            "template <>\ninline constexpr bool tvm::ffi::is_object_subclass_v<"
            f"{_qualified(e.key)}> = true;"
            for e in every
        ]
        if marks:
            parts.append("\n".join(marks))
        parts += _grouped([(e.key, _opaque_lines(e)) for e in self._opaque])
        parts.append(
            f"static_assert(sizeof(::tvm::ffi::Object) == {HEADER_SIZE});\n"
            "static_assert(alignof(::tvm::ffi::Object) == 8);"
        )
        parts.append(_WARNINGS_OFF)
        parts += _grouped([(s.entry.key, _struct_lines(s)) for s in self._structs])
        parts.append(_WARNINGS_ON)
        return "\n\n".join(parts) + "\n"

    def _struct(self, entry: BaseType) -> _Struct:
        fields = sorted(entry.info.fields or (), key=lambda f: f.offset)
        parent = entry.parent
        if parent is None:
            raise ValueError(f"Type {entry.key!r} has no parent")
        if parent.index >= _FIRST_DYNAMIC:
            base = _qualified(parent.key)
        elif parent.key in _STATIC_TYPES:
            base = f"::tvm::ffi::{_STATIC_TYPES[parent.key]}"
        else:
            raise ValueError(f"Unsupported parent {parent.key!r} of {entry.key!r}")
        alignment = max([8, *(f.alignment for f in _all_fields(entry))])
        if not entry.total_size and not _is_python(entry):
            raise ValueError(f"Native type {entry.key!r} does not expose fixed total-size metadata")
        size = entry.total_size or entry.info.total_size
        members = [(f, self._table.of_field(entry.key, f, _is_python(entry))) for f in fields]
        return _Struct(entry, base, size, alignment, members)


def _is_python(entry: BaseType) -> bool:
    """Tell whether a type was defined in Python, by `py_class`."""
    return getattr(entry.info, "_decorator_args", None) is not None


def _all_fields(entry: BaseType) -> list[Any]:
    fields: list[Any] = []
    current: BaseType | None = entry
    while current is not None:
        fields += current.info.fields or ()
        current = current.parent
    return fields


def _namespaces(key: str) -> tuple[str, ...]:
    return tuple(map(escape_identifier, key.split(".")[:-1]))


def _qualified(key: str) -> str:
    return "::" + "::".join([*_namespaces(key), struct_name(key)])


def _grouped(pieces: Sequence[tuple[str, list[str]]]) -> list[str]:
    """Put pieces of text into their namespaces, neighbours of one namespace together."""
    groups: list[tuple[tuple[str, ...], list[str]]] = []
    for key, lines in pieces:
        spaces = _namespaces(key)
        if not groups or groups[-1][0] != spaces:
            groups.append((spaces, []))
        groups[-1][1].append("\n".join(lines))
    texts = []
    for spaces, bodies in groups:
        opening = "\n".join(f"namespace {s} {{" for s in spaces)
        closing = "\n".join(f"}}  // namespace {s}" for s in reversed(spaces))
        texts.append("\n\n".join(filter(None, [opening, *bodies, closing])))
    return texts


def _opaque_lines(entry: BaseType) -> list[str]:
    return [
        f"struct {struct_name(entry.key)} : public ::tvm::ffi::Object {{",
        f"  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP({quote_key(entry.key)}, {entry.depth});",
        "};",
    ]


def _struct_lines(struct: _Struct) -> list[str]:
    name, entry = struct_name(struct.entry.key), struct.entry
    lines = [
        f"struct alignas({struct.alignment}) {name} : public {struct.base} {{",
        f"  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP({quote_key(entry.key)}, {entry.depth});",
    ]
    if struct.members:
        lines.append("")
    checks = [
        f"static_assert(sizeof({name}) == {struct.size});",
        f"static_assert(alignof({name}) == {struct.alignment});",
    ]
    for f, carrier in struct.members:
        member = escape_identifier(f.name)
        note = f"offset={f.offset}, size={f.size}, align={f.alignment}"
        if member != f.name:
            note += f", reflected name={_printable(f.name)}"
        lines.append(f"  {carrier.text} {member};  // {note}")
        checks += [
            f"static_assert(sizeof(decltype({name}::{member})) == {f.size});",
            f"static_assert(alignof(decltype({name}::{member})) == {f.alignment});",
            f"static_assert(offsetof({name}, {member}) == {f.offset});",
        ]
    return [*lines, "};", "", *checks]


def _printable(name: str) -> str:
    """Write a name into a comment, which a line break or a backslash would end or prolong."""
    return re.sub(r"\\$", r"\\\\", ascii(name))
