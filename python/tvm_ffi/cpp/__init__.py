# SPDX-License-Identifier: Apache-2.0
"""Builds C++ and CUDA sources into libraries, and loads them.

The rooms, from the door inwards::

    extension.py    the four functions: build, build_inline, load, load_inline
    request.py      what one build consists of, and whether that makes sense
    source.py       the files of sources that are given as text
    toolchain.py    compilers and their flags; cuda.py and hip.py those of a GPU; gpu.py which
    ninja.py        the text of build.ninja, and running it
    cache.py        where builds lie, under which key; what lies there
    lock.py         one build at a time in one directory
    record.py       what a finished build was made of, so that the next one can see it is current
    diagnostics.py  compiler errors under the user's own file and line
    cache_command.py  the command tvm-ffi-cache

Nothing here is imported by ``import tvm_ffi``.
"""

from __future__ import annotations

from .dtype import to_cpp_dtype
from .extension import build, build_inline, load, load_inline

__all__ = ["build", "build_inline", "load", "load_inline", "to_cpp_dtype"]
