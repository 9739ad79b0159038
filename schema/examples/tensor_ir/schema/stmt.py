# SPDX-License-Identifier: Apache-2.0
"""Statements."""

from base import BaseNode, ExprNode, StmtNode
from buffer import BufferNode, BufferRegionNode, MatchBufferRegionNode
from expr import IterVarNode, RangeNode, VarNode

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class LetStmtNode(StmtNode):
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
        What the attribute is about.
    attr_key
        Its name.
    value
        Its value.
    body
        The statement.
    """

    type_key = "AttrStmt"
    node: ty.ObjectRef
    attr_key: ty.String
    value: ExprNode
    body: StmtNode


@declare
class AssertStmtNode(StmtNode):
    """A condition that must hold.

    Attributes
    ----------
    condition
        The condition.
    message
        What is said when it does not.
    body
        What follows.
    """

    type_key = "AssertStmt"
    condition: ExprNode
    message: ExprNode
    body: StmtNode


@declare
class BufferStoreNode(StmtNode):
    """A new value of an element.

    Attributes
    ----------
    buffer
        The buffer.
    value
        The value.
    indices
        Which element.
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
        The part.
    condition
        When it is needed.
    body
        Where it is used.
    """

    type_key = "BufferRealize"
    buffer: BufferNode
    bounds: ty.Array[RangeNode]
    condition: ExprNode
    body: StmtNode


@declare
class AllocateNode(StmtNode):
    """Memory.

    Attributes
    ----------
    buffer_var
        Its address.
    dtype
        Type of an element.
    extents
        How many.
    condition
        When it is needed.
    body
        Where it is used.
    annotations
        Hints.
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
        Its address.
    data
        The content.
    dtype
        Type of an element.
    extents
        How many.
    body
        Where it is used.
    """

    type_key = "AllocateConst"
    buffer_var: VarNode = field(structural_eq="def")
    data: ty.Optional[ty.Tensor]
    dtype: ty.DataType
    extents: ty.Array[ExprNode]
    body: StmtNode


@declare
class DeclBufferNode(StmtNode):
    """A buffer on memory that is there.

    Attributes
    ----------
    buffer
        The buffer.
    body
        Where it is used.
    """

    type_key = "DeclBuffer"
    buffer: BufferNode
    body: StmtNode


@declare
class SeqStmtNode(StmtNode):
    """Statements one after the other.

    Attributes
    ----------
    seq
        The statements.
    """

    type_key = "SeqStmt"
    seq: ty.Array[StmtNode]


@declare
class IfThenElseNode(StmtNode):
    """One of two statements.

    Attributes
    ----------
    condition
        Which one.
    then_case
        The statement when it holds.
    else_case
        The statement when it does not.
    """

    type_key = "IfThenElse"
    condition: ExprNode
    then_case: StmtNode
    else_case: ty.Optional[StmtNode] = None


@declare
class EvaluateNode(StmtNode):
    """An expression for its effect.

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
        Its variable.
    minimum
        The first value.
    extent
        How many.
    kind
        Serial, parallel, vectorised, unrolled.
    body
        What is repeated.
    thread_binding
        The thread that runs it.
    annotations
        Hints.
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
    """A loop with a condition.

    Attributes
    ----------
    condition
        While this holds.
    body
        What is repeated.
    """

    type_key = "While"
    condition: ExprNode
    body: StmtNode


@declare
class PrefetchNode(StmtNode):
    """A hint that memory will be used.

    Attributes
    ----------
    buffer
        The buffer.
    bounds
        The part.
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
        Its variables.
    reads
        What it reads.
    writes
        What it writes.
    name_hint
        Its name.
    body
        What it does.
    init
        What it does first.
    alloc_buffers
        Its own memory.
    match_buffers
        Its own views.
    annotations
        Hints.
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
    """A block with values for its variables.

    Attributes
    ----------
    iter_values
        The values.
    predicate
        When it runs.
    block
        The block.
    """

    type_key = "BlockRealize"
    iter_values: ty.Array[ExprNode]
    predicate: ExprNode
    block: BlockNode


@declare
class BufferAccessNode(BaseNode):
    """A use of memory by a statement.

    Attributes
    ----------
    buffer
        The memory.
    is_write
        Whether it changes.
    order
        Its place among the others.
    """

    type_key = "BufferAccess"
    buffer: BufferNode
    is_write: bool
    order: ty.int32_t = 0


@declare
class IndexMapNode(Object):
    """A change of indices.

    Attributes
    ----------
    initial
        The old ones.
    final_indices
        The new ones.
    inverse
        The way back.
    """

    type_key = "IndexMap"
    structural_eq = "tree"
    initial: ty.Array[VarNode] = field(structural_eq="def")
    final_indices: ty.Array[ExprNode]
    inverse: "ty.Optional[IndexMapNode]" = field(default=None, structural_eq="ignore")
