# SPDX-License-Identifier: Apache-2.0
"""Corners of settings, fields and parameters."""

from typing import ClassVar, Optional

from tvm_ffi_schema import (
    KW_ONLY,
    Enum,
    Object,
    auto_slots,
    cpp,
    declare,
    entry,
    extend,
    extern,
    field,
    method,
    module,
    ty,
)

__tschema__ = module(namespace="corpus", type_key_prefix="corners.")
Span = extern(
    "other.Span",
    obj="::other::SpanNode",
    ref="::other::Span",
    header='"corpus/span.h"',
    slots=1,
)

Exprs = ty.Array["ExprNode"]
N = 3


@declare
class ExprNode(Object):
    """An expression."""

    type_key = "Expr"
    sealed = True
    child_slots = auto_slots(extra=8)
    structural_eq = "dag"
    span: Optional[Span] = field(
        default=None, init=False, structural_eq="ignore", repr=False, compare=False
    )


@declare
class VarNode(ExprNode):
    """A variable."""

    type_key = "Var"
    structural_eq = "var"
    final = True
    name: ty.String = field(
        hash=True, compare=False, metadata={"a": 1, "b": "t", "c": True}, doc="The name."
    )
    seen: bool = field(default=False, init=False, frozen=False)


@declare
class LetNode(ExprNode):
    """Binds."""

    type_key = "Let"
    var: VarNode = field(structural_eq="def")
    value: ExprNode
    body: "ExprNode"
    hidden: int = field(default=0, reflect=False, init=False)
    secret: int = field(default=1, access="private", init=False, reflect=False)
    prot: int = field(default=N * 2, access="protected", init=False, reflect=False)
    class_: int = field(default=0, name="class")
    me: "Optional[ty.Self]" = None
    kids: "ty.Array[ty.Self]" = field(default_factory=list)
    forced: "Optional[VarNode]" = None
    wide: "Optional[VarNode]" = None
    u: "VarNode | int | None" = None
    f: ty.Function[[int, ExprNode], None] = None
    dt: ty.DataType = "float32"
    dev: ty.Device = cpp("DLDevice{kDLCPU, 0}")
    t: Optional[ty.Tensor] = None
    tup: ty.Tuple[int, str] = (1, "a")
    deep: ty.Map[str, ty.Array[Optional[ExprNode]]] = field(default_factory=dict)
    _: KW_ONLY
    late: int


@declare
class SubSpanNode(Span):
    """Derives from an extern."""

    type_key = "SubSpan"
    col: int


@declare
class NoRefNode(Object):
    """Without reference."""

    type_key = "NoRef"
    ref = False
    x: int


@declare
class HoldsNode(Object):
    """Holds one without reference."""

    type_key = "Holds"
    ctor = False
    it: Optional[NoRefNode] = field(default=None, kw_only=True)
    must: NoRefNode


@declare
class NS(Object):
    """Elsewhere."""

    type_key = "NS"
    namespace = "elsewhere"
    e: ExprNode


@declare
class StrictBaseNode(Object):
    type_key = "StrictBase"
    nullable = False
    abstract = True
    x: int


@declare
class StrictKidNode(StrictBaseNode):
    type_key = "StrictKid"
    nullable = False
    y: int = 0


@declare
class MutNode(Object):
    type_key = "Mut"
    mutable = True
    x: int

    @method
    def none(self) -> None: ...
    @method
    def hold(
        self,
        e: ExprNode,
        f: ty.Function[[int], int] = None,
        o: Optional[int] = None,
        items: ty.Array[int] = (),
    ) -> ExprNode: ...
    @staticmethod
    @method(cpp="MakeIt")
    def make(x: int = 3) -> "MutNode": ...


@declare
class Kind(Enum):
    """Kinds."""

    type_key = "Kind"
    cost: float = 1.0
    label: str = ""
    #: The first.
    A = entry()
    B = entry(cost=2.0, label="b", attrs={"n": 3, "fn": cpp("int64_t(1)")})
    C: ClassVar["Kind"] = entry()


extend(Kind, D=entry(cost=0.5))


@declare
class UsesKindNode(Object):
    type_key = "UsesKind"
    k: Kind = Kind.B
    ks: ty.Array[Kind] = field(default_factory=list)
    by_prec: ty.Map[str, Kind] = field(default_factory=dict)
