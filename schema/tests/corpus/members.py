# SPDX-License-Identifier: Apache-2.0
"""What C++ has beside plain fields: constructors and methods by hand, types of C++, mixins."""

import math
from typing import overload

from tvm_ffi_schema import Object, declare, field, method, mixin, module, ty

__tschema__ = module(namespace="corpus", type_key_prefix="members.")

Scope = ty.Cpp(
    "::corpus::Scope",
    include="<corpus/scope.h>",
    as_=ty.String,
    size=4,
    align=4,
)


@declare
class TermNode(Object):
    """A term, never null."""

    type_key = "Term"
    nullable = False
    value: float


@declare
class OpNode(Object):
    """Base of operations."""

    type_key = "Op"
    abstract = True
    span: int = field(default=0, kw_only=True, structural_eq="ignore")


@mixin
class Binary:
    """Two operands.

    Attributes
    ----------
    a
        The left one.
    b
        The right one.
    """

    a: TermNode
    b: TermNode
    note: str = field(default="", init=False)


@declare
class PlusNode(OpNode, Binary):
    """a + b"""

    type_key = "Plus"

    @method
    def total(self, scale: float = 1.0) -> float:
        """Add."""

    def length(self, power: float = 2.0) -> float:
        """Combine in Python."""
        return math.pow(self.a.value, power) + math.pow(self.b.value, power)

    @staticmethod
    def of(a: float, b: float) -> "PlusNode":
        return PlusNode(TermNode(a), TermNode(b))


@declare
class MinusNode(OpNode, Binary):
    """a - b"""

    type_key = "Minus"
    wide: bool = False


@declare
class AllocateNode(Object):
    """Holds a type of C++ that crosses as a text."""

    type_key = "Allocate"
    scope: Scope
    extent: int = 1


@declare
class ParsedNode(Object):
    """Is made from a text."""

    type_key = "Parsed"
    value: int
    base: int = field(default=10, init=False)

    @method
    def __init__(self, text: str, base: int = 10) -> None:
        """Parse.

        Parameters
        ----------
        text
            Digits.
        base
            Of the number.
        """

    @overload
    @method
    def plus(self, other: int) -> int: ...

    @overload
    @method
    def plus(self, other: str) -> str: ...


@declare
class TaggedNode(ParsedNode):
    """Derives from a class that is made by hand."""

    type_key = "Tagged"
    tag: str = ""
