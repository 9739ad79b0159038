# SPDX-License-Identifier: Apache-2.0
"""The base classes of the IR."""

from tvm_ffi.schema import Object, declare, field, module, ty

__tschema__ = module(namespace="tir", type_key_prefix="tir.")


@declare
class SpanNode(Object):
    """A range of a source text.

    Attributes
    ----------
    source
        Name of the source text.
    line
        First line, from 1.
    column
        First column, from 1.
    end_line
        Last line.
    end_column
        Column after the last character.
    """

    type_key = "Span"
    structural_eq = "tree"
    source: ty.String
    line: ty.int64_t
    column: ty.int64_t
    end_line: ty.int64_t
    end_column: ty.int64_t


@declare
class BaseNode(Object):
    """Base of all nodes with a place in a source text.

    Attributes
    ----------
    span
        Place of the node in the source text.
    """

    type_key = "Base"
    structural_eq = "tree"
    abstract = True
    span: ty.Optional[SpanNode] = field(default=None, kw_only=True, structural_eq="ignore")


@declare
class TypeNode(BaseNode):
    """Base of all types."""

    type_key = "Type"
    abstract = True


@declare
class ExprNode(BaseNode):
    """Base of all expressions.

    Attributes
    ----------
    dtype
        Data type of the value.
    """

    type_key = "Expr"
    abstract = True
    dtype: ty.DataType


@declare
class StmtNode(BaseNode):
    """Base of all statements."""

    type_key = "Stmt"
    abstract = True


@declare
class AttrsNode(BaseNode):
    """Base of the attributes of calls."""

    type_key = "Attrs"
    abstract = True
