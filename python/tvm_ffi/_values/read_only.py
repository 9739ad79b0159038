# SPDX-License-Identifier: Apache-2.0
"""Find out from its metadata how a native function uses tensors.

The extension calls this module.

The metadata of a function declares a parameter const if the function only reads the tensor: in C++,
``ConstTensorView`` and ``ConstTensor``. If the metadata does not describe a parameter, the function
could write to it.
"""

from __future__ import annotations

import json

from .. import core
from .._signatures.function import Record, of_metadata, schema_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

_TENSORS = frozenset(("ffi.Tensor", "Tensor", "DLTensor*"))
_CONTAINERS = frozenset(
    {
        *("ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "Tuple", "Optional", "Variant"),
        *("Array", "List", "Map", "Dict", "tuple", "Union"),
        *("std::vector", "std::map", "std::unordered_map", "std::tuple", "std::optional"),
        "std::variant",
    }
)
# Types whose values are not tensors and do not contain any.
_PLAIN = frozenset(
    {
        *("int", "float", "bool", "None", "str", "bytes", "Device", "DataType", "dtype"),
        *("ffi.String", "ffi.SmallStr", "std::string", "const char*", "ffi.Bytes"),
        *("ffi.SmallBytes", "TVMFFIByteArray*", "ffi.Shape", "ffi.BigInt"),
    }
)


def readers(function: core.Function) -> bytes | bool:
    """Return a byte for each parameter: 1 if the parameter accepts a read-only tensor.

    Return True for the functions of the runtime, because they never write to tensors. For a
    function with several overloads, the byte is 1 if all overloads accept a read-only tensor.
    """
    found = core._describe_function(function)[2]
    if len(found) and str(found[0]) == "global" and str(found[2]).startswith("ffi."):
        return True
    record = Record(function)
    columns = zip(*[readers_of(metadata) for metadata, _ in record.overloads])
    return bytes([all(column) for column in columns])


def takes_only_views(function: core.Function) -> bool:
    """Return whether the function cannot keep a tensor that it gets, because it takes views only.

    In C++, the parameters for tensors are ``TensorView``, ``ConstTensorView`` or ``DLTensor*``.
    """
    overloads = Record(function).overloads
    return bool(overloads) and all(_are_views(metadata) for metadata, _ in overloads)


def _are_views(metadata: dict[str, Any]) -> bool:
    found = _test_parameters(metadata, _is_view)
    return bool(found) and all(found)


def _is_view(schema: Any) -> bool:
    name = schema["type"]
    if name in ("Optional", "std::optional"):
        return all(map(_is_view, schema["args"]))
    return name == "DLTensor*" or name in _PLAIN


def readers_of(metadata: dict[str, Any]) -> list[bool]:
    """Return for each parameter whether it accepts read-only tensors."""
    return _test_parameters(metadata, only_reads)


def _test_parameters(metadata: dict[str, Any], test: Callable[[Any], bool]) -> list[bool]:
    """Return what ``test`` says of each parameter's type; nothing if the metadata is malformed."""
    schema: Any = metadata.get("type_schema")
    try:
        schema = json.loads(schema) if isinstance(schema, str) else schema
        return [test(param) for param in schema["named_args"]["params"]]
    except (AttributeError, KeyError, TypeError, ValueError):
        return []


def only_reads(schema: Any) -> bool:
    """Return whether a function with a parameter of this type cannot write to any tensor in it.

    ``schema`` is the type in the JSON of metadata.
    """
    name = schema["type"]
    if name in _TENSORS:
        return schema.get("const") is True
    args = schema.get("args")
    return name in _PLAIN or (name in _CONTAINERS and bool(args) and all(map(only_reads, args)))


def refuse(function: core.Function, index: int, argument: Any) -> NoReturn:
    """Raise ``BufferError`` about an argument that a function could write to.

    ``argument`` is a read-only array or a container with one.
    """
    record = Record(function)
    called = f"`{record.full_name}`" if record.full_name else "a native function"
    place = f"{_parameter(record, index)}{called}"
    how = ": copy.copy(tensor)" if isinstance(argument, core.Tensor) else ""
    raise BufferError(
        f"cannot pass {_text_of(argument)} to {place}, which could write to it; if the function "
        "only reads the argument, declare the parameter const (ConstTensorView in C++) or pass a "
        f"copy{how}"
    )


def _parameter(record: Record, index: int) -> str:
    """Return the start of a message: ``parameter `x` of `` or ``argument #0 of ``."""
    if len(record.overloads) == 1:
        metadata = record.overloads[0][0]
        if schema_of(metadata) is not None or "arg_names" in metadata:
            parameters = list(of_metadata(metadata, record.has_receiver).parameters.values())
            if index < len(parameters):
                parameter = parameters[index]
                if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                    return f"parameter `{parameter.name}` of "
    return f"argument #{index} of "


def _text_of(argument: Any) -> str:
    cls = type(argument)
    if issubclass(cls, (list, tuple, dict)):
        return f"a {cls.__name__} with a read-only tensor"
    if issubclass(cls, core.Tensor):
        return "a read-only Tensor"
    module = cls.__module__
    return f"a read-only {cls.__name__ if module == 'builtins' else f'{module}.{cls.__name__}'}"
