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
    """Restore a ``core.DataType``.

    Pickles call ``restore_data_type`` by this name, so do not rename it.

    Parameters
    ----------
    cls
        ``core.DataType`` or a class derived from it.
    code, bits, lanes
        The members of the ``DLDataType``; negative ``lanes`` mean scalable vectors.

    Raises
    ------
    OverflowError
        If a number is out of range for its member.

    """
    return core._create_cdtype_from_tuple(cls, code, bits, lanes)


def restore_tensor(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any
) -> Any:
    """Restore a tensor on the CPU.

    Pickles call ``restore_tensor`` by this name, so do not rename it.

    Parameters
    ----------
    cls
        ``Tensor`` or a class derived from it.
    dtype
        Type code, bits and lanes of an element.
    shape
        The extents.
    elements
        A buffer with the elements in row-major order, which is copied.

    Raises
    ------
    ValueError
        If the buffer does not have the size of the tensor.

    """
    return core._tensor_from_buffer(cls, dtype, shape, elements)


def restore_mapped_tensor(
    cls: type, dtype: tuple[int, int, int], shape: tuple[int, ...], elements: Any
) -> Any:
    """Restore a tensor on the CPU over the given memory.

    Pickles call ``restore_mapped_tensor`` by this name, so do not rename it.

    The tensor is read-only if the buffer is read-only. Elements that do not begin at a multiple of
    their size are copied.

    Parameters
    ----------
    cls, dtype, shape
        The same as for :func:`restore_tensor`.
    elements
        A buffer with the elements in row-major order; the tensor keeps the buffer alive.

    Raises
    ------
    ValueError
        If the buffer does not have the size of the tensor.

    """
    return core._tensor_over_buffer(cls, dtype, shape, elements)


def restore_graph(
    cls: type | None, program: bytes, types: tuple[Any, ...], externals: tuple[Any, ...]
) -> Any:
    """Restore an object and all objects that it refers to.

    Pickles call ``restore_graph`` by this name, so do not rename it.

    Parameters
    ----------
    cls
        The class of the result, or None for the usual class of its type.
    program
        The graph of the objects, packed into bytes.
    types
        For each type in the graph: its class or key, and the names of its fields.
    externals
        The values in the graph that pickle has restored: tensors, functions, modules, Python
        objects.

    Raises
    ------
    ValueError
        If ``program`` is damaged.
    TypeError
        If the value of a field has another type, or a required field is missing.
    RuntimeError
        If a type is unknown.

    """
    return core._restore_graph(cls, program, types, externals)


def restore_global_function(name: str, module: str | None) -> Any:
    """Return a global function.

    Pickles call ``restore_global_function`` by this name, so do not rename it.

    Parameters
    ----------
    name
        The registered name.
    module
        The Python module to import if the name is not registered, or None.

    Raises
    ------
    ValueError
        If there is no such function.

    """
    from ._pickle.function import find_global

    return find_global(name, module)


def restore_function(callable: Any, name: str | None) -> Any:
    """Return the Function of a Python callable.

    Pickles call ``restore_function`` by this name, so do not rename it.

    Parameters
    ----------
    callable
        The callable.
    name
        A name, or None. If a global function is registered under this name, that function is
        returned instead.

    """
    from ._values.convert import convert

    found = None if name is None else core._get_global_func(name, True)
    return convert(callable) if found is None else found


def restore_method(type_key: str, name: str, module: str | None) -> Any:
    """Return a method of an object type as a Function.

    Pickles call ``restore_method`` by this name, so do not rename it.

    Parameters
    ----------
    type_key
        The key of the type.
    name
        The name of the method.
    module
        The Python module to import if the type is not known, or None.

    Raises
    ------
    ValueError
        If there is no such type or method.

    """
    type_index = core._object_type_key_to_index(type_key)
    if type_index is None and module is not None:
        import importlib

        importlib.import_module(module)
        type_index = core._object_type_key_to_index(type_key)
    spec: Any = None if type_index is None else core._describe_type(type_index)
    for method in () if spec is None else spec[4]:
        if method[0] == name:
            return method[3]
    raise ValueError(
        f"type {type_key!r} with method {name!r} is not known in this process; import the module "
        "or load the library that registers it"
    )


def restore_module(digest: str, path: str, content: bytes | None, imports: Any = ()) -> Any:
    """Return the module of a library.

    Pickles call ``restore_module`` by this name, so do not rename it.

    Parameters
    ----------
    digest
        The SHA-256 of the file.
    path
        The former path of the file.
    content
        The bytes of the file, or None.
    imports
        Modules that the module must import.

    Raises
    ------
    LibraryNotFoundError
        If the library is not found.
    ValueError
        If the bytes do not have the digest.

    """
    from ._pickle import library

    module = library.find(digest, path, content)
    for other in imports:
        if not any(other.same_as(known) for known in module.imports_):
            module.import_module(other)
    return module


def restore_module_function(module: Any, name: str) -> Any:
    """Return a function of a module.

    Pickles call ``restore_module_function`` by this name, so do not rename it.

    Raises
    ------
    ValueError
        If the module does not have the function.

    """
    from ._pickle.library import call_name

    return call_name(module, name)


def restore_variant(type_key: str, name: str) -> Any:
    """Return a variant of an enum whose Python class pickle cannot import.

    Pickles call ``restore_variant`` by this name, so do not rename it.

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
