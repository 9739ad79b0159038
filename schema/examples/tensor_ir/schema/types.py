# SPDX-License-Identifier: Apache-2.0
"""Types of values."""

from base import TypeNode

from tvm_ffi.schema import declare, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.type.")


@declare
class PrimTypeNode(TypeNode):
    """A number or a truth value.

    Attributes
    ----------
    dtype
        Which one.
    """

    type_key = "PrimType"
    dtype: ty.DataType


@declare
class PointerTypeNode(TypeNode):
    """A pointer.

    Attributes
    ----------
    element_type
        What it points to.
    storage_scope
        Memory that it points into.
    """

    type_key = "PointerType"
    element_type: TypeNode
    storage_scope: ty.String = ""


@declare
class TupleTypeNode(TypeNode):
    """Several values.

    Attributes
    ----------
    fields
        Their types.
    """

    type_key = "TupleType"
    fields: ty.Array[TypeNode]


@declare
class FuncTypeNode(TypeNode):
    """A function.

    Attributes
    ----------
    params
        Types of its parameters.
    result
        Type of its result.
    """

    type_key = "FuncType"
    params: ty.Array[TypeNode]
    result: TypeNode


@declare
class TensorTypeNode(TypeNode):
    """A tensor of known shape.

    Attributes
    ----------
    shape
        Its extents.
    dtype
        Type of an element.
    """

    type_key = "TensorType"
    shape: ty.Array[ty.int64_t]
    dtype: ty.DataType


@declare
class OpaqueTypeNode(TypeNode):
    """Something that only its owner understands.

    Attributes
    ----------
    name
        Its name.
    """

    type_key = "OpaqueType"
    name: ty.String


@declare
class VoidTypeNode(TypeNode):
    """No value."""

    type_key = "VoidType"
