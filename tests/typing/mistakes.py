# SPDX-License-Identifier: Apache-2.0
"""Mistakes that type checkers must report; each line with a mistake ends with a mark.

``# error`` is for both checkers; ``# mypy: error`` and ``# pyright: error`` are for one of them, if
they report a mistake on different lines. The program is not run.
"""

# ruff: noqa: B018, E402, F401
from __future__ import annotations

from typing import ClassVar

import numpy as np

import tvm_ffi
from tvm_ffi import Array, Device, Dict, List, Map, Object, Tensor, dtype
from tvm_ffi.dataclasses import (
    Enum,
    EnumObject,
    IntEnum,
    asdict,
    auto_class,
    c_class,
    c_enum,
    entry,
    field,
    fields,
    init_property,
    py_class,
    py_enum,
    replace,
)

# ---- names

tvm_ffi.nonsense  # error
tvm_ffi.dataclasses.nonsense  # error
tvm_ffi.cpp.nonsense  # error
tvm_ffi.utils.nonsense  # error
tvm_ffi.module.nonsense  # error
from tvm_ffi import absent  # error
from tvm_ffi.dataclasses import py_clas  # error

# ---- classes


@py_class("mistakes.Point", frozen=True)
class Point(Object):
    x: int
    y: int = 0
    tags: List[str] = field(default_factory=List)

    @init_property
    def total(self) -> int:
        return self.x + self.y

    @tvm_ffi.method
    def scaled(self, by: int) -> int:
        return by * self.x


@py_class("mistakes.WrongFactory")
class WrongFactory(Object):
    number: int = field(default_factory=lambda: "text")  # error


Point("x")  # error
Point()  # error
Point(1, 2, [3])  # error
Point(1, z=3)  # error
Point(1).x = 3  # error
Point(1).z  # error
Point(1).total.upper()  # error
Point(1).scaled("a")  # error


@py_class("mistakes.Fields")
class Fields(Object):
    items: Array[int]
    table: Map[str, int]
    tensor: Tensor
    device: Device
    type: dtype


def calls(point: Point) -> None:
    asdict(3)  # error
    replace([1])  # error
    fields("x")  # error
    fields(Point)[0].name.bit_length()  # error
    replace(point, x=1).tags.append(1)  # error


def assignments(one: Fields) -> None:
    one.items = ["a"]  # error
    one.items = {1}  # error
    one.table = [1]  # error
    one.table = {1: 1}  # error
    one.tensor = [1.0]  # error
    one.device = 1  # error
    one.type = np.zeros(1)  # error
    Fields(["a"], {}, np.zeros(1), "cpu", "int8")  # error
    Fields([1], {}, 3, "cpu", "int8")  # error
    items: Array[int] = [1]  # error
    items = one.items
    items[0] = 1  # error
    items.append(1)  # error


@auto_class("mistakes.Auto")
class Auto(Object):
    x: int


Auto("x")  # error


@c_class("testing.TestIntPair")
class Pair(Object):
    a: int
    b: int


Pair(1)  # error
Pair("a", 1)  # error
Pair(1, 2).c  # error


@tvm_ffi.py_class(frozem=True)  # error
class Misspelled(Object): ...


@tvm_ffi.register_object(3)  # error
class NotAKey(Object): ...


@tvm_ffi.register_error("kind")  # pyright: error
class NotAnError: ...  # mypy: error


@tvm_ffi.register_global_func("mistakes.f", overide=True)  # error
def function() -> None: ...


# ---- enums


@py_enum("mistakes.Activation")
class Activation(EnumObject):
    approximate: bool = False
    ReLU: ClassVar[Activation] = entry()
    GeLU = entry(approximate=True)


class Color(Enum, type_key="mistakes.Color"):
    red = entry()


class Level(IntEnum, type_key="mistakes.Level"):
    low = 10
    high = 20
    # Enums of the standard library do not allow annotated members either.
    annotated: ClassVar[Level] = entry(30)  # error


Activation.Tanh  # error
Activation.ReLU.size  # error
Activation(approximate=True)  # error
Activation.get(1.5)  # error
Activation.get("ReLU").upper()  # error
Activation.entries()[0]  # error
Activation.def_attr("a")["ReLU"]  # error
Activation.def_attr("a")[Color.red]  # error


@Activation.def_attr("a").register(3)  # error
def compute() -> None: ...


Activation.GeLU.upper()  # error
Color.blue  # error
Color.red.value.upper  # error
Level.low.value.upper()  # error
Level.middle  # error
wrong: int = Level.low  # error
for name, member in Activation.entries():
    member.upper()  # error
    name.approximate  # error


def incomplete(level: Level) -> str:  # error
    if level is Level.low:
        return "low"


@c_enum  # error
class NoKey(EnumObject): ...


@c_enum("testing.TestEnumVariant")  # pyright: error
class NoEnum(Object): ...  # mypy: error


@py_enum  # pyright: error
class NoEnumEither(Object): ...  # mypy: error


# ---- containers


def containers(table: Map[str, int], changing: Dict[str, int], items: List[int]) -> None:
    table["a"] = 1  # error
    table[1]  # error
    table["a"].upper()  # error
    table.get("a") + 1  # error
    changing["a"] = "b"  # error
    changing[1] = 1  # error
    changing.update([("a", "b")])  # error
    items.append("a")  # error
    items[0] = "a"  # error
    for key, value in table.items():
        key.bit_length()  # error
        value.upper()  # error
    Map(["a"])  # error
    Array(3)  # error
