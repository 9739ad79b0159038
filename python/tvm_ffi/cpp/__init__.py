# SPDX-License-Identifier: Apache-2.0
"""Builds C++ and CUDA sources into libraries, and loads them.

The rooms, from the door inwards::

    extension.py    the four functions: build, build_inline, load, load_inline
    request.py      what one build consists of, and whether that makes sense
    source.py       the files of sources that are given as text
    toolchain.py    compilers and their flags; cuda.py and hip.py those of a GPU; gpu.py which
    ninja.py        the text of build.ninja
    cache.py        where builds lie, under which key
    record.py       what a finished build was made of, so that the next one can see it is current

The way of a library that is built already ends here, and none of these rooms imports what takes
longer than it does. Only a build goes on to::

    builder.py      one build, from the sources to the record
    lock.py         one build at a time in one directory
    runner.py       running ninja
    diagnostics.py  compiler errors under the user's own file and line

Beside them: ``inventory.py``, what lies in the cache, and ``cache_command.py``, the command
``tvm-ffi-cache``. Nothing here is imported by ``import tvm_ffi``.
"""

from __future__ import annotations

from .extension import build, build_inline, load, load_inline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import dtype as dtype
    from . import nvrtc as nvrtc
    from .dtype import to_cpp_dtype

__all__ = ["build", "build_inline", "load", "load_inline", "to_cpp_dtype"]


def __getattr__(name: str) -> Any:
    """Import a module of the folder that building needs not, when it is first named."""
    from importlib import import_module

    if name in ("dtype", "nvrtc"):
        return import_module(f"tvm_ffi.cpp.{name}")
    if name == "to_cpp_dtype":
        value = globals()[name] = import_module("tvm_ffi.cpp.dtype").to_cpp_dtype
        return value
    raise AttributeError(f"module 'tvm_ffi.cpp' has no attribute {name!r}")
