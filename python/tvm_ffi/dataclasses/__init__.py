# SPDX-License-Identifier: Apache-2.0
"""Data classes with native fields: ``py_class`` defines types, ``c_class`` wraps existing ones.

The instances of both are native objects; native code reads and writes the same fields.

Thread safety: the definition of a class takes a lock. Other operations on data classes have the
same thread safety as operations on native objects.
"""

from __future__ import annotations

from tvm_ffi.core import MISSING, Object

from .c_class import c_class
from .common import asdict, astuple, fields, is_dataclass, replace
from .enum import (
    Enum,
    EnumAttrMap,
    EnumObject,
    EnumState,
    IntEnum,
    StrEnum,
    auto,
    c_enum,
    entry,
    py_enum,
)
from .field import Field, field
from .gen_abi_cpp import gen_abi_cpp
from .init_property import init_property
from .library_type import SchemaMismatchError
from .py_class import auto_class, py_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import KW_ONLY
    from typing import Any

__all__ = [
    "KW_ONLY",
    "MISSING",
    "Enum",
    "EnumAttrMap",
    "EnumObject",
    "EnumState",
    "Field",
    "IntEnum",
    "Object",
    "SchemaMismatchError",
    "StrEnum",
    "asdict",
    "astuple",
    "auto",
    "auto_class",
    "c_class",
    "c_enum",
    "entry",
    "field",
    "fields",
    "gen_abi_cpp",
    "init_property",
    "is_dataclass",
    "py_class",
    "py_enum",
    "replace",
]


def _get_lazily(name: str) -> Any:
    """Import rarely used names; ``KW_ONLY`` is the marker of the standard library."""
    if name == "KW_ONLY":
        from .field import KW_ONLY

        return KW_ONLY
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:  # Hidden from type checkers, which then report unknown names.
    __getattr__ = _get_lazily
