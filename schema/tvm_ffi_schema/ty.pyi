# SPDX-License-Identifier: Apache-2.0
# The declarations of ty.py for type checkers: each schema type is the corresponding Python type.
import builtins as _b
import typing as _t
from builtins import tuple as Tuple
from collections.abc import Mapping as Map
from collections.abc import MutableMapping as Dict
from collections.abc import MutableSequence as List
from collections.abc import Sequence as Array
from ctypes import c_void_p as Handle
from typing import Any, Optional, Union
from typing import TypeAlias as _TypeAlias
from typing import Union as Variant

from typing_extensions import ParamSpec as _ParamSpec
from typing_extensions import Self
from typing_extensions import TypeVar as _TypeVar

from .ir import CppType as _CppType
from .ir import TypeRef as _TypeRef

__all__ = [
    "ALIASES",
    "POINTERS",
    "PYTHON_NAMES",
    "TABLE",
    "Any",
    "Array",
    "Bytes",
    "Cpp",
    "DataType",
    "Device",
    "Dict",
    "Function",
    "Handle",
    "List",
    "Map",
    "Module",
    "Object",
    "ObjectRef",
    "Optional",
    "Row",
    "Self",
    "Shape",
    "String",
    "Tensor",
    "Tuple",
    "Type",
    "TypeExpr",
    "TypeName",
    "Union",
    "Variant",
    "bool",
    "double",
    "dtype",
    "float",
    "float32",
    "float64",
    "int",
    "int8",
    "int8_t",
    "int16",
    "int16_t",
    "int32",
    "int32_t",
    "int64",
    "int64_t",
    "is_object_pointer",
    "is_optional_pointer",
    "row_of",
    "uint8",
    "uint8_t",
    "uint16",
    "uint16_t",
    "uint32",
    "uint32_t",
    "uint64",
    "uint64_t",
]

_P = _ParamSpec("_P", default=...)
_R = _TypeVar("_R", default=_t.Any, covariant=True)

# A callable, also without parameters in brackets, which `collections.abc.Callable` needs.
class Function(_t.Protocol[_P, _R]):
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...

class Row:
    cpp: _b.str
    python: _b.str
    size: _b.int
    align: _b.int
    arity: _b.int
    python_import: _b.str
    header: _b.str

class Type: ...

class TypeName(Type):
    origin: _b.str
    def __init__(self, origin: _b.str) -> None: ...
    def __getitem__(self, args: _t.Any) -> _t.Any: ...

class TypeExpr(Type):
    origin: _b.str
    args: tuple[_t.Any, ...]
    node: _t.Any
    def __init__(self, origin: _b.str, args: tuple[_t.Any, ...], node: _t.Any = None) -> None: ...

class Cpp(Type):
    as_: _t.Any
    cpp: _CppType
    def __init__(
        self,
        text: _b.str,
        *,
        include: _b.str = ...,
        as_: _t.Any = ...,
        size: _b.int = ...,
        align: _b.int = ...,
    ) -> None: ...

TABLE: dict[_b.str, Row]
ALIASES: dict[_b.str, _b.str]
PYTHON_NAMES: dict[_b.str, _b.str]
POINTERS: frozenset[_b.str]

def row_of(origin: _b.str) -> Row | None: ...
def is_object_pointer(type_: _TypeRef) -> _b.bool: ...
def is_optional_pointer(type_: _TypeRef) -> _b.bool: ...

bool: _TypeAlias = _b.bool
int: _TypeAlias = _b.int
int8_t: _TypeAlias = _b.int
int16_t: _TypeAlias = _b.int
int32_t: _TypeAlias = _b.int
int64_t: _TypeAlias = _b.int
uint8_t: _TypeAlias = _b.int
uint16_t: _TypeAlias = _b.int
uint32_t: _TypeAlias = _b.int
uint64_t: _TypeAlias = _b.int
int8: _TypeAlias = _b.int
int16: _TypeAlias = _b.int
int32: _TypeAlias = _b.int
int64: _TypeAlias = _b.int
uint8: _TypeAlias = _b.int
uint16: _TypeAlias = _b.int
uint32: _TypeAlias = _b.int
uint64: _TypeAlias = _b.int
float: _TypeAlias = _b.float
double: _TypeAlias = _b.float
float32: _TypeAlias = _b.float
float64: _TypeAlias = _b.float
String: _TypeAlias = _b.str
Bytes: _TypeAlias = _b.bytes
DataType: _TypeAlias = _t.Any
dtype: _TypeAlias = _t.Any
Device: _TypeAlias = _t.Any
Tensor: _TypeAlias = _t.Any
Shape: _TypeAlias = _t.Any
Module: _TypeAlias = _t.Any
ObjectRef: _TypeAlias = _t.Any
Object: _TypeAlias = _t.Any
