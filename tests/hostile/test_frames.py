# SPDX-License-Identifier: Apache-2.0
"""Test calls that end in another order than they began, and calls that a fork cuts off."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import os
import random
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child
from running import run_threads


def _nest(switch: Callable[[], Any], levels: int) -> None:
    """Call native code that calls back, `levels` deep; switch between all steps."""
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    echo = tvm_ffi.get_global_func("testing.echo")
    value = tvm_ffi.Array([levels, [levels]])
    wide = [value] * (50 if levels == 2 else 1)

    def inner(*args: Any) -> int:
        switch()
        if levels:
            _nest(switch, levels - 1)
        switch()
        # The calls in progress still borrow the object that is moved here.
        taken = echo(args[0]._move()) if levels % 2 else args[0]
        switch()
        return len(taken) + len(args)

    assert apply(inner, *wide) == 2 + len(wide)


def _rounds(switch: Callable[[], Any], seed: int) -> None:
    numbers = random.Random(seed)
    for _ in range(20):
        _nest(switch, numbers.randrange(6))


def _run_with_greenlet() -> None:
    import greenlet

    main = greenlet.getcurrent()
    alive = [greenlet.greenlet(lambda i=i: _rounds(main.switch, i)) for i in range(10)]
    numbers = random.Random(0)
    while alive:
        numbers.choice(alive).switch()
        alive = [x for x in alive if not x.dead]


def _run_with_gevent() -> None:
    import gevent

    jobs = [gevent.spawn(_rounds, lambda: gevent.sleep(0), i) for i in range(10)]
    gevent.joinall(jobs, raise_error=True)


def _run_with_threads() -> None:
    failed: list[BaseException] = []

    def run(seed: int) -> None:
        try:
            _rounds(lambda: time.sleep(0), seed)
        except BaseException as error:
            failed.append(error)

    run_threads([threading.Thread(target=run, args=(i,)) for i in range(10)])
    assert not failed, failed


def _run_with_asyncio() -> None:
    async def main() -> None:
        jobs = [asyncio.to_thread(_rounds, lambda: time.sleep(0), i) for i in range(10)]
        await asyncio.gather(*jobs)

    asyncio.run(main())


_RUNNERS = {
    "greenlet": _run_with_greenlet,
    "gevent": _run_with_gevent,
    "threads": _run_with_threads,
    "asyncio": _run_with_asyncio,
}


@pytest.mark.parametrize("runner", list(_RUNNERS))
def test_calls_that_take_turns(runner: str) -> None:
    if importlib.util.find_spec(runner) is None and runner in ("greenlet", "gevent"):
        pytest.skip(f"{runner} is not installed")
    _take_turns(runner=runner)


@in_child(stack=8 << 20)
def _take_turns(runner: str) -> None:
    _RUNNERS[runner]()


@pytest.mark.skipif(importlib.util.find_spec("greenlet") is None, reason="needs greenlet")
@in_child()
def test_a_greenlet_that_is_dropped_inside_a_call() -> None:
    import greenlet

    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    main = greenlet.getcurrent()
    started = [greenlet.greenlet(lambda: apply(main.switch, [1])) for _ in range(5)]
    for job in started:
        job.switch()
    del started[::2], job
    gc.collect()
    _nest(lambda: None, 5)
    for job in started:
        job.switch(None)
    assert all(job.dead for job in started)


def _child_status(body: Callable[[], None]) -> int:
    """Run the body in a forked child; return 0 if it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            body()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class _Waiting:
    """Threads inside a call of native code, each with an argument of its own."""

    def __init__(self, values: list[Any]) -> None:
        import tvm_ffi

        apply = tvm_ffi.get_global_func("testing.apply")
        self.leave = threading.Event()
        inside = threading.Barrier(len(values) + 1)

        def wait(value: Any) -> int:
            del value
            inside.wait()
            self.leave.wait()
            return 0

        self.threads = [threading.Thread(target=apply, args=(wait, value)) for value in values]
        for thread in self.threads:
            thread.start()
        inside.wait()

    def end(self) -> None:
        self.leave.set()
        for thread in self.threads:
            thread.join()


@in_child(stack=8 << 20)
def test_threads_of_a_child_forked_while_calls_were_in_progress() -> None:
    import tvm_ffi

    waiting = _Waiting([tvm_ffi.Array([i]) for i in range(8)])
    assert _child_status(_run_with_threads) == 0
    waiting.end()


class _Payload:
    pass


@in_child()
def test_a_fork_inside_a_call_keeps_the_calls_of_its_thread() -> None:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    payload = _Payload()
    found = weakref.ref(payload)
    value = tvm_ffi.Array([payload])
    del payload

    def inside(taken: Any) -> int:
        def take() -> None:
            tvm_ffi.convert(lambda taken: None)(taken._move())
            assert found() is not None  # `apply` still borrows the object

        return _child_status(take)

    waiting = _Waiting([tvm_ffi.Array([0])])
    assert apply(inside, value) == 0
    waiting.end()


@in_child()
def test_objects_that_ended_calls_kept_are_released_after_a_fork() -> None:
    import tvm_ffi

    payload = _Payload()
    value = tvm_ffi.Array([payload])
    found = weakref.ref(payload)
    del payload
    waiting = _Waiting([value])
    tvm_ffi.convert(lambda taken: None)(value._move())
    assert found() is not None  # the call in progress keeps the object

    def check() -> None:
        assert found() is None

    assert _child_status(check) == 0
    assert found() is not None
    waiting.end()
    assert found() is None
