# SPDX-License-Identifier: Apache-2.0
"""Python types for which the tests generate Rust code; `tests/rust` compiles the code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Union

import tvm_ffi
from tvm_ffi import Object
from tvm_ffi.access_path import AccessPath, AccessStep
from tvm_ffi.dataclasses import IntEnum, py_class


@py_class("rust.Plain")
class Plain(Object):
    i: int
    f: float
    b: bool
    s: str
    by: bytes
    device: tvm_ffi.Device
    dtype: tvm_ffi.dtype
    a: Any
    o: Object


@py_class("rust.Child")
class Child(Plain):
    tensor: tvm_ffi.Tensor
    fn: Callable[[int], str]
    items: tvm_ffi.Array[int]
    table: tvm_ffi.Map[str, tvm_ffi.Array[Plain]]
    flags_: tvm_ffi.List[Optional[int]]
    base: Optional[int]


@py_class("rust.Opaque")
class Opaque(Object):
    table: tvm_ffi.Dict[str, int]
    choice: Union[int, str]
    other: Optional[Plain]
    others: tvm_ffi.Array[Plain]
    Self: int
    o_: int
    o: int


@py_class("rust.Empty")
class Empty(Object):
    pass


# The crate does not have the parent of the next two types.
@py_class("rust.Step")
class Step(AccessStep):
    count: int


@py_class("rust.OtherStep")
class OtherStep(AccessStep):
    text: str


@py_class("rust.Path")
class Path(AccessPath):
    pass


@py_class("rust.Located")
class Located(Object):
    path: AccessPath


class Level(IntEnum, type_key="rust.Level"):
    low = 1
    high = 2


@py_class("rust.inner.Into")
class Into(Object):
    levels: tvm_ffi.Array[Level]
    text: str


@py_class("rust.inner.Clone")
class Clone(Object):
    text: str


@py_class("rust.inner.snake_case")
class SnakeCase(Object):
    a__b: int
    camelCase: str


@py_class("rust.inner.Option")
class Option(Object):
    items: tvm_ffi.Array[Optional[int]]


@py_class("rust.inner.Object")
class OtherObject(Object):
    text: str


@py_class("rust.inner.Array")
class Array(Object):
    items: tvm_ffi.Array[Plain]


@py_class("rust.inner.Plain")
class OtherPlain(Plain):
    last: int
