# SPDX-License-Identifier: Apache-2.0
"""The command ``tvm-ffi-config``: prints paths and flags for compilers and build systems.

``python -m tvm_ffi.config`` is the same command. It does not load native code, so it works in a
source tree that has not been built.
"""

from __future__ import annotations

import argparse
import os
import sys

from . import libinfo
from ._distribution import VERSION_TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _include_flags() -> str:
    return f"-I{libinfo.find_include_path()} -I{libinfo.find_dlpack_include_path()}"


def _link_file() -> str:
    return libinfo.find_windows_implib() if sys.platform == "win32" else libinfo.find_libtvm_ffi()


def _library_directory() -> str:
    return os.path.dirname(libinfo.find_libtvm_ffi())


def _link_libraries() -> str:
    return libinfo.find_windows_implib() if sys.platform == "win32" else "-ltvm_ffi"


def _link_flags() -> str | None:
    return None if sys.platform == "win32" else f"-L{_library_directory()}"


# Flag -> (help text, function that returns the line); the lines are printed in this order.
_FLAGS: dict[str, tuple[str, Callable[[], str | None]]] = {
    "--includedir": ("the directory of the headers", libinfo.find_include_path),
    "--dlpack-includedir": ("the directory of dlpack/dlpack.h", libinfo.find_dlpack_include_path),
    "--cmakedir": ("the directory of the CMake package", libinfo.find_cmake_path),
    "--pkgconfigdir": ("the directory of tvm-ffi.pc", libinfo.find_pkgconfig_path),
    "--libdir": ("the directory of the library", _library_directory),
    "--libfiles": ("the library file that is linked with", _link_file),
    "--sourcedir": ("the directory of the sources", libinfo.find_source_path),
    "--cython-lib-path": ("the extension module tvm_ffi.core", libinfo.find_cython_lib),
    "--cxxflags": ("flags for compiling C++", lambda: f"{_include_flags()} -std=c++17"),
    "--cflags": ("flags for compiling C", _include_flags),
    "--libs": ("the libraries to link with", _link_libraries),
    "--ldflags": ("flags for linking", _link_flags),
}


def __main__() -> None:  # noqa: N807 - published name
    """Print one line for each flag of the command line."""
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-config",
        description="Print what is needed to compile and link with tvm-ffi.",
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    for flag, (what, _) in _FLAGS.items():
        parser.add_argument(flag, action="store_true", help=f"print {what}")
    given = vars(parser.parse_args())
    if not any(given.values()):
        parser.print_help()
    for flag, (_, make_line) in _FLAGS.items():
        if given[flag[2:].replace("-", "_")]:
            line = make_line()
            if line is not None:
                print(line)


if __name__ == "__main__":
    __main__()
