# SPDX-License-Identifier: Apache-2.0
# What type checkers see of ty.py: each schema type is its Python counterpart.
import typing as _t
from typing import Any as Any
from typing import Optional as Optional
from typing import Union as Union

from typing_extensions import Self as Self

from .ir import CppType as _CppType
from .ir import TypeRef as _TypeRef

class Row:
    cpp: str
    python: str
    size: int
    align: int
    arity: int
    python_import: str

class TypeName:
    origin: str
    def __init__(self, origin: str) -> None: ...

class TypeExpr:
    origin: str
    args: tuple[_t.Any, ...]
    def __init__(self, origin: str, args: tuple[_t.Any, ...]) -> None: ...

class Cpp:
    as_: _t.Any
    cpp: _CppType
    def __init__(
        self,
        text: str,
        *,
        include: str = ...,
        as_: _t.Any = ...,
        to_ffi: str = ...,
        from_ffi: str = ...,
        size: int = ...,
        align: int = ...,
    ) -> None: ...

TABLE: dict[str, Row]
ALIASES: dict[str, str]
PYTHON_NAMES: dict[str, str]
POINTERS: frozenset[str]

def row_of(origin: str) -> Row | None: ...
def is_object_pointer(type_: _TypeRef) -> bool: ...

_bool = bool
_int = int
_float = float
bool = _bool
int = _int
int8_t = _int
int16_t = _int
int32_t = _int
int64_t = _int
uint8_t = _int
uint16_t = _int
uint32_t = _int
uint64_t = _int
int8 = _int
int16 = _int
int32 = _int
int64 = _int
uint8 = _int
uint16 = _int
uint32 = _int
uint64 = _int
float = _float
double = _float
float32 = _float
float64 = _float
String = str
Bytes = bytes
Tuple = tuple[_t.Any, ...]
Variant = Union
DataType = _t.Any
dtype = _t.Any
Device = _t.Any
Tensor = _t.Any
Shape = _t.Any
Module = _t.Any
ObjectRef = _t.Any
Object = _t.Any
