# SPDX-License-Identifier: Apache-2.0
"""Conversion of Python values to FFI values on request."""

from __future__ import annotations

from . import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def convert(value: Any) -> Any:
    """Convert a Python value to the FFI value that a call would pass for it.

    Lists and tuples become ``Array``, callables ``Function``, exceptions ``core.Error``, producers
    of DLPack ``Tensor``, strings and bytes ``core.String`` and ``core.Bytes``. Numbers, ``None``,
    data types, devices and everything that is an FFI value already are returned as they are. A
    value without a counterpart is boxed as ``core.OpaquePyObject``.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.convert([1, 2, 3])
    (1, 2, 3)

    """
    return core._convert(value)


def convert_func(pyfunc: Callable[..., Any], tensor_cls: type | None = None) -> core.Function:
    """Make a function of a Python callable.

    Parameters
    ----------
    pyfunc
        The callable. The function holds one reference to it.
    tensor_cls
        The class, of some framework, that tensor arguments are given to ``pyfunc`` as. It must have
        ``__dlpack_c_exchange_api__``. Without it they arrive as ``tvm_ffi.Tensor``.

    Raises
    ------
    TypeError
        If ``tensor_cls`` has no exchange API.

    Examples
    --------
    >>> import tvm_ffi
    >>> tvm_ffi.convert_func(lambda x: x + 1)(41)
    42

    """
    return core._convert_to_ffi_func(pyfunc, tensor_cls)


# Pickles name the path that is public.
for _public in (convert, convert_func):
    _public.__module__ = "tvm_ffi"
