# SPDX-License-Identifier: Apache-2.0
"""A program for type checkers: classes and all their decorators. The tests also run the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Optional

import numpy as np
import numpy.typing as npt

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Array, Device, Dict, List, Map, Object, Shape, Tensor, dtype
from tvm_ffi.dataclasses import (
    KW_ONLY,
    asdict,
    astuple,
    auto_class,
    c_class,
    field,
    fields,
    init_property,
    py_class,
    replace,
)

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value, _):
        return value


# ---- a tree


@py_class("typing_classes.Span", frozen=True, eq=True, order=True)
class Span(Object):
    line: int
    column: int = 0


@py_class("typing_classes.Expr")
class Expr(Object):
    _: KW_ONLY
    span: Span | None = None


@py_class("typing_classes.Var", structural_eq="var")
class Var(Expr):
    name: str


@py_class("typing_classes.Call")
class Call(Expr):
    fn: Expr
    args: list[Expr]
    attrs: dict[str, Any] = field(default_factory=dict)


@py_class("typing_classes.Let")
class Let(Expr):
    var: Var
    value: Expr
    body: Optional[Let] = None

    @tvm_ffi.method
    def depth(self) -> int:
        return 1 if self.body is None else 1 + self.body.depth()

    @tvm_ffi.method
    @staticmethod
    def of(name: str) -> Let:
        return Let(Var(name), Var(name))


def trees() -> None:
    x = Var("x", span=Span(1, 2))
    call = Call(x, [x, Var("y")])
    let = Let(x, call, body=Let(x, x))
    assert_type(call.args, list[Expr])
    assert_type(call.args[0].span, Optional[Span])
    assert_type(let.body, Optional[Let])
    assert_type(let.depth(), int)
    assert_type(Let.of("z"), Let)
    assert_type(replace(let, body=None), Let)
    assert_type(Span(1) < Span(2), bool)
    if let.body is not None:
        assert_type(let.body.var.name, str)
    match Span(3):
        case Span(line, column):
            assert_type(line, int)
            assert column == 0
    x.name = "renamed"


# ---- fields of all kinds


@py_class("typing_classes.Kinds")
class Kinds(Object):
    items: Array[Expr]
    table: Map[str, Expr]
    shape: Shape
    tensor: Tensor
    many: List[int] = field(default_factory=List)
    counts: Dict[str, int] = field(default_factory=Dict)
    sequence: Sequence[int] = ()
    mapping: Mapping[str, int] = field(default_factory=dict)
    number: float = 0
    function: Callable[[int], int] | None = None
    type: dtype = tvm_ffi.float32
    more: List[int] = field(default_factory=list)
    rows: Array[int] = field(default_factory=tuple)
    device: Device = field(default=tvm_ffi.device("cpu"))
    limit: ClassVar[int] = 3

    @init_property
    def size(self) -> int:
        return len(self.items)

    def __post_init__(self) -> None:
        self.number += 1


def kinds() -> None:
    x = Var("x")
    memory: npt.NDArray[np.float32] = np.zeros(3, "float32")
    mask: npt.NDArray[np.bool_] = np.zeros(3, bool)
    # Conversion accepts sequences, mappings, strings, and tensors of any framework.
    one = Kinds([x], {"x": x}, Shape((1, 2)), memory, [1], {"a": 1}, number=1, type="int8")
    two = Kinds((x,), Map({"x": x}), Shape([1]), mask, device="cpu:0", function=abs)
    one.items = [x, x]
    one.items = Array([x])
    one.table = {"y": x}
    one.many = [1, 2]
    one.counts = {"b": 2}
    one.tensor = mask
    one.type = np.dtype("float32")
    one.device = "cpu"
    assert_type(one.items, Array[Expr])
    assert_type(one.items[0], Expr)
    assert_type(one.table, Map[str, Expr])
    assert_type(one.table["y"].span, Optional[Span])
    assert_type(one.many, List[int])
    assert_type(one.counts["b"], int)
    assert_type(one.tensor, Tensor)
    assert_type(one.tensor.dtype, dtype)
    assert_type(memoryview(one.tensor).nbytes, int)
    assert_type(one.type.bits, int)
    assert_type(one.device, Device)
    assert_type(one.size, int)
    assert_type(one.shape[0], int)
    assert_type(two.number, float)
    assert_type(Kinds.limit, int)
    assert_type([each.name for each in fields(Kinds)][-1], str)
    assert_type(asdict(Var("x")), dict[str, Any])
    assert_type(astuple(Var("x")), tuple[Any, ...])
    assert_type(asdict(Var("x"), dict_factory=len), int)
    for item in one.items:
        assert_type(item, Expr)


# ---- classes of native types


@c_class("testing.TestIntPair", eq=True)
class Pair(Object):
    a: int
    b: int

    def swapped(self) -> Pair:
        return Pair(self.b, self.a)


@tvm_ffi.register_object("testing.TestObjectBase")
class Base(Object):
    v_i64: int
    v_f64: float


@auto_class("typing_classes.Later")
class Later(Object):
    x: float
    y: float = 0


@tvm_ffi.py_class("typing_classes.Auto")
class AutoMethods(Object):
    a: int

    def twice(self) -> int:
        return 2 * self.a


def native() -> None:
    assert_type(Pair(1, 2).swapped().a, int)
    assert_type(Later(1).y, float)
    assert_type(AutoMethods(1).twice(), int)
    made = tvm_ffi.testing.create_object("testing.TestObjectBase", v_i64=3)
    assert isinstance(made, Base)
    assert_type(made.v_i64, int)


# ---- functions and errors


@tvm_ffi.register_global_func("typing_classes.add", override=True)
def add(x: int, y: int) -> int:
    return x + y


@tvm_ffi.register_error
class PlainError(ValueError):
    """An error class of this program."""


@tvm_ffi.register_error("NamedError")
class NamedError(PlainError):
    def reason(self) -> str:
        return str(self)


def functions() -> None:
    assert_type(add, tvm_ffi.Function)
    assert_type(tvm_ffi.get_global_func("typing_classes.add"), tvm_ffi.Function)
    assert_type(NamedError("x").reason(), str)
    error: ValueError = PlainError("y")
    assert add(1, 2) == 3
    assert str(error) == "y"


def main() -> None:
    for step in (trees, kinds, native, functions):
        step()
    print("done")


if __name__ == "__main__":
    main()
