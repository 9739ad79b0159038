# SPDX-License-Identifier: Apache-2.0
"""Convert type schemas to Python annotations, and annotations to short text."""

from __future__ import annotations

import collections.abc
import ctypes
import types
import typing

from .. import container, core
from .._types import info as infos
from .._types.schema.text import tensor_text
from .._values.dtype import dtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi.core import TypeSchema

# Container class in the type of a parameter -> the abstract class whose instances the parameter
# also accepts.
_INPUTS: dict[str, Any] = {
    "Array": collections.abc.Sequence,
    "List": collections.abc.Sequence,
    "Map": collections.abc.Mapping,
    "Dict": collections.abc.Mapping,
}
_PLAIN: dict[str, Any] = {
    "Any": typing.Any,
    "None": None,
    "int": int,
    "bool": bool,
    "float": float,
    "str": str,
    "bytes": bytes,
    "ctypes.c_void_p": ctypes.c_void_p,
    "tuple": tuple,
    "list": list,
    "dict": dict,
    "Object": core.Object,
    "Tensor": core.Tensor,
}


class _TypedTensor(types.GenericAlias):
    """The annotation of a typed tensor: ``Tensor`` with the text of its type as argument."""

    def __repr__(self) -> str:
        return str(self.__args__[0])


def of_schema(schema: TypeSchema, *, is_input: bool = False) -> Any:
    """Return the annotation for a type: a class, a ``typing`` form, or a type key as ``str``.

    With ``is_input``, it is the type of a parameter, which accepts more types than a result has.
    """
    origin = schema.origin
    if schema.tensor is not None:
        return _TypedTensor(core.Tensor, (tensor_text(schema.tensor),))
    args = [of_schema(arg, is_input=is_input) for arg in schema.args or ()]
    if origin == "Callable":
        return _callable(schema, is_input)
    if origin in ("Optional", "Union"):
        members = [*args, None] if origin == "Optional" else args
        types = tuple(_union_member(member) for member in members)
        return typing.Union[types]  # noqa: UP007 - members may be strings
    if origin == "tuple":
        if schema.args is None:
            return tuple
        return tuple[tuple(args)]  # type: ignore[misc]
    if origin == "Object" and len(args) == 1:
        return args[0]  # A parameter that is moved into the call has the type of the moved object.
    cls = _class_of(origin, is_input)
    takes_arguments = origin in _INPUTS or origin in ("list", "dict")
    return cls[tuple(args)] if args and takes_arguments else cls


def _class_of(origin: str, is_input: bool) -> Any:
    if is_input and origin in _INPUTS:
        return _INPUTS[origin]
    if origin in _PLAIN:
        return _PLAIN[origin]
    if origin in _INPUTS:
        return getattr(container, origin)
    if origin == "dtype":
        return dtype
    if origin == "Device":
        return core.Device
    # Do not create a class for the annotation: a class that is registered later would replace it.
    index = core._object_type_key_to_index(origin)
    info = None if index is None else infos.by_index.get(index)
    return origin if info is None or info.type_cls is None else info.type_cls


def _union_member(member: Any) -> Any:
    return type(None) if member is None else member


def _callable(schema: TypeSchema, is_input: bool) -> Any:
    groups = schema.named_args
    if groups is None:
        return collections.abc.Callable
    # Native code passes the arguments of a callback and receives its result. So the parameters of
    # the callback are annotated like results, and its result like an input.
    result = of_schema(groups["return"][0], is_input=not is_input)
    if "params" not in groups:
        return collections.abc.Callable[..., result]
    params = [of_schema(param, is_input=not is_input) for param in groups["params"]]
    return collections.abc.Callable[params, result]


def text_of(annotation: Any) -> str:
    """Return an annotation as short text: ``Tensor``, ``Sequence[int]``, ``int | None``."""
    if annotation is None or annotation is type(None):
        return "None"
    if annotation is ...:
        return "..."
    if isinstance(annotation, _TypedTensor):
        return repr(annotation)
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2]
    if isinstance(annotation, typing.ForwardRef):
        return annotation.__forward_arg__.rpartition(".")[2]
    if isinstance(annotation, list):
        return f"[{', '.join(map(text_of, annotation))}]"
    origin = typing.get_origin(annotation)
    if origin is None:
        name = getattr(annotation, "__name__", None) or str(annotation).rpartition(".")[2]
        return str(name)
    args = typing.get_args(annotation)
    if origin is tuple and not args:
        return "tuple[()]"
    if origin is typing.Union:
        return " | ".join(map(text_of, args))
    name = getattr(origin, "__name__", None) or str(origin)
    return f"{name}[{', '.join(map(text_of, args))}]"
