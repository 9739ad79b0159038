# SPDX-License-Identifier: Apache-2.0
"""The complete text of a value of any size."""

from __future__ import annotations

from .. import _ffi_api, core
from . import tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def format_full(value: Any) -> str:
    """Return the complete text of a value; ``repr`` omits parts of a large value.

    Parameters
    ----------
    value
        A container, tensor or other object of this package. The text of any other value is its
        ``repr``.

    Raises
    ------
    ValueError
        If the text would be longer than 256 MiB, or the value is nested more than 1,048,576 deep.
    Exception
        The exception of an ``__ffi_repr__`` function of an object.

    Examples
    --------
    >>> import tvm_ffi
    >>> values = tvm_ffi.Array(range(20000))
    >>> values
    (0, 1, 2, ..., 19997, 19998, 19999; length 20000)
    >>> len(tvm_ffi.format_full(values))
    128890

    """
    if isinstance(value, core.Tensor):
        return tensor.full_text_of(value)
    if isinstance(value, core.CObject) and value.__chandle__():
        return str(_ffi_api.ReprPrint(value))
    if isinstance(value, tuple):
        return tuple.__repr__(value)
    return repr(value)


format_full.__module__ = "tvm_ffi"
