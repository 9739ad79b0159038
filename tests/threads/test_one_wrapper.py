# SPDX-License-Identifier: Apache-2.0
"""An object has one wrapper at any time, however many threads receive the object."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from thread_operations import Point

import tvm_ffi


def test_four_threads_receive_the_same_objects():
    objects = tvm_ffi.Array([Point(i) for i in range(1000)])
    barrier = threading.Barrier(4)

    def receive(_: int) -> list[tvm_ffi.Object]:
        barrier.wait()
        return [objects[i] for i in range(1000)]

    with ThreadPoolExecutor(4) as pool:
        for _ in range(10):
            first, *others = pool.map(receive, range(4))
            for received in others:
                assert all(one is other for one, other in zip(first, received))
            assert [point.x for point in first] == list(range(1000))
            del first, others, received


def test_a_wrapper_is_released_while_other_threads_receive_the_object():
    objects = tvm_ffi.Array([Point(7)])
    barrier = threading.Barrier(4)

    def receive(_: int) -> int:
        barrier.wait()
        return sum(objects[0].x for _ in range(2000))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(receive, range(4))) == [14000] * 4
