# SPDX-License-Identifier: Apache-2.0
"""Every type, every kind of default."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

from tvm_ffi_schema import KW_ONLY, Object, cpp, declare, extern, field, module, ty

__tschema__ = module(
    namespace="corpus",
    type_key_prefix="corpus.",
    export="",
    includes=["<string>"],
)

LIMIT = 1 << 10
Names = ty.Array[ty.String]
Buckets = ty.Cpp("std::unordered_map<int64_t, double>", include="<unordered_map>")
Text = ty.Cpp("std::string", include="<string>", as_=ty.String, size=32, align=8)


@declare
class NumbersNode(Object):
    """Numbers of all sizes."""

    type_key = "Numbers"

    a: ty.int8_t
    b: ty.int16_t
    c: ty.int32_t
    d: ty.int64_t
    e: ty.uint8_t
    f: ty.uint16_t
    g: ty.uint32_t
    h: ty.uint64_t
    i: ty.float32
    j: ty.float64
    k: bool
    m: int
    n: float
    o: ty.DataType
    p: ty.Device
    q: ty.Handle


@declare
class DefaultsNode(Object):
    """Fields with defaults.

    Attributes
    ----------
    limit
        How many.
    """

    type_key = "Defaults"
    mutable = True

    small: ty.int8_t = -128
    limit: int = LIMIT * 2 + 1
    huge: ty.uint64_t = 9223372036854775807
    least: ty.int64_t = -9223372036854775808
    ratio: float = 0.5
    single: ty.float32 = 1
    flag: bool = True
    text: str = 'say "hi" \\ \n'
    none: Optional[int] = None
    some: Optional[str] = "x"
    either: Union[int, str] = 3
    anything: Any = None
    raw: bytes = b"\x00\xff1"
    #: Described by a comment.
    names: Names = field(default_factory=lambda: ["a", "b"])  # type: ignore[assignment]
    table: ty.Dict[str, int] = field(default_factory=dict)
    by_cpp: int = cpp("sizeof(int)")
    by_option: ty.String = cpp('"c++"')
    _: KW_ONLY
    last: int = 7
    frozen_one: int = field(default=1, frozen=True, repr=False, compare=False)


@declare
class ContainersNode(Object):
    """Values that hold values."""

    type_key = "Containers"

    array: ty.Array[int]
    nested: ty.Array[ty.Map[ty.String, ty.Optional[ty.Tensor]]]
    plain: list[int]
    mapping: dict[str, Any]
    pair: tuple[int, str]
    any_length: tuple[int, ...]
    sequence: Sequence[str]
    table: Mapping[str, int]
    function: ty.Function
    typed: ty.Function[[ty.int64_t, ty.String], ty.Array[int]]
    callback: Callable[[int], str]
    shape: ty.Shape
    either: int | str
    maybe: ty.Array[str] | None
    quoted: ty.Map[str, NumbersNode]
    by_ref: Numbers
    object: ty.ObjectRef
    mine: Buckets
    word: Text = field(init=False)


Outside = extern(
    "other.Outside", obj="::other::OutsideNode", ref="::other::Outside", header="<other/outside.h>"
)
