# SPDX-License-Identifier: Apache-2.0
"""Read and write type schemas for generators."""

from __future__ import annotations

from ..core import TypeSchema
from . import python_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tvm_ffi.core import TypeSchema


def read_schema(value: Any) -> TypeSchema:
    """Read a schema from metadata: text from C++, a dictionary from Python.

    Raise ValueError if the value is not a type schema.
    """
    try:
        schema = TypeSchema.from_metadata({"type_schema": value})
    except TypeError as error:
        raise ValueError(f"expected a type schema: {error}") from error
    if schema is None:
        raise ValueError("expected a type schema, got None")
    return schema


def signature_of(schema: TypeSchema) -> tuple[TypeSchema, tuple[TypeSchema, ...] | None]:
    """Return the result type and the parameter types of a function.

    For unknown types, the result type is ``Any`` and the parameter types are None.
    """
    groups = schema.named_args
    if groups is None:
        return TypeSchema("Any"), None
    return groups["return"][0], groups.get("params")


def write_schema(
    schema: TypeSchema,
    name_of: Callable[[str], str],
    opposite_name_of: Callable[[str], str] | None = None,
    key_name_of: Callable[[str], str] | None = None,
    tensor_of: Callable[[str, dict[str, Any]], str] | None = None,
) -> str:
    """Write a type. Nested unions are flattened.

    ``name_of`` maps an origin to its name. ``opposite_name_of`` does so in the parameters of a
    callable. For these parameters, the direction of values is reversed: if a function gets a
    callable as an argument, the function passes values to the callable; if it returns a callable,
    the user passes the values. ``key_name_of`` does so in the key type of a mapping. Type checkers
    compare key types exactly, so the name of a key type must not stand for several types.
    ``tensor_of`` maps the name of a typed tensor and its requirements to its text; if it is None,
    the requirements are not written.
    """
    opposite_name_of = opposite_name_of or name_of
    key_name_of = key_name_of or name_of

    def write(part: TypeSchema) -> str:
        return write_schema(part, name_of, opposite_name_of, key_name_of, tensor_of)

    def write_opposite(part: TypeSchema) -> str:
        return write_schema(part, opposite_name_of, name_of, key_name_of, tensor_of)

    if schema.origin in ("Optional", "Union"):
        return python_text.union(write(member) for member in _members(schema))
    name = name_of(schema.origin)
    if schema.tensor is not None and tensor_of is not None:
        return tensor_of(name, schema.tensor)
    if schema.origin == "Callable":
        result, parameters = signature_of(schema)
        texts = None if parameters is None else [write_opposite(p) for p in parameters]
        return python_text.callable_type(name, write(result), texts)
    if schema.origin == "tuple" and schema.args == ():
        return f"{name}[()]"
    arguments = [write(arg) for arg in schema.args or ()]
    if schema.origin in ("Map", "Dict") and arguments:
        arguments[0] = write_schema((schema.args or ())[0], key_name_of)
    return python_text.generic(name, arguments)


def _members(schema: TypeSchema) -> list[TypeSchema]:
    """Return the members of a union, including the members of nested unions."""
    members: list[TypeSchema] = []
    for arg in schema.args or ():
        members += _members(arg) if arg.origin in ("Union", "Optional") else [arg]
    return [*members, TypeSchema("None")] if schema.origin == "Optional" else members
