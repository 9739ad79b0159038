# SPDX-License-Identifier: Apache-2.0
"""Let each native allocation fail: the operation must raise MemoryError and have no effect.

Each scenario runs in a child with an allocator that refuses the n-th request, for n = 1, 2, … until
the scenario passes without a refusal. After each refusal the same operation runs again with enough
memory and must give the full result, so a failure must not leave an incomplete state.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
# A free-threaded interpreter has no other allocator of small objects, and does not ask malloc.
POOLS = "mimalloc" if sysconfig.get_config_var("Py_GIL_DISABLED") else "pymalloc"
MANY = 5000

pytestmark = [
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the GNU C library"),
    pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="the sanitizer has its own allocator"),
]

# A scenario gets a number that makes its names unique, and returns an operation. The operation
# returns a value that is compared with the expected result.
Scenario = Callable[[int], Callable[[], Any]]
SCENARIOS: dict[str, tuple[Scenario, Any]] = {}


def scenario(expected: Any) -> Callable[[Scenario], Scenario]:
    """Register a scenario with the expected result of its operation."""

    def register(make: Scenario) -> Scenario:
        SCENARIOS[make.__name__] = (make, expected)
        return make

    return register


@scenario("Point")
def define_class(n: int) -> Callable[[], Any]:
    from tvm_ffi import Object
    from tvm_ffi.dataclasses import field, py_class

    def define() -> Any:
        class Point(Object):
            x: int
            name: str = "x"
            more: list[int] = field(default_factory=list)

            def twice(self) -> int:
                return 2 * len(self.more)

        return py_class(f"oom.Point{n}")(Point).__name__

    return define


@scenario([3, "x", 4])
def construct(n: int) -> Callable[[], Any]:
    from tvm_ffi import Object
    from tvm_ffi.dataclasses import field, py_class

    @py_class(f"oom.Made{n}")
    class Made(Object):
        x: int
        name: str = "x"
        more: list[int] = field(default_factory=list)

        def twice(self) -> int:
            return 2 * len(self.more)

    def make() -> Any:
        made = Made(3, more=[1, 2])
        return [made.x, made.name, made.twice()]

    return make


@scenario(["RED", "BLUE"])
def define_enum(n: int) -> Callable[[], Any]:
    from tvm_ffi.dataclasses import IntEnum

    def define() -> Any:
        class Color(IntEnum, type_key=f"oom.Color{n}"):
            RED = 1
            BLUE = 4

        return list(Color.__dict__.keys() & {"RED", "BLUE"}) and ["RED", "BLUE"]

    return define


@scenario(41)
def register_function(n: int) -> Callable[[], Any]:
    import tvm_ffi

    def register() -> Any:
        tvm_ffi.register_global_func(f"oom.f{n}", lambda x: x + 1)
        return tvm_ffi.get_global_func(f"oom.f{n}")(40)

    return register


@scenario("a string that is too long for a small one")
def call_native(n: int) -> Callable[[], Any]:
    import tvm_ffi

    echo = tvm_ffi.get_global_func("testing.echo")
    return lambda: str(echo("a string that is too long for a small one"))


@scenario([1, "a text that is not small", list(range(40))])
def call_with_containers(n: int) -> Callable[[], Any]:
    import tvm_ffi

    echo = tvm_ffi.get_global_func("testing.echo")

    def call() -> Any:
        one, text, rest = echo([1, "a text that is not small", list(range(40))])
        return [one, text, list(rest)]

    return call


@scenario([6, "long enough for the heap"])
def call_back(n: int) -> Callable[[], Any]:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")

    def call() -> Any:
        total = apply(lambda *values: sum(values), 1, 2, 3)
        return [total, str(apply(lambda text: text + " for the heap", "long enough"))]

    return call


@scenario([[1, 2, 3], {"a": 1, "b" * 30: 2}, {"k": [1]}, [5, 6], (1, 2)])
def containers(n: int) -> Callable[[], Any]:
    import tvm_ffi

    def make() -> Any:
        array = tvm_ffi.Array([1, 2, 3])
        mapping = tvm_ffi.Map({"a": 1, "b" * 30: 2})
        table = tvm_ffi.Dict({"k": [1]})
        numbers = tvm_ffi.List([5])
        numbers.append(6)
        shape = tvm_ffi.Shape((1, 2))
        nested = {str(key): list(value) for key, value in table.items()}
        return [list(array), dict(mapping.items()), nested, list(numbers), tuple(shape)]

    return make


@scenario({"a": [1, 2.5, None, True], "b": "text that is not small"})
def read_json(n: int) -> Callable[[], Any]:
    import tvm_ffi

    parse = tvm_ffi.get_global_func("ffi.json.Parse")

    def plain(value: Any) -> Any:
        if isinstance(value, tvm_ffi.Map):
            return {str(key): plain(item) for key, item in value.items()}
        if isinstance(value, tvm_ffi.Array):
            return [plain(item) for item in value]
        return value

    return lambda: plain(parse('{"a": [1, 2.5, null, true], "b": "text that is not small"}'))


@scenario('["a",[1,2.5],"text that is not small"]')
def write_json(n: int) -> Callable[[], Any]:
    import tvm_ffi

    stringify = tvm_ffi.get_global_func("ffi.json.Stringify")
    value = tvm_ffi.convert(["a", [1, 2.5], "text that is not small"])
    return lambda: str(stringify(value, None))


@scenario([[1, 9, 3, "four", 5], [5, 1], [2, 3]])
def change_list(n: int) -> Callable[[], Any]:
    import tvm_ffi

    def change() -> Any:
        items = tvm_ffi.List([1, 2, 3, 5])
        items[1] = 9
        items.insert(3, "four")
        other = tvm_ffi.List([1, 2, 3, 4, 5])
        del other[1:4]
        other[:] = [5, *other[:1]]
        return [list(items), list(other), list(tvm_ffi.Array([1, 2, 3])[1:])]

    return change


@scenario([["a", "b"], [1, 2], 3, "none"])
def change_dict(n: int) -> Callable[[], Any]:
    import tvm_ffi

    def change() -> Any:
        table = tvm_ffi.Dict({"a": 1})
        table.update({"b": 2})
        table["c"] = 3
        return [list(table)[:2], list(table.values())[:2], table.pop("c"), table.get("d", "none")]

    return change


@scenario([5, "changed to a text that is not small", 7])
def fields(n: int) -> Callable[[], Any]:
    from tvm_ffi import Object
    from tvm_ffi.dataclasses import py_class

    @py_class(f"oom.Fields{n}")
    class Fields(Object):
        x: int
        text: str
        items: list[int]

    made = Fields(1, "", [])

    def change() -> Any:
        made.x = 5
        made.text = "changed to a text that is not small"
        made.items = [7]
        return [made.x, made.text, made.items[0]]

    return change


@scenario([1, [2, "text that is not small"]])
def copy_and_pickle(n: int) -> Callable[[], Any]:
    import copy
    import pickle

    import tvm_ffi

    value = tvm_ffi.convert([1, [2, "text that is not small"]])

    def duplicate() -> Any:
        again = pickle.loads(pickle.dumps(copy.deepcopy(value)))
        return [again[0], list(again[1])]

    return duplicate


@scenario([2, 4, 3])
def traverse(n: int) -> Callable[[], Any]:
    import tvm_ffi

    value = tvm_ffi.convert([1, [2, 3]])

    def visit() -> Any:
        seen: list[Any] = []
        tvm_ffi.structural_walk(value, (int, seen.append))
        changed = tvm_ffi.structural_map(value, (int, lambda x: x + 1))
        return [changed[0], changed[1][1], len(seen)]

    return visit


@scenario([True, 1])
def graph_json(n: int) -> Callable[[], Any]:
    import tvm_ffi

    value = tvm_ffi.convert({"a": [1, "text that is not small"]})

    def round_trip() -> Any:
        text = tvm_ffi.serialization.to_json_graph_str(value)
        again = tvm_ffi.serialization.from_json_graph_str(text)
        return [bool(tvm_ffi.structural_equal(again, value)), again["a"][0]]

    return round_trip


@scenario(["KeyError", "a message that is not small", True])
def raise_from_native(n: int) -> Callable[[], Any]:
    import tvm_ffi

    fail = tvm_ffi.get_global_func("testing.test_raise_error")

    def call() -> Any:
        try:
            fail("KeyError", "a message that is not small")
        except KeyError as error:
            return [type(error).__name__, error.args[0], error.__traceback__ is not None]

    return call


@scenario(["LookupError", True])
def raise_from_python(n: int) -> Callable[[], Any]:
    import tvm_ffi

    apply = tvm_ffi.get_global_func("testing.apply")
    raised = LookupError("from a callback")

    def fail() -> None:
        raise raised

    def call() -> Any:
        try:
            apply(fail)
        except LookupError as error:
            return [type(error).__name__, error is raised]

    return call


@scenario(["TypeError"])
def wrong_argument(n: int) -> Callable[[], Any]:
    import tvm_ffi

    add_one = tvm_ffi.get_global_func("testing.add_one")

    def call() -> Any:
        try:
            add_one("text that is not small at all")
        except TypeError as error:
            return [type(error).__name__]

    return call


@scenario([True, True, "(1, (2, 3))"])
def structure(n: int) -> Callable[[], Any]:
    import tvm_ffi

    a = tvm_ffi.convert([1, [2, 3]])
    b = tvm_ffi.convert([1, [2, 3]])

    def compare() -> Any:
        hashes = [tvm_ffi.structural_hash(value) for value in (a, b)]
        return [bool(tvm_ffi.structural_equal(a, b)), hashes[0] == hashes[1], repr(a)]

    return compare


@scenario([(2, 3), 6.0])
def tensors(n: int) -> Callable[[], Any]:
    import numpy

    import tvm_ffi

    data = numpy.ones((2, 3))

    def convert() -> Any:
        tensor = tvm_ffi.from_dlpack(data)
        return [tuple(tensor.shape), float(numpy.from_dlpack(tensor).sum())]

    return convert


# --- the child


def sweep(name: str, for_good: bool, in_thread: bool) -> int:
    """Refuse each memory request of a scenario in turn; return the number of refused requests.

    With `in_thread`, each attempt is the first operation of a thread, and requests of the C library
    are refused, too.
    """
    allocator = ctypes.CDLL(None)
    begin, end = allocator.failing_allocation_begin, allocator.failing_allocation_end
    begin.argtypes, end.restype = [ctypes.c_long, ctypes.c_int], ctypes.c_long
    ctypes.c_int.in_dll(allocator, "failing_allocation_in_libc").value = in_thread
    make, expected = SCENARIOS[name]
    assert make(0)() == expected  # fills the caches

    def attempt() -> tuple[Any, BaseException | None, int]:
        result = error = None
        begin(n, int(for_good))
        try:
            result = operation()
        except BaseException as caught:
            error = caught
        return result, error, end()

    for n in range(1, MANY):
        operation = make(n)
        print(name, n, flush=True)
        result, error, seen = first_in_a_thread(attempt) if in_thread else attempt()
        if seen < n:
            assert error is None and result == expected, (n, result, error)
            return n - 1
        if error is None:
            assert result == expected, (n, result)
        elif not isinstance(error, MemoryError):
            raise AssertionError(f"refusal {n} gave {error!r}") from error
        del error
        if result is None:
            again = operation()
            assert again == expected, (n, again)
    raise AssertionError(f"{name} asks for memory more than {MANY} times")


def first_in_a_thread(attempt: Callable[[], Any]) -> Any:
    """Return the result of `attempt` in a new thread that has its thread-local variables."""
    import tvm_ffi

    results: list[Any] = []

    def run() -> None:
        # The C library makes the block of thread-local variables of a library at the first access,
        # and ends the process if there is no memory for it.
        tvm_ffi.core._env_get_current_stream(1, 0)
        results.append(attempt())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return results[0]


@pytest.fixture(scope="module")
def allocator(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compile the allocator that fails on demand."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    library = tmp_path_factory.mktemp("allocator") / "libfailing_allocation.so"
    source = HERE / "failing_allocation.c"
    flags = ["-O1", "-shared", "-fPIC", "-fno-builtin", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *flags, str(source), "-o", str(library)], check=True)
    return str(library)


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for_good"])
@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_every_refused_allocation_is_a_memory_error(
    allocator: str, name: str, for_good: bool
) -> None:
    check(allocator, name, for_good, in_thread=False)


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for_good"])
@pytest.mark.parametrize(
    "name", ["raise_from_native", "raise_from_python", "wrong_argument", "structure"]
)
def test_the_first_error_of_a_thread_needs_no_memory(
    allocator: str, name: str, for_good: bool
) -> None:
    check(allocator, name, for_good, in_thread=True)


def check(allocator: str, name: str, for_good: bool, in_thread: bool) -> None:
    """Sweep a scenario in a child process."""
    flags = [str(int(for_good)), str(int(in_thread))]
    command = [sys.executable, "-X", "faulthandler", __file__, name, *flags]
    environment = {**os.environ, "LD_PRELOAD": allocator, "PYTHONMALLOC": POOLS}
    from running import execute  # The child, which runs this file as a program, cannot import it.

    done = execute(*command, status=None, env=environment, timeout=300)
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, (
        f"status {done.returncode}, last step {last}\n{done.stderr[-4000:]}"
    )
    assert last[0].startswith("refused "), last
    assert int(last[0].split()[1]) > 0, "the allocator was not asked"


if __name__ == "__main__":
    print("refused", sweep(sys.argv[1], sys.argv[2] == "1", sys.argv[3] == "1"))
