# SPDX-License-Identifier: Apache-2.0
"""Expressions."""

from base import ExprNode, TypeNode

from tvm_ffi.schema import Object, Trait, declare, field, mixin, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")

Commutative = Trait("tir.commutative", True)
Pure = Trait("tir.pure", True)


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

    a: ExprNode
    b: ExprNode


@declare
class VarNode(ExprNode):
    """A variable.

    Attributes
    ----------
    name
        Its name; two variables of one name are two.
    type_annotation
        Its type, when the data type does not say it.
    """

    type_key = "Var"
    structural_eq = "var"
    name: ty.String = field(structural_eq="ignore")
    type_annotation: ty.Optional[TypeNode] = None


@declare
class SizeVarNode(VarNode):
    """A variable that is not negative."""

    type_key = "SizeVar"


@declare
class IntImmNode(ExprNode):
    """An integer.

    Attributes
    ----------
    value
        Its value.
    """

    type_key = "IntImm"
    value: ty.int64_t


@declare
class FloatImmNode(ExprNode):
    """A floating-point number.

    Attributes
    ----------
    value
        Its value.
    """

    type_key = "FloatImm"
    value: ty.float64


@declare
class StringImmNode(ExprNode):
    """A text.

    Attributes
    ----------
    value
        Its value.
    """

    type_key = "StringImm"
    value: ty.String


@declare
class BoolImmNode(ExprNode):
    """A truth value.

    Attributes
    ----------
    value
        Its value.
    """

    type_key = "BoolImm"
    value: bool


@declare
class CastNode(ExprNode):
    """A value as another type.

    Attributes
    ----------
    value
        The value.
    """

    type_key = "Cast"
    value: ExprNode


@declare
class AddNode(ExprNode, Binary):
    """a + b"""

    type_key = "Add"
    traits = (Commutative, Pure)


@declare
class SubNode(ExprNode, Binary):
    """a - b"""

    type_key = "Sub"
    traits = (Pure,)


@declare
class MulNode(ExprNode, Binary):
    """a * b"""

    type_key = "Mul"
    traits = (Commutative, Pure)


@declare
class DivNode(ExprNode, Binary):
    """a / b, towards zero."""

    type_key = "Div"
    traits = (Pure,)


@declare
class ModNode(ExprNode, Binary):
    """Remainder of `Div`."""

    type_key = "Mod"
    traits = (Pure,)


@declare
class FloorDivNode(ExprNode, Binary):
    """a / b, downwards."""

    type_key = "FloorDiv"
    traits = (Pure,)


@declare
class FloorModNode(ExprNode, Binary):
    """Remainder of `FloorDiv`."""

    type_key = "FloorMod"
    traits = (Pure,)


@declare
class MinNode(ExprNode, Binary):
    """The smaller one."""

    type_key = "Min"
    traits = (Commutative, Pure)


@declare
class MaxNode(ExprNode, Binary):
    """The larger one."""

    type_key = "Max"
    traits = (Commutative, Pure)


@declare
class EQNode(ExprNode, Binary):
    """a == b"""

    type_key = "EQ"
    traits = (Commutative, Pure)


@declare
class NENode(ExprNode, Binary):
    """a != b"""

    type_key = "NE"
    traits = (Commutative, Pure)


@declare
class LTNode(ExprNode, Binary):
    """a < b"""

    type_key = "LT"
    traits = (Pure,)


@declare
class LENode(ExprNode, Binary):
    """a <= b"""

    type_key = "LE"
    traits = (Pure,)


@declare
class GTNode(ExprNode, Binary):
    """a > b"""

    type_key = "GT"
    traits = (Pure,)


@declare
class GENode(ExprNode, Binary):
    """a >= b"""

    type_key = "GE"
    traits = (Pure,)


@declare
class AndNode(ExprNode, Binary):
    """Both."""

    type_key = "And"
    traits = (Commutative, Pure)


@declare
class OrNode(ExprNode, Binary):
    """One of them."""

    type_key = "Or"
    traits = (Commutative, Pure)


@declare
class NotNode(ExprNode):
    """The other truth value.

    Attributes
    ----------
    a
        A truth value.
    """

    type_key = "Not"
    a: ExprNode


@declare
class SelectNode(ExprNode):
    """One of two values; both are computed.

    Attributes
    ----------
    condition
        Which one.
    true_value
        The value when it holds.
    false_value
        The value when it does not.
    """

    type_key = "Select"
    condition: ExprNode
    true_value: ExprNode
    false_value: ExprNode


@declare
class RampNode(ExprNode):
    """A vector of numbers with a constant step.

    Attributes
    ----------
    base
        The first.
    stride
        The step.
    lanes
        How many.
    """

    type_key = "Ramp"
    base: ExprNode
    stride: ExprNode
    lanes: ExprNode


@declare
class BroadcastNode(ExprNode):
    """A vector of one value.

    Attributes
    ----------
    value
        The value.
    lanes
        How many.
    """

    type_key = "Broadcast"
    value: ExprNode
    lanes: ExprNode


@declare
class ShuffleNode(ExprNode):
    """Elements of vectors in another order.

    Attributes
    ----------
    vectors
        Where they come from.
    indices
        Which ones.
    """

    type_key = "Shuffle"
    vectors: ty.Array[ExprNode]
    indices: ty.Array[ExprNode]


@declare
class LetNode(ExprNode):
    """A value with a name.

    Attributes
    ----------
    var
        The name.
    value
        The value.
    body
        Where the name holds.
    """

    type_key = "Let"
    var: VarNode = field(structural_eq="def")
    value: ExprNode
    body: ExprNode


@declare
class OpNode(ExprNode):
    """A primitive operator.

    Attributes
    ----------
    name
        Its name.
    num_inputs
        Number of arguments; -1 for any.
    support_level
        How common it is.
    """

    type_key = "Op"
    structural_eq = "singleton"
    name: ty.String
    num_inputs: ty.int32_t = -1
    support_level: ty.int32_t = 10


@declare
class GlobalVarNode(ExprNode):
    """The name of a function of the module.

    Attributes
    ----------
    name_hint
        The name.
    """

    type_key = "GlobalVar"
    structural_eq = "var"
    name_hint: ty.String


@declare
class CallNode(ExprNode):
    """A call of an operator or a function.

    Attributes
    ----------
    op
        What is called.
    args
        With what.
    """

    type_key = "Call"
    op: ExprNode
    args: ty.Array[ExprNode]


@declare
class TupleNode(ExprNode):
    """Several values.

    Attributes
    ----------
    fields
        The values.
    """

    type_key = "Tuple"
    fields: ty.Array[ExprNode]


@declare
class TupleGetItemNode(ExprNode):
    """One of several values.

    Attributes
    ----------
    tuple_value
        The values.
    index
        Which one.
    """

    type_key = "TupleGetItem"
    tuple_value: ExprNode
    index: ty.int64_t


@declare
class RangeNode(Object):
    """Numbers from one on.

    Attributes
    ----------
    minimum
        The first.
    extent
        How many.
    """

    type_key = "Range"
    structural_eq = "tree"
    minimum: ExprNode
    extent: ExprNode


@declare
class IterVarNode(ExprNode):
    """A variable of a loop.

    Attributes
    ----------
    dom
        What it runs over.
    var
        The variable.
    iter_type
        Kind of the loop.
    thread_tag
        The thread that it is.
    """

    type_key = "IterVar"
    dom: ty.Optional[RangeNode]
    var: VarNode = field(structural_eq="def")
    iter_type: ty.int32_t = 0
    thread_tag: ty.String = ""


@declare
class CommReducerNode(Object):
    """A way to combine values."""

    type_key = "CommReducer"
    structural_eq = "tree"
    lhs: ty.Array[VarNode] = field(structural_eq="def", doc="Left parameters.")
    rhs: ty.Array[VarNode] = field(structural_eq="def", doc="Right parameters.")
    result: ty.Array[ExprNode] = field(doc="What they give.")
    identity_element: ty.Array[ExprNode] = field(doc="What changes nothing.")


@declare
class ReduceNode(ExprNode):
    """A reduction.

    Attributes
    ----------
    combiner
        How values are combined.
    source
        Which ones.
    axis
        Over what.
    condition
        Which of them count.
    value_index
        Which result is meant.
    """

    type_key = "Reduce"
    combiner: CommReducerNode
    source: ty.Array[ExprNode]
    axis: ty.Array[IterVarNode]
    condition: ExprNode
    value_index: ty.int64_t
