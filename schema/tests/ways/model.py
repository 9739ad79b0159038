# SPDX-License-Identifier: Apache-2.0
"""A prototype with every feature of prototypes; `checks` tests the behaviour of its classes."""

from __future__ import annotations

import abc
import functools
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Final, Generic, Optional, TypeVar, Union

import tvm_ffi
from tvm_ffi import Array, Device, Dict, List, Map, Object, Tensor, dtype
from tvm_ffi.dataclasses import (
    KW_ONLY,
    Enum,
    EnumObject,
    IntEnum,
    StrEnum,
    auto,
    auto_class,
    entry,
    field,
    py_class,
    py_enum,
)

T = TypeVar("T")
Names = list[str]
WIDTH = 1 << 4


def double(number: int) -> int:
    """Return twice a number; functions outside of classes remain Python functions."""
    return 2 * number


class Printable(Generic[T]):
    """A mixin without fields, which stays in Python."""

    def shown(self) -> str:
        return f"<{self}>"


class Tagged:
    """A mixin with a field."""

    tag: str = "none"


# ---- enums


class Op(IntEnum, type_key="ways.Op"):
    """An enum whose numbers are not consecutive."""

    ADD = 1
    MUL = 40
    TIMES = 40

    def inverse(self) -> Op:
        return Op.MUL if self is Op.ADD else Op.ADD


class Unit(StrEnum, type_key="ways.Unit"):
    """An enum whose texts differ from the names of its entries."""

    plus = "+"
    minus = "-"


class Colour(Enum, type_key="ways.Colour"):
    """An enum whose entries have fields; one entry has only defaults."""

    red: int = 0
    note: str = "-"

    black: ClassVar[Colour]
    crimson = entry(220, note="dark")
    scarlet: ClassVar[Colour] = entry(red=255)
    grey = auto()


@py_enum("ways.Activation")
class Activation(EnumObject):
    """An enum whose entries are plain objects."""

    approximate: bool
    slope: float = 0.0

    relu: ClassVar[Activation] = entry(approximate=False)
    gelu: ClassVar[Activation] = entry(True, slope=0.5)


@py_enum("ways.Level")
class Level(EnumObject):
    """An enum of numbers; the numbers become the field `value`."""

    low = entry(1)
    high = entry(7)


# ---- structural kinds


@auto_class("ways.Span")
class Span(Object):
    """A range of a text.

    Attributes
    ----------
    line
        Where it begins.
    """

    line: int
    col: int = 0


@auto_class("ways.Expr", structural_eq="tree")
class Expr(Object, abc.ABC):
    """The base of expressions."""

    span: Optional[Span] = field(default=None, kw_only=True, structural_eq="ignore", repr=False)


@auto_class("ways.Var", structural_eq="var")
class Var(Expr):
    name: str = field(default="v", structural_eq="ignore")


@auto_class("ways.Const", frozen=True)
class Const(Expr, Printable[int]):
    """A class whose fields cannot be assigned."""

    value: Union[int, float, str, None] = None
    shape: tuple[int, ...] = ()
    pair: tuple[int, str] = (1, "a")

    def scaled(self, factor: int) -> Const:
        return Const(self.value * factor, self.shape, self.pair)


@auto_class("ways.Lambda")
class Lambda(Expr):
    params: list[Var] = field(structural_eq="def")
    body: Expr


@auto_class("ways.Shared", structural_eq="dag")
class Shared(Object):
    x: int = 0


@auto_class("ways.Fixed", structural_eq="const-tree", frozen=True)
class Fixed(Object):
    items: Array[int]


@auto_class("ways.Single", structural_eq="singleton")
class Single(Object):
    x: int = 0


@auto_class("ways.Opaque", structural_eq=None)
class Opaque(Expr):
    """A class that refuses structural comparison, although its parent supports it."""

    x: int = 0


# ---- recursion


@auto_class("ways.Tree")
class Tree(Object):
    label: str
    kids: list[Tree]
    parent: Optional[Tree] = None
    by_name: Optional[dict[str, Tree]] = None

    def total(self) -> int:
        return 1 + sum(kid.total() for kid in self.kids)


@auto_class("ways.Left")
class Left(Object):
    right: Right


@auto_class("ways.Right")
class Right(Object):
    left: Optional[Left] = None
    lefts: Optional[list[Left]] = None


# ---- every other kind of field


@py_class("ways.Values", native="auto")
class Values(Object):
    flag: bool = True
    number: int = -(2**63)
    ratio: float = 0.5
    text: str = 'with "quotes" and \\ and ü'
    data: bytes = b"\x00\xff"
    anything: Any = None
    maybe: Optional[int] = None
    either: Union[int, str] = 3
    nested: dict[str, list[int]] = field(default_factory=lambda: {"a": [1, 2]})
    frozen_map: Map[str, int] = field(default_factory=dict)
    open_list: List[float] = [1.0, 2.0]  # noqa: RUF012
    open_dict: Dict[int, str] = {}  # noqa: RUF012
    words: Names = field(default_factory=list)
    element: dtype = "float32"
    place: Optional[Device] = None
    tensor: Optional[Tensor] = None
    call: Optional[Callable[[int], int]] = None
    any_call: Callable[..., Any] | None = None
    op: Op = Op.ADD
    colour: Colour = Colour.scarlet
    level: Optional[Level] = None
    thing: Optional[Object] = None


@auto_class("ways.Options", kw_only=True)
class Options(Tagged, Object):
    """A class whose fields are keyword-only, except for a field with `kw_only=False`."""

    width: int = WIDTH
    name: str = field(kw_only=False)
    depth: int
    limit: Annotated[int, "limit"] = field(default=3, doc="How many.")


@auto_class("ways.Mixed")
class Mixed(Object):
    a: int = 1
    b: str
    _: KW_ONLY
    c: int = 3
    d: float


@auto_class("ways.Flags", eq=True, unsafe_hash=True, order=True)
class Flags(Object):
    key: int
    constant: Final[int] = 5
    locked: int = field(default=6, frozen=True)
    uid: int = field(default=0, hash=False, compare=False)
    unhashed: int = field(default=0, hash=False)
    hidden: int = field(default=0, repr=False, compare=False)
    cache: dict[str, int] = field(default_factory=dict, init=False, compare=False)
    noted: int = field(default=0, metadata={"unit": "m", "more": [1]})


@auto_class
class Unnamed(Object):
    """A class whose type key consists of the names of the module and the class."""

    x: int = 0


@auto_class("ways.OtherName")
class Renamed(Object):
    x: Unnamed


@auto_class("ways.Late")
class Late(Object):
    """A class with a default that its field cannot hold: using the default raises an error."""

    number: int = 0
    span: Span = None


# ---- features that stay in Python


@auto_class("ways.Behaviour", repr=False)
class Behaviour(Object):
    is_elementwise = True
    cost = {"flops": 2}  # noqa: RUF012

    x: int
    total: int = 0

    def __post_init__(self) -> None:
        self.total = double(self.x)

    def __repr__(self) -> str:
        return f"Behaviour of {self.x}"

    @tvm_ffi.method
    def twice(self) -> int:
        return double(self.x)

    @property
    def half(self) -> float:
        return self.x / 2

    @classmethod
    def of(cls, x: int) -> Behaviour:
        return cls(x)

    @staticmethod
    def zero() -> int:
        return 0


@auto_class("ways.Shown")
class Shown(Object):
    x: int

    def __ffi_repr__(self, print_value: Callable[[Any], str]) -> str:
        return f"shown({print_value(self.x)})"


@auto_class("ways.Made")
class Made(Object):
    x: int
    y: int = 2

    def __init__(self, text: str) -> None:
        self.__ffi_init__(int(text))


@auto_class("ways.Unmade", init=False)
class Unmade(Object):
    x: int = 0


@functools.total_ordering
@auto_class("ways.Ordered")
class Ordered(Object):
    x: int

    def __lt__(self, other: Ordered) -> bool:
        return self.x < other.x


@tvm_ffi.py_class("ways.Public", native="auto")
class Public(Object):
    """`tvm_ffi.py_class` registers public functions as methods."""

    x: int

    def plus(self, y: int) -> int:
        return self.x + y


if __name__ == "__main__":
    print(Const(3).scaled(2))
