# SPDX-License-Identifier: Apache-2.0
"""Types of values."""

from base import TypeNode

from tvm_ffi.schema import declare, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.type.")


@declare
class PrimTypeNode(TypeNode):
    """The type of a number or a truth value.

    Attributes
    ----------
    dtype
        The data type.
    """

    type_key = "PrimType"
    dtype: ty.DataType


@declare
class PointerTypeNode(TypeNode):
    """The type of a pointer.

    Attributes
    ----------
    element_type
        Type of the value at the address.
    storage_scope
        Kind of memory that contains the value.
    """

    type_key = "PointerType"
    element_type: TypeNode
    storage_scope: ty.String = ""


@declare
class TupleTypeNode(TypeNode):
    """The type of a tuple.

    Attributes
    ----------
    fields
        Types of the elements.
    """

    type_key = "TupleType"
    fields: ty.Array[TypeNode]


@declare
class FuncTypeNode(TypeNode):
    """The type of a function.

    Attributes
    ----------
    params
        Types of the parameters.
    result
        Type of the result.
    """

    type_key = "FuncType"
    params: ty.Array[TypeNode]
    result: TypeNode


@declare
class TensorTypeNode(TypeNode):
    """The type of a tensor with a known shape.

    Attributes
    ----------
    shape
        Number of elements in each dimension.
    dtype
        Data type of an element.
    """

    type_key = "TensorType"
    shape: ty.Array[ty.int64_t]
    dtype: ty.DataType


@declare
class OpaqueTypeNode(TypeNode):
    """A type whose values only external code can use.

    Attributes
    ----------
    name
        Name of the type.
    """

    type_key = "OpaqueType"
    name: ty.String


@declare
class VoidTypeNode(TypeNode):
    """The type without values."""

    type_key = "VoidType"
