# SPDX-License-Identifier: Apache-2.0
"""The modules that the static reader knows without importing them, with their names."""

from __future__ import annotations

import collections.abc
import math
import typing
from typing import Any

from .. import dsl, ty
from .raw import ClassName

_SCHEMA: dict[str, Any] = {**dsl.WORDS, "ty": ty}
_PACKAGE: dict[str, Any] = {
    "Object": dsl.Object,
    "method": ClassName("method", "tvm_ffi"),  # a decorator that readers ignore
    "dtype": ty.TypeName("DataType"),
    "schema": _SCHEMA,
    **{name: ty.TypeName(name) for name in ("Device", "Tensor", "Shape", "Function", "Module")},
    **{name: ty.TypeName(name) for name in ("Array", "Map", "List", "Dict")},
}
#: Known module -> its names. A name from any other module is a class or a value of a schema file.
KNOWN_MODULES: dict[str, Any] = {
    "tvm_ffi": _PACKAGE,
    "tvm_ffi.schema": _SCHEMA,
    "tvm_ffi.schema.ty": ty,
    "tvm_ffi_schema": _SCHEMA,
    "tvm_ffi_schema.ty": ty,
    "tvm_ffi.core": _PACKAGE,
    "typing": typing,
    "typing_extensions": typing,
    "collections.abc": collections.abc,
    "ctypes": {"c_void_p": ty.TypeName("Handle")},
    "dataclasses": {"KW_ONLY": dsl.KW_ONLY},
    "math": {name: getattr(math, name) for name in ("inf", "nan", "pi", "e", "tau")},
    "__future__": {"annotations": None},
}


def import_of(name: str) -> str:
    """Return the help for a name that is not imported; empty if the name is not known."""
    if name in KNOWN_MODULES:
        return f"add  import {name}"
    if name in _SCHEMA:
        return f"add  from tvm_ffi.schema import {name}"
    return f"add  from typing import {name}" if name in typing.__all__ else ""
