# SPDX-License-Identifier: Apache-2.0
"""Test that a process ends without an error while its threads still run."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import threading, time
import tvm_ffi

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

for work in [{work}] * 3:
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("work", ["sleeps", "calls", "is_called", "raises"])
def test_daemon_threads_at_exit(work):
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.replace("{work}", work)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
