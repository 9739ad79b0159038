# SPDX-License-Identifier: Apache-2.0
"""Generate C++ structs with the layout of registered objects, from reflection."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence

from .. import _ffi_api, core
from .._types.info import _all_fields
from . import view_text
from .cpp_types import VISIT_INTERRUPT, BaseType, CarrierTable
from .view_text import Member, Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["gen_abi_cpp"]

_FIRST_OBJECT = 64
_FIRST_DYNAMIC = 128

# Static types -> the C++ classes to derive from.
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
    VISIT_INTERRUPT: "VisitInterruptObj",
}


def gen_abi_cpp(type_keys: str | Sequence[str]) -> str:
    """Return a C++17 header of plain structs with the layout of registered object types.

    ``type_keys`` are type keys, or shell patterns for them. The header needs only the headers of
    this package. The structs do not register types; their ``static_assert`` lines check the
    reflected sizes, alignments and offsets. The text depends only on the selected types.

    Raise TypeError if ``type_keys`` is neither a string nor a sequence of strings. Raise ValueError
    if a selector does not match any object type, or the layout of a type cannot be expressed.
    """
    is_many = hasattr(type_keys, "__iter__") and not isinstance(type_keys, str)
    selectors: list[Any] = list(type_keys) if is_many else [type_keys]
    for selector in selectors:
        if not isinstance(selector, str):
            got = f"{type(selector).__name__}: {selector!r}"
            raise TypeError(f"type_keys must be a string or a sequence of strings, got {got}")
    selected = _select(selectors)
    return _Header(selected).text()


# ---- selecting types ----


def _select(selectors: Iterable[str]) -> dict[str, BaseType]:
    """Return the dynamic types that selectors match, with their ancestors, by key."""
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
    """Return the description of a type in the registry."""
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


class _Header:
    """Writes a header."""

    def __init__(self, selected: dict[str, BaseType]) -> None:
        self._selected = sorted(selected.values(), key=lambda e: (e.depth, e.key))
        self._table = CarrierTable()
        self._structs = [self._struct(entry) for entry in self._selected]
        known = {entry.key for entry in self._selected}
        self._opaque = [describe(key) for key in sorted(self._table.referenced) if key not in known]

    def text(self) -> str:
        """Return the complete header."""
        return view_text.header(self._structs, [(e.key, e.depth) for e in self._opaque])

    def _struct(self, entry: BaseType) -> Struct:
        fields = sorted(entry.info.fields or (), key=lambda f: f.offset)
        parent = entry.parent
        if parent is None:
            raise ValueError(f"Type {entry.key!r} has no parent")
        if parent.index >= _FIRST_DYNAMIC:
            base = view_text.qualified(parent.key)
        elif parent.key in _STATIC_TYPES:
            base = f"::tvm::ffi::{_STATIC_TYPES[parent.key]}"
        else:
            raise ValueError(f"Unsupported parent {parent.key!r} of {entry.key!r}")
        alignment = max([8, *(f.alignment for f in _all_fields(entry.info))])
        if not entry.total_size and not _is_python(entry):
            raise ValueError(f"Native type {entry.key!r} does not expose fixed total-size metadata")
        size = entry.total_size or entry.info.total_size
        members = []
        for f in fields:
            text = self._table.of_field(entry.key, f, _is_python(entry)).text
            members.append(Member(f.name, f.offset, f.size, f.alignment, text))
        return Struct(entry.key, entry.depth, base, size, alignment, members)


def _is_python(entry: BaseType) -> bool:
    """Return whether a type was defined in Python, by `py_class`."""
    return getattr(entry.info, "_decorator_args", None) is not None
