# SPDX-License-Identifier: Apache-2.0
"""Build C++ and CUDA sources into libraries, and load them.

``import tvm_ffi`` does not import this package.
"""

# The modules, from the public functions down
#
#     extension.py    the four functions: build, build_inline, load, load_inline
#     request.py      the validated inputs of one build
#     source.py       the files for sources that are given as text
#     toolchain.py    host compilers and flags; cuda.py and hip.py for GPUs; gpu.py selects one
#     ninja.py        the text of build.ninja
#     cache.py        the cache directory and its keys
#     record.py       the inputs of a finished build, to find out whether it is up to date
#
# If the library is already built, only these modules are used; none of them has slow imports. A
# build also uses
#
#     builder.py      runs one build, from the sources to the record
#     lock.py         allows one build at a time per directory
#     runner.py       runs ninja
#     diagnostics.py  maps compiler errors to the user's file and line
#
# Also: ``inventory.py`` lists the cache, and ``cache_command.py`` is the command ``tvm-ffi-cache``.

from __future__ import annotations

from .extension import build, build_inline, load, load_inline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import dtype as dtype
    from . import nvrtc as nvrtc
    from .dtype import to_cpp_dtype

__all__ = ["build", "build_inline", "load", "load_inline", "to_cpp_dtype"]


def _get_lazily(name: str) -> Any:
    """Import a module that is not needed for building, at its first use."""
    from importlib import import_module

    if name in ("dtype", "nvrtc"):
        return import_module(f"tvm_ffi.cpp.{name}")
    if name == "to_cpp_dtype":
        value = globals()[name] = import_module("tvm_ffi.cpp.dtype").to_cpp_dtype
        return value
    raise AttributeError(f"module 'tvm_ffi.cpp' has no attribute {name!r}")


if not TYPE_CHECKING:  # Hidden from type checkers, so that they report unknown names.
    __getattr__ = _get_lazily
