# SPDX-License-Identifier: Apache-2.0
"""Tools that stand beside the package: file locks, wrappers with keywords, unpacking, cubins.

Nothing here loads native code before it is used.
"""

from __future__ import annotations

from .lockfile import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import embed_cubin, kwargs_wrapper, lockfile, unpack_dataclass

__all__ = ["FileLock", "embed_cubin", "kwargs_wrapper", "lockfile", "unpack_dataclass"]

_SUBMODULES = (
    "_build_optional_torch_c_dlpack",
    "embed_cubin",
    "kwargs_wrapper",
    "unpack_dataclass",
)


def __getattr__(name: str) -> Any:
    """Import a module of the folder when it is first named."""
    if name not in _SUBMODULES:
        raise AttributeError(f"module 'tvm_ffi.utils' has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"tvm_ffi.utils.{name}")
