# SPDX-License-Identifier: Apache-2.0
"""Serialization of values as a JSON graph, and the functions that pickles call by name.

A pickle of a value of this package refers only to public names: classes, ``from_json_graph_str``
and the ``restore_*`` functions here, whose names and parameters do not change.
"""

from __future__ import annotations

from . import _ffi_api, core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._pickle.definition import restore_variant as restore_variant
    from ._pickle.function import restore_function as restore_function
    from ._pickle.function import restore_global_function as restore_global_function
    from ._pickle.function import restore_method as restore_method
    from ._pickle.function import restore_module_function as restore_module_function
    from .module import restore_module as restore_module

__all__ = [
    "GraphError",
    "from_json_graph_str",
    "restore_data_type",
    "restore_function",
    "restore_global_function",
    "restore_graph",
    "restore_mapped_tensor",
    "restore_method",
    "restore_module",
    "restore_module_function",
    "restore_tensor",
    "restore_variant",
    "to_json_graph_str",
]


def _get_lazily(name: str) -> Any:
    """Import a function that few pickles call, at its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'tvm_ffi.serialization' has no attribute {name!r}")
    from ._pickle import definition, function

    found = getattr(definition if name == "restore_variant" else function, name)
    globals()[name] = found
    return found


if not TYPE_CHECKING:  # Hidden from type checkers, so that they report unknown names.
    __getattr__ = _get_lazily


class GraphError(ValueError, KeyError):
    """A node of a JSON graph has no type or no data.

    It is a ``KeyError`` as well, because earlier versions raised only that.
    """

    def __str__(self) -> str:
        """Return the message, without the quotes of ``KeyError``."""
        return str(self.args[0]) if self.args else ""


def to_json_graph_str(obj: Any, metadata: dict[str, Any] | None = None) -> str:
    """Serialize a value, and all values that it refers to, as text.

    Parameters
    ----------
    obj
        The value. Shared parts of the value are written once.
    metadata
        Strings, numbers, lists and dictionaries to store with the value; ignored on reading.

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
    try:
        text: str = _ffi_api.ToJSONGraphString(obj, metadata)
    except TypeError as error:
        from ._structural.refused_value import add_place  # Needed only for this error message.

        add_place(error, "to_json_graph_str", obj)
        raise
    return text


def from_json_graph_str(json_str: str) -> Any:
    """Restore a value from the text that ``to_json_graph_str`` returned.

    Raises
    ------
    ValueError
        If the text is not a valid graph. A node without type or data is a ``GraphError``.
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
    try:
        return _ffi_api.FromJSONGraphString(json_str)
    except KeyError as error:
        text = str(error.args[0]) if error.args else ""
        if not text.startswith("Invalid JSON Object Graph"):
            raise  # from a function of a type
        raise GraphError(text) from None


# ---- functions that pickles call by name


def restore_data_type(cls: type, code: int, bits: int, lanes: int) -> Any:
    """Restore a ``core.DataType``, or an instance of a derived class, from DLPack's three numbers.

    Pickles call ``restore_data_type`` by this name, so do not rename it. Negative ``lanes`` mean
    scalable vectors. Raise OverflowError if a number is out of range for its member.
    """
    return core._create_cdtype_from_tuple(cls, code, bits, lanes)


def restore_tensor(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any
) -> Any:
    """Restore a tensor on the CPU.

    Pickles call ``restore_tensor`` by this name, so do not rename it. ``cls`` is ``Tensor`` or a
    class derived from it; ``dtype`` has type code, bits and lanes of an element. The elements, a
    buffer in row-major order, are copied. Raise ValueError if the buffer does not have the size of
    the tensor.
    """
    return core._tensor_from_buffer(cls, dtype, shape, elements)


def restore_mapped_tensor(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any
) -> Any:
    """Restore a tensor on the CPU over the given memory, which the tensor keeps alive.

    Pickles call ``restore_mapped_tensor`` by this name, so do not rename it. The parameters are
    those of :func:`restore_tensor`. The tensor is read-only if the buffer is read-only. Elements
    that do not begin at a multiple of their size are copied. Raise ValueError if the buffer does
    not have the size of the tensor.
    """
    return core._tensor_over_buffer(cls, dtype, shape, elements)


def restore_graph(
    cls: type | None, program: bytes, types: tuple[Any, ...], externals: tuple[Any, ...]
) -> Any:
    """Restore an object and all objects that it refers to.

    Pickles call ``restore_graph`` by this name, so do not rename it. ``cls`` is the class of the
    result, or None for the usual class of its type. ``program`` is the graph of the objects, packed
    into bytes. ``types`` has for each type in the graph its class or key, and the names of its
    fields. ``externals`` are the values in the graph that pickle has restored: tensors, functions,
    modules, Python objects.

    Raise ValueError if ``program`` is damaged, TypeError if the value of a field has another type
    or a required field is missing, and RuntimeError if a type is unknown.
    """
    return core._restore_graph(cls, program, types, externals)
