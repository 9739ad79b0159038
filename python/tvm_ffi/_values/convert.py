# SPDX-License-Identifier: Apache-2.0
"""Conversion of Python values to FFI values on request."""

from __future__ import annotations

from .. import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["convert", "convert_func"]


def convert(value: Any) -> Any:
    """Convert a Python value to an FFI value, as for an argument of a call.

    Lists and tuples become ``Array``, callables ``Function``, exceptions ``core.Error``, producers
    of DLPack ``Tensor``, strings and bytes ``core.String`` and ``core.Bytes``. Numbers, ``None``,
    data types, devices and FFI values are returned unchanged. Any other value is boxed as
    ``core.OpaquePyObject``.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.convert([1, 2, 3])
    (1, 2, 3)

    """
    return core._convert(value)


def convert_func(pyfunc: Callable[..., Any], tensor_cls: type | None = None) -> core.Function:
    """Convert a Python callable to a function.

    Parameters
    ----------
    pyfunc
        The callable, to which the function holds one reference.
    tensor_cls
        The tensor class of a framework for the tensor arguments of ``pyfunc``. The class must have
        ``__dlpack_c_exchange_api__``. If ``tensor_cls`` is None, ``pyfunc`` gets
        ``tvm_ffi.Tensor`` objects.

    Raises
    ------
    TypeError
        If ``pyfunc`` is not callable, or ``tensor_cls`` has no exchange API.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.convert_func(lambda x: x + 1)(41)
    42

    """
    if not callable(pyfunc):
        raise TypeError(
            f"convert_func expects a function or another callable, got {type(pyfunc).__name__}"
        )
    return core._convert_to_ffi_func(pyfunc, tensor_cls)


# Pickles must contain the public path.
for _public in (convert, convert_func):
    _public.__module__ = "tvm_ffi"
