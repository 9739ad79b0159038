# SPDX-License-Identifier: Apache-2.0
"""Makers of values that callers pass to functions by mistake; each call makes a new value.

The values include the null pointer but no other raw addresses, because a function cannot check
whether such an address is valid.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
import random
from collections.abc import Callable
from typing import Any

import numpy

import tvm_ffi
from tvm_ffi import Array, Dict, List, Map, Shape, core, testing


class Evil:
    """A value on which each operation fails."""

    def _fails(self, *_: object) -> Any:
        raise ZeroDivisionError("evil")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _fails  # type: ignore[assignment]
    __hash__ = __len__ = __iter__ = __bool__ = __index__ = __float__ = _fails  # type: ignore
    __call__ = __repr__ = __str__ = __getitem__ = __contains__ = __reduce__ = _fails  # type: ignore


class Grabby:
    """A value that has every attribute; each is an integer."""

    def __getattr__(self, name: str) -> int:
        return 7


class Slippery:
    """A value whose attribute lookup fails with an unusual exception."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name} for you")


class Endless:
    """A value whose `__tvm_ffi_value__` returns another value of the same class."""

    def __tvm_ffi_value__(self) -> Any:
        return Endless()


class LyingInt(int):
    """An int whose methods return wrong values."""

    def __index__(self) -> Any:
        return "not an int"

    def __hash__(self) -> int:
        return 5

    def __eq__(self, other: object) -> bool:
        return True


class LyingStr(str):
    """A str whose methods return wrong values."""

    def __len__(self) -> int:
        return 1 << 40

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError("evil")


class BadProtocol:
    """A value whose class has one protocol method of the package, which returns a wrong value."""

    def __init__(self, name: str, answer: Any) -> None:
        self.__dict__[name] = lambda *_, **__: answer

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def _protocol(name: str, answer: Any) -> Callable[[], Any]:
    return lambda: type("Bad", (), {name: lambda self, *_, **__: answer})()


def _moved() -> Array:
    array = Array([1, 2])
    rvalue = array._move()
    tvm_ffi.convert(lambda x: None)(rvalue)
    return array


def _own_list() -> list[Any]:
    x: list[Any] = [1]
    x.append(x)
    return x


def _own_dict() -> dict[Any, Any]:
    x: dict[Any, Any] = {}
    x[1] = x
    return x


def _own_native_list() -> List:
    x = List([1])
    x.append(x)
    return x


def _own_native_dict() -> Dict:
    x = Dict({1: 2})
    x["self"] = x
    return x


def _deep(n: int) -> List:
    x = List([1])
    for _ in range(n):
        x = List([x])
    return x


def _deep_python(n: int) -> list[Any]:
    x: list[Any] = []
    for _ in range(n):
        x = [x]
    return x


def _raises() -> Any:
    raise KeyError("from a callback")


def _tensor() -> core.Tensor:
    return tvm_ffi.from_dlpack(numpy.arange(6, dtype="float32").reshape(2, 3))


# Under AddressSanitizer, `new` ends the process if there is no memory, instead of throwing.
_CAN_RUN_OUT_OF_MEMORY = "libasan" not in os.environ.get("LD_PRELOAD", "")

INT: list[Callable[[], Any]] = [
    lambda: 0,
    lambda: -1,
    lambda: 1,
    lambda: 3,
    *([lambda: 2**31 - 1, lambda: 2**31] if _CAN_RUN_OUT_OF_MEMORY else []),
    lambda: -(2**31) - 1,
    lambda: 2**63 - 1,
    lambda: -(2**63),
    lambda: 2**63,
    lambda: 2**64 + 5,
    lambda: -(2**200),
    lambda: True,
    lambda: LyingInt(3),
]

FLOAT: list[Callable[[], Any]] = [
    lambda: 0.5,
    lambda: math.nan,
    lambda: -math.inf,
    lambda: 1e308,
    lambda: numpy.float32(1.5),
]

TEXT: list[Callable[[], Any]] = [
    lambda: "",
    lambda: "a",
    lambda: "nul\0inside",
    lambda: "\ud800",
    lambda: "é" * 300,
    lambda: "ffi.Array",
    lambda: "testing.echo",
    lambda: '{"root_index": 9, "nodes": [{"type": "ffi.Array", "data": [1]}]}',
    lambda: LyingStr("text"),
    lambda: b"",
    lambda: b"bytes that are long enough\0",
    lambda: bytearray(b"ab"),
    lambda: memoryview(b"ab"),
    lambda: core.String("kept text of some length"),
    lambda: "/nonexistent/library.so",
    lambda: "/dev/null",
]

CONTAINER: list[Callable[[], Any]] = [
    list,
    lambda: (),
    dict,
    lambda: [1, "a", None],
    lambda: (1, 2, 3, 4),
    lambda: {"a": 1, 2: [3]},
    lambda: [(10, lambda *a: None)],
    lambda: [(65, lambda *a: a[-1])],
    lambda: {1, 2},
    lambda: range(5),
    lambda: iter([1]),
    _own_list,
    _own_dict,
    lambda: _deep_python(5000),
    lambda: Array([]),
    lambda: Array([1, [2], "c"]),
    lambda: List([]),
    lambda: List([3, 1, 2]),
    lambda: List([None, "x", 2.5]),
    lambda: Map({}),
    lambda: Map({"a": 1, 2: "b"}),
    lambda: Dict({"a": [1], "b": {"c": 1}}),
    lambda: Dict({}),
    lambda: Shape((2, 3)),
    _own_native_list,
    _own_native_dict,
    lambda: _deep(3000),
    lambda: {"root_index": 2**40, "nodes": []},
    lambda: {"root_index": 0, "nodes": [{"type": "testing.TestIntPair", "data": 7}]},
]

OBJECT: list[Callable[[], Any]] = [
    lambda: testing.TestIntPair(1, 2),
    lambda: testing.TestObjectDerived({}, [], 1, 2.0, "x"),
    lambda: testing.make_unregistered_object(),
    lambda: testing.TestNonCopyable(1),
    lambda: core.Object.__new__(core.Object),
    lambda: core.Function.__new__(core.Function),
    lambda: core.Tensor.__new__(core.Tensor),
    lambda: core.Error.__new__(core.Error),
    lambda: List.__new__(List),
    lambda: Dict.__new__(Dict),
    lambda: testing.TestIntPair.__new__(testing.TestIntPair),
    _moved,
    lambda: testing.TestIntPair(1, 2)._move(),
    lambda: List([1])._move(),
    lambda: core.MISSING,
    lambda: core.KWARGS,
    lambda: core._convert_to_opaque_object(object()),
    lambda: core.CAny(5),
    lambda: core.CAny.__new__(core.CAny),
    lambda: core.Error("ValueError", "text", ""),
    lambda: ValueError("text"),
    lambda: tvm_ffi.get_global_func("ffi.VisitInterrupt")(1),
    lambda: tvm_ffi.get_global_func("ffi.StructuralKey")([1, 2]),
    lambda: tvm_ffi.system_lib(),
    lambda: tvm_ffi.access_path.AccessPath.root(),
]

FUNCTION: list[Callable[[], Any]] = [
    lambda: lambda *a: None,
    lambda: lambda *a: a[-1] if a else 1,
    lambda: lambda: object(),
    lambda: lambda *a: _raises(),
    lambda: len,
    lambda: tvm_ffi.get_global_func("testing.echo"),
    lambda: tvm_ffi.get_global_func("testing.nop"),
    lambda: tvm_ffi.convert(lambda *a: [a]),
    lambda: int,
    lambda: Evil,
]

VALUE: list[Callable[[], Any]] = [
    lambda: None,
    lambda: tvm_ffi.device("cpu", 0),
    lambda: tvm_ffi.device("cuda", 7),
    lambda: tvm_ffi.dtype("float32"),
    lambda: core.DataType("int4x2"),
    _tensor,
    lambda: numpy.zeros((0, 3)),
    lambda: numpy.zeros(3, "complex128"),
    lambda: numpy.array(["text"]),
    lambda: core.DLTensorTestWrapper(_tensor()),
    lambda: core.DLTensorTestWrapper.__new__(core.DLTensorTestWrapper),
    lambda: ctypes.c_void_p(None),
    lambda: object(),
    lambda: int,
    lambda: tvm_ffi,
    lambda: Ellipsis,
    lambda: NotImplemented,
    lambda: 3 + 4j,
    Evil,
    Grabby,
    Slippery,
    Endless,
    _protocol("__tvm_ffi_object__", 5),
    _protocol("__tvm_ffi_object__", None),
    _protocol("__tvm_ffi_int__", "x"),
    _protocol("__tvm_ffi_float__", "x"),
    _protocol("__tvm_ffi_opaque_ptr__", "x"),
    _protocol("__dlpack__", 5),
    _protocol("__dlpack_device__", "cpu"),
    _protocol("__dlpack_data_type__", (300, -1, "x")),
    _protocol("__cuda_stream__", (1, 2, 3)),
    _protocol("asobject", 5),
]

ALL = [*INT, *FLOAT, *TEXT, *CONTAINER, *OBJECT, *FUNCTION, *VALUE]

# Name of a type -> makers of values; a schema of this type accepts most of the values.
_FITTING: dict[str, list[Callable[[], Any]]] = {
    "int": INT,
    "float": [*FLOAT, *INT],
    "bool": [lambda: True, lambda: False, lambda: 2],
    "ffi.String": TEXT,
    "ffi.Bytes": TEXT,
    "const char*": TEXT,
    "ffi.Function": FUNCTION,
    "ffi.Object": [*OBJECT, *CONTAINER],
    "ffi.Array": CONTAINER,
    "ffi.List": [
        lambda: List([]),
        lambda: List([3, 1, 2]),
        lambda: List(["x", None]),
        _own_native_list,
        lambda: List([List([1])]),
    ],
    "ffi.Map": CONTAINER,
    "ffi.Dict": [lambda: Dict({}), lambda: Dict({1: 2, "a": [1]}), _own_native_dict],
    "ffi.Tensor": [_tensor],
    "DLTensor*": [_tensor],
    "ffi.Module": [tvm_ffi.system_lib],
    "Device": [lambda: tvm_ffi.device("cpu", 0)],
    "DataType": [lambda: tvm_ffi.dtype("int8")],
    "testing.TestIntPair": [lambda: testing.TestIntPair(1, 2)],
}


def fitting(schema: dict[str, Any]) -> list[Callable[[], Any]]:
    """Return makers of values; the given type schema accepts most of the values."""
    name = schema.get("type", "Any")
    if name in ("Optional", "Variant", "Tuple"):
        inner = [fitting(x) for x in schema.get("args", [])]
        values = list(itertools.chain.from_iterable(inner))
        return values if name == "Variant" else [*values, lambda: None]
    return _FITTING.get(name, ALL)


def describe(value: object) -> str:
    """Describe a value without calling its methods."""
    if type(value) in (int, float, str, bytes, bool, type(None)):
        return repr(value)[:60]
    return f"<{type(value).__name__}>"


def arguments(
    rng: random.Random, params: list[dict[str, Any]] | None, most: int = 5
) -> list[Callable[[], Any]]:
    """Choose arguments for a call; if the parameters are known, most arguments fit."""
    if params is None:
        return [rng.choice(ALL) for _ in range(rng.randrange(most))]
    chosen = [rng.choice(ALL if rng.random() < 0.25 else fitting(p)) for p in params]
    if rng.random() < 0.1:
        return chosen[:-1] if rng.random() < 0.5 else [*chosen, rng.choice(ALL)]
    return chosen
