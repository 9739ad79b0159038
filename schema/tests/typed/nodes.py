# SPDX-License-Identifier: Apache-2.0
"""A schema with every kind of field and setting, for the type checkers."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal, Optional

from tvm_ffi.schema import (
    KW_ONLY,
    Enum,
    IntEnum,
    Object,
    StrEnum,
    Trait,
    auto,
    auto_slots,
    cpp,
    declare,
    entry,
    extend,
    extern,
    field,
    method,
    mixin,
    module,
    ty,
)

__tschema__ = module(namespace="typed", type_key_prefix="typed.", includes=["<string>"])

LIMIT = 1 << 10
Pure = Trait("typed.pure")
Names = ty.Array[ty.String]
Mode = Literal["fast", "slow"]
Scope = Annotated[str, ty.Cpp("std::string", include="<string>", as_=ty.String)]


@extern("other.Span", obj="::other::SpanNode", ref="::other::Span", header="<other/span.h>")
class Span(Object):
    """A class of another library."""


@declare
class ExprNode(Object):
    """Base of all expressions."""

    type_key = "Expr"
    abstract = True
    structural_eq = "tree"
    child_slots = auto_slots(extra=4)
    span: Optional[Span] = field(default=None, structural_eq="ignore", init=False)


@mixin
class Operands:
    """Two operands."""

    a: ExprNode
    b: ExprNode


@declare
class AddNode(ExprNode, Operands):
    """A sum."""

    type_key = "Add"
    structural_eq = "dag"
    final = True
    nullable = False
    traits = [Pure]


@declare
class Kind(Enum):
    """Kinds."""

    type_key = "Kind"
    cost: float = 1.0
    A = entry()
    B: ClassVar[Kind] = entry(cost=2.0, attrs={"n": 3})


@declare
class AllNode(Object):
    """Every type.

    Attributes
    ----------
    small
        A small integer.
    """

    type_key = "All"
    mutable = True
    small: ty.int8_t = -1
    limit: ty.int64_t = LIMIT
    ratio: ty.float32 = 0.5
    high: float = math.inf
    flag: bool = True
    text: ty.String = "x"
    raw: ty.Bytes = b"x"
    names: Names = field(default_factory=list)
    array: ty.Array[ty.int64_t] = (1, 2)
    items: ty.List[ty.String] = field(default_factory=lambda: ["a", "b"])
    table: ty.Map[ty.String, ty.Array[ExprNode]] = field(default_factory=dict)
    counts: ty.Dict[str, int] = field(default_factory=dict)
    pair: ty.Tuple[ty.int64_t, ty.String] = (1, "a")
    maybe: ty.Optional[ty.int64_t] = None
    either: ty.Union[ty.int64_t, ty.String] = 3
    other: ty.Variant[int, str] = 3
    call: Optional[ty.Function[[ty.int64_t, ExprNode], ty.String]] = None
    any_call: Optional[ty.Function[..., ty.Any]] = None
    bare_call: Optional[ty.Function] = None
    handle: ty.Handle = field(default=cpp("nullptr"))
    dtype: ty.DataType = "float32"
    device: ty.Device = cpp("DLDevice{kDLCPU, 0}")
    tensor: Optional[ty.Tensor] = None
    shape: Optional[ty.Shape] = None
    anything: ty.Any = None
    ref: ty.ObjectRef | None = None
    up: Optional[ty.Self] = None
    kids: list[AllNode] = field(default_factory=list)
    mode: Mode = "fast"
    scope: Scope = field(init=False)
    kind: Kind = Kind.B
    _: KW_ONLY
    source: str = ""
    late: int = field(default=0, kw_only=True, doc="Late.", metadata={"a": 1}, frozen=True)

    @method
    def fold(self, depth: int = 1) -> ExprNode:
        """Replace constant expressions by their values."""
        raise NotImplementedError

    @method(const=False, cpp="AddTo")
    def add(self, other: ty.Array[ExprNode]) -> None:
        """Add."""

    @staticmethod
    @method
    def make(text: str) -> AllNode:
        raise NotImplementedError

    def only_python(self) -> int:
        return 2 * self.limit


@declare
class Level(IntEnum):
    """Levels."""

    type_key = "Level"
    LOW = entry(1)
    HIGH = auto()


@declare
class Word(StrEnum):
    """Words."""

    type_key = "Word"
    A = entry("a")


extend(Kind, D=entry(cost=0.5))
