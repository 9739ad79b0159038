# SPDX-License-Identifier: Apache-2.0
"""Values in Ray and Dask: sizes and tokens for Dask, libraries for workers without a shared disk.

Pickling itself needs no setup, neither in the driver nor in the workers. ``docs/clusters.md`` is
the guide.
"""

from __future__ import annotations

import sys

from . import _ffi_api, core
from .module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["register", "ship"]


def ship(module: Module) -> Module:
    """Send a library with the pickles of its module and functions, and return the module.

    A worker that has neither the file nor an earlier copy of it checks the SHA-256 of the received
    bytes, writes them to a private directory below the build cache, and loads them. Without this
    call, a pickle has only the path and the SHA-256, so the worker must have the file.

    Parameters
    ----------
    module
        The module of a library file. Libraries that it depends on are not sent.

    Raises
    ------
    TypeError
        If the module was not loaded from a library file.
    OSError
        If the file cannot be read.

    """
    if not isinstance(module, Module):
        raise TypeError(f"ship expects a Module, got {type(module).__name__}")
    from ._pickle import library

    library.ship(module)
    return module


def register() -> list[str]:
    """Register the values of this package with the imported engines; return the engines' names.

    Importing ``tvm_ffi.distributed`` calls this function. Dask gets the sizes of values, which it
    needs for its memory limits, and tokens, which are equal for equal values. Ray needs no
    registration, because it uses pickle, also for tensors in shared memory. Further calls have no
    effect.
    """
    found = []
    if "dask" in sys.modules:
        _register_with_dask()
        found.append("dask")
    if "ray" in sys.modules:
        found.append("ray")
    return found


def _register_with_dask() -> None:
    from dask.sizeof import sizeof
    from dask.tokenize import normalize_token

    # Dask calls each of these functions when it first meets a value of this package.
    sizeof.register_lazy("tvm_ffi", _register_sizes)
    normalize_token.register_lazy("tvm_ffi", _register_tokens)


# ---- sizes


def _register_sizes() -> None:
    from dask.sizeof import sizeof

    sizeof.register(core.CObject, _size_of)


def _size_of(value: core.CObject) -> int:
    """Return the number of bytes of memory that a value uses, including tensors."""
    return int(_ffi_api._MemorySize(value))


# ---- tokens


def _register_tokens() -> None:
    from dask.tokenize import normalize_token

    normalize_token.register(core.CObject, _token_of)


def _token_of(value: core.CObject) -> Any:
    """Return the token of a value for Dask; equal values have equal tokens."""
    import pickle

    from dask.tokenize import normalize_token

    buffers: list[pickle.PickleBuffer] = []
    stream = pickle.dumps(_plain(value), 5, buffer_callback=buffers.append)
    return [
        type(value).__qualname__,
        stream,
        *(normalize_token(bytes(buffer.raw())) for buffer in buffers),
    ]


def _plain(value: core.CObject) -> Any:
    """Return the data to pickle for a token: the value, or ``__reduce__()`` of a function."""
    if isinstance(value, core.Function):
        return value.__reduce__()
    return value
