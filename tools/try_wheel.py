# SPDX-License-Identifier: Apache-2.0
"""Try an installed wheel: a call, a class, an error, and C++ from a string.

The script needs a C++ compiler, and ninja, which the extra `cpp` installs.
"""

import tvm_ffi
from tvm_ffi.cpp import load_inline
from tvm_ffi.dataclasses import py_class


@py_class("trial.Point")
class Point(tvm_ffi.Object):
    """A class with a default."""

    x: int
    y: float = 0.5


def expect(given: object, expected: object) -> None:
    """Raise SystemExit if two values differ, even with ``python -O``, which disables `assert`."""
    if given != expected:
        raise SystemExit(f"try_wheel: expected {expected!r}, got {given!r}")


def main() -> None:
    """Run every step."""
    array = tvm_ffi.get_global_func("ffi.Array")
    expect([*array(1, "two", None)], [1, "two", None])
    expect(repr(Point(2)), "trial.Point(x=2, y=0.5)")
    source = "int64_t twice(int64_t x) { return 2 * x; }"
    module = load_inline("trial", cpp_sources=source, functions=["twice"])
    expect(module.twice(21), 42)
    try:
        module.twice("21")
    except TypeError:
        pass
    else:
        raise SystemExit("try_wheel: twice('21') did not raise TypeError")
    print("try_wheel: ok")


if __name__ == "__main__":
    main()
