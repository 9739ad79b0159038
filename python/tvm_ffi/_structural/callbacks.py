# SPDX-License-Identifier: Apache-2.0
"""Convert the callbacks that users pass to structural traversals for the runtime."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Sequence
from types import FunctionType, MethodType
from typing import Any, Union, get_origin

from .. import core
from .._types.info import _type_cls_to_type_info
from .._values.dtype import dtype

# The type of a `callbacks` argument.
Callbacks = Union[Callable[..., Any], "tuple[Any, ...]", "Sequence[tuple[Any, ...]]"]

# Bit of `__code__.co_flags`: the function takes `*args`.
_VARARGS = 0x04

# The type index of a callback that is called for every value.
_ANY = -1
# Marks types without a type index of their own: tuple (stored as an array) and unions.
_NO_TYPE = -2


def _index(type_key: str) -> int:
    index = core._object_type_key_to_index(type_key)
    assert index is not None
    return index


# Python type that is not the class of an FFI type -> the type indices of its values.
_INDICES: dict[Any, tuple[int, ...]] = {
    Any: (_ANY,),
    object: (_ANY,),
    None: (_index("None"),),
    type(None): (_index("None"),),
    bool: (_index("bool"),),
    int: (_index("int"), _index("ffi.BigInt")),
    float: (_index("float"),),
    str: (_index("ffi.String"),),
    bytes: (_index("ffi.Bytes"),),
    list: (_index("ffi.List"),),
    dict: (_index("ffi.Dict"),),
    tuple: (_NO_TYPE,),
    Callable: (_index("ffi.Function"),),
    Union: (_NO_TYPE,),
    getattr(types, "UnionType", Union): (_NO_TYPE,),
}

_TUPLE_OF_TYPES = ": pass a tuple of types in place of a union"
# Type without an index -> a hint for the error message.
_HINTS: dict[Any, str] = {
    tuple: ": a tuple is stored as a tvm_ffi.Array",
    Union: _TUPLE_OF_TYPES,
    getattr(types, "UnionType", Union): _TUPLE_OF_TYPES,
}


def normalize(
    api: str, callbacks: Callbacks, adapt: Callable[[Any], Any] | None = None
) -> list[tuple[Any, ...]]:
    """Return the pairs ``(type index, callback)`` of all callbacks, in order.

    ``callbacks`` is a callable for every value; ``(type, callable)``; ``((type1, type2, ...),
    callable)``; or a sequence of such tuples. Raise TypeError for another form; the message names
    the function ``api``. ``adapt`` converts each callable to the tuple that follows its type index.
    """
    return [
        (index, *(adapt(callback) if adapt is not None else (callback,)))
        for types, callback in _entries(api, callbacks)
        for index in _indices_of(api, types)
    ]


def _entries(api: str, callbacks: Any) -> Sequence[tuple[Any, Callable[..., Any]]]:
    if callable(callbacks):
        return ((Any, callbacks),)
    if isinstance(callbacks, tuple) and len(callbacks) == 2 and callable(callbacks[1]):
        return (callbacks,)
    if not isinstance(callbacks, Sequence) or isinstance(callbacks, (str, bytes, bytearray)):
        raise TypeError(
            f"{api} callbacks must be callbacks, (type, callback) entries, "
            "((type1, type2, ...), callback) entries, or sequences of tuple entries"
        )
    for entry in callbacks:
        if not (isinstance(entry, tuple) and len(entry) == 2 and callable(entry[1])):
            raise TypeError(f"{api} callbacks within a sequence must be (type, callback) tuples")
    return callbacks


def _indices_of(api: str, types: Any) -> list[int]:
    indices: list[int] = []
    for one in types if isinstance(types, tuple) else (types,):
        indices += _indices_of_one(api, one)
    return indices


def _indices_of_one(api: str, cls: Any) -> tuple[int, ...]:
    given, cls = cls, get_origin(cls) or cls
    indices = _indices_of_class(cls) if isinstance(cls, type) else None
    if indices is None and isinstance(cls, Hashable):
        indices = _INDICES.get(cls)
    if indices is None:
        raise TypeError(
            f"{api} callback type must be a supported builtin, typing.Any/object, "
            f"or an FFI-registered object class, got {given!r}"
        )
    if indices[0] < _ANY:
        raise TypeError(
            f"{api} callback type_index is negative, "
            "the only acceptable negative type_index is -1 for Any, "
            f"got {given!r}{_HINTS.get(cls, '')}"
        )
    return indices


def _indices_of_class(cls: type) -> tuple[int, ...] | None:
    info = _type_cls_to_type_info(cls)
    if info is not None:
        return (info.type_index,)
    # These classes do not have an info: `dtype`, OpaquePyObject, and subclasses of Tensor and
    # Device that a client defines.
    for base, key in (
        (core.Tensor, "ffi.Tensor"),
        (core.Device, "Device"),
        (dtype, "DataType"),
        (core.OpaquePyObject, "ffi.OpaquePyObject"),
    ):
        if issubclass(cls, base):
            return (_index(key),)
    if cls.__module__ == "ctypes" and cls.__name__ == "c_void_p":
        return (_index("void*"),)
    return None


def takes_inplace_mode(callback: Callable[..., Any]) -> bool:
    """Return whether a callback of ``structural_mutate`` takes three arguments rather than two.

    A callback whose signature is unknown is called with two arguments.

    Raise TypeError if the callback accepts neither two nor three arguments.
    """
    if _accepts(callback, 3):
        return True
    if _accepts(callback, 2):
        return False
    raise TypeError(
        "structural_mutate callback must accept (value, mutator) or (value, mutator, inplace_mode)"
    )


def _accepts(callback: Callable[..., Any], count: int) -> bool:
    """Return whether a callback accepts ``count`` arguments.

    If the signature of the callback is unknown, return whether ``count`` is 2.
    """
    plain, given = callback, count
    if isinstance(plain, MethodType):
        plain, given = plain.__func__, count + 1
    if isinstance(plain, FunctionType) and not vars(plain):  # no `__wrapped__` or `__signature__`
        return _plain_accepts(plain, given)
    import inspect  # slow to import, and rarely needed

    try:
        signature = inspect.signature(callback)
    except (TypeError, ValueError):
        return count == 2
    try:
        signature.bind(*(None,) * count)
    except TypeError:
        return False
    return True


def _plain_accepts(function: FunctionType, count: int) -> bool:
    code = function.__code__
    names = code.co_varnames
    keywords = names[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if not set(keywords) <= set(function.__kwdefaults__ or ()):
        return False
    required = code.co_argcount - len(function.__defaults__ or ())
    takes_more = code.co_flags & _VARARGS
    return required <= count and (count <= code.co_argcount or bool(takes_more))
