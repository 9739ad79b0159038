# SPDX-License-Identifier: Apache-2.0
"""Run each test module repeatedly in one process, and fail if a counter grows every time.

    python tools/leak_gate.py [tests/python/test_list.py ...]

Each module is run three times to fill caches and load lazy modules, and three times for counting. A
counter that grew in all three counted runs is checked in three more; a counter that grew in all six
is a leak. Growth in some runs is not a leak: interpreters and allocators keep spare memory. Growth
below a limit is ignored, see `_NOISE`.
When the interpreter of a module ends, only wrappers from the first run of the tests may be left:
classes that are loaded at first use keep wrappers of their methods.

The counters are objects known to the garbage collector, blocks of Python's allocator, references
(on a debug build of Python), bytes allocated by malloc, wrappers of native objects, and open files.
Growth is reported by type and by test.
"""

from __future__ import annotations

import ctypes
import gc
import itertools
import mmap
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SETTLING, COUNTED = 3, 3
# Growth per run that is ignored, since Python allocates dictionaries and lists over 512 bytes by
# malloc, and the test runner keeps a few small objects of each run and bytes of each test. A leak
# still exceeds the limits for malloc: a leaking test leaks an object in each of many calls, and the
# smallest native object has 24 bytes plus 16 of the allocator.
_NOISE = {"malloc bytes": 1024, "blocks": 40, "collected objects": 1}
_NOISE_OF_A_TEST = {"malloc bytes": 16}

# How many wrappers of each kind are created and released to fill the binding's cache of dead
# wrappers. The number is larger than the cache.
_MOST_SPARE = 10_000

# The first dynamically allocated type index (kTVMFFIDynObjectBegin).
_FIRST_DYNAMIC_TYPE = 128

# The environment variable that holds the path of the file that `AtExit` reads.
_TOLD_IN = "TVM_FFI_LEFT_AT_EXIT"

# Each module runs in a separate process. `make test` runs these modules, `make leaks` all modules.
REPRESENTATIVE = [
    "tests/python/test_array.py",
    "tests/python/test_error.py",
    "tests/python/test_function.py",
    "tests/binding/test_wrappers.py",
]
# Modules whose tests start processes, are random, or have permanent effects: they load modules,
# change files or the registry.
LEFT_OUT = {"test_commands", "test_import", "test_libinfo", "test_lockfile", "test_stub",
            "test_embed_cubin", "test_docstrings", "test_models",
            "test_module", "test_type_info", "test_load_errors"}  # fmt: skip


class _Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                 "uordblks", "fordblks", "keepcost")]  # fmt: skip


def _malloc_bytes() -> int:
    """Return the number of bytes that glibc's malloc has allocated; 0 if the number is unknown."""
    try:
        tell = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return 0
    tell.restype = _Mallinfo2
    info = tell()
    return int(info.uordblks + info.hblkhd)


def _counters() -> dict[str, int]:
    from tvm_ffi import core

    re.purge()  # Tests compile patterns that contain temporary paths.
    for _ in range(3):
        gc.collect()
    counts = {
        "collected objects": len(gc.get_objects()),
        "blocks": sys.getallocatedblocks(),
        "malloc bytes": _malloc_bytes(),
        "wrappers": sum(core._live_wrappers().values()),
        "open files": len(os.listdir("/proc/self/fd")),
    }
    references = getattr(sys, "gettotalrefcount", None)
    return counts if references is None else {**counts, "references": references()}


def _fill_spare_memory() -> None:
    """Fill the binding's cache of dead wrappers, so that the cache does not grow later."""
    from tvm_ffi import core, testing

    # The garbage collector tracks instances of TestObjectDerived, but not instances of TestIntPair.
    for cls in (testing.TestObjectDerived, testing.TestIntPair):
        wrappers = [core._new_object(cls) for _ in range(_MOST_SPARE)]
        del wrappers


def _number_of_types() -> int:
    """Return the number of native types, including types that were rolled back."""
    from tvm_ffi.libinfo import find_libtvm_ffi

    info = ctypes.CDLL(find_libtvm_ffi()).TVMFFIGetTypeInfo
    info.restype = ctypes.c_void_p
    return next(i for i in itertools.count(_FIRST_DYNAMIC_TYPE) if info(i) is None)


class AtExit:
    """A file into which a process writes, when it ends, how many wrappers are left."""

    SIZE = ctypes.sizeof(ctypes.c_int64)
    NOT_TOLD = -1

    def __init__(self, path: str) -> None:
        """Create the file."""
        self.path = path
        Path(path).write_bytes(self.NOT_TOLD.to_bytes(self.SIZE, sys.byteorder, signed=True))

    @staticmethod
    def ask(path: str) -> None:
        """Make this process write to `path`, when it ends, how many wrappers are left."""
        from tvm_ffi import core

        with open(path, "r+b") as file:
            core._count_wrappers_at_exit(mmap.mmap(file.fileno(), AtExit.SIZE))

    def left(self) -> int:
        """Return the count; `NOT_TOLD` if `ask` was not called or the process was killed."""
        return int.from_bytes(Path(self.path).read_bytes(), sys.byteorder, signed=True)


def _types() -> Counter[str]:
    return Counter(f"{type(x).__module__}.{type(x).__qualname__}" for x in gc.get_objects())


def _is_gated(item: Any) -> bool:
    """Return False for tests that use Hypothesis or that only start another process."""
    elsewhere = {"run_python", "run_enum_program"}.intersection(item.fixturenames)
    return not elsewhere and not hasattr(getattr(item, "obj", None), "hypothesis")


class Gate:
    """A pytest plugin that replaces the loop over the tests."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self.tests = 0

    def _once(self, items: list[Any], lasting: bool = True) -> None:
        """Run the tests once, and remove from the list each test that fails when it is repeated.

        If `lasting` is false, also remove each test that defines a native type, since types are
        never freed. In the first run `lasting` must be true: tests may then define types that later
        runs reuse.
        """
        from _pytest.runner import runtestprotocol

        for item, following in zip(items.copy(), [*items[1:], None]):
            types = 0 if lasting else _number_of_types()
            reports = runtestprotocol(item, log=False, nextitem=following)
            if any(r.failed for r in reports) or (not lasting and _number_of_types() > types):
                items.remove(item)

    def _growing(self, items: list[Any]) -> dict[str, list[int]]:
        """Run the tests `COUNTED` times; return the counters that grew each time."""
        before = _counters()
        growth: dict[str, list[int]] = {name: [] for name in before}
        for _ in range(COUNTED):
            self._once(items)
            after = _counters()
            for name, value in after.items():
                growth[name].append(value - before[name])
            before = after
        tests = len(items)
        noise = {n: _NOISE.get(n, 0) + tests * _NOISE_OF_A_TEST.get(n, 0) for n in growth}
        return {n: g for n, g in growth.items() if min(g) > noise[n]}

    def _leaks(self, items: list[Any], settling: int) -> dict[str, list[int]]:
        for _ in range(settling):
            self._once(items)
        growing = self._growing(items)
        if not growing:
            return {}
        again = self._growing(items)
        return {n: [*growing[n], *again[n]] for n in growing if n in again}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests of the module and search for leaks."""
        items = [x for x in session.items if _is_gated(x)]
        if session.testsfailed or not items:
            return True
        self._once(items)  # loads everything that is loaded at first use
        self._once(items, lasting=False)
        _fill_spare_memory()
        if _TOLD_IN in os.environ:
            AtExit.ask(os.environ[_TOLD_IN])
        leaks = self._leaks(items, SETTLING - 2)
        self.tests = len(items)
        if leaks:
            self._blame(items, leaks)
        session._setupstate.teardown_exact(None)
        return True

    def _blame(self, items: list[Any], leaks: dict[str, list[int]]) -> None:
        """Report the tests that leak when run alone; if none leaks, the test runner has grown."""
        found = []
        for item in list(items):
            alone = self._leaks([item], 1)
            if alone:
                what = ", ".join(f"{n} {min(g)}" for n, g in alone.items())
                found.append(f"  {item.nodeid}: {what} each time")
        if not found:
            return
        self.complaints.append(f"{', '.join(f'{n} grew by {g}' for n, g in leaks.items())}")
        before = _types()
        self._once(items)
        gc.collect()
        self.complaints += [f"  {n:+} {name}" for name, n in (_types() - before).most_common(8)]
        self.complaints += found


def run_module(path: str) -> int:
    """Check one module in this process; return 0, or 1 with a message on standard error."""
    import pytest

    gate = Gate()
    status = pytest.main(["-q", "-q", "-p", "no:cacheprovider", "--no-header", path], [gate])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        gate.complaints.append(f"pytest ended with {status}")
    if gate.complaints:
        sys.stderr.write("\n".join([f"{path}:", *gate.complaints]) + "\n")
    else:
        sys.stdout.write(f"{path}: {gate.tests} tests, nothing grows\n")
    return 1 if gate.complaints else 0


def all_modules() -> list[str]:
    """Return the modules that can be checked."""
    found = [*ROOT.glob("tests/python/test_*.py"), *ROOT.glob("tests/python/dataclasses/test_*.py"),
             *ROOT.glob("tests/binding/test_*.py")]  # fmt: skip
    return sorted(str(p.relative_to(ROOT)) for p in found if p.stem not in LEFT_OUT)


def gate_module(path: str) -> bool:
    """Check one module in a separate process."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "TVM_FFI_MODEL_STEPS": "40"}
    with tempfile.TemporaryDirectory() as folder:
        at_exit = AtExit(os.path.join(folder, "left"))
        environment[_TOLD_IN] = at_exit.path
        command = [sys.executable, __file__, "--here", path]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        left = at_exit.left()
    if left > 0:
        sys.stderr.write(f"{path}: {left} wrappers of native objects are left at exit\n")
    return done.returncode == 0 and left <= 0


def main(arguments: list[str]) -> int:
    """Check the given modules, by default all, each in a separate process."""
    if arguments[:1] == ["--here"]:
        return run_module(arguments[1])
    if arguments[:1] == ["--quick"]:
        arguments = REPRESENTATIVE
    return 1 if sum(not gate_module(path) for path in arguments or all_modules()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
