# SPDX-License-Identifier: Apache-2.0
"""Threads that meet the end of the interpreter, a fork, or an event loop."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from running import daemon_threads_end
from thread_operations import OPERATIONS, Shared

# Starts daemon threads that run the operations for ever.
START = f"""
import os, sys, threading, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from thread_operations import OPERATIONS, Shared
shared = Shared()
NAMES = "call callback create receive field_set container_write iterate error".split()
def work(number):
    while True:
        for name in NAMES[number:] + NAMES[:number]:
            OPERATIONS[name](shared, number)
for number in range(4):
    threading.Thread(target=work, args=(number,), daemon=True).start()
time.sleep(0.1)
"""
FORK = """
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        for name in NAMES:
            OPERATIONS[name](Shared(), 1)
        os._exit(0)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children], flush=True)
os._exit(0)
"""


IMPORT = """
import sys, threading
barrier = threading.Barrier(4)
def work():
    barrier.wait()
    import tvm_ffi
    seen.append(tvm_ffi.get_global_func("testing.add_one")(1))
seen = []
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(seen)
"""


def test_four_threads_import_the_package_at_the_same_time(run_python):
    assert run_python(IMPORT) == "[2, 2, 2, 2]"


@daemon_threads_end
def test_daemon_threads_run_while_the_interpreter_ends(run_python):
    assert run_python(START + "print('end')") == "end"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_while_threads_run_leaves_a_child_that_works(run_python):
    assert run_python(START + FORK, PYTHONWARNINGS="ignore") == "[0, 0, 0]"


def test_an_event_loop_runs_operations_in_threads():
    shared = Shared()

    async def run_all() -> None:
        for i in range(8):
            await asyncio.gather(
                *(asyncio.to_thread(function, shared, i) for function in OPERATIONS.values())
            )

    asyncio.run(run_all())
