# SPDX-License-Identifier: Apache-2.0
"""Buffers, and regions of them."""

from base import BaseNode, ExprNode
from expr import RangeNode, VarNode

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class BufferNode(BaseNode):
    """A multi-dimensional array in memory.

    Attributes
    ----------
    data
        Pointer to the memory.
    dtype
        Data type of an element.
    shape
        Number of elements in each dimension.
    strides
        Stride of each dimension; empty for a compact array.
    elem_offset
        Offset of the first element.
    name
        Name of the buffer.
    data_alignment
        Alignment of the memory in bytes.
    offset_factor
        A known divisor of the offset.
    """

    type_key = "Buffer"
    structural_eq = "dag"
    data: VarNode = field(structural_eq="def")
    dtype: ty.DataType
    shape: ty.Array[ExprNode]
    strides: ty.Array[ExprNode] = field(default_factory=list)
    elem_offset: ty.Optional[ExprNode] = None
    name: ty.String = field(default="buffer", structural_eq="ignore")
    data_alignment: ty.int32_t = 64
    offset_factor: ty.int32_t = 1


@declare
class BufferLoadNode(ExprNode):
    """The value of an element of a buffer.

    Attributes
    ----------
    buffer
        The buffer.
    indices
        Index of the element in each dimension.
    """

    type_key = "BufferLoad"
    buffer: BufferNode
    indices: ty.Array[ExprNode]


@declare
class BufferRegionNode(BaseNode):
    """A part of a buffer.

    Attributes
    ----------
    buffer
        The buffer.
    region
        Range of indices in each dimension.
    """

    type_key = "BufferRegion"
    buffer: BufferNode
    region: ty.Array[RangeNode]


@declare
class MatchBufferRegionNode(BaseNode):
    """A buffer that is a view of a part of another buffer.

    Attributes
    ----------
    buffer
        The view.
    source
        The viewed part of the other buffer.
    """

    type_key = "MatchBufferRegion"
    buffer: BufferNode
    source: BufferRegionNode


@declare
class DataProducerNode(Object):
    """Base of operations that produce a tensor."""

    type_key = "DataProducer"
    abstract = True
    structural_eq = "dag"


@declare
class ProducerLoadNode(ExprNode):
    """The value of an element of a produced tensor.

    Attributes
    ----------
    producer
        The operation that produces the tensor.
    indices
        Index of the element in each dimension.
    """

    type_key = "ProducerLoad"
    producer: DataProducerNode
    indices: ty.Array[ExprNode]
