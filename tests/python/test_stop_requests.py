# SPDX-License-Identifier: Apache-2.0
"""Requests to stop (Ctrl-C, SystemExit, GeneratorExit) that arrive in a hook are never lost."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import textwrap
import threading
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tvm_ffi
from tvm_ffi import core

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
STOPS = [KeyboardInterrupt, SystemExit, GeneratorExit]

call = tvm_ffi.convert(lambda f, *args: f(*args))


class _OnlyOnce:
    """Raise ``stop`` at the first call."""

    def __init__(self, stop: type[BaseException]) -> None:
        self.stop = stop
        self.is_due = True

    def __call__(self) -> None:
        if self.is_due:
            self.is_due = False
            raise self.stop("now")


def _in_text_of_exception(hook: Callable[[], None]) -> None:
    class Broken(ValueError):
        def __str__(self) -> str:
            hook()
            return "text"

    def fails() -> None:
        raise Broken

    call(tvm_ffi.convert(fails))


def _in_text_of_cause(hook: Callable[[], None]) -> None:
    class Broken(ValueError):
        def __str__(self) -> str:
            hook()
            return "text"

    def fails() -> None:
        raise ValueError("effect") from Broken()

    call(tvm_ffi.convert(fails))


def _in_attribute_of_exception(hook: Callable[[], None]) -> None:
    class Broken(ValueError):
        def __getattribute__(self, name: str) -> Any:
            hook()
            return super().__getattribute__(name)

    def fails() -> None:
        raise Broken

    call(tvm_ffi.convert(fails))


def _in_explanation_of_array(hook: Callable[[], None]) -> None:
    class Array:
        def __dlpack__(self, **_: object) -> None:
            raise BufferError("no")

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

        @property
        def device(self) -> str:
            hook()
            return "cpu"

    core.from_dlpack(Array())


def _in_text_of_integer(hook: Callable[[], None]) -> None:
    class Number(int):
        def __str__(self) -> str:
            hook()
            return "1"

    tvm_ffi.core.TypeSchema.from_annotation(int).convert(Number(1 << 70))


def _value_with_hook_in_name_of_class(hook: Callable[[], None]) -> Any:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            if name == "__qualname__":
                hook()
            return super().__getattribute__(name)

    class Value(metaclass=Meta):
        pass

    return Value()


def _in_name_of_class(hook: Callable[[], None]) -> None:
    value = _value_with_hook_in_name_of_class(hook)
    tvm_ffi.core.TypeSchema.from_annotation(int).convert(value)


def _in_name_of_class_in_message(hook: Callable[[], None]) -> None:
    tvm_ffi.get_global_func("testing.add_one")(_value_with_hook_in_name_of_class(hook))


def _in_index_of_device(hook: Callable[[], None]) -> None:
    class Index:
        def __index__(self) -> int:
            hook()
            return 0

    tvm_ffi.device("cuda", Index())


def _in_index_of_device_item(hook: Callable[[], None]) -> None:
    class Index:
        def item(self) -> int:
            hook()
            return 0

    tvm_ffi.device("cuda", Index())  # type: ignore[arg-type]


def _in_pair_of_dlpack_device(hook: Callable[[], None]) -> None:
    class Index:
        def __index__(self) -> int:
            hook()
            return 0

    tensor = core.from_dlpack(pytest.importorskip("numpy").zeros(1))
    tensor.__dlpack__(max_version=(Index(), 0))  # type: ignore[arg-type]


def _in_repr_of_function(hook: Callable[[], None]) -> None:
    from tvm_ffi._signatures import function

    before = function.text_of

    def text_of(_: object) -> str:
        hook()
        return "text"

    function.text_of = text_of  # type: ignore[assignment]
    try:
        repr(call)
    finally:
        function.text_of = before


HOOKS = [value for name, value in sorted(globals().items()) if name.startswith("_in_")]


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.__name__)
@pytest.mark.parametrize("enter", HOOKS, ids=lambda hook: hook.__name__[1:])
def test_stop_in_hook_is_lost(
    enter: Callable[[Callable[[], None]], None], stop: type[BaseException]
) -> None:
    hook = _OnlyOnce(stop)

    def run() -> None:
        try:
            enter(hook)
        except Exception:
            pass
        # A request that the binding could not raise immediately is raised here.
        for _ in range(1000):
            len(str(hook))

    gc.disable()  # Python loses what is raised in the callbacks of a collection.
    try:
        with pytest.raises(stop) as caught:
            run()
    finally:
        gc.enable()
    assert not hook.is_due, "the hook did not run"
    assert caught.value.args == ("now",)


def test_stop_during_text_of_exception_loses_the_exception() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        _in_text_of_exception(_OnlyOnce(KeyboardInterrupt))
    assert type(caught.value.__context__).__name__ == "Broken"


def test_stop_whose_text_raises_a_stop_runs_forever() -> None:
    class Endless(KeyboardInterrupt):
        def __str__(self) -> str:
            raise Endless

    def fails() -> None:
        raise Endless

    def run() -> None:
        try:
            call(tvm_ffi.convert(fails))
        except Exception:
            pass
        for _ in range(1000):
            len(str(call))

    with pytest.raises(KeyboardInterrupt):
        run()


def test_deferred_stop_ends_another_thread() -> None:
    value = _value_with_hook_in_name_of_class(sys.exit)
    outcome: list[str] = []
    done = threading.Event()

    def run() -> None:
        try:
            try:
                tvm_ffi.get_global_func("testing.add_one")(value)
            except Exception:
                pass
            while not done.is_set():
                done.wait(0.01)
            outcome.append("went on")
        except SystemExit:
            outcome.append("ended")

    thread = threading.Thread(target=run)
    thread.start()
    for _ in range(500):
        thread.join(0.02)
        if not thread.is_alive():
            break
    done.set()
    thread.join()
    assert outcome == ["ended"]


def test_exit_code_in_text_of_exception_is_lost() -> None:
    program = """
        import tvm_ffi
        class Broken(ValueError):
            def __str__(self):
                raise SystemExit(7)
        def fails():
            raise Broken
        try:
            tvm_ffi.convert(lambda f: f())(tvm_ffi.convert(fails))
        except Exception:
            pass
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    assert done.returncode == 7


#: C functions that drop exceptions, and the only file that may use them.
DROPS = re.compile(
    r"\b(PyErr_Clear|PyDict_GetItem|PyObject_HasAttr|PyObject_HasAttrString|PyMapping_HasKey|"
    r"PyMapping_HasKeyString|PyErr_Print\w*)\("
)


def test_binding_drops_exceptions_in_one_place_only() -> None:
    sources = [p for p in (ROOT / "python/binding").rglob("*") if p.suffix in (".cc", ".h")]
    assert sources
    users = {path.name for path in sources if DROPS.search(path.read_text())}
    assert users == {"clear_error.cc"}


def test_package_drops_only_exceptions() -> None:
    sources = list((ROOT / "python/tvm_ffi").rglob("*.py"))
    assert sources
    for path in sources:
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            assert not re.search(r"^\s*except:|suppress\(.*BaseException", line), f"{path}:{number}"
            handler = re.match(r"(\s*)except BaseException\b", line)
            if not handler or path.name == "watched.py":  # watched.py ends the process
                continue
            rest = lines[number + 1 :]
            indent = re.compile(rf"{handler[1]} |$")
            body = [line for line in takewhile(indent.match, rest) if line]
            assert body[-1].strip() == "raise", f"{path}:{number + 1} does not raise again"
