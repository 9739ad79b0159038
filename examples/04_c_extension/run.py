# SPDX-License-Identifier: Apache-2.0
"""Compile, load and call a library that is written in C and needs only one header."""

from __future__ import annotations

from pathlib import Path

import tvm_ffi
from tvm_ffi import cpp

HERE = Path(__file__).parent


def main() -> None:
    """Compile the library, call its functions, and catch an exception from C."""
    library = cpp.build("c_extension_example", sources=[str(HERE / "add_two.c")])
    mod = tvm_ffi.load_module(library)
    print(mod.add_two(40))
    print(mod.call_with_five(lambda x: x * x))
    try:
        mod.add_two("forty")
    except TypeError as error:
        print(f"TypeError: {error}")
    try:
        mod.call_with_five(lambda x: x / 0)
    except ZeroDivisionError as error:
        print(f"ZeroDivisionError: {error}")


if __name__ == "__main__":
    main()
