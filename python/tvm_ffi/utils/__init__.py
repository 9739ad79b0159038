# SPDX-License-Identifier: Apache-2.0
"""Utilities for clients: file locks, keyword wrappers, unpacking of dataclasses, cubins.

Importing this package does not load native code.
"""

from __future__ import annotations

from .lockfile import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import _build_optional_torch_c_dlpack as _build_optional_torch_c_dlpack
    from . import embed_cubin, kwargs_wrapper, lockfile, unpack_dataclass

__all__ = ["FileLock", "embed_cubin", "kwargs_wrapper", "lockfile", "unpack_dataclass"]

_SUBMODULES = (
    "_build_optional_torch_c_dlpack",
    "embed_cubin",
    "kwargs_wrapper",
    "unpack_dataclass",
)


def _get_lazily(name: str) -> Any:
    """Import a module of this package at its first use."""
    if name not in _SUBMODULES:
        raise AttributeError(f"module 'tvm_ffi.utils' has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"tvm_ffi.utils.{name}")


if not TYPE_CHECKING:  # Hidden from type checkers, so that they report unknown names.
    __getattr__ = _get_lazily
