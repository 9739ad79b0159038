# SPDX-License-Identifier: Apache-2.0
"""A program for type checkers: enums as in the documents. The tests also run the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.dataclasses import (
    Enum,
    EnumAttrMap,
    EnumObject,
    EnumState,
    IntEnum,
    StrEnum,
    auto,
    c_enum,
    entry,
    py_class,
    py_enum,
)
from tvm_ffi.dataclasses.enum import EnumEntries

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value, _):
        return value


@py_enum("typing_enums.Activation")
class Activation(EnumObject):
    approximate: bool = False
    inplace: bool = False

    ReLU: ClassVar[Activation] = entry()
    GeLU: ClassVar[Activation] = entry(approximate=True)
    SiLU: ClassVar[Activation]
    Tanh = entry(inplace=True)

    def other(self) -> Activation:
        return Activation.GeLU if self is Activation.ReLU else self.ReLU


@py_enum
class Bare(EnumObject):
    One: ClassVar[Bare] = entry()


@py_enum("typing_enums.Precision", eq=True)
class Precision(EnumObject):
    FP32: ClassVar[Precision] = entry(0)
    FP16: ClassVar[Precision] = entry(1)


@py_enum("typing_enums.Unit")
class Unit(EnumObject):
    value: str
    scale: float = 1

    Meter: ClassVar[Unit] = entry("m")
    Inch: ClassVar[Unit] = entry("in", scale=0.0254)


@c_enum("testing.TestEnumVariant")
class Variant(EnumObject):
    Alpha: ClassVar[Variant]
    Beta: ClassVar[Variant]


class Color(Enum, type_key="typing_enums.Color"):
    cost: int = 0
    red = entry(cost=5)
    green = auto()
    white: ClassVar[Color]
    black: ClassVar[Color] = entry(cost=1)


class Level(IntEnum, type_key="typing_enums.Level"):
    low = 10
    high = 20
    middle = entry(15)

    def doubled(self) -> int:
        return 2 * self.value


class Op(StrEnum, type_key="typing_enums.Op"):
    add = "+"
    sub = "-"


@py_class("typing_enums.Conv2D")
class Conv2D(tvm_ffi.Object):
    activation: Activation
    level: Level
    channels: int = 1


def variants() -> None:
    assert_type(Activation.ReLU, Activation)
    assert_type(Activation.SiLU, Activation)
    assert_type(Activation.Tanh, Activation)
    assert_type(Activation.ReLU.other().other(), Activation)
    assert_type(Bare.One, Bare)
    assert_type(Variant.Alpha, Variant)
    assert_type(Color.red, Color)
    assert_type(Color.green, Color)
    assert_type(Color.white, Color)
    assert_type(Color.black, Color)
    level: Level = Level.low
    middle: Level = Level.middle
    add: Op = Op.add
    assert level == 10
    assert middle.value == 15
    assert add == "+"


def fields() -> None:
    assert_type(Activation.GeLU.approximate, bool)
    assert_type(Color.red.cost, int)
    assert_type(Unit.Inch.scale, float)
    assert_type(Unit.Inch.value, str)
    number: int = Precision.FP16.value
    assert_type(Level.low.value, int)
    assert_type(Level.low.name, str)
    assert_type(Level.low.doubled(), int)
    assert_type(Op.add.value, str)
    assert_type(Op.add.name, str)
    assert_type(int(Level.high), int)
    assert_type(Activation.ReLU.__entry_name__, str)
    assert number == 1


def lookups() -> None:
    assert_type(Activation.get("ReLU"), Activation)
    assert_type(Activation.get(0), Activation)
    assert_type(Activation["ReLU"], Activation)
    assert_type(Activation("ReLU"), Activation)
    assert_type(Activation(Activation.ReLU), Activation)
    assert_type(Color(1), Color)
    assert_type(Level(10), Level)
    assert_type(Level.get("low"), Level)
    assert_type(Op("+"), Op)
    assert_type(Variant.get("Alpha"), Variant)
    assert_type(len(Activation), int)
    assert_type(list(Activation), list[Activation])
    assert_type(Activation.ReLU in Activation, bool)
    assert_type(Activation.all_entries(), Iterator[Activation])
    by_hand: Color = Color(_int_index=9, _str_index="by_hand", cost=2)
    assert by_hand.cost == 2


def entries() -> None:
    assert_type(Activation.entries(), EnumEntries[Activation])
    listing: dict[str, Activation] = Activation.entries()
    names: list[str] = list(Activation.entries())
    for name, member in Activation.entries():
        assert_type(name, str)
        assert_type(member, Activation)
    for text in Activation.entries():
        assert text.upper() in {"RELU", "GELU", "SILU", "TANH"}
    for key, variant in Activation.entries().items():
        assert_type(key, str)
        assert_type(variant, Activation)
    assert_type({m: n for n, m in Level.entries()}, dict[Level, str])
    assert_type(dict(Activation.entries()), dict[str, Activation])
    assert_type({**Activation.entries()}, dict[str, Activation])
    assert len(listing) == len(names)
    assert ",".join(Activation.entries()).count(",") == 3


def attributes() -> None:
    column = Activation.def_attr("compute", default=None)
    assert_type(column, EnumAttrMap[Activation])
    column[Activation.ReLU] = abs

    @column.register(Activation.GeLU)
    def compute(x: int) -> int:
        return x

    assert_type(compute(1), int)
    assert_type(column.name, str)
    assert_type(list(column), list[Activation])
    assert_type(len(column), int)
    assert Activation.GeLU in column
    values: tvm_ffi.Dict[str, tvm_ffi.Dict[Any, Any]] = Activation.attr_dict
    state = EnumState()
    assert_type(len(state.entries), int)
    assert "compute" in values


def in_fields() -> None:
    layer = Conv2D(Activation.ReLU, Level.low)
    assert_type(layer.activation, Activation)
    assert_type(layer.activation.approximate, bool)
    assert_type(layer.level.value, int)
    layer.activation = Activation.GeLU


def describe(level: Level) -> str:
    """Return a name; type checkers know that there are only three variants."""
    if level is Level.low:
        return "low"
    elif level is Level.high:
        return "high"
    elif level is Level.middle:
        return "middle"


def main() -> None:
    for step in (variants, fields, lookups, entries, attributes, in_fields):
        step()
    print("done", describe(Level.high))


if __name__ == "__main__":
    main()
