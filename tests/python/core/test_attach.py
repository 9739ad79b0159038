# SPDX-License-Identifier: Apache-2.0
"""Test how threads take the GIL and find their state (python/binding/attach.h)."""

import platform
import shutil
import subprocess
import sys

import pytest

from tvm_ffi import core

is_x86_64_glibc = platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"


@pytest.mark.skipif(not is_x86_64_glibc, reason="only x86-64 with glibc uses this TLS model")
@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_thread_local_variables_are_reached_without_a_call():
    # GCC ignored the TLS model, because only the declarations named it and not the definitions.
    result = subprocess.run(
        ["readelf", "-dW", core.__file__], check=True, capture_output=True, text=True
    )
    assert "STATIC_TLS" in result.stdout


WORK = {
    "callbacks": """
        apply(callback, 1, object(), "text" * 5)
        tvm_ffi.structural_walk(tvm_ffi.List([1, [2, "text" * 5]]), lambda value: callback())
        tvm_ffi.structural_map(tvm_ffi.List([1, [2]]), (int, callback))
    """,
    "errors": """
        try:
            apply(lambda: callback() / 0)
        except TypeError:
            pass
    """,
    "conversions": """
        echo(Value(), [Value(), "text" * 5, {"key": Value()}])
        tvm_ffi.Array([Value(), Value()])
    """,
    "objects": """
        Point(1)
        tvm_ffi.List(callback(i) for i in range(5))
    """,
}

PROGRAM = """
import threading, time, tvm_ffi
from tvm_ffi.dataclasses import field, py_class

apply, echo = map(tvm_ffi.get_global_func, ("testing.apply", "testing.echo"))

def callback(value=None, *rest):
    time.sleep(0)  # releases the GIL
    return value

class Value:
    def __tvm_ffi_value__(self):
        return tvm_ffi.List([callback(1), 2])
    def __del__(self):
        callback()

@py_class("test.attach.Point")
class Point(tvm_ffi.Object):
    x: int
    y: object = field(default_factory=callback)
    def __post_init__(self):
        callback()

def work():
    while True:
        WORK

for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.03)
"""


@pytest.mark.parametrize("kind", WORK)
def test_the_exit_of_the_program_does_not_crash_in_daemon_threads(kind):
    # CPython up to 3.13 ends such threads by unwinding their stacks, which ran destructors without
    # the GIL, or ended the process in a `noexcept` function.
    program = PROGRAM.replace("        WORK", WORK[kind])
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, done.stderr) == (0, "")
