# SPDX-License-Identifier: Apache-2.0
"""Expressions."""

from base import ExprNode, TypeNode

from tvm_ffi.schema import Object, Trait, declare, field, mixin, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")

Commutative = Trait("tir.commutative", True)
Pure = Trait("tir.pure", True)


@mixin
class Binary:
    """Base of operators with two operands.

    Attributes
    ----------
    a
        The left operand.
    b
        The right operand.
    """

    a: ExprNode
    b: ExprNode


@declare
class VarNode(ExprNode):
    """A variable.

    Attributes
    ----------
    name
        Name of the variable; different variables may have the same name.
    type_annotation
        Type of the variable, if the data type does not determine the type.
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
    """An integer literal.

    Attributes
    ----------
    value
        The number.
    """

    type_key = "IntImm"
    value: ty.int64_t


@declare
class FloatImmNode(ExprNode):
    """A floating-point literal.

    Attributes
    ----------
    value
        The number.
    """

    type_key = "FloatImm"
    value: ty.float64


@declare
class StringImmNode(ExprNode):
    """A string literal.

    Attributes
    ----------
    value
        The string.
    """

    type_key = "StringImm"
    value: ty.String


@declare
class BoolImmNode(ExprNode):
    """A boolean literal.

    Attributes
    ----------
    value
        The truth value.
    """

    type_key = "BoolImm"
    value: bool


@declare
class CastNode(ExprNode):
    """A conversion of a value to another data type.

    Attributes
    ----------
    value
        The value to convert.
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
    """a / b, rounded towards zero."""

    type_key = "Div"
    traits = (Pure,)


@declare
class ModNode(ExprNode, Binary):
    """Remainder of `Div`."""

    type_key = "Mod"
    traits = (Pure,)


@declare
class FloorDivNode(ExprNode, Binary):
    """a / b, rounded down."""

    type_key = "FloorDiv"
    traits = (Pure,)


@declare
class FloorModNode(ExprNode, Binary):
    """Remainder of `FloorDiv`."""

    type_key = "FloorMod"
    traits = (Pure,)


@declare
class MinNode(ExprNode, Binary):
    """The smaller operand."""

    type_key = "Min"
    traits = (Commutative, Pure)


@declare
class MaxNode(ExprNode, Binary):
    """The larger operand."""

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
    """Logical and."""

    type_key = "And"
    traits = (Commutative, Pure)


@declare
class OrNode(ExprNode, Binary):
    """Logical or."""

    type_key = "Or"
    traits = (Commutative, Pure)


@declare
class NotNode(ExprNode):
    """Logical negation.

    Attributes
    ----------
    a
        The operand.
    """

    type_key = "Not"
    a: ExprNode


@declare
class SelectNode(ExprNode):
    """One of two values; both values are computed.

    Attributes
    ----------
    condition
        The condition.
    true_value
        The result if the condition is true.
    false_value
        The result if the condition is false.
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
        The first element.
    stride
        The difference between neighbouring elements.
    lanes
        Number of elements.
    """

    type_key = "Ramp"
    base: ExprNode
    stride: ExprNode
    lanes: ExprNode


@declare
class BroadcastNode(ExprNode):
    """A vector whose elements are equal.

    Attributes
    ----------
    value
        The value of each element.
    lanes
        Number of elements.
    """

    type_key = "Broadcast"
    value: ExprNode
    lanes: ExprNode


@declare
class ShuffleNode(ExprNode):
    """A vector of selected elements of other vectors.

    Attributes
    ----------
    vectors
        The source vectors.
    indices
        Indices into the concatenated source vectors.
    """

    type_key = "Shuffle"
    vectors: ty.Array[ExprNode]
    indices: ty.Array[ExprNode]


@declare
class LetNode(ExprNode):
    """An expression with a local variable.

    Attributes
    ----------
    var
        The variable.
    value
        The value of the variable.
    body
        The expression that may use the variable.
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
        Name of the operator.
    num_inputs
        Number of arguments; -1 for any.
    support_level
        Support level; a lower level means a more common operator.
    """

    type_key = "Op"
    structural_eq = "singleton"
    name: ty.String
    num_inputs: ty.int32_t = -1
    support_level: ty.int32_t = 10


@declare
class GlobalVarNode(ExprNode):
    """A reference to a function of the module.

    Attributes
    ----------
    name_hint
        Name of the function.
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
        The operator or the function.
    args
        The arguments.
    """

    type_key = "Call"
    op: ExprNode
    args: ty.Array[ExprNode]


@declare
class TupleNode(ExprNode):
    """A tuple of values.

    Attributes
    ----------
    fields
        The values.
    """

    type_key = "Tuple"
    fields: ty.Array[ExprNode]


@declare
class TupleGetItemNode(ExprNode):
    """An element of a tuple.

    Attributes
    ----------
    tuple_value
        The tuple.
    index
        Index of the element.
    """

    type_key = "TupleGetItem"
    tuple_value: ExprNode
    index: ty.int64_t


@declare
class RangeNode(Object):
    """A range of integers.

    Attributes
    ----------
    minimum
        The first integer.
    extent
        Number of integers.
    """

    type_key = "Range"
    structural_eq = "tree"
    minimum: ExprNode
    extent: ExprNode


@declare
class IterVarNode(ExprNode):
    """An iteration variable of a loop.

    Attributes
    ----------
    dom
        Range of the variable.
    var
        The variable.
    iter_type
        Kind of the loop.
    thread_tag
        Name of the thread index that the variable is bound to.
    """

    type_key = "IterVar"
    dom: ty.Optional[RangeNode]
    var: VarNode = field(structural_eq="def")
    iter_type: ty.int32_t = 0
    thread_tag: ty.String = ""


@declare
class CommReducerNode(Object):
    """A commutative reduction function."""

    type_key = "CommReducer"
    structural_eq = "tree"
    lhs: ty.Array[VarNode] = field(structural_eq="def", doc="Left parameters.")
    rhs: ty.Array[VarNode] = field(structural_eq="def", doc="Right parameters.")
    result: ty.Array[ExprNode] = field(doc="What they give.")
    identity_element: ty.Array[ExprNode] = field(doc="What changes nothing.")


@declare
class ReduceNode(ExprNode):
    """The reduction of values over axes.

    Attributes
    ----------
    combiner
        The reduction function.
    source
        The values to reduce.
    axis
        The reduction axes.
    condition
        Condition for including a value.
    value_index
        Index of the result, if the reduction has several results.
    """

    type_key = "Reduce"
    combiner: CommReducerNode
    source: ty.Array[ExprNode]
    axis: ty.Array[IterVarNode]
    condition: ExprNode
    value_index: ty.int64_t
