# SPDX-License-Identifier: Apache-2.0
"""Convert type schemas to source text."""

from __future__ import annotations

from ... import core
from . import origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .record import TypeSchema

    NameOf = Callable[[str], str]


def render(schema: TypeSchema, name_of: NameOf | None) -> str:
    """Write a schema; see ``TypeSchema.repr``."""
    return _write(schema, name_of, None)


def render_input(schema: TypeSchema, name_of: NameOf | None) -> str:
    """Write a schema for an accepted value; see ``TypeSchema.input_repr``."""
    return _write(schema, name_of, frozenset())


def tensor_text(tensor: dict[str, Any]) -> str:
    """Write the type of a typed tensor: ``Tensor[float32, (m, 3)]``, ``Tensor[int8 | bool, 2]``.

    ``tensor`` is the entry of this name in the schema.
    """
    return f"Tensor[{tensor_arguments(tensor)}]"


def tensor_arguments(tensor: dict[str, Any]) -> str:
    """Write the data types and the shape of a typed tensor: ``float32, (m, 3)``."""
    dtypes = " | ".join(map(str, tensor["dtype"]))
    shape = tensor.get("shape")
    if shape is None:
        return dtypes
    return f"{dtypes}, {len(shape) if _is_rank(shape) else _shape_text(shape)}"


def tensor_words(tensor: dict[str, Any]) -> str:
    """Write all that a typed tensor requires, in the words of the error about another tensor.

    Such as ``a float32 array of shape (m, k), C-contiguous, on cpu``.
    """
    dtypes = " or ".join(map(str, tensor["dtype"]))
    words = f"{'an' if dtypes.startswith('int') else 'a'} {dtypes} array"
    shape = tensor.get("shape")
    if shape is not None and _is_rank(shape):
        words += f" of {len(shape)} dimension{'s' * (len(shape) != 1)}"
    elif shape is not None:
        words += f" of shape {_shape_text(shape)}"
    words += _LAYOUTS.get(str(tensor.get("layout")), "")
    devices = [d for d in map(str, tensor.get("device", ())) if not d.endswith("_host")]
    return f"{words}, on {' or '.join(devices)}" if devices else words


_LAYOUTS = {
    "row_major": ", C-contiguous",
    "column_major": ", Fortran-contiguous",
    "inner_contiguous": ", with a contiguous last dimension",
}


def _is_rank(shape: list[Any]) -> bool:
    """Return whether a shape says no more than the number of dimensions."""
    return all(extent is None for extent in shape)


def _shape_text(shape: list[Any]) -> str:
    extents = ", ".join("*" if extent is None else str(extent) for extent in shape)
    return f"({extents}{',' if len(shape) == 1 else ''})"


def _write(schema: TypeSchema, name_of: NameOf | None, open_types: frozenset[int] | None) -> str:
    """Write a schema. If ``open_types`` is None, write object types under their own names.

    Otherwise, replace each object type by the types that convert to it. ``open_types`` contains the
    types whose replacement is being written; they are not replaced again.
    """
    if open_types is not None:
        accepted = _accepted(schema, open_types)
        if accepted is not None:
            return _write(accepted, name_of, open_types | {schema.origin_type_index})
    if schema.fallback is not None and _is_unknown(schema):
        return _write(schema.fallback, name_of, open_types)
    if schema.tensor is not None and name_of is None:
        return tensor_text(schema.tensor)
    name = schema.origin if name_of is None else name_of(schema.origin)
    if name == "Callable":
        return _write_callable(schema, name_of, open_types)
    if not schema.args:
        return "tuple[()]" if name == "tuple" and schema.args is not None else name
    args = [_write(arg, name_of, open_types) for arg in schema.args]
    if name == "Union":
        return " | ".join(args)
    if name == "Optional":
        return f"{args[0]} | None"
    return f"{name}[{', '.join(args)}]"


def _write_callable(
    schema: TypeSchema, name_of: NameOf | None, open_types: frozenset[int] | None
) -> str:
    groups = schema.named_args
    if groups is None:
        return f"Callable[..., {'Any' if name_of is None else name_of('Any')}]"
    (result,) = (_write(member, name_of, open_types) for member in groups["return"])
    if "params" not in groups:
        return f"Callable[..., {result}]"
    params = ", ".join(_write(member, name_of, open_types) for member in groups["params"])
    return f"Callable[[{params}], {result}]"


def _is_unknown(schema: TypeSchema) -> bool:
    """Look up an unknown origin again, and return whether it is still unknown."""
    if schema.origin_type_index != origins.UNKNOWN_INDEX:
        return False
    name = schema.origin
    return name not in origins.STRUCTURAL_NAMES and origins.index_of(name) == origins.UNKNOWN_INDEX


def _accepted(schema: TypeSchema, open_types: frozenset[int]) -> TypeSchema | None:
    """Return the schema of all values that convert to an object type.

    The schema is the type attribute ``__ffi_convert_type_schema__``. Return None for a type without
    this attribute.
    """
    index = schema.origin_type_index
    if index < origins.INDEX_OF_NAME["Object"] or index in open_types:
        return None
    given: Any = core._lookup_type_attr(index, "__ffi_convert_type_schema__")
    if given is None or isinstance(given, core._SchemaBase):
        return given  # type: ignore[return-value]
    if isinstance(given, str):
        return schema.from_json_str(given)
    return schema.from_json_obj(_plain(given))


def _plain(value: Any) -> Any:
    """Convert JSON data from FFI containers to Python containers."""
    from ...container import Array, Dict, List, Map

    if isinstance(value, (Map, Dict)):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (Array, List)):
        return [_plain(item) for item in value]
    return value
