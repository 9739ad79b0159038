# SPDX-License-Identifier: Apache-2.0
"""Buffers, and regions of them."""

from base import BaseNode, ExprNode
from expr import RangeNode, VarNode

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class BufferNode(BaseNode):
    """Memory with a shape.

    Attributes
    ----------
    data
        Its address.
    dtype
        Type of an element.
    shape
        Its extents.
    strides
        Distance of neighbours; empty when they are compact.
    elem_offset
        Where it begins.
    name
        Its name.
    data_alignment
        Bytes of alignment.
    offset_factor
        What divides the offset.
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
    """An element of a buffer.

    Attributes
    ----------
    buffer
        The buffer.
    indices
        Which element.
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
        Which part.
    """

    type_key = "BufferRegion"
    buffer: BufferNode
    region: ty.Array[RangeNode]


@declare
class MatchBufferRegionNode(BaseNode):
    """A buffer that is a part of another.

    Attributes
    ----------
    buffer
        The new one.
    source
        What it is a part of.
    """

    type_key = "MatchBufferRegion"
    buffer: BufferNode
    source: BufferRegionNode


@declare
class DataProducerNode(Object):
    """Something that makes a tensor."""

    type_key = "DataProducer"
    abstract = True
    structural_eq = "dag"


@declare
class ProducerLoadNode(ExprNode):
    """An element of what is produced.

    Attributes
    ----------
    producer
        Who makes it.
    indices
        Which element.
    """

    type_key = "ProducerLoad"
    producer: DataProducerNode
    indices: ty.Array[ExprNode]
