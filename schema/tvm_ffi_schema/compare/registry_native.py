# SPDX-License-Identifier: Apache-2.0
"""Read facts with the C API of the runtime.

The facts are: which integer fields are unsigned, and the names of type attributes.

This module runs in the process that loads the library, like `registry_facts`.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_INT_INDEX = 1
# Matches a word that may be the name of a type attribute, but not a mangled C++ name.
_WORD = re.compile(rb"\b(?!_Z)[A-Za-z_][\w.:/-]{0,127}")


class _Bytes(ctypes.Structure):
    _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))


class _Any(ctypes.Structure):
    _fields_ = (("index", ctypes.c_int32), ("padding", ctypes.c_uint32), ("value", ctypes.c_int64))


_GETTER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Any))


class _Field(ctypes.Structure):
    """`TVMFFIFieldInfo`."""

    _fields_ = (
        *((name, _Bytes) for name in ("name", "doc", "metadata")),
        *((name, ctypes.c_int64) for name in ("flags", "size", "alignment", "offset")),
        ("getter", _GETTER),
        ("setter", ctypes.c_void_p),
        ("default", _Any),
        ("static_index", ctypes.c_int32),
    )


class _Type(ctypes.Structure):
    """`TVMFFITypeInfo`."""

    _fields_ = (
        ("index", ctypes.c_int32),
        ("depth", ctypes.c_int32),
        ("key", _Bytes),
        ("ancestors", ctypes.c_void_p),
        ("key_hash", ctypes.c_uint64),
        ("num_fields", ctypes.c_int32),
        ("num_methods", ctypes.c_int32),
        ("fields", ctypes.POINTER(_Field)),
    )


def unsigned_fields(library: Any, type_index: int) -> list[bool | None]:
    """Return for each field of a type whether the field is an unsigned integer; None if unknown.

    The type schema of a field does not tell whether an integer is signed. So this function calls
    the getter on memory whose bits are all set. A signed field gives -1; an unsigned field of less
    than 8 bytes gives a positive number. A field of 8 bytes gives -1 in both cases, so the function
    returns None for it.
    """
    function = library.TVMFFIGetTypeInfo
    function.restype, function.argtypes = ctypes.POINTER(_Type), [ctypes.c_int32]
    info = function(type_index).contents
    return [_is_unsigned(info.fields[at]) for at in range(info.num_fields)]


def _is_unsigned(field: Any) -> bool | None:
    if field.static_index != _INT_INDEX or field.size not in (1, 2, 4):
        return None
    memory, result = ctypes.create_string_buffer(b"\xff" * 16, 16), _Any()
    status = field.getter(ctypes.addressof(memory), ctypes.byref(result))
    if status != 0 or result.index != _INT_INDEX:
        return None
    return {-1: False, (1 << 8 * field.size) - 1: True}.get(result.value)


def attribute_names(library: Any, paths: Iterable[str]) -> list[str]:
    """Return the names of registered type attributes that files contain as text.

    The runtime cannot list the names, but the file of a library contains each name that the library
    registers. Names that begin with two underscores belong to the runtime and are omitted.
    """
    function = library.TVMFFIGetTypeAttrColumn
    function.restype, function.argtypes = ctypes.c_void_p, [ctypes.POINTER(_Bytes)]
    words = {word for path in paths for word in _WORD.findall(Path(path).read_bytes())}
    found = (word for word in words if not word.startswith(b"__"))
    return sorted(word.decode() for word in found if function(_Bytes(word, len(word))))
