# SPDX-License-Identifier: Apache-2.0
"""Statements."""

from base import BaseNode, ExprNode, StmtNode
from buffer import BufferNode, BufferRegionNode, MatchBufferRegionNode
from expr import IterVarNode, RangeNode, VarNode

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class LetStmtNode(StmtNode):
    """A statement with a local variable.

    Attributes
    ----------
    var
        The variable.
    value
        The value of the variable.
    body
        The statement that may use the variable.
    """

    type_key = "LetStmt"
    var: VarNode = field(structural_eq="def")
    value: ExprNode
    body: StmtNode


@declare
class AttrStmtNode(StmtNode):
    """A statement with an attribute.

    Attributes
    ----------
    node
        The object to which the attribute belongs.
    attr_key
        Name of the attribute.
    value
        Value of the attribute.
    body
        The statement for which the attribute holds.
    """

    type_key = "AttrStmt"
    node: ty.ObjectRef
    attr_key: ty.String
    value: ExprNode
    body: StmtNode


@declare
class AssertStmtNode(StmtNode):
    """An assertion.

    Attributes
    ----------
    condition
        The condition.
    message
        The error message if the condition is false.
    body
        The statement after the assertion.
    """

    type_key = "AssertStmt"
    condition: ExprNode
    message: ExprNode
    body: StmtNode


@declare
class BufferStoreNode(StmtNode):
    """An assignment to an element of a buffer.

    Attributes
    ----------
    buffer
        The buffer.
    value
        The new value.
    indices
        Index of the element in each dimension.
    """

    type_key = "BufferStore"
    buffer: BufferNode
    value: ExprNode
    indices: ty.Array[ExprNode]


@declare
class BufferRealizeNode(StmtNode):
    """The allocation of a region of a buffer.

    Attributes
    ----------
    buffer
        The buffer.
    bounds
        Range of indices in each dimension.
    condition
        Condition for the allocation.
    body
        The statement that may use the buffer.
    """

    type_key = "BufferRealize"
    buffer: BufferNode
    bounds: ty.Array[RangeNode]
    condition: ExprNode
    body: StmtNode


@declare
class AllocateNode(StmtNode):
    """An allocation of memory.

    Attributes
    ----------
    buffer_var
        Pointer to the memory.
    dtype
        Data type of an element.
    extents
        Number of elements in each dimension.
    condition
        Condition for the allocation.
    body
        The statement that may use the memory.
    annotations
        Hints for passes.
    """

    type_key = "Allocate"
    buffer_var: VarNode = field(structural_eq="def")
    dtype: ty.DataType
    extents: ty.Array[ExprNode]
    condition: ExprNode
    body: StmtNode
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class AllocateConstNode(StmtNode):
    """Memory with constant content.

    Attributes
    ----------
    buffer_var
        Pointer to the memory.
    data
        The content.
    dtype
        Data type of an element.
    extents
        Number of elements in each dimension.
    body
        The statement that may use the memory.
    """

    type_key = "AllocateConst"
    buffer_var: VarNode = field(structural_eq="def")
    data: ty.Optional[ty.Tensor]
    dtype: ty.DataType
    extents: ty.Array[ExprNode]
    body: StmtNode


@declare
class DeclBufferNode(StmtNode):
    """A declaration of a buffer for existing memory.

    Attributes
    ----------
    buffer
        The buffer.
    body
        The statement that may use the buffer.
    """

    type_key = "DeclBuffer"
    buffer: BufferNode
    body: StmtNode


@declare
class SeqStmtNode(StmtNode):
    """A sequence of statements.

    Attributes
    ----------
    seq
        The statements.
    """

    type_key = "SeqStmt"
    seq: ty.Array[StmtNode]


@declare
class IfThenElseNode(StmtNode):
    """A conditional statement.

    Attributes
    ----------
    condition
        The condition.
    then_case
        The statement to run if the condition is true.
    else_case
        The statement to run if the condition is false.
    """

    type_key = "IfThenElse"
    condition: ExprNode
    then_case: StmtNode
    else_case: ty.Optional[StmtNode] = None


@declare
class EvaluateNode(StmtNode):
    """A statement that evaluates an expression for its side effects.

    Attributes
    ----------
    value
        The expression.
    """

    type_key = "Evaluate"
    value: ExprNode


@declare
class ForNode(StmtNode):
    """A loop.

    Attributes
    ----------
    loop_var
        Variable of the loop.
    minimum
        First value of the variable.
    extent
        Number of iterations.
    kind
        Serial, parallel, vectorised or unrolled.
    body
        The repeated statement.
    thread_binding
        The thread index that runs the iterations.
    annotations
        Hints for passes.
    """

    type_key = "For"
    loop_var: VarNode = field(structural_eq="def")
    minimum: ExprNode
    extent: ExprNode
    kind: ty.int32_t
    body: StmtNode
    thread_binding: ty.Optional[IterVarNode] = None
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class WhileNode(StmtNode):
    """A loop that runs while a condition is true.

    Attributes
    ----------
    condition
        The condition.
    body
        The repeated statement.
    """

    type_key = "While"
    condition: ExprNode
    body: StmtNode


@declare
class PrefetchNode(StmtNode):
    """A hint to prefetch a part of a buffer.

    Attributes
    ----------
    buffer
        The buffer.
    bounds
        Range of indices in each dimension.
    """

    type_key = "Prefetch"
    buffer: BufferNode
    bounds: ty.Array[RangeNode]


@declare
class BlockNode(StmtNode):
    """A unit of computation.

    Attributes
    ----------
    iter_vars
        Iteration variables of the block.
    reads
        Regions that the block reads.
    writes
        Regions that the block writes.
    name_hint
        Name of the block.
    body
        Body of the block.
    init
        The statement that initialises a reduction.
    alloc_buffers
        Buffers that the block allocates.
    match_buffers
        Buffer views that the block declares.
    annotations
        Hints for passes.
    """

    type_key = "Block"
    iter_vars: ty.Array[IterVarNode] = field(structural_eq="def")
    reads: ty.Array[BufferRegionNode]
    writes: ty.Array[BufferRegionNode]
    name_hint: ty.String = field(structural_eq="ignore")
    body: StmtNode
    init: ty.Optional[StmtNode] = None
    alloc_buffers: ty.Array[BufferNode] = field(default_factory=list)
    match_buffers: ty.Array[MatchBufferRegionNode] = field(default_factory=list)
    annotations: ty.Map[ty.String, ty.Any] = field(default_factory=dict)


@declare
class BlockRealizeNode(StmtNode):
    """A block with values of its iteration variables.

    Attributes
    ----------
    iter_values
        Value of each iteration variable.
    predicate
        Condition for running the block.
    block
        The block.
    """

    type_key = "BlockRealize"
    iter_values: ty.Array[ExprNode]
    predicate: ExprNode
    block: BlockNode


@declare
class BufferAccessNode(BaseNode):
    """An access to a buffer by a statement.

    Attributes
    ----------
    buffer
        The buffer.
    is_write
        Whether the access writes.
    order
        Position of the access in the order of all accesses.
    """

    type_key = "BufferAccess"
    buffer: BufferNode
    is_write: bool
    order: ty.int32_t = 0


@declare
class IndexMapNode(Object):
    """A mapping of indices.

    Attributes
    ----------
    initial
        Variables for the original indices.
    final_indices
        Expressions for the new indices.
    inverse
        The inverse mapping.
    """

    type_key = "IndexMap"
    structural_eq = "tree"
    initial: ty.Array[VarNode] = field(structural_eq="def")
    final_indices: ty.Array[ExprNode]
    inverse: "ty.Optional[IndexMapNode]" = field(default=None, structural_eq="ignore")
