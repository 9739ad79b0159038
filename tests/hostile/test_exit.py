# SPDX-License-Identifier: Apache-2.0
"""Test that a process ends without an error while its threads still run."""

from __future__ import annotations

import sys

import pytest
from running import daemon_threads_end, execute

PROGRAM = """
import threading, time
import tvm_ffi
from tvm_ffi.dataclasses import field, py_class

def released(value=None, *rest):
    time.sleep(0)  # releases the GIL
    return value

class Value:
    def __tvm_ffi_value__(self):
        return tvm_ffi.List([released(1), 2])
    def __del__(self):
        released()

@py_class("test.exit.Point")
class Point(tvm_ffi.Object):
    x: int
    y: object = field(default_factory=released)
    def __post_init__(self):
        released()

def sleeps():
    tvm_ffi.get_global_func("testing.run_check_signal")(30)

def calls():
    nop = tvm_ffi.get_global_func("testing.nop")
    while True:
        nop(1)

def is_called():
    apply = tvm_ffi.get_global_func("testing.apply")
    while True:
        apply(lambda: [1, "a" * 20])

def raises():
    apply = tvm_ffi.get_global_func("testing.apply")
    def fails():
        raise ValueError("x")
    while True:
        try:
            apply(fails)
        except ValueError:
            pass

def releases_in_callbacks():
    apply = tvm_ffi.get_global_func("testing.apply")
    while True:
        apply(released, 1, object(), "text" * 5)
        tvm_ffi.structural_walk(tvm_ffi.List([1, [2, "text" * 5]]), lambda value: released())
        tvm_ffi.structural_map(tvm_ffi.List([1, [2]]), (int, released))

def converts():
    echo = tvm_ffi.get_global_func("testing.echo")
    while True:
        echo(Value(), [Value(), "text" * 5, {"key": Value()}])
        tvm_ffi.Array([Value(), Value()])

def makes_objects():
    while True:
        Point(1)
        tvm_ffi.List(released(i) for i in range(5))

for work in [{work}] * 3:
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


WORK = [
    *("sleeps", "calls", "is_called", "raises"),
    # In these, the threads wait for the GIL inside Python code that C++ runs. CPython up to 3.13
    # unwound their stacks, and the C++ destructors ran without the GIL or ended the process.
    *("releases_in_callbacks", "converts", "makes_objects"),
]


@daemon_threads_end
@pytest.mark.parametrize("work", WORK)
def test_daemon_threads_at_exit(work):
    for _ in range(3):
        done = execute(
            sys.executable, "-c", PROGRAM.replace("{work}", work), status=None, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")
