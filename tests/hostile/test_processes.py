# SPDX-License-Identifier: Apache-2.0
"""Test signals in long native calls, forks with busy threads, and objects alive at exit."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child, note
from running import execute, run_threads


def _interrupt_soon(seconds: float = 0.2) -> None:
    """Interrupt this process like Ctrl-C after `seconds`, by a timer of the kernel."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)


@in_child()
def test_an_interrupt_reaches_a_long_native_loop() -> None:
    import tvm_ffi

    loop = tvm_ffi.get_global_func("testing.run_check_signal")
    for release in (True, False):
        loop.release_gil = release
        _interrupt_soon()
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            loop(30)
        assert time.monotonic() - started < 20


@in_child()
def test_an_interrupt_reaches_a_loop_of_callbacks() -> None:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")

    def works() -> None:
        for i in range(10**7):
            apply(lambda x: x, i)

    _interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        apply(works)
    assert apply(lambda: 5) == 5


@in_child()
def test_a_signal_handler_that_raises_and_one_that_calls_back() -> None:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    loop = tvm_ffi.get_global_func("testing.run_check_signal")
    raised = ValueError("from the handler")
    seen = []

    def fails(*_: object) -> None:
        seen.append(apply(lambda: [1, "a"]))
        raise raised

    signal.signal(signal.SIGUSR1, fails)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
    with pytest.raises(ValueError) as caught:
        apply(lambda: loop(30))
    assert caught.value is raised and len(seen) == 1


@in_child()
def test_a_storm_of_signals_while_values_cross() -> None:
    import tvm_ffi

    # Import all modules first: the handler cannot import a module whose import it has interrupted.
    count = [len(tvm_ffi.List([tvm_ffi.Dict({})]))]

    def handler(*_: object) -> None:
        count[0] += len(tvm_ffi.List([1, [2], {"a": 3}]))
        signal.setitimer(signal.ITIMER_REAL, 0.001)

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    apply = tvm_ffi.get_global_func("testing.apply")
    until = time.monotonic() + 1
    while time.monotonic() < until:
        x = apply(lambda *a: tvm_ffi.List(list(a)), 1, "text", [2, 3], {"a": None})
        assert len(x) == 4
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    assert count[0] > 0


def _busy(stop: threading.Event) -> list[threading.Thread]:
    """Start threads with all operations that take locks."""
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    loop = tvm_ffi.get_global_func("testing.run_check_signal")

    def calls() -> None:
        while not stop.is_set():
            apply(lambda x: x, [1, "a" * 30])

    def registers() -> None:
        while not stop.is_set():
            tvm_ffi.register_global_func("hostile.busy", lambda: 1, override=True)
            tvm_ffi.remove_global_func("hostile.busy")

    def raises() -> None:
        while not stop.is_set():
            try:
                apply(lambda: 1 // 0)
            except ZeroDivisionError:
                pass

    def sleeps() -> None:
        while not stop.is_set():
            loop(0)

    threads = [threading.Thread(target=f, daemon=True) for f in (calls, registers, raises, sleeps)]
    for t in threads:
        t.start()
    return threads


@in_child(seconds=120)
def test_children_of_a_busy_process_work() -> None:
    import tvm_ffi

    stop = threading.Event()
    threads = _busy(stop)
    apply = tvm_ffi.get_global_func("testing.apply")
    for i in range(100):
        note("fork", i)
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                signal.alarm(20)  # ends a child that hangs
                assert apply(lambda x: len(x), tvm_ffi.List([1, 2])) == 2
                tvm_ffi.register_global_func("hostile.child", lambda: 7, override=True)
                assert tvm_ffi.get_global_func("hostile.child")() == 7
                try:
                    apply(lambda: 1 // 0)
                except ZeroDivisionError:
                    status = 0
            finally:
                os._exit(status)
        _, ended = os.waitpid(pid, 0)
        assert ended == 0, f"child {i} ended with {ended}"
    stop.set()
    for t in threads:
        t.join()


@pytest.mark.parametrize(
    "what",
    ["global", "atexit", "cycle", "thread local", "registered", "exception", "iterator", "sys"],
)
@in_child()
def test_things_alive_at_exit(what: str) -> None:
    """Store objects where they outlive the modules of the interpreter; the exit must not crash."""
    import atexit
    import builtins
    import sys

    import tvm_ffi
    from tvm_ffi import testing

    class Late:
        """A class whose destructor uses the package late in the exit of the interpreter."""

        def __init__(self) -> None:
            self.held: list[Any] = [tvm_ffi.List([1, self]), testing.TestIntPair(1, 2)]
            self.call: Callable[..., Any] = tvm_ffi.get_global_func("testing.apply")
            self.make = tvm_ffi.List

        def __del__(self) -> None:
            try:
                self.call(lambda: 1)
                self.make([self.held])
                repr(self.held)
                hash(self.held[1])
            except Exception:
                pass

    def use() -> None:
        assert tvm_ffi.get_global_func("testing.apply")(lambda: 3) == 3

    late = Late()
    if what == "global":
        globals()["late"] = late
    elif what == "atexit":
        atexit.register(use)
        atexit.register(lambda: late)
    elif what == "cycle":
        late.held.append(tvm_ffi.Array([late]))
        late.held.append(tvm_ffi.convert(lambda: late))
    elif what == "thread local":
        kept = threading.local()
        kept.late = late
        globals()["kept"] = kept
    elif what == "registered":
        tvm_ffi.register_global_func("hostile.late", lambda: late)
    elif what == "exception":
        try:
            tvm_ffi.get_global_func("testing.apply")(lambda: 1 // 0)
        except ZeroDivisionError as error:
            error.late = late  # type: ignore[attr-defined]
            builtins.late_error = error  # type: ignore[attr-defined]
    elif what == "iterator":
        iterator = iter(tvm_ffi.Dict({1: late, 2: late}))
        next(iterator)
        globals()["iterator"] = iterator
    else:
        sys.late = late  # type: ignore[attr-defined]


@in_child()
def test_a_thread_that_calls_while_the_interpreter_ends() -> None:
    import tvm_ffi

    _busy(threading.Event())
    time.sleep(0.05)
    globals()["kept"] = tvm_ffi.List([lambda: 1])


@in_child()
def test_threads_share_containers() -> None:
    """Let eight threads change one List and one Dict; check the errors and totals."""
    import tvm_ffi

    shared_list, shared_dict = tvm_ffi.List([]), tvm_ffi.Dict({})
    wrong: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for i in range(3000):
                shared_list.append((n, i))
                shared_dict[(n * 10_000) + i] = i
                if i % 7 == 0:
                    try:
                        repr(shared_list[-1])
                        for _ in zip(range(5), shared_dict):
                            pass
                    except (RuntimeError, IndexError):
                        pass
        except BaseException as error:
            wrong.append(error)

    run_threads([threading.Thread(target=work, args=(n,)) for n in range(8)])
    assert not wrong
    assert (len(shared_list), len(shared_dict)) == (24_000, 24_000)


@pytest.mark.parametrize("first", ["main", "other"])
@in_child()
def test_another_interpreter_gets_one_clear_refusal(first: str) -> None:
    """Check that only the main interpreter can import the package: others get an error (R26)."""
    import importlib.util
    import subprocess
    import sys

    names = ("_interpreters", "_xxsubinterpreters")
    found = [n for n in names if importlib.util.find_spec(n) is not None]
    if not found:
        return
    probe = f"""
import {found[0]} as interpreters
for _ in range(3):
    other = interpreters.create()
    interpreters.run_string(other, "import importlib.metadata")
    interpreters.destroy(other)
"""
    if subprocess.run([sys.executable, "-c", probe], capture_output=True).returncode < 0:
        return  # Python 3.12.1 crashes without this package, too.
    body = f"""
import importlib
interpreters = importlib.import_module({found[0]!r})
if {first == "main"}:
    import tvm_ffi
for _ in range(3):
    other = interpreters.create()
    try:
        failed = interpreters.run_string(other, "import tvm_ffi; tvm_ffi.Array")
        assert "main interpreter" in str(failed) or "subinterpreter" in str(failed), failed
    except interpreters.RunFailedError as error:
        assert "ImportError" in str(error) and "main interpreter" in str(error), error
    interpreters.destroy(other)
import tvm_ffi, tvm_ffi.testing
assert list(tvm_ffi.Array([1])) == [1] and tvm_ffi.testing.TestIntPair(1, 2).b == 2
"""
    done = execute(sys.executable, "-c", body, status=None)
    assert (done.returncode, done.stderr) == (0, "")


@in_child()
def test_the_extension_imported_again_is_the_same_module() -> None:
    import importlib.util
    import sys

    import tvm_ffi

    core, array = tvm_ffi.core, tvm_ffi.Array([1])
    for name in [n for n in sys.modules if n.split(".")[0] == "tvm_ffi"]:
        del sys.modules[name]
    import tvm_ffi as again

    assert again is not tvm_ffi
    assert again.core is core
    assert list(again.get_global_func("testing.echo")(array)) == [1]
    array_class = again.Array
    assert isinstance(again.get_global_func("testing.echo")([1]), array_class)
    spec = importlib.util.spec_from_file_location("another.core", core.__file__)
    assert spec is not None
    assert importlib.util.module_from_spec(spec) is core


@in_child()
def test_a_fork_waits_for_a_thread_that_imports_a_module_of_the_package() -> None:
    import sys

    import tvm_ffi

    begun = threading.Event()

    class Slow:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == "tvm_ffi._structural.traversal":
                begun.set()
                time.sleep(0.5)

    sys.meta_path.insert(0, Slow())
    importer = threading.Thread(target=lambda: tvm_ffi.structural_hash(1))
    importer.start()
    assert begun.wait(20)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        tvm_ffi.structural_hash(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    importer.join()


@in_child()
def test_a_fork_waits_for_a_thread_that_defines_a_class() -> None:
    import tvm_ffi
    from tvm_ffi.dataclasses import py_class

    begun = threading.Event()

    def slow_int() -> type:
        begun.set()
        time.sleep(0.5)
        return int

    def define(key: str, annotation: object) -> Any:
        body = {"__annotations__": {"a": annotation}, "__module__": __name__}
        return py_class(key)(type("Slow", (tvm_ffi.Object,), body))

    globals()["slow_int"] = slow_int
    thread = threading.Thread(target=lambda: define("fork.Slow", "slow_int()"))
    thread.start()
    assert begun.wait(20)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if define("fork.Other", int)(a=3).a == 3 else 1)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()


@in_child()
def test_children_register_types_while_threads_without_the_gil_do() -> None:
    import ctypes

    import tvm_ffi

    class Text(ctypes.Structure):
        _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))

    register = tvm_ffi.LIB.TVMFFITypeGetOrAllocIndex
    done = threading.Event()

    def add_types(name: str, number: int) -> None:
        for i in range(number):
            if done.is_set():
                return
            key = f"fork.{name}{i}".encode()
            text = Text(key, len(key))
            assert register(ctypes.byref(text), -1, 1, 0, 1, 64) > 0

    threads = [threading.Thread(target=add_types, args=(f"t{i}.", 200_000)) for i in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            done.clear()
            add_types("child", 10)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    done.set()
    for thread in threads:
        thread.join()
