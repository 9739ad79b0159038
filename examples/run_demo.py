# SPDX-License-Identifier: Apache-2.0
"""Compile ``01_first_steps``, pass values between Python and C++, and print them with times.

The script checks every result, and exits with 1 if a result is wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import timeit
import traceback
from collections.abc import Callable
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any

import numpy as np

import tvm_ffi

SOURCES = Path(__file__).parent / "01_first_steps"
failures = 0


def compile_library(directory: str) -> str:
    """Compile the sources into one shared library, and return its path."""
    config = [sys.executable, "-m", "tvm_ffi.config"]
    flags = subprocess.check_output(
        [*config, "--cxxflags", "--ldflags", "--libs"], text=True
    ).split()
    library = os.path.join(directory, "libfirst_steps.so")
    sources = sorted(map(str, SOURCES.glob("*.cc")))
    compiler = os.environ.get("CXX", "g++").split()
    command = [*compiler, "-O2", "-shared", "-fPIC", *sources, *flags, "-o", library]
    print("$", " ".join(command), flush=True)
    subprocess.run(command, check=True)
    return library


def time_per_call(call: Callable[[], object]) -> str:
    """Return the best time of a call in five rounds, minus the time of an empty call."""
    timer, empty = timeit.Timer(call), timeit.Timer(lambda: None)
    loops = max(timer.autorange()[0] // 5, 1)
    seconds = (min(timer.repeat(5, loops)) - min(empty.repeat(5, loops))) / loops
    return f"{seconds * 1e6:,.0f} µs" if seconds > 1e-5 else f"{seconds * 1e9:,.0f} ns"


def show(what: str, call: Callable[[], object], expected: Callable[[Any], bool]) -> None:
    """Make a call; print its result, whether the result is right, and the time of a call."""
    global failures
    value = call()
    right = expected(value)
    failures += not right
    text = repr(value) if len(repr(value)) <= 46 else repr(value)[:43] + "..."
    print(
        f"{'ok   ' if right else 'WRONG'} {what:<44} {text:<46} {time_per_call(call):>10}",
        flush=True,
    )


def caught(call: Callable[[], object]) -> BaseException:
    """Return the exception that a call raises; fail if the call does not raise."""
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("the call did not raise")


def show_values(lib: tvm_ffi.Module) -> None:
    """Pass numbers, strings and lists to C++ and back."""
    add_one, echo = lib.add_one, lib.echo
    show("add_one(41)", lambda: add_one(41), lambda r: r == 42)
    for value in ("a string of some length", b"bytes", None, 2.5):
        show(f"echo({value!r})", partial(echo, value), partial(eq, value))
    numbers = [1, 2, 3]
    show(f"echo({numbers})", lambda: echo(numbers), lambda r: r == numbers)
    nested = [1, [2.5, "two", [None, b"three"]]]
    show(f"echo({nested})", lambda: echo(nested), lambda r: r == nested and r[1][2][1] == b"three")


def show_arrays(lib: tvm_ffi.Module) -> None:
    """Change arrays of NumPy, and tensors of PyTorch if it is installed, in place."""
    scale = lib.scale
    array = np.ones(1_000_000, dtype="float32")
    address = array.ctypes.data
    show(
        "scale(numpy array, 2): same data pointer",
        lambda: scale(array, 2.0) == address,
        lambda same: same and array[0] == array[-1] == 2.0,
    )
    array[:] = 0.0
    try:
        import torch  # type: ignore[import-not-found]
    except ImportError:
        print("      PyTorch is not installed; its line is left out")
        return
    tensor = torch.from_numpy(array)
    tensor[:] = 1.0
    show(
        "scale(the array as torch tensor, 2)",
        lambda: scale(tensor, 2.0) == tensor.data_ptr() == address,
        lambda same: same and array[0] == array[-1] == 2.0,
    )


def show_objects(lib: tvm_ffi.Module) -> None:
    """Use a C++ class from Python."""

    @tvm_ffi.register_object("first_steps.Point")
    class Point(tvm_ffi.Object):
        x: float
        y: float
        distance: Callable[[float, float], float]

    show("Point(3, 4).x", lambda: Point(3, 4).x, lambda r: r == 3.0)
    point = Point(3, 4)
    show("point.y", lambda: point.y, lambda r: r == 4.0)
    show("point.y = 8", lambda: setattr(point, "y", 8), lambda _: point.y == 8.0)
    show("point.distance(0, 4)", lambda: point.distance(0, 4), lambda r: r == 5.0)
    move_right = lib.move_right
    show(
        "move_right(point, 0) == point", lambda: move_right(point, 0) == point, lambda r: r is True
    )
    show("move_right(point, 1).x", lambda: move_right(point, 1).x, lambda r: r == 4.0)


def show_errors(lib: tvm_ffi.Module) -> None:
    """Pass exceptions in both directions."""

    class RefusalError(Exception):
        """An exception class that C++ does not know."""

    refusal = None

    def refuse(x: object) -> object:
        nonlocal refusal
        refusal = RefusalError("not today")
        raise refusal

    square_root, apply_twice = lib.square_root, lib.apply_twice
    show(
        "apply_twice(lambda x: x * 3, 5)",
        lambda: apply_twice(lambda x: x * 3, 5),
        lambda r: r == 45,
    )
    show(
        "square_root(-1)",
        lambda: caught(lambda: square_root(-1)),
        lambda e: (
            type(e) is ValueError and "SquareRoot" in "".join(traceback.format_tb(e.__traceback__))
        ),
    )
    show(
        "apply_twice(refuse, 1): the exception itself",
        lambda: caught(lambda: apply_twice(refuse, 1)),
        lambda e: e is refusal,
    )
    show(
        'get_global_func("no.such")',
        lambda: caught(lambda: tvm_ffi.get_global_func("no.such")),
        lambda e: type(e) is ValueError and "no.such" in str(e),
    )


def main() -> int:
    """Build the library and show all parts; return the exit status."""
    with tempfile.TemporaryDirectory() as directory:
        lib = tvm_ffi.load_module(compile_library(directory))
        for part in (show_values, show_arrays, show_objects, show_errors):
            part(lib)
    print("every result is right" if not failures else f"{failures} results are wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
