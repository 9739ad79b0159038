# SPDX-License-Identifier: Apache-2.0
"""Containers of FFI values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from . import core
from .registry import register_object

__all__ = ["Array"]

T_co = TypeVar("T_co", covariant=True)

# The value that stands for "nothing was given", as `core` has it.
MISSING = core.MISSING


@register_object("ffi.Array", init=False)
class Array(core._ArrayBase[T_co], core.Object, Sequence[T_co]):
    """An immutable sequence of FFI values, made from an iterable.

    It equals a Python sequence of equal elements; a slice of it is a ``list``. Everything that a
    sequence does is done by the extension, over the cells of the native array.

    Examples
    --------
    >>> import tvm_ffi
    >>> a = tvm_ffi.Array([1, 2, 3])
    >>> a[-1], a[1:], a + [4], a == [1, 2, 3]
    (3, [2, 3], (1, 2, 3, 4), True)

    """
