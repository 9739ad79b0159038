# SPDX-License-Identifier: Apache-2.0
"""Serialization of values as a JSON graph, and the functions that pickles refer to.

A pickle of a value of this package refers only to public names: classes, ``from_json_graph_str``
and the ``restore_*`` functions here, whose names and parameters do not change.
"""

from __future__ import annotations

from . import _ffi_api, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "from_json_graph_str",
    "restore_data_type",
    "restore_tensor",
    "restore_variant",
    "to_json_graph_str",
]


def to_json_graph_str(obj: Any, metadata: dict[str, Any] | None = None) -> str:
    """Serialize a value, and all values that it refers to, as text.

    Parameters
    ----------
    obj
        The value. A shared part of it is written once.
    metadata
        Strings, numbers, lists and dictionaries to store with it; ignored on reading.

    Raises
    ------
    TypeError
        If the value contains something that cannot be restored, such as a function.
    ValueError
        If the value contains itself, or ``metadata`` is not plain data.

    Examples
    --------
    >>> from tvm_ffi import serialization
    >>> serialization.to_json_graph_str(1)
    '{"root_index":0,"nodes":[{"type":"int","data":1}]}'

    """
    text: str = _ffi_api.ToJSONGraphString(obj, metadata)
    return text


def from_json_graph_str(json_str: str) -> Any:
    """Restore a value from the text that ``to_json_graph_str`` returned.

    Raises
    ------
    ValueError
        If the text is not such a graph.
    TypeError
        If the value of a field has another type, or a required field is missing.
    RuntimeError
        If a type is unknown.

    Examples
    --------
    >>> from tvm_ffi import serialization
    >>> serialization.from_json_graph_str(serialization.to_json_graph_str([1, "a"]))
    (1, "a")

    """
    return _ffi_api.FromJSONGraphString(json_str)


# ---- functions that pickles refer to


def restore_data_type(cls: type, code: int, bits: int, lanes: int) -> Any:
    """Restore a ``core.DataType``. Pickles refer to this function.

    Parameters
    ----------
    cls
        ``core.DataType`` or a class derived from it.
    code, bits, lanes
        The members of the ``DLDataType``; negative ``lanes`` stand for scalable vectors.

    Raises
    ------
    OverflowError
        If a number is out of range for its member.

    """
    return core._create_cdtype_from_tuple(cls, code, bits, lanes)


def restore_tensor(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any
) -> Any:
    """Restore a tensor on the CPU. Pickles refer to this function.

    Parameters
    ----------
    cls
        ``Tensor`` or a class derived from it.
    dtype
        Type code, bits and lanes of an element.
    shape
        The extents.
    elements
        A buffer with the elements in row-major order; it is copied.

    Raises
    ------
    ValueError
        If the buffer does not have the size of such a tensor.

    """
    return core._tensor_from_buffer(cls, dtype, shape, elements)


def restore_variant(type_key: str, name: str) -> Any:
    """Return a variant of an enum without an importable class. Pickles refer to this function.

    Parameters
    ----------
    type_key
        The type key of the enum, which must have been defined or loaded before.
    name
        The name of the variant.

    Raises
    ------
    ValueError
        If there is no such enum, or the enum has no such variant.

    """
    type_index = core._object_type_key_to_index(type_key)
    state: Any = None if type_index is None else core._type_get_attr(type_index, "__ffi_enum__")
    if state is None:
        raise ValueError(
            f"there is no enum {type_key!r}: import the module or load the library that defines it"
        )
    if name not in state.indexes:
        raise ValueError(f"enum {type_key!r} has no variant {name!r}")
    return state.indexes[name]
