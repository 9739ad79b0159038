# SPDX-License-Identifier: Apache-2.0
"""Four threads do two operations on the same objects: nothing crashes, and every result is right.

`TVM_FFI_THREAD_SECONDS` is the time for each pair, so that a chore can take longer than the suite.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time

import pytest
from thread_operations import OPERATIONS, Shared

SECONDS = float(os.environ.get("TVM_FFI_THREAD_SECONDS", "0.01"))
THREADS = 4
PAIRS = list(itertools.combinations_with_replacement(OPERATIONS, 2))


def run_mixed(names: tuple[str, ...], seconds: float) -> int:
    """Run the operations in turn in every thread; return the number of operations."""
    shared = Shared()
    failures: list[BaseException] = []
    counts = [0] * THREADS
    barrier = threading.Barrier(THREADS)

    def work(number: int) -> None:
        functions = [OPERATIONS[name] for name in names]
        functions = functions[number % len(functions) :] + functions[: number % len(functions)]
        barrier.wait()
        end = time.monotonic() + seconds
        try:
            while not failures and time.monotonic() < end:
                for function in functions:
                    function(shared, counts[number])
                counts[number] += 1
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return sum(counts) * len(names)


@pytest.fixture(autouse=True)
def _threads_take_turns():
    """With the GIL, let the threads take turns more often than by default."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_two_operations_on_the_same_objects(pair):
    assert run_mixed(pair, SECONDS) > 0


def test_all_operations_on_the_same_objects():
    assert run_mixed(tuple(OPERATIONS), 10 * SECONDS) > 0
