# SPDX-License-Identifier: Apache-2.0
"""Classes with Rust output: features beyond the fields of `ways/model.py`."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Optional, Union

from tvm_ffi_schema import (
    KW_ONLY,
    Enum,
    IntEnum,
    Object,
    auto_slots,
    declare,
    entry,
    field,
    method,
    module,
    ty,
)

__tschema__ = module(namespace="terms", type_key_prefix="terms.")


@declare
class Kind(IntEnum):
    """Kinds of terms; each entry has a type attribute."""

    type_key = "Kind"
    leaf = entry(2, attrs={"symbol": "L", "weight": 1.5})
    inner = entry(8)


@declare
class Effect(Enum):
    """What a term does; a default is an entry of another enum."""

    type_key = "Effect"
    kind: Kind = Kind.leaf
    cost: float = 0.0
    names: ty.Array[str] = ()

    pure: ClassVar[Effect] = entry()
    reads = entry(cost=2, names=("a", "b"))


@declare
class TermNode(Object):
    """The base of terms.

    It has no objects of its own.
    """

    type_key = "Term"
    abstract = True
    child_slots = auto_slots(extra=3)
    type_attrs = {"terms.rank": 1, "terms.words": ["a", 2], "terms.none": None}  # noqa: RUF012
    base: int = field(default=1, kw_only=True, doc="The name of the field of the parent in Rust.")

    @method
    def size(self) -> int:
        """Return the number of terms."""


@declare
class LeafNode(TermNode):
    """A term without others."""

    type_key = "Leaf"
    final = True
    mutable = True
    type: ty.DataType = "float32x4"
    match: ty.int8_t = field(default=-5, name="matched")
    wide: ty.uint64_t = (1 << 63) - 1
    infinite: float = math.inf
    missing: float = math.nan
    small: ty.float32 = 1e-3
    device: ty.Device = "cuda:1"
    pair: ty.Tuple[ty.uint8_t] = (7,)
    either: Union[TermNode, str, None] = "text"
    maybe: ty.Optional[ty.String] = "some"
    numbers: ty.Map[str, ty.Array[ty.double]] = field(default_factory=lambda: {"a": [1, 2.5]})
    extent: ty.Shape = field(kw_only=True)
    noted: int = field(default=3, metadata={"unit": 'm"', "limit": 12})
    hidden: int = field(init=False)
    effect: Effect = Effect.reads


@declare
class CallNode(TermNode):
    """Calls another term.

    Attributes
    ----------
    callee
        What is called.
    """

    type_key = "Call"
    callee: TermNode
    arguments: ty.Array[TermNode] = ()
    _: KW_ONLY
    note: str = 'with "quotes", \\ and \n'

    @method
    def apply(self, scale: float, names: ty.Array[str], depth: int = 2) -> Optional[TermNode]:
        """Apply the callee.

        Parameters
        ----------
        scale
            A factor.
        """

    @staticmethod
    @method
    def of(callee: TermNode, anything: Any = None, limit: Optional[int] = None) -> CallNode:
        """Make a call without arguments."""

    @method
    def unfinished(
        self, a_very_long_parameter: ty.Map[str, ty.Array[TermNode]], other: int
    ) -> None:
        """Have no body, and a line that is too long for one line."""


@declare
class ParsedNode(Object):
    """Is made from a text."""

    type_key = "Parsed"
    value: int

    @method
    def __init__(self, text: str, radix: int = 10) -> None:
        """Parse."""
